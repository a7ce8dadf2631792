#!/usr/bin/env bash
# Builds or fetches, once, what the tests need beside Java: before they run, so that none waits inside for a compiler.
#   prepare.sh        what `make test` needs
#   prepare.sh --all  what `make test-all` needs too
# It says what it makes, how long that took the last time, and every half minute how far it is. What is there stays.
# MILLWRIGHT_CACHE moves the cache. Ends with 1, and the names of what is missing, when something could not be made.
set -uo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
build="$here/../build"
tools="$here/e2e/tools/build.sh"
readonly CACHE="${MILLWRIGHT_CACHE:-$HOME/.cache/millwright}"
readonly TIMES="$CACHE/prepare-seconds.tsv"
readonly BEAT_SECONDS=30
# What is faster was there already.
readonly WORTH_TELLING_SECONDS=3

all=false
case "${1:-}" in
"") ;;
--all) all=true ;;
*)
    echo "prepare.sh: unknown argument \"$1\"; the only one is --all" >&2
    exit 2
    ;;
esac

say() { echo "prepare: $*" >&2; }

span() {
    local seconds=$1
    if ((seconds < 60)); then
        echo "$seconds s"
    else
        printf '%d min %02d s\n' $((seconds / 60)) $((seconds % 60))
    fi
}

last_time() {
    local seconds
    seconds=$(awk -F'\t' -v name="$1" '$1 == name { last = $2 } END { print last }' "$TIMES" 2>/dev/null)
    [[ -z "$seconds" ]] || echo ", last time $(span "$seconds")"
}

# beat NAME BEGAN: says what is made and how far it is, until its standard input ends.
beat() {
    read -rt "$WORTH_TELLING_SECONDS"
    # Beyond 128 is a timeout; anything else is the end.
    (($? > 128)) || return 0
    say "$1: making it$(last_time "$1")"
    while true; do
        read -rt "$BEAT_SECONDS"
        (($? > 128)) || return 0
        say "$1: $(span $((SECONDS - $2))) so far$(last_time "$1")"
    done
}

# make_one NAME COMMAND…: runs the command, whose words on standard error pass through.
make_one() {
    local name=$1 began=$SECONDS status
    shift
    exec 8> >(beat "$name" "$began")
    "$@" </dev/null >/dev/null 8>&-
    status=$?
    exec 8>&-
    if ((status != 0)); then
        say "$name: failed; the lines above say why"
        echo "$name" >>"$missing"
    elif ((SECONDS - began >= WORTH_TELLING_SECONDS)); then
        say "$name: made in $(span $((SECONDS - began)))"
        printf '%s\t%s\n' "$name" $((SECONDS - began)) >>"$TIMES"
    fi
}

# Needs processors.
compile_all() {
    make_one "control plane" "$here/e2e/control-plane/build.sh"
    make_one "Helm" "$tools" helm
    make_one "Terraform" "$tools" terraform
    make_one "Terraform's providers" "$tools" providers
    if $all; then
        make_one "Terraform's providers, pinned" "$tools" pinned-providers
        make_one "core Cluster API's manager and clusterctl" "$tools" cluster-api-manager clusterctl
    fi
}

# Needs the network.
fetch_all() {
    make_one "AWS endpoint" "$here/aws-endpoint/build.sh"
    make_one "charts and definitions of others" "$tools" karpenter-chart cluster-api-crds cert-manager-crds
    make_one "openssl" "$build/fetch/openssl.sh"
    make_one "axe-core" "$build/axe.sh"
    make_one "Chromium" "$build/chromium.sh"
}

mkdir -p "$CACHE"
missing=$(mktemp)
trap 'rm -f "$missing"' EXIT
fetch_all &
compile_all
wait
if [[ -s "$missing" ]]; then
    say "missing: $(paste -sd, "$missing" | sed 's/,/, /g'); the tests that need it would fail"
    exit 1
fi
say "all there after $(span $SECONDS)"
