#!/usr/bin/env bash
# Runs Maven on JDK 25: the wrapper's version, or a `mvn` on the PATH where the wrapper's cannot be had.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk

cd "$root"
# Two builds in one tree would overwrite each other's classes: the second waits.
if command -v flock >/dev/null; then
    mkdir -p target
    exec 9>target/.build.lock
    flock 9
fi
# What build/fetch put into the cache comes after the machine's own.
PATH="$PATH:${MILLWRIGHT_CACHE:-$HOME/.cache/millwright}/fetched/bin"
command -v unzip >/dev/null || export PATH="$root/build/fetch/path:$PATH"
if ./mvnw --version >/dev/null 2>&1; then
    exec ./mvnw "$@"
fi
if ! command -v mvn >/dev/null; then
    echo "millwright: ./mvnw could not download Maven and there is no mvn on the PATH; its words:" >&2
    exec ./mvnw --version
fi
echo "millwright: ./mvnw could not download Maven; using the mvn on the PATH (3.8 or newer is needed)" >&2
exec mvn "$@"
