#!/usr/bin/env python3
"""Known advisories about what we ship and test with, between Maven and osv-scanner, which knows them.

    advisories.py list DEPENDENCIES FILE   writes the jars of the command line, as Maven resolved them, for osv-scanner to read
    advisories.py judge RESULTS            tells every advisory of osv-scanner's JSON; fails for those that are high and have a fix
"""

import json
import pathlib
import re
import sys

# CVSS calls 7.0 and more high.
HIGH = 7.0
HIGH_WORDS = {"HIGH", "CRITICAL"}
# group:artifact:type:version:scope, or with a classifier before the version.
COORDINATES = re.compile(r"^\s+([^:\s]+):([^:\s]+):jar(?::[^:\s]+)?:([^:\s]+):(?:compile|runtime)\b")


def jars(text):
    found = {match.groups() for line in text.splitlines() if (match := COORDINATES.match(line))}
    return sorted(each for each in found if each[0] != "dev.millwright")


def listed(dependencies, file):
    packages = [
        {"package": {"name": f"{group}:{artifact}", "version": version, "ecosystem": "Maven"}}
        for group, artifact, version in jars(pathlib.Path(dependencies).read_text())
    ]
    if not packages:
        sys.exit(f"advisories: found no jar in {dependencies}; wanted what mvn dependency:list writes, by ./millwright --version")
    file = pathlib.Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"results": [{"source": {}, "packages": packages}]}, indent=1) + "\n")
    print(f"{len(packages)} jars in {file}")


def fixes(vulnerability, package):
    return sorted(
        event["fixed"]
        for affected in vulnerability.get("affected", [])
        if affected.get("package", {}).get("name", "").lower() == package["name"].lower()
        for each in affected.get("ranges", [])
        for event in each.get("events", [])
        if "fixed" in event
    )


def is_high(vulnerability, groups):
    scores = [group.get("max_severity") for group in groups if vulnerability["id"] in group.get("ids", [])]
    word = vulnerability.get("database_specific", {}).get("severity", "")
    return word.upper() in HIGH_WORDS or any(float(score) >= HIGH for score in scores if score)


def judge(results):
    document = json.loads(pathlib.Path(results).read_text())
    bad = 0
    for found in (each for result in document.get("results") or [] for each in result["packages"]):
        package = found["package"]
        for vulnerability in found.get("vulnerabilities", []):
            fixed = fixes(vulnerability, package)
            high = is_high(vulnerability, found.get("groups", []))
            fails = high and bool(fixed)
            bad += fails
            print(
                f"{'FAILS' if fails else 'tells'}: {package['name']} {package['version']}: {vulnerability['id']}"
                f" ({'high' if high else 'lower or unknown'}; {'fixed in ' + ', '.join(fixed) if fixed else 'no fix'}):"
                f" {vulnerability.get('summary', 'no summary')}",
                file=sys.stderr if fails else sys.stdout,
            )
    if bad:
        sys.exit(f"advisories: {bad} of high severity with a fix; raise the version, in the pom, in requirements.in or in go.mod")
    print("advisories: none of high severity with a fix")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["list", dependencies, file]:
            listed(dependencies, file)
        case ["judge", results]:
            judge(results)
        case _:
            sys.exit(__doc__)
