#!/usr/bin/env bash
# Measures speed, memory and price, ours beside the peer's, and writes docs/benchmarks.md again.
#   testing/bench/bench.sh [FILE...]   ten minutes; files are further problems, format 1
#   QUICK=1                            two minutes, and the page stays as it is
#   FULL=1                             an hour: the peer gets the problems that take it minutes too
#   PEER_AGAIN=1                       measures the peer again instead of reading its kept answers
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk
readonly target="$root/testing/bench/target"

mode=normal
[[ -z "${FULL:-}" ]] || mode=full
[[ -z "${QUICK:-}" ]] || mode=quick

files=()
for file in "$@"; do
    files+=("$(realpath "$file")")
done

echo "bench: building" >&2
"$root/build/mvn.sh" --quiet --batch-mode -DskipTests -Dspotless.check.skip \
    -pl testing/bench -am package
peer=$("$root/testing/bench/peer/build.sh" | tail -n 1)
peer_version=$(awk '$1 == "sigs.k8s.io/karpenter" { print $2; exit }
    $1 == "require" && $2 == "sigs.k8s.io/karpenter" { print $3; exit }' "$root/testing/bench/peer/go.mod")
[[ -z "${PEER_AGAIN:-}" ]] || rm -rf "$target/peer"

# A copy, so that a build in between does not change the classes under a run.
rm -rf "$target/classpath"
mkdir -p "$target/classpath"
cp "$target"/lib/*.jar "$target"/millwright-testing-bench-*.jar "$target/classpath/"
java=("$JAVA_HOME/bin/java" -cp "$target/classpath/*")

"${java[@]}" dev.millwright.testing.bench.SideBySide \
    "$mode" "$peer" "$peer_version" "$target" "$root/docs" ${files[@]+"${files[@]}"}

if [[ "$mode" != quick ]]; then
    echo "bench: JMH, plans on one thread" >&2
    "${java[@]}" org.openjdk.jmh.Main -prof gc -rf json -rff "$target/jmh.json" -o "$target/jmh.log" \
        'dev.millwright.testing.bench.*Benchmark'
    sed -n '/^Benchmark /,$p' "$target/jmh.log" | grep -v -e 'gc.count' -e 'gc.time' -e 'alloc.rate ' || true
fi
echo "bench: all figures are in testing/bench/target/report.json" >&2
