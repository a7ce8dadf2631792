#!/usr/bin/env bash
# Measures a refresh of EC2's types and prices over HTTP, and the catalogue made of them, with a heap of 100 MiB.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk

"$root/build/mvn.sh" --batch-mode --quiet -pl testing/bench -am -DskipTests -Dspotless.check.skip package

cd "$root"
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xmx100m \
    -cp "$here/target/classes:$here/target/lib/*" dev.millwright.testing.bench.TypeRefresh
