#!/usr/bin/env bash
# Changes the decisions one place at a time and looks whether a test notices: PIT over `core`, package by package.
#   testing/mutation/mutation.sh [PACKAGE...]   packages of core, `label` or `scheduling`; all of them without arguments
#   THREADS=2                                   minions at once; one by default
#   ALL_TESTS=1                                 counts tests of all packages of core, not the package's own alone
#   FRESH=1                                     forgets what earlier runs found; without it only what changed runs again
#   CHECK=1                                     fails below 80 % and on a survivor in a decision that nothing explains
# Writes target/mutation.tsv, target/survivors.tsv and the table of docs/reference/mutation.md.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk
readonly here="$root/testing/mutation"
readonly target="$here/target"
readonly STEP_SECONDS=2
readonly dependency=org.apache.maven.plugins:maven-dependency-plugin:3.11.0

packages=("$@")
if ((${#packages[@]} == 0)); then
    mapfile -t packages < <(cd "$root/core/src/main/java/dev/millwright/core" && find . -mindepth 1 -maxdepth 1 -type d | sed 's:^\./::' | sort)
fi
for package in "${packages[@]}"; do
    if [[ ! -d "$root/core/src/main/java/dev/millwright/core/$package" ]]; then
        echo "mutation: core has no package \"$package\"; it has: $(ls "$root/core/src/main/java/dev/millwright/core" | paste -sd' ')" >&2
        exit 2
    fi
done

echo "mutation: building" >&2
"$root/build/mvn.sh" --quiet --batch-mode -Dspotless.check.skip -pl core -am \
    test-compile "$dependency:build-classpath" -Dmdep.outputFile=target/test.classpath
junit=$(sed -n 's:.*<junit.version>\(.*\)</junit.version>.*:\1:p' "$root/pom.xml")
if [[ ! -d "$target/pit" || "$here/pit.xml" -nt "$target/pit" || "$root/pom.xml" -nt "$target/pit" ]]; then
    rm -rf "$target/pit"
    "$root/build/mvn.sh" --quiet --batch-mode -f "$here/pit.xml" -Djunit.version="$junit" \
        "$dependency:copy-dependencies" -DoutputDirectory="$target/pit"
fi

# A copy, so that a build in between does not change the classes under a run.
rm -rf "$target/code" "$target/tests"
mkdir -p "$target/history"
cp -r "$root/core/target/classes" "$target/code"
cp -r "$root/core/target/test-classes" "$target/tests"
class_path="$target/code:$target/tests:$(<"$root/core/target/test.classpath"):$target/pit/*"

mutants_so_far() {
    grep -c '<mutation ' "$target/report/$package/mutations.xml" 2>/dev/null || true
}

count=0
for package in "${packages[@]}"; do
    count=$((count + 1))
    echo "mutation: $package ($count of ${#packages[@]})" >&2
    begun=$SECONDS
    history="$target/history/$package"
    # A package is to be proven by its own tests; what fails far away says little about it.
    tests="$package.*"
    [[ -z "${ALL_TESTS:-}" ]] || tests="*"
    [[ -z "${FRESH:-}" ]] || rm -f "$history"
    # Seeded properties are left out: a hundred worlds for each mutant take hours, and a mutant that only
    # chance finds has no test that says what is wrong.
    nice -n "${NICE:-10}" "$JAVA_HOME/bin/java" -XX:+UseSerialGC -cp "$class_path" \
        org.pitest.mutationtest.commandline.MutationCoverageReport \
        --reportDir "$target/report/$package" \
        --targetClasses "dev.millwright.core.$package.*" \
        --mutableCodePaths "$target/code" \
        --targetTests "dev.millwright.core.${tests}Test" \
        --sourceDirs "$root/core/src/main/java" \
        --mutators DEFAULTS \
        --outputFormats XML,HTML \
        --timestampedReports=false \
        --threads "${THREADS:-1}" \
        --jvmArgs=-XX:+UseSerialGC,-XX:+UseCompactObjectHeaders,-Xmx1g \
        --timeoutConst 4000 --timeoutFactor 2 \
        --historyInputLocation "$history" --historyOutputLocation "$history" \
        --verbosity QUIET >"$target/$package.log" 2>&1 &
    pit=$!
    trap 'kill "$pit" 2>/dev/null' EXIT
    while kill -0 "$pit" 2>/dev/null && sleep "$STEP_SECONDS"; do
        waited=$((SECONDS - begun))
        ((waited % 60 >= STEP_SECONDS)) || echo "mutation: $package, $((waited / 60)) min, about $(mutants_so_far) mutants" >&2
    done
    trap - EXIT
    if ! wait "$pit"; then
        tail -n 40 "$target/$package.log" >&2
        exit 1
    fi
    python3 "$here/report.py" line "$package" >&2
done
python3 "$here/report.py" table ${CHECK:+--check}
echo "mutation: each survivor is in testing/mutation/target/survivors.tsv, the sources in target/report" >&2
