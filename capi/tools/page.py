"""The page about the kinds, from their definitions."""

# What people call the patterns.
GRAMMARS = {
    "^[a-z]{2}(-[a-z]+)+-[0-9]+$": "an AWS region",
    "^(vpc-[0-9a-z]+)?$": "id of a VPC, or empty",
    r"^v?[0-9]+\.[0-9]+(\.[0-9]+)?([-+][0-9A-Za-z.+-]+)?$": "version",
    "^[0-9]+%$": "number or percentage",
}

# Parts that another section has already.
ALIKE = {
    ("CAPTClusterTemplate", "spec.template.spec"): "As `spec` of CAPTCluster; `region` and the VPC may be left to patches.",
    ("CAPTControlPlaneTemplate", "spec.template.spec"):
        "As `spec` of CAPTControlPlane; `version` and `controlPlaneConfig.region` may be left to the topology and patches.",
    ("CaptMachineTemplate", "spec.template.spec"):
        "As `spec` of CaptMachine without `providerID`; `nodeType` is required.",
    ("CaptMachinePoolTemplate", "spec.template.spec"):
        "As `spec` of CaptMachinePool without `providerID` and `providerIDList`.",
    ("CaptMachinePoolTemplate", "status"): "As `status` of CaptMachineTemplate.",
    ("CaptMachineSet", "spec.template.spec"): "As `spec` of CaptMachine without `providerID`.",
    ("CaptMachineDeployment", "spec.template.spec"): "As `spec` of CaptMachine without `providerID`.",
    ("WorkspaceTemplate", "spec.template.spec"): "As `spec` of Workspace of tf.upbound.io, without defaults.",
    ("Workspace", "spec.forProvider", "tf.m.upbound.io"):
        "As in tf.upbound.io; references to keys have no `namespace`, they are in the workspace's own.",
    ("Workspace", "status", "tf.m.upbound.io"): "As in tf.upbound.io.",
    ("ProviderConfig", "spec", "tf.m.upbound.io"): "As in tf.upbound.io.",
    ("ProviderConfig", "status", "tf.m.upbound.io"): "As in tf.upbound.io.",
    ("ClusterProviderConfig", "spec"): "As ProviderConfig of tf.upbound.io.",
    ("ClusterProviderConfig", "status"): "As ProviderConfig of tf.upbound.io.",
}


def kind_of(schema):
    found = schema.get("type")
    if schema.get("x-kubernetes-int-or-string"):
        return "number or text"
    if found is None:
        return "any"
    if found == "array":
        return "list" if schema["items"]["type"] == "object" else "list of " + kind_of(schema["items"])
    if found == "object" and "additionalProperties" in schema:
        return "map of " + kind_of(schema["additionalProperties"])
    if found == "object" and "properties" not in schema:
        return "any object"
    return schema.get("format", found) if found in ("integer", "string") else found


def default_of(schema):
    if "default" not in schema:
        return "–"
    found = schema["default"]
    if isinstance(found, dict):
        return ", ".join(f"`{key}: {value}`" for key, value in found.items()) or "see below"
    if isinstance(found, list):
        return "`[" + ", ".join(found) + "]`"
    return f"`{str(found).lower() if isinstance(found, bool) else found}`"


def wanted(schema, is_required):
    words = ["required"] if is_required else []
    each = schema.get("items", schema)
    if "enum" in each:
        words.append(", ".join(f"`{value}`" for value in each["enum"]))
    if "pattern" in schema:
        words.append(GRAMMARS[schema["pattern"]])
    if "minimum" in schema and "maximum" in schema:
        words.append(f"{schema['minimum']} to {schema['maximum']}")
    elif "minimum" in schema:
        words.append(f"{schema['minimum']} or more")
    if "maxItems" in schema:
        words.append(f"{schema['maxItems']} entries at most")
    if "maxLength" in schema:
        words.append(f"{schema['maxLength']} characters at most")
    if "minLength" in schema:
        words.append("not empty")
    return "; ".join(words) or "–"


def alike(group, kind, path):
    return ALIKE.get((kind, path, group)) or ALIKE.get((kind, path))


def rows(group, kind, path, schema, rules):
    lines = []
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        inner = f"{path}.{name}" if path else name
        if inner in ("apiVersion", "kind", "metadata"):
            continue
        same = alike(group, kind, inner)
        if path or same or "spec" not in schema["properties"]:
            meaning = same or field["description"]
            lines.append(f"| `{inner}` | {kind_of(field)} | {default_of(field)} | {wanted(field, name in required)} | "
                         f"{meaning} |")
        if same or name == "conditions":
            continue
        below = field.get("items", field)
        rules += [(inner, each["message"]) for each in
                  field.get("x-kubernetes-validations", []) + (below.get("x-kubernetes-validations", [])
                                                               if below is not field else [])]
        lines += rows(group, kind, inner + ("[]" if below is not field else ""), below, rules)
    return lines


def section(definition):
    spec = definition["spec"]
    group, names = spec["group"], spec["names"]
    version = spec["versions"][0]
    schema = version["schema"]["openAPIV3Schema"]
    short = [names["plural"], *names.get("shortNames", [])]
    where = "in a namespace" if spec["scope"] == "Namespaced" else "cluster-wide"
    versions = " and ".join(each["name"] for each in spec["versions"])
    of_group = f" of {group}" if group == "tf.m.upbound.io" else ""
    rules = []
    lines = [f"## {names['kind']}{of_group}", "",
             f"`{group}`, {versions}, {where}, `{'`, `'.join(short)}`. {schema['description']}", "",
             "| field | type | default | wanted | meaning |", "|---|---|---|---|---|",
             *rows(group, names["kind"], "", schema, rules), ""]
    if rules:
        lines += [f"- `{path}`: {message}." for path, message in rules] + [""]
    columns = ", ".join(each["name"] for each in version["additionalPrinterColumns"])
    scaled = " `kubectl scale` changes `spec.replicas`." if "scale" in version.get("subresources", {}) else ""
    return lines + [f"Columns: {columns}.{scaled}", ""]


def page(definitions):
    return "\n".join(line for each in definitions for line in section(each))
