#!/usr/bin/env bash
# Shows that a machine with nothing on it builds and runs us: a fresh Debian with bash, curl, git and certificates, and a
# user without root, in which a clone of the last commit fetches what it lacks. Then each tool is taken away in turn.
#   bare.sh [SUITE...]   bookworm and trixie when none is said; needs root and debootstrap
#   CASES="go python"    these cases alone; all of them when it is not set
#   UNIT="ONLY=core"     arguments of `make check`, the last case; all modules when it is not set
# The bases stay in ~/.cache/millwright/bare (350 MB each; MILLWRIGHT_CACHE moves it). What runs on them is thrown away.
set -euo pipefail
repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

readonly CACHE="${MILLWRIGHT_CACHE:-$HOME/.cache/millwright}/bare"
readonly PACKAGES=ca-certificates,curl,git
readonly SECONDS_MAX=3600
# Where this machine finds its registries: settings of the machine, which a clone does not bring.
readonly SETTINGS=(http_proxy https_proxy no_proxy GOPROXY GOSUMDB GONOSUMDB GOFLAGS PIP_INDEX_URL npm_config_registry
    MILLWRIGHT_DEBIAN_MIRROR)
readonly SETTING_FILES=(/etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt)
readonly ALL_CASES=(off curl digest jdk unzip go openssl npm python flock dpkg pip chromium demo unit)

say() { echo "bare: $*" >&2; }

[[ "$(id -u)" == 0 ]] || {
    say "must be root, to make a root of its own"
    exit 2
}
command -v debootstrap >/dev/null || {
    say "found no debootstrap; type: apt-get install debootstrap"
    exit 2
}

# A namespace of its own takes its mounts and its processes with it, however it ends.
if [[ "${1:-}" != --inside ]]; then
    [[ $# -gt 0 ]] || set -- bookworm trixie
    work=$(mktemp -d)
    inside=
    trap '[[ -z "$inside" ]] || kill -KILL "$inside" 2>/dev/null && wait; rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    for suite in "$@"; do
        mkdir "$work/$suite"
        unshare --mount --propagation private --pid --fork --kill-child "${BASH_SOURCE[0]}" --inside "$suite" "$work/$suite" &
        inside=$!
        wait "$inside"
        inside=
        rm -rf "${work:?}/$suite"
    done
    exit
fi

suite=$2
work=$3
root="$work/root"
read -ra cases <<<"${CASES:-${ALL_CASES[*]}}"
failed=()

make_base() {
    [[ ! -d "$CACHE/$suite" ]] || return 0
    say "making a bare Debian $suite"
    mkdir -p "$CACHE"
    debootstrap --variant=minbase --include="$PACKAGES" "$suite" "$work/base" \
        "${MILLWRIGHT_DEBIAN_MIRROR:-http://deb.debian.org}/debian" >"$work/debootstrap.log" 2>&1 || {
        cat "$work/debootstrap.log" >&2
        exit 1
    }
    mv "$work/base" "$CACHE/$suite"
}

mount_root() {
    local file
    mkdir -p "$work"/{upper,overlay,root}
    mount -t overlay overlay -o "lowerdir=$CACHE/$suite,upperdir=$work/upper,workdir=$work/overlay" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    for file in "${SETTING_FILES[@]}"; do
        [[ ! -r "$file" ]] || cat "$file" >"$root$file"
    done
    chroot "$root" useradd --create-home --shell /bin/bash builder
    git clone --quiet "file://$repository" "$root/home/builder/millwright"
    if [[ -r "$HOME/.m2/settings.xml" ]]; then
        mkdir "$root/home/builder/.m2"
        cp "$HOME/.m2/settings.xml" "$root/home/builder/.m2/"
    fi
    chroot "$root" chown -R builder:builder /home/builder
}

# as_user COMMAND: in the clone, as the user without root; the output is in $output.
as_user() {
    local name settings=()
    for name in "${SETTINGS[@]}"; do
        [[ -z "${!name:-}" ]] || settings+=("$name=${!name}")
    done
    output="$work/output"
    timeout --kill-after=10 "$SECONDS_MAX" chroot --userspec=builder:builder "$root" \
        env -i HOME=/home/builder PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 "${settings[@]}" \
        bash -c "cd ~/millwright"$'\n'"$1" >"$output" 2>&1 </dev/null
}

# expect CODE TEXT COMMAND: what ends so, with words of which TEXT, an extended pattern, is a part.
expect() {
    local code=0 wanted=$1 text=$2
    as_user "$3" || code=$?
    if [[ "$code" != "$wanted" ]] || ! grep -qE -- "$text" "$output"; then
        fault "\`$3\` ended with $code, want $wanted and words like \"$text\""
        return
    fi
    if grep -qE '(line [0-9]+: .*(command not found|unbound variable)|Traceback|^[[:space:]]+at [a-z.]+\()' "$output"; then
        fault "\`$3\` showed its own lines in place of a message"
    fi
}

fault() {
    say "$suite $case: $1; it said:"
    tail -20 "$output" | sed 's/^/    /' >&2
    failed+=("$case")
}

# without TOOL COMMAND...: the tool is not there while the command runs.
without() {
    local tool=$1 path
    shift
    path=$(chroot "$root" bash -c "command -v $tool")
    path=$(chroot "$root" readlink -f "$path")
    mv "$root$path" "$root$path.hidden"
    "$@"
    mv "$root$path.hidden" "$root$path"
}

readonly FORBIDDEN="MILLWRIGHT_FETCH=off forbids to fetch it; type: sudo apt-get install"

case_off() {
    expect 1 "found no JDK 25, and $FORBIDDEN openjdk-25-jdk-headless" "MILLWRIGHT_FETCH=off ./millwright version"
    expect 1 "found no Go 1.26 or newer, and $FORBIDDEN golang-go" "MILLWRIGHT_FETCH=off build/fetch/go.sh 1.26"
    expect 1 "found no Chromium, and $FORBIDDEN chromium" "MILLWRIGHT_FETCH=off build/chromium.sh"
    expect 1 "found no Python 3.10 or newer .*$FORBIDDEN python3 python3-venv" "MILLWRIGHT_FETCH=off build/fetch/python.sh"
    expect 1 "found no axe-core .*MILLWRIGHT_FETCH=off forbids to fetch it; type: npm pack axe-core@" \
        "MILLWRIGHT_FETCH=off build/axe.sh"
    without openssl expect 1 "found no openssl, and $FORBIDDEN openssl" "MILLWRIGHT_FETCH=off build/fetch/openssl.sh"
    expect 0 "^nothing$" "find ~/.cache/millwright/fetched 2>/dev/null || echo nothing"
}

case_curl() {
    local words="no curl to fetch it with; type: sudo apt-get install curl"
    without curl expect 1 "found no JDK 25, and $words" "./millwright version"
    without curl expect 1 "found no Go 1.26 or newer, and $words" "build/fetch/go.sh 1.26"
    without curl expect 1 "found no axe-core [0-9.]+, and $words" "build/axe.sh"
}

# A mirror that hands out something else: nothing of it is used.
case_digest() {
    local name
    name=$(awk -v platform="$(dpkg --print-architecture)" '$1 == platform && $2 == "openssl" { print $4 }' "$repository/build/image/packages.lock")
    as_user "mkdir -p ~/mirror/$(dirname "$name") && echo nonsense >~/mirror/$name"
    without openssl expect 1 "found SHA-256 [0-9a-f]{64}, want [0-9a-f]{64}" \
        "MILLWRIGHT_CACHE=~/digest MILLWRIGHT_DEBIAN_MIRROR=file://\$HOME/mirror build/fetch/openssl.sh"
    expect 0 "^nothing$" "find ~/digest/fetched -mindepth 2 -not -name lock 2>/dev/null | grep . || echo nothing"
}

# Two at once: one fetches, the other waits.
case_jdk() {
    expect 0 "fetching Debian's OpenJDK \(60 MB\) into /home/builder/.cache" \
        'build/find-jdk.sh & build/find-jdk.sh && wait $! && $(build/find-jdk.sh)/bin/javac --version'
    expect 0 "^javac 25" '$(build/find-jdk.sh)/bin/javac --version'
    expect 0 "^nothing$" 'ls ~/.cache/millwright/fetched/.partial | grep -v "^lock$" || echo nothing'
}

case_unzip() { expect 0 "Apache Maven 3" "! command -v unzip && build/mvn.sh --version"; }

case_flock() {
    without flock without openssl expect 0 "^OpenSSL 3" 'MILLWRIGHT_CACHE=~/noflock $(MILLWRIGHT_CACHE=~/noflock build/fetch/openssl.sh) version'
    without flock expect 1 "found no flock; type: sudo apt-get install util-linux" "testing/aws-endpoint/build.sh"
}

case_go() {
    expect 0 "^go version go1.26" '$(build/fetch/go.sh 1.26)/go version'
    expect 1 "want 9.9 or newer" "build/fetch/go.sh 9.9"
}

case_openssl() { without openssl expect 0 "BEGIN CERTIFICATE" \
    '$(build/fetch/openssl.sh) req -x509 -newkey rsa:2048 -nodes -keyout /dev/null -subj /CN=bare'; }

case_npm() { expect 0 "axe.min.js$" 'script=$(build/axe.sh) && test -s $script && echo $script'; }

case_python() {
    expect 0 "fetching Debian's \(12 MB\)" "build/fetch/python.sh"
    expect 0 "^3.1[0-9]" '$(build/fetch/python.sh) -c "import sys, ssl; print(sys.version)"'
}

# As on another distribution: packages are unpacked by xz and by ourselves, or not at all.
case_dpkg() {
    local fetch='MILLWRIGHT_CACHE=~/nodpkg build/fetch/openssl.sh'
    without dpkg-deb without openssl expect 1 "found no openssl; type: sudo apt-get install openssl" "$fetch"
    install xz-utils
    without dpkg-deb without openssl expect 0 "^OpenSSL 3" "\$($fetch) version"
}

# install PACKAGE: as root.
install() {
    chroot "$root" bash -c "apt-get -qq update && apt-get -qq --yes --no-install-recommends install $1" \
        >"$work/apt.log" 2>&1 || {
        cat "$work/apt.log" >&2
        exit 1
    }
}

# Debian's own Python, without the package that brings pip.
case_pip() {
    install python3
    expect 1 "found no pip, and $FORBIDDEN python3-venv" "MILLWRIGHT_FETCH=off testing/aws-endpoint/build.sh"
    expect 0 "found no pip; fetching pip" "testing/aws-endpoint/build.sh"
    expect 0 "^moto 5" '$(testing/aws-endpoint/build.sh) -c "import moto; print(\"moto\", moto.__version__)"'
}

case_chromium() {
    local page='data:text/html,<p id=sum></p><script>sum.textContent = 1 + 1</script>'
    expect 0 '<p id="sum">2</p>' "\$(build/chromium.sh) --headless --no-sandbox --disable-gpu --dump-dom '$page'"
}

case_demo() {
    expect 0 '"invariantsBroken" : 0' "./millwright demo --headless --for 5s -o json"
}

case_unit() {
    install make
    expect 0 "BUILD SUCCESS" "make check ${UNIT:-}"
}

make_base
mount_root
for case in "${cases[@]}"; do
    began=$SECONDS
    before=${#failed[@]}
    "case_$case"
    [[ ${#failed[@]} != "$before" ]] || say "$suite $case: good, $((SECONDS - began)) s"
done
[[ ${#failed[@]} == 0 ]] || {
    say "$suite: ${#failed[@]} faults: ${failed[*]}"
    exit 1
}
say "$suite: all good"
