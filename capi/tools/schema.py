"""Words in which the schemas are written, and how a definition becomes YAML. Nothing here knows a kind."""

import copy
import json
import re

# Said again in every definition: which contract of Cluster API a version of ours keeps.
CONTRACTS = ("v1beta1", "v1beta2")


def text(meaning, **rest):
    return {"description": meaning, "type": "string", **rest}


def flag(meaning, **rest):
    return {"description": meaning, "type": "boolean", **rest}


def whole(meaning, form="int32", **rest):
    return {"description": meaning, "type": "integer", "format": form, **rest}


def count(meaning, **rest):
    return whole(meaning, minimum=0, **rest)


def time(meaning):
    return text(meaning, format="date-time")


def choice(meaning, *values, **rest):
    return text(meaning, enum=list(values), **rest)


def whole_or_text(meaning, **rest):
    return {"description": meaning, "x-kubernetes-int-or-string": True, **rest}


def texts(meaning, item=None, **rest):
    return {"description": meaning, "type": "array", "items": {"type": "string", **(item or {})}, **rest}


def text_map(meaning, rules=(), **rest):
    found = {"description": meaning, "type": "object"}
    if rules:
        found["x-kubernetes-validations"] = list(rules)
    return {**found, **rest, "additionalProperties": {"type": "string"}}


def anything(meaning):
    """An object of which the server keeps every field."""
    return {"description": meaning, "type": "object", "x-kubernetes-preserve-unknown-fields": True}


def any_shape(meaning):
    """A value of any type."""
    return {"description": meaning, "x-kubernetes-preserve-unknown-fields": True}


def record(meaning, fields, required=(), rules=(), **rest):
    found = {"description": meaning, "type": "object"}
    if required:
        found["required"] = list(required)
    if rules:
        found["x-kubernetes-validations"] = list(rules)
    return {**found, **rest, "properties": fields}


def records(meaning, fields, required=(), keys=None, rules=(), **rest):
    found = {"description": meaning, "type": "array", **rest}
    if keys:
        found["x-kubernetes-list-type"] = "map"
        found["x-kubernetes-list-map-keys"] = list(keys)
    items = record("", fields, required, rules)
    del items["description"]
    return {**found, "items": items}


def rule(test, message, path=None):
    found = {"rule": test, "message": message}
    if path:
        found["fieldPath"] = path
    return found


def fixed(what):
    """A rule for a value that keeps what it was made with."""
    return rule("self == oldSelf", f"{what} cannot be changed; make a new object")


def but(schema, **changes):
    """A copy of a schema with other keywords; None takes one away."""
    found = copy.deepcopy(schema)
    for name, value in changes.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found


def conditions(meaning):
    # Terraform's providers, Cluster API's older contract and its newer one write them with different fields.
    return records(
        meaning,
        {
            "type": text("What the condition is about.", minLength=1),
            "status": choice("Whether it holds.", "True", "False", "Unknown"),
            "reason": text("Why, in one word for programs."),
            "message": text("Why, in words for people."),
            "severity": text("Weight of a condition that does not hold, in Cluster API's older contract."),
            "lastTransitionTime": time("Since when the status is what it is."),
            "observedGeneration": whole("Generation of the object that was looked at.", "int64"),
        },
        required=["type", "status"],
        keys=["type"],
    )


def column(name, path, kind="string", priority=0):
    found = {"name": name, "type": kind, "jsonPath": path}
    if priority:
        found["priority"] = priority
    return found


def condition_column(name, condition):
    return column(name, f".status.conditions[?(@.type=='{condition}')].status")


def age(name="Age"):
    return column(name, ".metadata.creationTimestamp", "date")


def definition(group, kind, plural, schema, columns, *, scope="Namespaced", versions=("v1beta1",), short=(),
               categories=(), labels=None, scale=None, has_status=True):
    """A definition whose versions differ in name only; the first is stored."""
    names = {"kind": kind, "listKind": kind + "List", "plural": plural, "singular": kind.lower()}
    if short:
        names["shortNames"] = list(short)
    if categories:
        names["categories"] = list(categories)
    subresources = {}
    if has_status:
        subresources["status"] = {}
    if scale:
        subresources["scale"] = scale
    rendered = []
    for version in versions:
        found = {"name": version, "served": True, "storage": version == versions[0]}
        if subresources:
            found["subresources"] = subresources
        found["additionalPrinterColumns"] = columns
        found["schema"] = {"openAPIV3Schema": schema}
        rendered.append(found)
    metadata = {"name": f"{plural}.{group}"}
    if labels:
        metadata["labels"] = labels
    spec = {"group": group, "scope": scope, "names": names}
    if len(versions) > 1:
        spec["conversion"] = {"strategy": "None"}
    spec["versions"] = rendered
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": metadata,
        "spec": spec,
    }


def root(meaning, spec, status=None, required=("spec",), **more):
    fields = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
    if spec is not None:
        fields["spec"] = spec
    fields.update(more)
    if status is not None:
        fields["status"] = status
    return record(meaning, fields, required if spec is not None else ())


PLAIN = re.compile(r"[A-Za-z.][A-Za-z0-9 .,;()/_'’…–=<>$-]*")
WORDS = {"true", "false", "null", "yes", "no", "on", "off", "none", "y", "n"}


def scalar(value):
    if value is True or value is False:
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    if PLAIN.fullmatch(value) and value.lower() not in WORDS and not value.endswith((" ", ":")):
        return value
    return "'" + value.replace("'", "''") + "'"


def is_short(value):
    return not isinstance(value, (dict, list)) or (
        isinstance(value, list) and not any(isinstance(each, (dict, list)) for each in value)) or value == {}


def short(value):
    if value == {}:
        return "{}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(each) for each in value) + "]"
    return scalar(value)


def flow(value):
    found = scalar(value)
    return json.dumps(value) if isinstance(value, str) and re.search(r"[,\[\]{}]", found) else found


def yaml(value, depth=0):
    lines = []
    indent = "  " * depth
    if isinstance(value, dict):
        for key, each in value.items():
            if is_short(each):
                lines.append(f"{indent}{key}: {short(each)}")
            else:
                lines.append(f"{indent}{key}:")
                lines += yaml(each, depth + 1)
    else:
        for each in value:
            inner = yaml(each, depth + 1)
            lines.append(f"{indent}- {inner[0].lstrip()}")
            lines += inner[1:]
    return lines
