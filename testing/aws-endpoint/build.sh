#!/usr/bin/env bash
# Makes the Python environment of the AWS endpoint in the cache, once for each requirements.txt, and prints the path of
# its interpreter. Needs Python 3.10 or newer with venv and pip, 140 MB of disk and, the first time, a minute.
# MILLWRIGHT_CACHE moves the cache; where pip looks for packages is pip's own setting.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly PYTHON="${PYTHON:-python3}"

say() { echo "aws-endpoint: $*" >&2; }

fail() {
    say "$*"
    exit 1
}

hash=$(sha256sum "$here/requirements.txt" | cut -c1-16)
readonly CACHE="${MILLWRIGHT_CACHE:-$HOME/.cache/millwright}"
readonly DIRECTORY="$CACHE/aws-endpoint-$hash"
readonly INTERPRETER="$DIRECTORY/bin/python"

is_there() { [[ -f "$DIRECTORY/complete" && -x "$INTERPRETER" ]]; }

if is_there; then
    echo "$INTERPRETER"
    exit 0
fi
command -v "$PYTHON" >/dev/null ||
    fail "found no $PYTHON on the PATH; the endpoint needs Python 3.10 or newer (https://www.python.org/downloads)"
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    fail "found $("$PYTHON" --version), want 3.10 or newer; PYTHON=… chooses another one"
"$PYTHON" -c 'import venv, ensurepip' 2>/dev/null ||
    fail "$PYTHON has no venv or no pip; on Debian they are in the packages python3-venv and python3-pip"
# Two builds at once would write the same files: the second waits, and then finds them.
command -v flock >/dev/null || fail "found no flock on the PATH; it is in the package util-linux"
mkdir -p "$CACHE"
exec 9>"$DIRECTORY.lock"
if ! flock -n 9; then
    say "another build is running in $DIRECTORY; waiting for it"
    flock 9
fi
if ! is_there; then
    say "making $DIRECTORY; the first time takes a minute"
    rm -rf "$DIRECTORY"
    "$PYTHON" -m venv "$DIRECTORY" >&2 || fail "cannot make a virtual environment in $DIRECTORY"
    "$INTERPRETER" -m pip install --quiet --disable-pip-version-check --requirement "$here/requirements.txt" >&2 ||
        fail "pip could not install $here/requirements.txt; see its words above"
    "$INTERPRETER" -m compileall -q "$DIRECTORY" >/dev/null || true
    touch "$DIRECTORY/complete"
fi
echo "$INTERPRETER"
