#!/usr/bin/env bash
# Prints the path of an openssl: of the one on the PATH, or of one in the cache: Debian's, which is fetched by the image's
# lock of packages when it is not there.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/common.sh"
source "$here/debian.sh"

fill() {
    unpack_debian "$1" openssl libssl3t64 libzstd1 "${DEBIAN_LIBC[@]}" || return 1
    mv "$1/usr/bin/openssl" "$1/usr/bin/openssl.elf"
    write_starter "$1/usr/bin/openssl" "$1" "$2" usr/bin/openssl.elf "OPENSSL_CONF=$2/etc/ssl/openssl.cnf"
}

main() {
    local command home
    if command -v openssl; then
        return
    fi
    home="$FETCHED/openssl/debian-$(debian_version openssl)"
    if [[ ! -d "$home" ]]; then
        command=$(install_command openssl)
        may_fetch openssl "$command"
        can_unpack_debian || fail "found no openssl; type: $command"
        say "found no openssl; fetching Debian's (8 MB) into $home (MILLWRIGHT_FETCH=off forbids it)"
        make_once "$home" fill
    fi
    publish "$home/usr/bin/openssl"
    echo "$home/usr/bin/openssl"
}

main
