#!/usr/bin/env bash
# Runs the tests that carry ids of behaviours and prints, for each group, how many behaviours are proven and which are not.
# --no-run only reads what the last runs wrote; --list prints every id with its group, its result and the sentence that its
# tests are called; PACKING=CHEAPEST runs all of it under the other packing. Behaviours that a real API server must show are
# proven by testing/e2e: what its last run (make test) wrote is read.
#
# series.tsv says how far the ids of each series go, later.tsv what nobody promises yet; the ids themselves stand on the tests.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$here/../.."
modules=(core spi kube runtime controllers providers/aws)

if [[ "${1:-}" == "" ]]; then
    for module in "${modules[@]}"; do
        rm -rf "$root/$module/target/conformance"
    done
    "$root/build/mvn.sh" --batch-mode --quiet -pl "$(IFS=,; echo "${modules[*]}")" -am \
        -Dspotless.check.skip -Dmaven.test.failure.ignore -Dmillwright.packing="${PACKING:-FIRST_FIT}" test
fi
results=()
for module in "${modules[@]}" testing/e2e; do
    if compgen -G "$root/$module/target/conformance/*.tsv" >/dev/null; then
        results+=("$root/$module"/target/conformance/*.tsv)
    elif [[ "$module" == testing/e2e ]]; then
        echo "conformance: testing/e2e has not run yet; behaviours that need an API server count as missing" >&2
    else
        echo "conformance: $module/target/conformance is missing; run without ${1:-options}, or see the build's errors above" >&2
        exit 1
    fi
done

awk -F '\t' -v mode="${1:-}" '
    # The sentence a test is called: Class.aTestOfThis aTestOfThis() reads "a test of this".
    function sentence(test,  name, words, i, letter) {
        name = test
        sub(/ .*/, "", name)
        sub(/^[^.]*\./, "", name)
        for (i = 1; i <= length(name); i++) {
            letter = substr(name, i, 1)
            words = words (letter ~ /[A-Z]/ ? " " tolower(letter) : letter)
        }
        return words
    }
    function promise(id, group) {
        if (!(group in all)) { order[++groups] = group }
        all[group]++
        ids[++count] = id
        groupOf[id] = group
    }
    FNR == 1 && FILENAME ~ /(series|later)\.tsv$/ { next } # the header
    FILENAME ~ /series\.tsv$/ {
        parts = split($3, range, " ")
        for (p = 1; p <= parts; p++) {
            if (split(range[p], ends, "-") == 1) { promise($1 range[p], $2) }
            else { for (n = ends[1] + 0; n <= ends[2] + 0; n++) { promise($1 n, $2) } }
        }
        next
    }
    FILENAME ~ /later\.tsv$/ { group = $1; sub(/[0-9]+$/, "", group); later[group]++; next }
    { # what the tests said
        tests[$1]++
        if (!(($1, sentence($3)) in said)) {
            said[$1, sentence($3)]
            says[$1] = says[$1] (says[$1] ? "; " : "") sentence($3)
        }
        if ($2 != "pass") { failed[$1] = failed[$1] (failed[$1] ? "; " : "") $3 }
    }
    END {
        for (i = 1; i <= count; i++) {
            id = ids[i]; g = groupOf[id]
            if (!(id in tests)) { missing[g] = missing[g] " " id }
            else { covered[g]++; if (!(id in failed)) { passing[g]++ } }
            if (id in failed) { failing = failing sprintf("  %-5s %s\n        %s\n", id, says[id], failed[id]) }
            if (mode == "--list") {
                printf "%s\t%s\t%s\t%s\n", id, g, id in failed ? "fail" : id in tests ? "pass" : "missing", says[id]
            }
        }
        if (mode == "--list") { exit 0 }
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
' "$here/series.tsv" "$here/later.tsv" "${results[@]}"
