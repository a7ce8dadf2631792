#!/usr/bin/env bash
# Runs the conformance tests and prints, for each group, how many behaviours are proven and which are not.
# --no-run only reads what the last run wrote; PACKING=CHEAPEST runs all of it under the other packing. Behaviours that a
# real API server must show are proven by testing/e2e: what its last run (make test) wrote is read.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$here/../.."
results="$here/target/conformance.tsv"
real="$here/../e2e/target/conformance.tsv"
ids="$here/src/test/resources/conformance-ids.tsv"

if [[ "${1:-}" != --no-run ]]; then
    rm -f "$results"
    "$root/build/mvn.sh" --batch-mode --quiet -pl testing/conformance -am \
        -Dspotless.check.skip -Dmaven.test.failure.ignore -Dmillwright.packing="${PACKING:-FIRST_FIT}" \
        -Dtest='dev/millwright/testing/conformance/**' -Dsurefire.failIfNoSpecifiedTests=false test
fi
if [[ ! -s "$results" ]]; then
    echo "conformance: $results is missing or empty; run without --no-run, or see the build's errors above" >&2
    exit 1
fi

if [[ ! -s "$real" ]]; then
    echo "conformance: testing/e2e has not run yet; behaviours that need an API server count as missing" >&2
    real=/dev/null
fi

awk -F '\t' '
    FILENAME != ids { # what the tests said
        tests[$1]++
        if ($2 != "pass") { failed[$1] = failed[$1] (failed[$1] ? "; " : "") $3 }
        next
    }
    FNR == 1 { next } # the header of the ids
    $3 != "core" && $3 != "api" && $3 != "aws" { later[$2]++; next }
    {
        if (!($2 in all)) { order[++groups] = $2 }
        all[$2]++
        if (!($1 in tests)) { missing[$2] = missing[$2] " " $1 }
        else { covered[$2]++ }
        if (($1 in tests) && !($1 in failed)) { passing[$2]++ }
        if ($1 in failed) { failing = failing sprintf("  %-5s %s\n        %s\n", $1, $4, failed[$1]) }
    }
    END {
        print "group  behaviours  covered  passing      %  for later"
        for (i = 1; i <= groups; i++) {
            g = order[i]
            printf "%-5s  %10d  %7d  %7d  %5.1f  %11d\n", g, all[g], covered[g], passing[g], 100 * passing[g] / all[g], later[g]
            sum += all[g]; sumCovered += covered[g]; sumPassing += passing[g]; sumLater += later[g]
        }
        printf "all    %10d  %7d  %7d  %5.1f  %11d\n", sum, sumCovered, sumPassing, 100 * sumPassing / sum, sumLater
        for (i = 1; i <= groups; i++) { if (missing[order[i]]) { print "\nmissing " order[i] ":" missing[order[i]] } }
        if (failing) { print "\nfailing:\n" failing; exit 1 }
    }
' ids="$ids" "$results" "$real" "$ids"
