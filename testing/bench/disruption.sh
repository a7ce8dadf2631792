#!/usr/bin/env bash
# Consolidates the same fleets by us and by the peer: CPU time of one decision, price and pods moved in the end.
#   testing/bench/disruption.sh [FLEET...]   an hour or two, nearly all of it the peer's; a fleet is like slack-100
#   QUICK=1                                  two minutes: 100 nodes only, and docs/benchmarks.md stays as it is
#   PEER_LIMIT=30m                           after which the peer begins no further decision about a fleet
#   PEER_AGAIN=1                             measures the peer again instead of reading its kept answers
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk
readonly target="$root/testing/bench/target"

fleets=(slack-100 dense-100 slack-500 dense-500 slack-1000 dense-1000)
page="$root/docs/benchmarks.md"
if [[ -n "${QUICK:-}" ]]; then
    fleets=(slack-100 dense-100)
    page=""
fi
if (($# > 0)); then
    fleets=("$@")
    page=""
fi

echo "bench: building" >&2
"$root/build/mvn.sh" --quiet --batch-mode -DskipTests -Dspotless.check.skip \
    -pl testing/bench -am package
peer=$("$root/testing/bench/peer/build.sh" | tail -n 1)
peer_version=$(awk '$1 == "sigs.k8s.io/karpenter" { print $2; exit }
    $1 == "require" && $2 == "sigs.k8s.io/karpenter" { print $3; exit }' "$root/testing/bench/peer/go.mod")
[[ -z "${PEER_AGAIN:-}" ]] || rm -f "$target"/peer/{slack,dense}-*

# A copy, so that a build in between does not change the classes under a run.
rm -rf "$target/classpath-fleets"
mkdir -p "$target/classpath-fleets"
cp "$target"/lib/*.jar "$target"/millwright-testing-bench-*.jar "$target/classpath-fleets/"
"$JAVA_HOME/bin/java" -cp "$target/classpath-fleets/*" dev.millwright.testing.bench.FleetSideBySide \
    "$peer" "$peer_version" "${PEER_LIMIT:-30m}" "$target" "$page" "${fleets[@]}"
echo "bench: all figures are in testing/bench/target/fleets.json" >&2
