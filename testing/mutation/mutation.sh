#!/usr/bin/env bash
# Changes the decisions one place at a time and looks whether a test notices: PIT, package by package.
#   testing/mutation/mutation.sh [PACKAGE...]   `label` is a package of core, `controllers/node` one of controllers;
#                                               without arguments all of core, and where controllers decide
#   THREADS=2                                   minions at once; one by default
#   ALL_TESTS=1                                 counts tests of all packages of the module, not the package's own alone
#   FRESH=1                                     forgets what earlier runs found; without it only what changed runs again
#   SAMPLE=10                                   tries that many mutants of each class at most, which is told and changes no table
#   CLASSES="PoolLimits Topology*"              tries these classes alone, which is told and changes no table either
#   CHECK=1                                     fails below 80 % and on a survivor in a decision that nothing explains
# Writes target/mutation.tsv, target/survivors.tsv and the table of docs/reference/mutation.md, after each package.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk
readonly here="$root/testing/mutation"
readonly target="$here/target"
# A part of a package says nothing about the whole: it has its own reports and history.
readonly part="${SAMPLE:+sample-$SAMPLE-}${CLASSES:+classes-}"
readonly reports="$target/${part:+sample-}report"
readonly STEP_SECONDS=2
readonly dependency=org.apache.maven.plugins:maven-dependency-plugin:3.11.0

# Where controllers decide: whom to evict and when to let go, when to launch, what to remove, when to give up a machine.
readonly DECIDING=(controllers/provisioning controllers/disruption controllers/node controllers/nodeclaim)

# `label` is a package of core; another module's is named with it.
module_of() { [[ "$1" == */* ]] && echo "${1%%/*}" || echo core; }
sources_of() { echo "$root/$(module_of "$1")/src/main/java/dev/millwright/$(module_of "$1")"; }

packages=("$@")
if ((${#packages[@]} == 0)); then
    mapfile -t packages < <(cd "$(sources_of core)" && find . -mindepth 1 -maxdepth 1 -type d | sed 's:^\./::' | sort)
    packages+=("${DECIDING[@]}")
fi
modules=()
for package in "${packages[@]}"; do
    module=$(module_of "$package")
    if [[ ! -d "$(sources_of "$package")/${package#"$module"/}" ]]; then
        echo "mutation: $module has no package \"${package#"$module"/}\"; it has: $(ls "$(sources_of "$package")" | paste -sd' ')" >&2
        exit 2
    fi
    [[ " ${modules[*]} " == *" $module "* ]] || modules+=("$module")
done

echo "mutation: building" >&2
"$root/build/mvn.sh" --quiet --batch-mode -Dspotless.check.skip -pl "$(IFS=, && echo "${modules[*]}")" -am \
    test-compile "$dependency:build-classpath" -Dmdep.outputFile=target/test.classpath
junit=$(sed -n 's:.*<junit.version>\(.*\)</junit.version>.*:\1:p' "$root/pom.xml")
if [[ ! -d "$target/pit" || "$here/pit.xml" -nt "$target/pit" || "$root/pom.xml" -nt "$target/pit" ]]; then
    rm -rf "$target/pit"
    "$root/build/mvn.sh" --quiet --batch-mode -f "$here/pit.xml" -Djunit.version="$junit" \
        "$dependency:copy-dependencies" -DoutputDirectory="$target/pit"
fi

# A copy, so that a build in between does not change the classes under a run.
readonly copy="$target/copy"
rm -rf "$copy"
mkdir -p "$target/history" "$target/log"
for module in "${modules[@]}"; do
    for built in "$root/$module/target/classes" "$root/$module/target/test-classes" $(tr ':' ' ' <"$root/$module/target/test.classpath"); do
        if [[ "$built" == "$root/"* && ! -e "$copy/${built#"$root/"}" ]]; then
            mkdir -p "$(dirname "$copy/${built#"$root/"}")"
            cp -r "$built" "$copy/${built#"$root/"}"
        fi
    done
done

mutants_so_far() {
    grep -c '<mutation ' "$reports/$package/mutations.xml" 2>/dev/null || true
}

# All classes of the package, or those that are asked for, with what is nested in them.
classes_of() {
    local name prefix="dev.millwright.$module.${1#"$module"/}" names=()
    for name in ${CLASSES:-}; do
        names+=("$prefix.$name" "$prefix.$name\$*" "$prefix.*.$name" "$prefix.*.$name\$*")
    done
    ((${#names[@]})) || names=("$prefix.*")
    (IFS=, && echo "${names[*]}")
}

# change_and_test OPTION...: one package, with these options of PIT's beside the usual.
change_and_test() {
    # Seeded properties are left out: a hundred worlds for each mutant take hours, and a mutant that only
    # chance finds has no test that says what is wrong.
    nice -n "${NICE:-10}" "$JAVA_HOME/bin/java" -XX:+UseSerialGC \
        -cp "$copy/$module/target/classes:$copy/$module/target/test-classes:${dependencies//"$root/"/"$copy/"}:$target/pit/*" \
        org.pitest.mutationtest.commandline.MutationCoverageReport \
        --reportDir "$reports/$package" \
        --targetClasses "$(classes_of "$package")" \
        --mutableCodePaths "$copy/$module/target/classes" \
        --targetTests "dev.millwright.$module.${tests}Test" \
        --sourceDirs "$root/$module/src/main/java" \
        --mutators DEFAULTS \
        --outputFormats XML,HTML \
        --timestampedReports=false \
        --threads "${THREADS:-1}" \
        --jvmArgs=-XX:+UseSerialGC,-XX:TieredStopAtLevel=1,-XX:+UseCompactObjectHeaders,-XX:+SuppressFatalErrorMessage,-Xmx1g \
        --timeoutConst 4000 --timeoutFactor 2 \
        --historyInputLocation "$history" --historyOutputLocation "$history" \
        ${SAMPLE:+"--features=+CLASSLIMIT(limit[$SAMPLE])"} \
        --verbosity QUIET "$@" >"$log" 2>&1 &
    pit=$!
    trap 'kill "$pit" 2>/dev/null' EXIT
    while kill -0 "$pit" 2>/dev/null && sleep "$STEP_SECONDS"; do
        waited=$((SECONDS - begun))
        ((waited % 60 >= STEP_SECONDS)) || echo "mutation: $package, $((waited / 60)) min, about $(mutants_so_far) mutants" >&2
    done
    trap - EXIT
    if ! wait "$pit"; then
        tail -n 40 "$log" >&2
        exit 1
    fi
}

table() { python3 "$here/report.py" table "$@"; }

count=0
for package in "${packages[@]}"; do
    count=$((count + 1))
    echo "mutation: $package ($count of ${#packages[@]})" >&2
    begun=$SECONDS
    module=$(module_of "$package")
    history="$target/history/$part${package//\//.}"
    log="$target/log/${package//\//.}"
    dependencies=$(<"$root/$module/target/test.classpath")
    # A package is to be proven by its own tests; what fails far away says little about it.
    tests="${package#"$module"/}.*"
    [[ -z "${ALL_TESTS:-}" ]] || tests="*"
    [[ -z "${FRESH:-}" ]] || rm -f "$history"
    change_and_test
    # The JVM breaks (JDK 25.0.3, in RedefineClasses) when it gets a second mutant of one class, mostly of records. What PIT could not
    # try for that reason it tries again, and that alone, with a process for each.
    if grep -q "status='RUN_ERROR'" "$reports/$package/mutations.xml"; then
        change_and_test --mutationUnitSize 1
    fi
    [[ -z "$part" ]] || continue
    # After each package: a run that is ended loses no more than the package it was at.
    ((count == ${#packages[@]})) || table >"$target/table"
done
if [[ -n "$part" ]]; then
    python3 "$here/report.py" sample
    exit
fi
table ${CHECK:+--check}
echo "mutation: each survivor is in testing/mutation/target/survivors.tsv, the sources in target/report" >&2
