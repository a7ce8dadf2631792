#!/usr/bin/env python3
"""Copies the sources of Terraform's AWS provider and leaves in the copy only some of its services.

    slim_provider.py MODULE COPY SERVICE...

MODULE is the provider's Go module as `go mod download` leaves it. Go compiles what two generated lists name: the services
that the provider offers, and the clients of AWS's SDK that its connection can make. Both are shortened: to the services
named, and to the clients that these services, and what they import, call."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

SERVICES_LIST = "internal/provider/sdkv2/service_packages_gen.go"
CLIENTS_LIST = "internal/conns/awsclient_gen.go"
# Packages beside internal/service that call clients.
CALLERS = ("acctest", "conns", "errs", "framework", "provider", "tags", "verify")


def keep_services(tree: Path, services: set[str]) -> None:
    """The list has an import and a call of each service, a line each."""
    path = tree / SERVICES_LIST
    named = re.compile(r'internal/service/([a-z0-9_]+)"|^\s*([a-z0-9_]+)\.ServicePackage\(ctx\),')
    kept, seen = [], set()
    for line in path.read_text().splitlines(keepends=True):
        found = named.search(line)
        service = found and (found.group(1) or found.group(2))
        if service is None or service in services:
            kept.append(line)
            seen.add(service)
    if unknown := services - seen:
        sys.exit(f"slim_provider.py: the provider has no service {', '.join(sorted(unknown))}")
    path.write_text("".join(kept))


def imported_services(tree: Path) -> set[str]:
    answer = subprocess.run(["go", "list", "-deps", "."], cwd=tree, check=True, capture_output=True, text=True)
    parts = (line.split("/internal/service/") for line in answer.stdout.split())
    return {part[1].split("/")[0] for part in parts if len(part) == 2}


def called_clients(tree: Path) -> set[str]:
    folders = [tree / "internal/service" / service for service in imported_services(tree)]
    folders += [tree / "internal" / caller for caller in CALLERS]
    called = set()
    for folder in folders:
        for file in folder.rglob("*.go"):
            if file != tree / CLIENTS_LIST and not file.name.endswith("_test.go"):
                called.update(re.findall(r"\.([A-Za-z0-9]+Client)\(", file.read_text(errors="ignore")))
    return called


def keep_clients(tree: Path, clients: set[str]) -> None:
    path = tree / CLIENTS_LIST
    head, *methods = re.split(r"\n(?=func )", path.read_text())
    method = re.compile(r"func \(c \*AWSClient\) (\w+)\(")
    body = "\n".join(text for text in methods if (found := method.match(text)) and found.group(1) in clients)
    imported = re.compile(r'\s*(?:(\w+) )?"([^"]+)"$')
    lines = []
    for line in head.splitlines():
        found = imported.match(line)
        if found is None or re.search(rf"\b{re.escape(found.group(1) or found.group(2).rsplit('/', 1)[-1])}\.", body):
            lines.append(line)
    path.write_text("\n".join([*lines, body, ""]))


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    module, tree, services = Path(sys.argv[1]), Path(sys.argv[2]), set(sys.argv[3:])
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(module, tree)
    subprocess.run(["chmod", "-R", "u+w", tree], check=True)
    keep_services(tree, services)
    keep_clients(tree, called_clients(tree))


main()
