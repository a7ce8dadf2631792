#!/usr/bin/env bash
# Times the peer's controller and ours on the same clusters. Environment:
#   CONTROLLER  the command under test; default: ./millwright run controllers
#   DEFINITIONS the directory of the CRDs it runs on; default: ours
#   CASES       burst,hold       PEER=0  leaves the peer out
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../../.." && pwd)"
out="$root/testing/e2e/target/scale"
source "$here/../control-plane/versions.sh"

"$here/../control-plane/build.sh" --peer
rm -rf "$out"
mkdir -p "$out"
source "$here/../harness/controller.sh"
status=0
if [[ "${PEER:-1}" == 1 ]]; then
    "$here/scale.py" "$out/results.json" peer --cases "${CASES:-burst,hold}" -- "$BIN/karpenter-kwok" || status=$?
fi
"$here/scale.py" "$out/results.json" ours --cases "${CASES:-burst,hold}" --definitions "$definitions" -- "${controller[@]}" || status=$?
"$here/table.py" "$out/results.json" | tee "$out/report.md"
exit "$status"
