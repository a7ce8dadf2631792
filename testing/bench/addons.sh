#!/usr/bin/env bash
# Puts ten charts on a thousand clusters by the add-ons' own controllers, with Helm played, and measures time and memory.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk

"$root/build/mvn.sh" --batch-mode --quiet -pl testing/bench -am -DskipTests -Dspotless.check.skip package

cd "$root"
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders "-Xmx${HEAP:-256m}" \
    -cp "$here/target/classes:$here/target/lib/*" dev.millwright.testing.bench.AddonsAtScale
