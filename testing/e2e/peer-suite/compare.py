#!/usr/bin/env python3
"""compare.py BASELINE.json OURS.json REPORT: writes REPORT.md and REPORT.json, spec by spec, and fails when we do.

A spec that the peer passes and we do not is a failure of ours, unless differences.tsv says why it must differ; one that
the peer fails too is only shown.
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
MESSAGE_LENGTH_MAX = 160


def differences():
    """Why a spec must differ, by suite and name."""
    lines = (HERE / "differences.tsv").read_text().splitlines()
    fields = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {(suite, spec): why for suite, spec, why in fields}


def cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def main():
    baseline, ours = (json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:3])
    report = pathlib.Path(sys.argv[3])
    rows = []
    for suite, specs in sorted(ours["suites"].items()):
        for name, own in sorted(specs.items()):
            peer = baseline["suites"].get(suite, {}).get(name, {"outcome": "not measured", "seconds": 0.0})
            rows.append({"suite": suite, "spec": name, "peer": peer, "ours": own})
    known = differences()
    other = [row for row in rows if row["peer"]["outcome"] == "passed" and row["ours"]["outcome"] != "passed"]
    meant = [row for row in other if row["ours"]["outcome"] == "failed" and (row["suite"], row["spec"]) in known]
    lost = [row for row in other if row not in meant]

    lines = ["# The peer's own suites", ""]
    lines += [f"`{baseline['controller']}` beside `{ours['controller']}`.", "", "| suite | specs | peer passes | ours passes |", "|---|---|---|---|"]
    for suite in sorted(ours["suites"]):
        of = [row for row in rows if row["suite"] == suite]
        passes = [sum(row[who]["outcome"] == "passed" for row in of) for who in ("peer", "ours")]
        lines.append(f"| {suite} | {len(of)} | {passes[0]} | {passes[1]} |")
    lines += ["", "| suite | spec | peer | s | ours | s | why |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        peer, own = row["peer"], row["ours"]
        why = cell(own.get("message", ""))[:MESSAGE_LENGTH_MAX]
        lines.append(
            f"| {row['suite']} | {cell(row['spec'])} | {peer['outcome']} | {peer['seconds']:.1f}"
            f" | {own['outcome']} | {own['seconds']:.1f} | {why} |"
        )
    report.with_suffix(".md").write_text("\n".join(lines) + "\n")
    report.with_suffix(".json").write_text(json.dumps(rows, indent=1) + "\n")

    passed = sum(row["ours"]["outcome"] == "passed" for row in rows)
    print(f"{passed} of {len(rows)} specs passed; {len(lost)} that the peer passes did not; see {report.with_suffix('.md')}")
    for row in meant:
        print(f"  {row['suite']}: {row['spec']}: differs, since {known[row['suite'], row['spec']]}")
    for row in lost:
        print(f"  {row['suite']}: {row['spec']}: {row['ours']['outcome']}")
    return 1 if lost or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
