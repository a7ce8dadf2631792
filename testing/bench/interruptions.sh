#!/usr/bin/env bash
# Measures how fast a storm of interruption messages is dealt with, over HTTP.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk

"$root/build/mvn.sh" --batch-mode --quiet -pl testing/bench -am -DskipTests -Dspotless.check.skip package

cd "$root"
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xmx1g \
    -cp "$here/target/classes:$here/target/lib/*" dev.millwright.testing.bench.InterruptionStorm
