#!/usr/bin/env bash
# Runs Maven with the given arguments, then prints what its tests took: each module and the twenty slowest classes.
# Ends as Maven does.
set -uo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
readonly SLOWEST=20

mkdir -p "$root/target"
# Logs of control planes that earlier runs started.
rm -rf "$root/testing/e2e/target/control-plane"
began=$(mktemp "$root/target/tests-began.XXXXXX")
trap 'rm -f "$began"' EXIT
"$root/build/mvn.sh" --batch-mode --threads 2 --fail-at-end verify "$@"
status=$?

# Reports of earlier runs do not count.
find "$root" -path "$root/.git" -prune -o -newer "$began" -path '*/target/*-reports/TEST-*.xml' -print0 |
    xargs -0 -r awk -v root="$root/" -v slowest="$SLOWEST" '
    function attribute(name, found) {
        if (!match($0, " " name "=\"[^\"]*\"")) return ""
        found = substr($0, RSTART, RLENGTH)
        return substr(found, length(name) + 4, length(found) - length(name) - 4)
    }
    FNR == 1 {
        module = FILENAME
        sub("^" root, "", module)
        sub("/target/.*", "", module)
        inside = 0
    }
    # The element may be spread over lines; its first child ends it.
    /<testsuite / { inside = 1 }
    inside {
        if ((value = attribute("name")) != "") class = value
        if ((value = attribute("time")) != "") { gsub(",", "", value); seconds = value }
        if ((value = attribute("tests")) != "") tests = value
        if (/>/) {
            inside = 0
            sub(/.*\./, "", class)
            moduleSeconds[module] += seconds
            moduleTests[module] += tests
            classes[++count] = sprintf("%9.1f s  %-22s %s", seconds, module, class)
        }
    }
    END {
        sort = "sort -rn"
        print "\nTime in tests, by module"
        for (each in moduleSeconds) printf "%9.1f s  %-22s %d tests\n", moduleSeconds[each], each, moduleTests[each] | sort
        close(sort)
        print "\nThe slowest classes"
        sort = "sort -rn | head -n " slowest
        for (i = 1; i <= count; i++) print classes[i] | sort
        close(sort)
    }'
echo
exit "$status"
