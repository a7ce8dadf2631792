#!/usr/bin/env bash
# Makes the Python environment of the AWS endpoint in the cache, once for each requirements.txt, and prints the path of
# its interpreter. Needs 140 MB of disk and, the first time, a minute. A Python that the machine lacks is fetched
# (build/fetch/python.sh), and so is pip where Debian has split it off.
# MILLWRIGHT_CACHE moves the cache; PYTHON names another Python than python3; where pip looks for packages is pip's own setting.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly PIP_VERSION=26.3
readonly PIP_URL=https://files.pythonhosted.org/packages/07/25/ee8c38ae72d66b844ce8eb9711ba905dba21ca1a8a0c960057c41cd23337
readonly PIP_DIGEST=f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13
source "$here/../../build/fetch/common.sh"

say() { echo "aws-endpoint: $*" >&2; }

hash=$(sha256sum "$here/requirements.txt" | cut -c1-16)
readonly CACHE="$FETCH_CACHE"
readonly DIRECTORY="$CACHE/aws-endpoint-$hash"
readonly INTERPRETER="$DIRECTORY/bin/python"

# Debian has ensurepip, which venv takes pip from, in a package of its own.
make_environment() {
    if "$python" -c 'import ensurepip' 2>/dev/null; then
        "$python" -m venv "$DIRECTORY" >&2 || fail "cannot make a virtual environment in $DIRECTORY"
        pip=-mpip
        return
    fi
    pip="$DIRECTORY/pip-$PIP_VERSION-py3-none-any.whl"
    "$python" -m venv --without-pip "$DIRECTORY" >&2 || fail "cannot make a virtual environment in $DIRECTORY"
    may_fetch pip "$(install_command python3-venv)"
    say "found no pip; fetching pip $PIP_VERSION (2 MB) into $DIRECTORY (MILLWRIGHT_FETCH=off forbids it)"
    download "$pip" "$PIP_DIGEST" "$PIP_URL/${pip##*/}" || exit 1
    pip="$pip/pip"
}

is_there() { [[ -f "$DIRECTORY/complete" && -x "$INTERPRETER" ]]; }

if is_there; then
    echo "$INTERPRETER"
    exit 0
fi
python=$("$here/../../build/fetch/python.sh") || exit 1

# Two builds at once would write the same files: the second waits, and then finds them.
command -v flock >/dev/null || fail "found no flock; type: $(install_command util-linux util-linux util-linux flock)"
mkdir -p "$CACHE"
exec 9>"$DIRECTORY.lock"
if ! flock -n 9; then
    say "another build is running in $DIRECTORY; waiting for it"
    flock 9
fi
if ! is_there; then
    say "making $DIRECTORY; the first time takes a minute"
    rm -rf "$DIRECTORY"
    make_environment
    "$INTERPRETER" "$pip" install --quiet --disable-pip-version-check --require-hashes --requirement "$here/requirements.txt" >&2 ||
        fail "pip could not install $here/requirements.txt; see its words above"
    "$INTERPRETER" -m compileall -q "$DIRECTORY" >/dev/null || true
    touch "$DIRECTORY/complete"
fi
echo "$INTERPRETER"
