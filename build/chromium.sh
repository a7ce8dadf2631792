#!/usr/bin/env bash
# Prints the path of a Chromium for the tests of the page. One that is missing is installed as root from Debian's or
# Ubuntu's packages, and fetched into the cache by others on Debian; elsewhere this says what to do, and fails.
set -euo pipefail

find_chromium() {
    local name
    if [[ -n "${MILLWRIGHT_CHROMIUM:-}" ]]; then
        [[ -x "$MILLWRIGHT_CHROMIUM" ]] || {
            echo "chromium.sh: MILLWRIGHT_CHROMIUM is $MILLWRIGHT_CHROMIUM, which cannot be run" >&2
            exit 1
        }
        echo "$MILLWRIGHT_CHROMIUM"
        return
    fi
    for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
        if command -v "$name"; then
            return
        fi
    done
    for name in "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
        "/Applications/Chromium.app/Contents/MacOS/Chromium"; do
        if [[ -x "$name" ]]; then
            echo "$name"
            return
        fi
    done
    return 1
}

install_chromium() {
    [[ "${MILLWRIGHT_FETCH:-on}" != off && "$(id -u)" == 0 ]] && command -v apt-get >/dev/null || return 1
    # Two tests at once must not install together; the second finds it done.
    exec 9>"${TMPDIR:-/tmp}/millwright-chromium.lock"
    flock 9
    find_chromium >/dev/null && return
    echo "chromium.sh: installing the package chromium" >&2
    {
        DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium ||
            { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium; }
    } >&2
}

find_chromium && exit
if install_chromium && find_chromium; then
    exit
fi
exec "$(dirname "${BASH_SOURCE[0]}")/fetch/chromium.sh"
