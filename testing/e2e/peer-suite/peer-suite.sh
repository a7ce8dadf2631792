#!/usr/bin/env bash
# Runs the peer's own end-to-end suites, unmodified, on our controller, and compares with the peer's on the same ground.
# Needs Linux namespaces (root, or user namespaces), python3, ip. Environment:
#   CONTROLLER  the command under test; default: ./millwright run controllers; with --packing first-fit nothing need differ
#   DEFINITIONS the directory of the CRDs it runs on; default: ours
#   SUITES      regression,disruption        GROUPS_WANTED   names from groups.tsv        FOCUS   a regular expression
#   JOBS        clusters side by side; default 2
#   PEER=1      runs the peer's controller too, and writes baseline.json again
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../../.." && pwd)"
out="$root/testing/e2e/target/peer-suite"
source "$here/../control-plane/versions.sh"

"$here/../control-plane/build.sh" --peer
choice=(--suites "${SUITES:-regression,disruption}" --groups "${GROUPS_WANTED:-}" --focus "${FOCUS:-}" --jobs "${JOBS:-2}")
mkdir -p "$out"
if [[ "${PEER:-0}" == 1 ]]; then
    "$here/run.py" "$here/baseline.json" --logs "$out/peer" "${choice[@]}" -- "$BIN/karpenter-kwok"
fi
source "$here/../harness/controller.sh"
rm -f "$out/ours.json"
"$here/run.py" "$out/ours.json" --logs "$out/ours" "${choice[@]}" --definitions "$definitions" -- "${controller[@]}"
"$here/compare.py" "$here/baseline.json" "$out/ours.json" "$out/report"
