#!/usr/bin/env bash
# Prints the path of axe-core's script, by which the tests audit the page for accessibility. It is fetched once, checked
# against its digest and kept in ~/.cache/millwright (MILLWRIGHT_CACHE moves it); it is no part of what we ship.
set -euo pipefail

version=4.14.0
digest=2277b0a3ef47af9b52497faa3e71598e86e0a0e5e6eb295207a5657ede4709af
cache="${MILLWRIGHT_CACHE:-$HOME/.cache/millwright}/axe-core-$version"
script="$cache/package/axe.min.js"

if [[ ! -f "$script" ]]; then
    command -v npm >/dev/null || {
        echo "axe.sh: the audit of the page needs npm once, to fetch axe-core $version; install it (Debian, Ubuntu: apt-get install npm)" >&2
        exit 1
    }
    mkdir -p "$cache"
    # Two tests at once must not fetch into each other; the second finds it done.
    exec 9>"$cache.lock"
    flock 9
    if [[ ! -f "$script" ]]; then
        (cd "$cache" && npm pack --silent "axe-core@$version" >/dev/null)
        echo "$digest  $cache/axe-core-$version.tgz" | sha256sum --check --quiet - >&2 || {
            rm -f "$cache/axe-core-$version.tgz"
            echo "axe.sh: axe-core-$version.tgz is not what was expected; nothing of it is used" >&2
            exit 1
        }
        tar -xzf "$cache/axe-core-$version.tgz" -C "$cache" package/axe.min.js package/LICENSE
        rm "$cache/axe-core-$version.tgz"
    fi
fi
echo "$script"
