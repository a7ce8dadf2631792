#!/usr/bin/env python3
"""table.py OUT.json: prints the figures as Markdown tables, one a case, one column a controller."""

import json
import pathlib
import sys

ROWS = {
    "firstClaimSeconds": "first NodeClaims after, s",
    "allRunningSeconds": "all pods running after, s",
    "claims": "NodeClaims",
    "idleMegabytes": "memory before, MB",
    "megabytes": "memory then, MB",
    "peakMegabytes": "memory at most, MB",
    "processorSeconds": "processor time, s",
    "heldPods": "pods held",
    "heldNodes": "nodes held",
    "heldMegabytes": "memory while holding, MB",
    "heldPeakMegabytes": "memory at most, with holding, MB",
    "heldProcessorShare": "cores in use while holding",
}
TITLES = {"burst": "1,000 pods at once", "hold": "10,000 pods on 500 nodes"}


def main():
    for case, controllers in json.loads(pathlib.Path(sys.argv[1]).read_text()).items():
        names = list(controllers)
        print(f"\n| {TITLES[case]} | " + " | ".join(names) + " |")
        print("|---" * (len(names) + 1) + "|")
        for row, words in ROWS.items():
            found = [(controllers[name] or {}).get(row, "failed" if controllers[name] is None else "") for name in names]
            if any(value != "" for value in found):
                print(f"| {words} | " + " | ".join(str(value) for value in found) + " |")


if __name__ == "__main__":
    main()
