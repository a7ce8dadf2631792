#!/usr/bin/env bash
# Prints the path of a Python that is at least 3.10: of the one on the PATH (PYTHON names another), or of one in the
# cache: Debian's, which is fetched by the image's lock of packages when it is not there.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/common.sh"
source "$here/debian.sh"

readonly PYTHON="${PYTHON:-python3}"
readonly PACKAGES=(
    python3.13-minimal libpython3.13-minimal libpython3.13-stdlib libbz2-1.0 libexpat1 libffi8 liblzma5 libsqlite3-0
    libssl3t64 libuuid1 libzstd1 "${DEBIAN_LIBC[@]}"
)

# A Python without its library of modules is one in name alone.
is_whole() { "$1" -c 'import sys, venv, ssl; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }

fill() {
    unpack_debian "$1" "${PACKAGES[@]}" && write_starter "$1/usr/bin/python3" "$1" "$2" usr/bin/python3.13
}

main() {
    local command home
    if command -v "$PYTHON" >/dev/null && is_whole "$PYTHON"; then
        command -v "$PYTHON"
        return
    fi
    home="$FETCHED/python/debian-$(debian_version python3.13-minimal)"
    if [[ ! -d "$home" ]]; then
        command=$(install_command "python3 python3-venv" python3 python3 python3)
        may_fetch "Python 3.10 or newer with its modules" "$command"
        can_unpack_debian || fail "found no Python 3.10 or newer with its modules; type: $command"
        say "found no Python 3.10 or newer with its modules; fetching Debian's (12 MB) into $home (MILLWRIGHT_FETCH=off forbids it)"
        make_once "$home" fill
    fi
    publish "$home/usr/bin/python3"
    echo "$home/usr/bin/python3"
}

main
