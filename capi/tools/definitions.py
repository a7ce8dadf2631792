#!/usr/bin/env python3
"""Writes the definitions of all kinds of the Cluster API provider, one file each, and the page about them.

definitions.py           writes them
definitions.py --check   fails when a file is not what would be written

Both versions of a kind, and kinds that hold one another, share their schemas here; the files repeat them.
"""

import pathlib
import sys

sys.dont_write_bytecode = True

import clusters
import machines
import page
import workspaces
from schema import CONTRACTS, yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "capi/src/main/resources/dev/millwright/capi/crd"
PAGE = ROOT / "docs/reference/capt.md"
BEGIN = "<!-- made from code: begin -->\n"
END = "<!-- made from code: end -->\n"

# A label names the versions that keep a contract. A version must not stand under two: ClusterClass turns a version
# back into a contract.
OWN = {**workspaces.MOVABLE, "cluster.x-k8s.io/v1beta1": "v1beta1"}
CONTRACT = {**workspaces.MOVABLE, **{f"cluster.x-k8s.io/{version}": version for version in CONTRACTS}}


def wanted():
    found = clusters.definitions(OWN, CONTRACT) + machines.definitions(OWN, CONTRACT) + workspaces.definitions(OWN)
    head = "# Made by capi/tools/definitions.py; change it there.\n"
    files = {FOLDER / f"{each['metadata']['name']}.yaml": head + "\n".join(yaml(each)) + "\n" for each in found}
    before, rest = PAGE.read_text().split(BEGIN)
    files[PAGE] = before + BEGIN + page.page(found) + END + rest.split(END)[1]
    return files


def main():
    files = wanted()
    present = {path: path.read_text() for path in [*FOLDER.glob("*.yaml"), PAGE]}
    if sys.argv[1:] == ["--check"]:
        changed = sorted(path.name for path in files.keys() | present.keys() if files.get(path) != present.get(path))
        if changed:
            sys.exit(f"{', '.join(changed)}: not what capi/tools/definitions.py writes; run it")
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in present.keys() - files.keys():
        path.unlink()
    for path, content in files.items():
        path.write_text(content)


if __name__ == "__main__":
    main()
