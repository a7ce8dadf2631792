#!/usr/bin/env python3
"""Reads what PIT found and makes the table of it.

report.py sample           prints the scores of the packages of which a part was tried, and writes target/sample-survivors.tsv
report.py table [--check]  prints the table of the packages that ran and writes target/mutation.tsv, target/survivors.tsv,
                           scores.tsv and the generated part of docs/reference/mutation.md;
                           --check fails below SCORE_MIN and on survivors in decisions that equivalent.tsv does not name
"""

import csv
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = HERE / "target"
PAGE = ROOT / "docs/reference/mutation.md"
BEGIN, END = "<!-- made from code: begin -->\n", "<!-- made from code: end -->\n"
SCORE_MIN = 80
# What to launch, what to remove, whom to evict: here no survivor stays without a reason.
DECISIONS = ("disruption", "scheduling")
# A mutant that ends in an endless loop or without memory is noticed; one that the verifier refuses is none. One whose
# process broke, or was ended from outside, says nothing, and counts as alive.
NOTICED = ("KILLED", "TIMED_OUT", "MEMORY_ERROR")
NONE = ("NON_VIABLE",)


def read(path):
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def write(path, rows, fields):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, fields, delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n", quotechar=None)
        writer.writeheader()
        writer.writerows(rows)


def module_of(package):
    """`label` is a package of core; another module's is named with it."""
    return package.partition("/")[0] if "/" in package else "core"


def sources_of(package):
    return ROOT / module_of(package) / "src/main/java"


def mutants(package, report=TARGET / "report"):
    lines = {}
    for mutation in ET.parse(report / package / "mutations.xml").getroot():
        name = mutation.findtext("mutatedClass")
        source = sources_of(package) / name.rpartition(".")[0].replace(".", "/") / mutation.findtext("sourceFile")
        if source not in lines:
            lines[source] = source.read_text().splitlines()
        number = int(mutation.findtext("lineNumber"))
        yield {
            "package": package,
            "class": name.rpartition(".")[2],
            "line": number,
            "status": mutation.get("status"),
            # The names of packages in PIT's sentence hide what it says.
            "mutation": re.sub(r"\b(?:[\w$]+/)+([A-Z])", r"\1", mutation.findtext("description")),
            "code": re.sub(r"\s+", " ", lines[source][number - 1].strip()),
        }


def score(package, report=TARGET / "report"):
    found = [mutant for mutant in mutants(package, report) if mutant["status"] not in NONE]
    killed = sum(mutant["status"] in NOTICED for mutant in found)
    uncovered = sum(mutant["status"] == "NO_COVERAGE" for mutant in found)
    return {
        "package": package,
        "mutants": len(found),
        "killed": killed,
        "survived": len(found) - killed - uncovered,
        "no coverage": uncovered,
    }


def percent(row):
    return 100 * int(row["killed"]) / max(1, int(row["mutants"]))


def sum_of(rows):
    names = ("mutants", "killed", "survived", "no coverage")
    return {"package": "all", **{name: sum(int(row[name]) for row in rows) for name in names}}


def show(rows):
    form = "{:<26} {:>8} {:>8} {:>9} {:>12} {:>7}"
    print(form.format("package", "mutants", "killed", "survived", "no coverage", "score"))
    for row in rows:
        print(form.format(*(row[name] for name in SCORE_FIELDS), f"{percent(row):.1f}%"))


def has_class(package, name):
    """Whether a class of this package, or of one below it, still is there."""
    folder = sources_of(package) / "dev/millwright" / module_of(package) / package.rpartition("/")[2]
    return any(folder.rglob(name.split("$")[0] + ".java"))


def key(row):
    return row["class"], row["mutation"], row["code"]


def page(scores, explained):
    before = {row["package"]: row for row in read(HERE / "before.tsv")}
    old = [before[row["package"]] for row in scores if row["package"] in before]
    text = ["| package | mutants | before | killed | survived | no coverage | score |\n", "|---|--:|--:|--:|--:|--:|--:|\n"]
    for row in [*scores, sum_of(scores)]:
        was = sum_of(old) if row["package"] == "all" else before.get(row["package"])
        text.append(
            f"| {row['package']} | {row['mutants']} | {f'{percent(was):.1f} %' if was else ''} | {row['killed']}"
            f" | {row['survived']} | {row['no coverage']} | {percent(row):.1f} % |\n"
        )
    text.append("\nSurvivors that no test can kill, and why:\n\n| class | line | mutation | reason |\n|---|---|---|---|\n")
    for row in explained:
        cells = (row["class"].replace("$", "."), f"`{row['code']}`", row["mutation"], row["reason"])
        text.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n")
    head, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(head + BEGIN + "".join(text) + END + rest.split(END)[1])


SCORE_FIELDS = ("package", "mutants", "killed", "survived", "no coverage")


def packages(report):
    """Those that ran to the end: a run that was ended leaves half a report."""
    return [
        str(file.parent.relative_to(report))
        for file in sorted(report.rglob("mutations.xml"))
        if file.read_text().rstrip().endswith("</mutations>")
    ]


def sample():
    report = TARGET / "sample-report"
    ran = packages(report)
    show([score(package, report) for package in ran])
    survivors = [mutant for package in ran for mutant in mutants(package, report) if mutant["status"] not in NOTICED + NONE]
    write(TARGET / "sample-survivors.tsv", survivors, ("package", "class", "line", "status", "mutation", "code"))
    return 0


def table(check):
    ran = packages(TARGET / "report")
    rows = [score(package) for package in ran]
    show([*rows, sum_of(rows)])
    write(TARGET / "mutation.tsv", rows, SCORE_FIELDS)

    explained = read(HERE / "equivalent.tsv")
    reasons = {key(row): row["reason"] for row in explained}
    survivors = [mutant for package in ran for mutant in mutants(package) if mutant["status"] not in NOTICED + NONE]
    survivors.sort(key=lambda mutant: (mutant["package"], mutant["class"], mutant["line"]))
    for mutant in survivors:
        mutant["reason"] = reasons.get(key(mutant), "")
    write(TARGET / "survivors.tsv", survivors, ("package", "class", "line", "status", "mutation", "code", "reason"))

    kept = {row["package"]: row for row in read(HERE / "scores.tsv")}
    kept.update((row["package"], row) for row in rows)
    scores = [kept[package] for package in sorted(kept)]
    write(HERE / "scores.tsv", scores, SCORE_FIELDS)
    page(scores, explained)

    faults = [f"{row['package']}: {percent(row):.1f} % killed, want {SCORE_MIN} %" for row in rows if percent(row) < SCORE_MIN]
    faults += [
        f"{mutant['class']}:{mutant['line']}: {mutant['mutation']}: survives in a decision; kill it by a test,"
        " or name it in testing/mutation/equivalent.tsv with the reason"
        for mutant in survivors
        if mutant["package"] in DECISIONS and not mutant["reason"]
    ]
    alive = {key(mutant) for mutant in survivors}
    faults += [
        f"equivalent.tsv: {row['class']}: {row['mutation']}: no such survivor any more; delete the line"
        for row in explained
        if key(row) not in alive and any(has_class(package, row["class"]) for package in ran)
    ]
    for fault in faults:
        print(f"mutation: {fault}", file=sys.stderr)
    return 1 if check and faults else 0


if __name__ == "__main__":
    sys.exit(sample() if sys.argv[1:2] == ["sample"] else table("--check" in sys.argv[2:]))
