#!/usr/bin/env bash
# Prints the path of a Chromium in the cache, which is fetched when it is not there: on Debian, from the packages of the
# release that runs, with the libraries that are missing, without root. apt checks them by Debian's signature, because a
# pinned Chromium would be gone in a week. build/chromium.sh calls it when it finds none.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/common.sh"

# Debian's chromium alone is a package; Ubuntu's is an empty one that wants snap.
is_debian() { command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null && grep -qx 'ID=debian' /etc/os-release 2>/dev/null; }

# apt DIRECTORY ARGUMENT...: apt-get with its lists and archives in DIRECTORY, but the system's knowledge of what is
# installed.
apt() {
    local directory=$1
    shift
    apt-get --quiet --quiet -o Debug::NoLocking=1 -o Dir::State::lists="$directory/lists" -o Dir::Cache="$directory/cache" \
        -o APT::Sandbox::User="$(id -un)" "$@" >&2
}

fill() {
    local package libraries
    mkdir -p "$1"/apt/{lists,cache/archives}/partial "$1/root"
    apt "$1/apt" update || return 1
    apt "$1/apt" --yes --no-install-recommends --download-only install chromium fonts-dejavu-core || return 1
    for package in "$1"/apt/cache/archives/*.deb; do
        dpkg-deb --extract "$package" "$1/root" || return 1
    done
    rm -rf "$1/apt"
    mkdir -p "$1/root/lib"
    libraries=$(find "$1/root/lib" "$1/root/usr/lib" -name 'lib*.so*' -printf '%h\n' | sort -u | sed "s|^$1|$2|" | tr '\n' ':')
    cat >"$1/fonts.conf" <<XML
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>$2/root/usr/share/fonts</dir><dir>/usr/share/fonts</dir><cachedir>$2/fonts</cachedir></fontconfig>
XML
    cat >"$1/chromium" <<SCRIPT
#!/bin/sh
export LD_LIBRARY_PATH="${libraries%:}" FONTCONFIG_FILE="$2/fonts.conf"
exec "$2/root/usr/lib/chromium/chromium" "\$@"
SCRIPT
    chmod +x "$1/chromium"
}

main() {
    local home="$FETCHED/chromium" command
    if [[ ! -d "$home" ]]; then
        command="$(install_command chromium chromium chromium --cask\ chromium), or name one by MILLWRIGHT_CHROMIUM"
        [[ "${MILLWRIGHT_FETCH:-on}" != off ]] || fail "found no Chromium, and MILLWRIGHT_FETCH=off forbids to fetch it; type: $command"
        is_debian || fail "found no Chromium, and it is fetched on Debian alone; type: $command"
        say "found no Chromium; fetching Debian's (up to 250 MB with its libraries) into $home (MILLWRIGHT_FETCH=off forbids it)"
        make_once "$home" fill || fail "cannot fetch Chromium; type: $command"
    fi
    echo "$home/chromium"
}

main
