# shellcheck shell=bash
# What the scripts of this directory share: they fetch a tool that the machine lacks, once, check it against a pinned
# SHA-256 and print where it lies. `source` it.
#   MILLWRIGHT_FETCH=off  forbids to fetch; the scripts then name the command that installs the tool
#   MILLWRIGHT_CACHE      moves the cache, which is ~/.cache/millwright

FETCH_CACHE="${MILLWRIGHT_CACHE:-${HOME:?}/.cache/millwright}"
[[ "$FETCH_CACHE" == /* ]] || FETCH_CACHE="$PWD/$FETCH_CACHE"
readonly FETCHED="$FETCH_CACHE/fetched"
readonly FETCH_CONNECT_SECONDS_MAX=20
# A server that sends less than this for so long is given up.
readonly FETCH_BYTES_PER_SECOND_MIN=1000
readonly FETCH_STALL_SECONDS_MAX=60

say() { echo "millwright: $*" >&2; }

fail() {
    say "$*"
    exit 1
}

# install_command PACKAGE [DNF [APK [BREW]]]: what to type on this machine; the names default to the first.
install_command() {
    local apt=$1 dnf=${2:-$1} apk=${3:-$1} brew=${4:-$1} root=
    [[ "$(id -u)" == 0 ]] || root="sudo "
    if command -v apt-get >/dev/null; then
        echo "${root}apt-get install $apt"
    elif command -v dnf >/dev/null; then
        echo "${root}dnf install $dnf"
    elif command -v apk >/dev/null; then
        echo "${root}apk add $apk"
    elif command -v brew >/dev/null || [[ "$(uname -s)" == Darwin ]]; then
        echo "brew install $brew"
    else
        echo "sudo apt-get install $apt (Debian, Ubuntu), or the package of that name of this system"
    fi
}

# may_fetch TOOL COMMAND: goes on only where fetching is allowed and possible.
may_fetch() {
    [[ "${MILLWRIGHT_FETCH:-on}" != off ]] || fail "found no $1, and MILLWRIGHT_FETCH=off forbids to fetch it; type: $2"
    command -v curl >/dev/null || command -v wget >/dev/null ||
        fail "found no $1, and no curl to fetch it with; type: $(install_command curl), or: $2"
}

# platform: amd64, arm64, ppc64le, s390x, as Go and the image's packages.lock name them.
platform() {
    case "$(uname -m)" in
    x86_64 | amd64) echo amd64 ;;
    aarch64 | arm64) echo arm64 ;;
    *) uname -m ;;
    esac
}

sha256_of() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1" | cut -d' ' -f1
    else
        shasum -a 256 "$1" | cut -d' ' -f1
    fi
}

# transfer URL FILE
transfer() {
    local progress=(--silent --show-error)
    if command -v curl >/dev/null; then
        [[ ! -t 2 ]] || progress=(--progress-bar)
        curl --fail --location "${progress[@]}" --retry 2 --connect-timeout "$FETCH_CONNECT_SECONDS_MAX" \
            --speed-limit "$FETCH_BYTES_PER_SECOND_MIN" --speed-time "$FETCH_STALL_SECONDS_MAX" --output "$2" "$1"
    else
        wget --no-verbose --tries=3 --timeout="$FETCH_STALL_SECONDS_MAX" --output-document="$2" "$1"
    fi
}

# download FILE SHA256 URL...: from the first URL that has it. What went wrong with the others is told when none has.
download() {
    local file=$1 wanted=$2 url found faults=""
    shift 2
    mkdir -p "${file%/*}"
    for url in "$@"; do
        if [[ -t 2 ]]; then
            found="not fetched; the line above says why"
            transfer "$url" "$file.$$" && found=
        else
            found=$(transfer "$url" "$file.$$" 2>&1) && found=
        fi
        if [[ -z "$found" ]]; then
            found=$(sha256_of "$file.$$")
            if [[ "$found" == "$wanted" ]]; then
                mv -f "$file.$$" "$file"
                return
            fi
            found="found SHA-256 $found, want $wanted"
            say "$url: $found; nothing of it is used"
        fi
        faults+=$'\n'"  $url: ${found##*$'\n'}"
    done
    rm -f "$file.$$"
    say "cannot fetch ${file##*/}:$faults"
    return 1
}

# make_once DIRECTORY FUNCTION [ARGUMENT...]: calls FUNCTION with a directory to fill, DIRECTORY and the arguments. What it
# filled becomes DIRECTORY as a whole, or not at all. Two at once do the work once where there is flock, else twice.
make_once() {
    local directory=$1
    shift
    [[ ! -d "$directory" ]] || return 0
    mkdir -p "$(dirname "$directory")" "$FETCHED/.partial"
    if command -v flock >/dev/null; then
        exec 8>"$FETCHED/.partial/lock"
        if ! flock --nonblock 8; then
            say "something else is being fetched; waiting for it"
            flock 8
        fi
        [[ ! -d "$directory" ]] || return 0
        find "$FETCHED/.partial" -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +
    fi
    FETCH_PARTIAL="$FETCHED/.partial/${directory##*/}.$$"
    trap 'rm -rf "$FETCH_PARTIAL"' EXIT
    mkdir -p "$FETCH_PARTIAL"
    "$1" "$FETCH_PARTIAL" "$directory" "${@:2}" || exit 1
    # When somebody was sooner, `mv` would move into their directory.
    [[ -d "$directory" ]] || mv "$FETCH_PARTIAL" "$directory"
    rm -rf "$directory/${FETCH_PARTIAL##*/}"
    exec 8>&-
}

# publish PROGRAM: into the directory that build/mvn.sh puts at the end of the PATH, for the tests that call it by name.
publish() {
    local program="$FETCHED/bin/${1##*/}"
    mkdir -p "${program%/*}"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$1" >"$program.$$"
    chmod +x "$program.$$"
    mv -f "$program.$$" "$program"
}
