#!/usr/bin/env python3
"""Carries inputs between a resource, which has one a line in base 64, and a folder, which Jazzer reads and fills.

    corpus.py unpack RESOURCE FOLDER
    corpus.py pack FOLDER RESOURCE [FINDINGS...]    keeps the first lines of the resource, findings, and the shortest others
    corpus.py count TSV TARGET LOG FINDINGS         adds what a run has tried to a table
"""

import base64
import datetime
import hashlib
import pathlib
import re
import sys

HEAD = "# Kept by testing/fuzz/fuzz.sh: inputs in base 64.\n"
KEPT_MAX = 150
KEPT_BYTES_MAX = 600


def read(resource):
    lines = pathlib.Path(resource).read_text().splitlines()
    return [base64.b64decode(line) for line in lines if not line.startswith("#")]


def unpack(resource, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for data in read(resource):
        (folder / hashlib.sha256(data).hexdigest()[:32]).write_bytes(data)


def pack(folder, resource, *findings):
    before = read(resource)
    found = [pathlib.Path(finding).read_bytes() for finding in findings]
    new = sorted((path.read_bytes() for path in pathlib.Path(folder).iterdir()), key=lambda data: (len(data), data))
    new = [data for data in new if len(data) <= KEPT_BYTES_MAX][: max(0, KEPT_MAX - len(before))]
    kept = dict.fromkeys([*before, *found, *new])
    pathlib.Path(resource).write_text(HEAD + "".join(base64.b64encode(data).decode() + "\n" for data in kept))


def count(table, target, log, findings):
    match = re.search(r"stat::number_of_executed_units: (\d+)", pathlib.Path(log).read_text(errors="replace"))
    rows = {}
    table = pathlib.Path(table)
    if table.exists():
        rows = dict(line.split("\t", 1) for line in table.read_text().splitlines()[1:])
    inputs, found, _ = rows.get(target, "0\t0\t").split("\t")
    inputs = int(inputs) + int(match[1] if match else 0)
    rows[target] = f"{inputs}\t{int(found) + int(findings)}\t{datetime.date.today()}"
    table.write_text("target\tinputs\tfindings\tlast\n" + "".join(f"{name}\t{rows[name]}\n" for name in sorted(rows)))


if __name__ == "__main__":
    {"unpack": unpack, "pack": pack, "count": count}[sys.argv[1]](*sys.argv[2:])
