# shellcheck shell=bash
# Debian's packages, without Debian: fetched by the image's lock and unpacked anywhere, without root. They bring a C
# library of their own, so that they run whatever this system has. `source` it after common.sh.

DEBIAN_LOCK="$(cd "$(dirname "${BASH_SOURCE[0]}")/../image" && pwd)/packages.lock"
# The same as in build/image/debian.py.
readonly DEBIAN_MIRROR="${MILLWRIGHT_DEBIAN_MIRROR:-https://deb.debian.org}"
readonly DEBIAN_SNAPSHOT=https://snapshot.debian.org/archive
readonly DEBIAN_LIBC=(libc6 libgcc-s1 libstdc++6 zlib1g)

# can_unpack_debian: whether this machine has something that reads the packages, and the lock has its platform.
can_unpack_debian() {
    [[ "$(uname -s)" == Linux ]] && grep -q "^$(platform) " "$DEBIAN_LOCK" &&
        { command -v dpkg-deb >/dev/null || { command -v xz >/dev/null && command -v tar >/dev/null; }; }
}

# debian_version NAME: what the lock pins, by the first digits of its digest.
debian_version() {
    awk -v platform="$(platform)" -v name="$1" '$1 == platform && $2 == name { print substr($5, 1, 12) }' "$DEBIAN_LOCK"
}

# unpack_debian DIRECTORY NAME...
unpack_debian() {
    local directory=$1 name version path digest file moment
    shift
    moment=$(sed -n 's/^# taken //p' "$DEBIAN_LOCK")
    for name in "$@"; do
        read -r version path digest < <(awk -v platform="$(platform)" -v name="$name" \
            '$1 == platform && $2 == name { print $3, $4, $5 }' "$DEBIAN_LOCK") || {
            say "packages.lock has no $name for $(platform)"
            return 1
        }
        # Where build/image/debian.py looks for it.
        file="$FETCH_CACHE/debian/${digest:0:16}/${path##*/}"
        if [[ ! -f "$file" ]]; then
            file="$directory/${path##*/}"
            download "$file" "$digest" "$DEBIAN_MIRROR/$path" \
                "$DEBIAN_SNAPSHOT/${path%%/*}/$moment/${path#*/}" || {
                say "$name $version is gone; \`make image-packages\` pins the packages of today"
                return 1
            }
        fi
        unpack_package "$file" "$directory" || return 1
        rm -f "$directory/${path##*/}"
    done
}

# unpack_package FILE DIRECTORY: a package is an `ar` archive, with a header of 60 bytes before each member.
unpack_package() {
    local at=8 name size header
    if command -v dpkg-deb >/dev/null; then
        dpkg-deb --extract "$1" "$2"
        return
    fi
    while header=$(dd if="$1" bs=1 skip="$at" count=60 status=none) && [[ -n "$header" ]]; do
        name=${header:0:16} size=${header:48:10}
        name=${name%% *} size=${size%% *}
        if [[ "${name%/}" == data.tar.xz ]]; then
            # `tail` may find nobody to read its last bytes.
            (set +o pipefail && tail -c +$((at + 61)) "$1" | head -c "$size" | xz -dc | tar -xf - -C "$2")
            return
        fi
        at=$((at + 60 + size + size % 2))
    done
    say "${1##*/} has no data.tar.xz"
    return 1
}

# loader_of DIRECTORY: the dynamic loader among unpacked packages.
loader_of() {
    local found
    for found in "$1"/usr/lib/*/ld-linux*.so.? "$1"/usr/lib/*/ld64.so.?; do
        if [[ -f "$found" ]]; then
            echo "$found"
            return
        fi
    done
    say "libc6 has no loader"
    return 1
}

# write_starter FILE PARTIAL ROOT PROGRAM [SETTING]: a script that runs ROOT/PROGRAM by the loader and the libraries of
# ROOT, with a setting of the environment. The packages are in PARTIAL now and will be in ROOT.
write_starter() {
    local file=$1 partial=$2 root=$3 program=$4 setting=${5:-} loader
    loader=$(loader_of "$partial") || return 1
    loader="$root${loader#"$partial"}"
    printf '#!/bin/sh\n%sexec "%s" --library-path "%s" --argv0 "$0" "%s" "$@"\n' \
        "${setting:+export \"$setting\"$'\n'}" "$loader" "${loader%/*}" "$root/$program" >"$file"
    chmod +x "$file"
}
