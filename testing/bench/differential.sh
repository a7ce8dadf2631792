#!/usr/bin/env bash
# Solves random worlds by our planner and by the peer, and says where they disagree; small cases land in target/differential.
# Takes --seeds FROM..TO, --size PODS, --repeat N (how often the peer is asked), --shrink N (disagreements made small).
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk

"$root/build/mvn.sh" --batch-mode --quiet -pl testing/bench -am -DskipTests -Dspotless.check.skip package
peer="$("$here/peer/build.sh" | tail -n 1)"

cd "$root"
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -cp "$here/target/classes:$here/target/lib/*" \
    dev.millwright.testing.bench.Differential --peer "$peer" --out target/differential "$@"
