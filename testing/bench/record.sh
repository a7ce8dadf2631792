#!/usr/bin/env bash
# Records a virtual day of a large cluster, and tells what a week of it takes on disk. HOURS and PODS make it shorter or larger.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk

"$root/build/mvn.sh" --batch-mode --quiet -pl testing/bench -am -DskipTests -Dspotless.check.skip package

cd "$root"
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xmx3g \
    -cp "$here/target/classes:$here/target/lib/*" dev.millwright.testing.bench.RecordDay "${HOURS:-24}" "${PODS:-11000}"
