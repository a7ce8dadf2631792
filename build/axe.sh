#!/usr/bin/env bash
# Prints the path of axe-core's script, by which the tests audit the page for accessibility. It is fetched once, checked
# against its digest and kept in ~/.cache/millwright (MILLWRIGHT_CACHE moves it); it is no part of what we ship.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/fetch/common.sh"

version=4.14.0
digest=2277b0a3ef47af9b52497faa3e71598e86e0a0e5e6eb295207a5657ede4709af
registry="${npm_config_registry:-https://registry.npmjs.org}"
cache="$FETCHED/axe-core-$version"
script="$cache/package/axe.min.js"

fill() {
    download "$1/axe-core.tgz" "$digest" "$registry/axe-core/-/axe-core-$version.tgz" || return 1
    tar -xzf "$1/axe-core.tgz" -C "$1" package/axe.min.js package/LICENSE && rm "$1/axe-core.tgz"
}

if [[ ! -f "$script" ]]; then
    may_fetch "axe-core $version" "npm pack axe-core@$version, and unpack it into $cache"
    say "fetching axe-core $version (1 MB) into $cache (MILLWRIGHT_FETCH=off forbids it)"
    make_once "$cache" fill
fi
echo "$script"
