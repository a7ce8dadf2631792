#!/usr/bin/env python3
"""Writes the tables of inputs and outputs into each module's README.md, from its variables and outputs.

    docs.py           writes what is stale
    docs.py --check   writes nothing; exit code 1 if something is stale

What is between the marks `<!-- made by docs.py -->` and `<!-- end -->` is its own; the rest of the page is people's.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- made by docs.py -->", "<!-- end -->"
BLOCK = re.compile(r'^(variable|output) "([^"]+)" \{$', re.MULTILINE)
ATTRIBUTE = re.compile(r"^  ([a-z_]+)\s*= ", re.MULTILINE)
TYPE_ON_ONE_LINE_MAX = 30


def blocks(text):
    """Variables and outputs as (kind, name, attributes), each attribute as HCL. The layout is that of `terraform fmt`,
    which a test holds: a block ends with a brace at the beginning of a line, an attribute of it is indented by two."""
    for found in BLOCK.finditer(text):
        body = text[found.end() : text.index("\n}\n", found.end()) + 1]
        starts = list(ATTRIBUTE.finditer(body))
        attributes = {}
        for start in starts:
            attributes[start[1]] = value(body[start.end() :])
        yield found[1], found[2], attributes


def value(text):
    """Up to the end of the line on which all brackets are closed again."""
    depth, quoted, escaped = 0, False, False
    for position, letter in enumerate(text):
        if quoted:
            quoted = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            quoted = True
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "\n" and depth == 0:
            return text[:position]
    raise ValueError(f"found no end of {text[:60]!r}")


def words(attributes, name):
    text = attributes.get("description")
    if text is None:
        raise ValueError(f"{name} has no description")
    return text.strip('"').replace('\\"', '"').replace("|", "\\|")


def cell(text):
    """HCL in a cell of a table, on one line."""
    line = re.sub(r"\s*\n\s*", " ", text)
    return "`" + line.replace("|", "\\|") + "`"


def dedent(text):
    """A value that goes over lines is indented as its block is."""
    return re.sub(r"(?m)^  ", "", text)


def tables(module):
    variables, outputs, long_types = [], [], []
    for file in sorted(module.glob("*.tf")):
        for kind, name, attributes in blocks(file.read_text()):
            if kind == "output":
                outputs.append(f"| `{name}` | {words(attributes, name)} |")
                continue
            type_text = attributes.get("type", "any")
            if len(type_text) > TYPE_ON_ONE_LINE_MAX:
                long_types.append(f"`{name}`:\n\n```hcl\n{dedent(type_text)}\n```\n")
                shown = f"[`{type_text.split('(object', 1)[0]}(object)`](#types)" if "(object" in type_text else "[`object`](#types)"
            else:
                shown = cell(type_text)
            default = cell(attributes["default"]) if "default" in attributes else "**required**"
            variables.append(f"| `{name}` | {words(attributes, name)} | {shown} | {default} |")
    lines = ["## Inputs", "", "| name | meaning | type | default |", "|---|---|---|---|", *variables, ""]
    if long_types:
        lines += ["### Types", "", *long_types]
    lines += ["## Outputs", "", "| name | meaning |", "|---|---|", *outputs, ""]
    return "\n".join(lines)


def page(readme, module):
    text = readme.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise ValueError(f"{readme}: want the marks {BEGIN} and {END} once each")
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n\n{tables(module)}\n{END}{rest.split(END)[1]}"


def main():
    stale = []
    for readme in sorted(HERE.glob("*/README.md")):
        if not list(readme.parent.glob("*.tf")):
            continue
        wanted = page(readme, readme.parent)
        if readme.read_text() != wanted:
            stale.append(readme.relative_to(HERE))
            if "--check" not in sys.argv:
                readme.write_text(wanted)
    modules = {file.parent for file in HERE.glob("*/*.tf")}
    without = sorted(str(module.name) for module in modules if not (module / "README.md").exists())
    if without:
        print(f"found no README.md in {', '.join(without)}", file=sys.stderr)
        sys.exit(1)
    for readme in stale:
        print(f"deploy/terraform/{readme} was stale")
    if stale and "--check" in sys.argv:
        print("run `make terraform-docs`", file=sys.stderr)
        sys.exit(1)


main()
