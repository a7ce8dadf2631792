#!/usr/bin/env bash
# Measures how long `explain` takes on clusters of 1,000 nodes, or on the fleets that are named.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk

"$root/build/mvn.sh" --batch-mode --quiet -pl testing/bench -am -DskipTests -Dspotless.check.skip package

cd "$root"
fleets=("$@")
[[ ${#fleets[@]} -gt 0 ]] || fleets=(dense-1000 slack-1000)
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xmx1g \
    -cp "$here/target/classes:$here/target/lib/*" dev.millwright.testing.bench.ExplainTimes \
    "$here/target/fleets" "${fleets[@]}"
