#!/usr/bin/env python3
"""Makes the table of fields again that tells typing errors in files: kube/…/field/fields.txt.

The fields of Kubernetes' own kinds come from the OpenAPI document of a Go module, those of
Karpenter's kinds from the definitions beside this module. The same sources give the same bytes.

A line is a shape and its fields. A field whose value has a shape says so after a colon; a star
means a mapping of such values by any key, and of a list each element has the shape. A field without
one may hold anything. The first lines give the shape of each kind.

Needs Python 3.9 or newer with PyYAML, and go, set up to reach its registry.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import yaml

MODULE = "k8s.io/kubernetes@v1.35.4"
MODULE_SUM = "h1:o/8dBC/pHVpYoGV4OAIytAlNPZbdYVTXJHoYvXC4qzM="
SWAGGER = "api/openapi-spec/swagger.json"
HERE = pathlib.Path(__file__).resolve().parent
RESOURCES = HERE.parent / "src/main/resources/dev/millwright/kube"
FILE = RESOURCES / "field/fields.txt"
META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
KINDS = {
    "core.v1": (
        "Namespace Node PersistentVolume PersistentVolumeClaim Pod ReplicationController Service"
    ),
    "storage.v1": "CSINode StorageClass",
    "apps.v1": "DaemonSet Deployment ReplicaSet StatefulSet",
    "batch.v1": "Job",
    "policy.v1": "PodDisruptionBudget",
}


class Shapes:
    def __init__(self, definitions):
        self.definitions = definitions
        self.shapes = {}

    def named(self, name):
        """The short name of a definition, which is added with all that it refers to."""
        short = name.rsplit(".", 1)[-1]
        if short not in self.shapes:
            self.shapes[short] = None  # Definitions refer to themselves.
            self.add(short, self.definitions[name].get("properties", {}))
        return short

    def add(self, short, properties):
        fields = {field: self.of(f"{short}.{field}", schema) for field, schema in properties.items()}
        self.shapes[short] = fields

    def of(self, path, schema):
        """What a field's value is: a shape, a star and a shape, or nothing."""
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[-1]
            return self.named(name) if self.definitions[name].get("properties") else ""
        if schema.get("type") == "array":
            return self.of(path, schema["items"])
        if schema.get("properties"):
            self.add(path, schema["properties"])
            return path
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            shape = self.of(path, values)
            return f"*{shape}" if shape else ""
        return ""


def swagger():
    with tempfile.TemporaryDirectory() as directory:
        command = ["go", "mod", "download", "-json", MODULE]
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    answer = json.loads(done.stdout or "{}")
    if answer.get("Sum") != MODULE_SUM:
        sys.exit(f"fields: {MODULE} has sum {answer.get('Sum')}, wanted {MODULE_SUM}")
    return json.loads((pathlib.Path(answer["Dir"]) / SWAGGER).read_text(encoding="utf-8"))


def make():
    definitions = swagger()["definitions"]
    shapes = Shapes(definitions)
    kinds = {}
    for group, names in KINDS.items():
        for kind in names.split():
            kinds[kind] = shapes.named(f"io.k8s.api.{group}.{kind}")
    for file in sorted((RESOURCES / "crd").glob("*.yaml")):
        definition = yaml.safe_load(file.read_text(encoding="utf-8"))["spec"]
        kind = definition["names"]["kind"]
        schema = definition["versions"][0]["schema"]["openAPIV3Schema"]
        shapes.add(kind, schema["properties"])
        shapes.shapes[kind]["metadata"] = shapes.named(META)
        kinds[kind] = kind
    lines = [f"kind {kind} {shape}" for kind, shape in sorted(kinds.items())]
    for shape, fields in sorted(shapes.shapes.items()):
        texts = (f"{name}:{of}" if of else name for name, of in sorted(fields.items()))
        lines.append(" ".join(["shape", shape, *texts]))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    content = make()
    if not options.check:
        FILE.write_text(content, encoding="ascii")
    elif FILE.read_text(encoding="ascii") != content:
        sys.exit(f"fields: {FILE} is not what its sources give; run this without --check")


if __name__ == "__main__":
    main()
