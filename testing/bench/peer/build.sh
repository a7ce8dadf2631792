#!/bin/sh
# Builds the peer program, and prints the binary's path as the last line. The binary is named after a hash of the
# sources, so that a second call finds it and is done in a blink.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
hash=$(ls ./*.go | grep -v _test.go | xargs cat go.mod go.sum build.sh | sha256sum | cut -c 1-16)
cache=${MILLWRIGHT_CACHE:-$HOME/.cache/millwright}
binary=$cache/peer-$hash
if [ ! -x "$binary" ]; then
    mkdir -p "$cache"
    go=$(../../../build/fetch/go.sh 1.26)
    PATH="$go:$PATH"
    # The module asks for a newer Go than machines have; the toolchain comes through the module proxy.
    # One compiler at a time, politely: the first build takes minutes of CPU.
    part=$binary.part.$$
    trap 'rm -f "$part"' EXIT
    GOTOOLCHAIN="${PEER_GOTOOLCHAIN:-go1.26.9}" GOFLAGS="-buildvcs=false -mod=readonly" \
        nice go build -p "${PEER_BUILD_JOBS:-1}" -o "$part" . >&2
    mv "$part" "$binary"
fi
echo "$binary"
