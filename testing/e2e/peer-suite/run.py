#!/usr/bin/env python3
"""run.py OUT.json --logs DIRECTORY [--suites S,S] [--groups G,G] [--focus REGEX] [--jobs N] [--definitions DIRECTORY] -- CONTROLLER...

Runs groups of the peer's suites, each on a cluster in namespaces of its own, N side by side, and adds what became of
each spec to OUT.json. DEFINITIONS are the CRDs; the peer's when absent. Logs stay, in a directory a group.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))

from cluster import CACHE, PEER_DEFINITIONS, isolated  # noqa: E402

GROUP_SECONDS_MAX = 100 * 60
MESSAGE_LENGTH_MAX = 600


def specs_in(junit):
    """Name, outcome, seconds and message of each spec that was to run; the others are not the group's."""
    found = {}
    for case in xml.etree.ElementTree.parse(junit).iter("testcase"):
        kind, _, name = case.get("name").partition("] ")
        if kind != "[It" or case.get("status") == "skipped":
            continue
        spec = {"outcome": case.get("status"), "seconds": round(float(case.get("time")), 1)}
        for fault in (*case.findall("failure"), *case.findall("error")):
            words = fault.get("message") or fault.text or ""
            spec["message"] = words.strip()[:MESSAGE_LENGTH_MAX]
        found[re.sub(r" \[[\w, ]+\]$", "", name)] = spec
    return found


def names_of(suite, focus):
    with tempfile.TemporaryDirectory() as directory:
        junit = pathlib.Path(directory) / "junit.xml"
        subprocess.run(
            [str(CACHE / f"bin/e2e-{suite}.test"), "--ginkgo.dry-run", f"--ginkgo.focus={focus}", f"--ginkgo.junit-report={junit}"],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=directory,
        )
        return list(specs_in(junit))


def groups(wanted_suites, wanted_groups, focus):
    for line in (HERE / "groups.tsv").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        suite, group, port, group_focus = line.split("\t")
        if suite not in wanted_suites or (wanted_groups and group not in wanted_groups):
            continue
        names = [name for name in names_of(suite, group_focus) if re.search(focus, name)]
        if not names:
            continue
        # Only a narrower choice needs the names themselves.
        exact = group_focus if focus == "" else "|".join(re.escape(name) for name in names)
        yield suite, group, port, exact, names


def run_group(logs, definitions, controller, suite, group, port, focus, names):
    directory = logs / f"{suite}-{group}"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    junit = directory / "junit.xml"
    began = time.monotonic()
    command = [sys.executable, str(HERE / "group.py"), str(directory), str(definitions), suite, port, focus, "--", *controller]
    why = "the suite ended before it"
    with open(directory / "group.log", "wb") as log:
        try:
            subprocess.run(isolated(command), stdout=log, stderr=log, stdin=subprocess.DEVNULL, timeout=GROUP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            why = f"the group took longer than {GROUP_SECONDS_MAX} s"
    found = specs_in(junit) if junit.exists() else {}
    if not found:
        why = "; ".join((directory / "group.log").read_text(errors="replace").splitlines()[-3:])[-MESSAGE_LENGTH_MAX:] or why
    for name in names:
        found.setdefault(name, {"outcome": "not run", "seconds": 0.0, "message": why})
    passed = sum(spec["outcome"] == "passed" for spec in found.values())
    print(f"{suite} {group}: {passed} of {len(names)} passed in {time.monotonic() - began:.0f} s", flush=True)
    return suite, found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--logs", type=pathlib.Path, required=True)
    parser.add_argument("--suites", default="regression,disruption")
    parser.add_argument("--groups", default="")
    parser.add_argument("--focus", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--definitions", type=pathlib.Path, default=PEER_DEFINITIONS)
    parser.add_argument("controller", nargs="+")
    given = parser.parse_args()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    result = json.loads(given.out.read_text()) if given.out.exists() else {"suites": {}}
    result["controller"] = pathlib.Path(given.controller[0]).name + "".join(" " + word for word in given.controller[1:])
    logs = given.logs.resolve()
    chosen = list(groups(given.suites.split(","), [name for name in given.groups.split(",") if name], given.focus))
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as workers:
        running = [workers.submit(run_group, logs, given.definitions, given.controller, *group) for group in chosen]
        # Written after each group: a run of an hour that is cut off keeps what it has.
        for done in concurrent.futures.as_completed(running):
            suite, found = done.result()
            result["suites"].setdefault(suite, {}).update(found)
            result["suites"] = {name: dict(sorted(specs.items())) for name, specs in sorted(result["suites"].items())}
            given.out.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
