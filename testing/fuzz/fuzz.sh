#!/usr/bin/env bash
# Gives our readers of foreign bytes inputs that nobody thought of: Jazzer, target by target.
#   testing/fuzz/fuzz.sh [TARGET...]   without arguments all of them
#   RUNS=10000000                      inputs for each target
#   LIMIT_SECONDS=3600                 time for each target
#   INPUT_SECONDS_MAX=20               an input that takes longer is a finding; more for a machine that others use
# What it has tried is added to testing/fuzz/counts.tsv. Inputs that reach what no other does, and findings, go into the
# resource that the target's own test reads. A finding ends the target's run and fails this script.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
source "$root/build/find-jdk.sh"
find_jdk
readonly here="$root/testing/fuzz"
readonly target="$here/target"
readonly dependency=org.apache.maven.plugins:maven-dependency-plugin:3.11.0
readonly INPUT_BYTES_MAX=4096
readonly INPUT_SECONDS_MAX="${INPUT_SECONDS_MAX:-20}"
# A process that takes more memory is a finding.
readonly MEMORY_MIB_MAX=3000

# Name, module and class of each target.
readonly TARGETS="
conversion-reviews kube          dev.millwright.kube.conversion.ConversionFuzzTest
documents          kube          dev.millwright.kube.document.DocumentFuzzTest
json               kube          dev.millwright.kube.document.JsonFuzzTest
kubeconfigs        kube          dev.millwright.kube.client.KubeconfigFuzzTest
mime               providers/aws dev.millwright.providers.aws.bootstrap.MimeFuzzTest
queue-messages     providers/aws dev.millwright.providers.aws.interruption.MessageFuzzTest
records            kube          dev.millwright.kube.record.RecordFuzzTest
releases           addons        dev.millwright.addons.helm.ReleaseFuzzTest
toml               providers/aws dev.millwright.providers.aws.bootstrap.toml.TomlFuzzTest
"

wanted=("$@")
if ((${#wanted[@]} == 0)); then
    mapfile -t wanted < <(awk 'NF { print $1 }' <<<"$TARGETS")
fi
for name in "${wanted[@]}"; do
    if ! awk '{ print $1 }' <<<"$TARGETS" | grep -qx -- "$name"; then
        echo "fuzz: there is no target \"$name\"; wanted $(awk 'NF { print $1 }' <<<"$TARGETS" | paste -sd' ')" >&2
        exit 2
    fi
done

if [[ -z "${FUZZ_CLASSPATH:-}" ]]; then
    echo "fuzz: building" >&2
    "$root/build/mvn.sh" --quiet --batch-mode -Dspotless.check.skip -pl kube,addons,providers/aws -am \
        test-compile "$dependency:build-classpath" -Dmdep.outputFile=target/test.classpath
fi
if [[ ! -d "$target/jazzer" || "$here/jazzer.xml" -nt "$target/jazzer" ]]; then
    rm -rf "$target/jazzer"
    "$root/build/mvn.sh" --quiet --batch-mode -f "$here/jazzer.xml" \
        "$dependency:copy-dependencies" -DoutputDirectory="$target/jazzer"
fi

failed=0
for name in "${wanted[@]}"; do
    read -r _ module class < <(grep -E "^$name " <<<"$TARGETS")
    resource="$root/$module/src/test/resources/fuzz/$name.txt"
    work="$target/$name"
    rm -rf "$work/findings" "$work/merged"
    mkdir -p "$work/findings" "$work/merged"
    python3 "$here/corpus.py" unpack "$resource" "$work/corpus"
    classpath="${FUZZ_CLASSPATH:-}"
    if [[ -z "$classpath" ]]; then
        classpath="$root/$module/target/classes:$root/$module/target/test-classes:$(<"$root/$module/target/test.classpath")"
    fi
    jazzer() {
        nice -n "${NICE:-10}" "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xmx1g --enable-native-access=ALL-UNNAMED \
            -cp "$target/jazzer/*:$classpath" com.code_intelligence.jazzer.Jazzer --target_class="$class" \
            '--instrumentation_includes=dev.millwright.**:org.snakeyaml.**:com.fasterxml.jackson.core.**' \
            --reproducer_path="$work/findings" "$@"
    }
    echo "fuzz: $name" >&2
    jazzer "$work/corpus" -runs="${RUNS:-10000000}" -max_total_time="${LIMIT_SECONDS:-3600}" \
        -max_len=$INPUT_BYTES_MAX -timeout=$INPUT_SECONDS_MAX -report_slow_units=$INPUT_SECONDS_MAX -rss_limit_mb=$MEMORY_MIB_MAX \
        -artifact_prefix="$work/findings/" -print_final_stats=1 >"$work/log" 2>&1 || true
    mapfile -t findings < <(find "$work/findings" -type f ! -name '*.java')
    python3 "$here/corpus.py" count "$here/counts.tsv" "$name" "$work/log" "${#findings[@]}"
    jazzer "$work/merged" "$work/corpus" -merge=1 >"$work/merge.log" 2>&1 || true
    python3 "$here/corpus.py" pack "$work/merged" "$resource" "${findings[@]}"
    if ((${#findings[@]} > 0)); then
        echo "fuzz: $name: found $(paste -sd' ' < <(printf '%s\n' "${findings[@]}")); see $work/log" >&2
        failed=1
    fi
    grep -h "^$name" "$here/counts.tsv" >&2
done
exit $failed
