#!/usr/bin/env bash
# go.sh VERSION: prints the directory of a `go` that is at least VERSION: of the one on the PATH, or of one in the
# cache, which is fetched from Go's module proxy when it is not there.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/common.sh"

readonly GO_WANTED="${1:?go.sh: say the lowest version, such as 1.26}"
readonly GO_VERSION=1.26.10
# Where GOPROXY names no other.
readonly GO_PROXY=https://proxy.golang.org

is_new_enough() { [[ "$(printf '%s\n' "$GO_WANTED" "$1" | sort -V | head -1)" == "$GO_WANTED" ]]; }

# The digest of the module for this machine.
digest() {
    case "$1" in
    linux-amd64) echo f64ecb0807852be2c98899561c45288a9ad57f4e88f3cd002ffabeccbd03bfe1 ;;
    linux-arm64) echo 195f18be92553fb272b9c4f9fca6e67b6a04d8831bf6c4b918ac70982fadb444 ;;
    darwin-amd64) echo 3cf4e48b0c309cb907cbb9fc0466d4e97c2c9faa48a16222e03ef4914aec09b2 ;;
    darwin-arm64) echo afb16ae24c172f008db87119f34cf903a295bbad3fa526f7443914b0240b33c7 ;;
    *) return 1 ;;
    esac
}

# The first proxy of GOPROXY that is one.
proxy() {
    local each found=$GO_PROXY
    while IFS= read -r each; do
        if [[ "$each" == http*://* ]]; then
            found=${each%/}
            break
        fi
    done < <(tr ',|' '\n\n' <<<"${GOPROXY:-}")
    echo "$found"
}

fill() {
    local version="v0.0.1-go$GO_VERSION.$3" program
    download "$1/go.zip" "$(digest "$3")" "$(proxy)/golang.org/toolchain/@v/$version.zip" || return 1
    if command -v unzip >/dev/null; then
        unzip -q "$1/go.zip" -d "$1" || return 1
    else
        "$here/path/unzip" -q "$1/go.zip" -d "$1" || return 1
    fi
    mv "$1/golang.org/toolchain@$version"/* "$1" && rm -rf "$1/golang.org" "$1/go.zip" || return 1
    # A module has no permissions.
    for program in "$1"/bin/* "$1"/pkg/tool/*/*; do
        chmod +x "$program"
    done
}

main() {
    local found="" platform command home
    if command -v go >/dev/null; then
        found=$(GOTOOLCHAIN=local go env GOVERSION)
        if is_new_enough "${found#go}"; then
            dirname "$(command -v go)"
            return
        fi
    fi
    is_new_enough "$GO_VERSION" || fail "found Go ${found:-nowhere}, want $GO_WANTED or newer; see https://go.dev/dl"
    platform="$(uname -s | tr '[:upper:]' '[:lower:]')-$(platform)"
    home="$FETCHED/go-$GO_VERSION"
    if [[ ! -d "$home" ]]; then
        command="$(install_command golang-go golang go go), which must be $GO_WANTED or newer, or see https://go.dev/dl"
        may_fetch "Go $GO_WANTED or newer${found:+ (but $found)}" "$command"
        digest "$platform" >/dev/null || fail "found no Go $GO_WANTED or newer, and there is none to fetch for $platform; type: $command"
        if ! command -v unzip >/dev/null; then
            # Before the lock is taken, because a JDK may have to be fetched too.
            # shellcheck source=../find-jdk.sh
            source "$here/../find-jdk.sh"
            find_jdk || exit 1
        fi
        say "found no Go $GO_WANTED or newer; fetching Go $GO_VERSION (70 MB) into $home (MILLWRIGHT_FETCH=off forbids it)"
        make_once "$home" fill "$platform"
    fi
    echo "$home/bin"
}

main
