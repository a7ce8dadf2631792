"""Bills of materials of images and archives, as CycloneDX: our jars, others', Debian's packages and the Java runtime."""

import hashlib
import json
import pathlib
import re
import urllib.parse
import uuid
import xml.etree.ElementTree as ElementTree

import debian

SPECIFICATION = "1.6"
# A chain of parents longer than this goes in circles.
PARENTS_MAX = 10
# How projects write the licences that SPDX has an identifier for. Others keep the name that they have.
SPDX = [
    (r"apache.*2", "Apache-2.0"),
    (r"^mit(-0)?\b|mit license", "MIT"),
    (r"eclipse.*distribution|edl.*1", "BSD-3-Clause"),
]


def coordinates(file):
    """Group, name, version and file of each jar, as Maven listed them."""
    lines = re.findall(
        r"^\s+([\w.-]+):([\w.-]+):jar:([^:\s]+):\w+:(\S+)", file.read_text(), re.MULTILINE
    )
    return sorted((*line[:3], pathlib.Path(line[3])) for line in lines)


def of_jar(group, name, version, jar, content):
    component = {
        "type": "library",
        "group": group,
        "name": name,
        "version": version,
        "purl": f"pkg:maven/{group}/{name}@{quoted(version)}",
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}],
    }
    licences = ["Apache-2.0"] if group == "dev.millwright" else licences_of(jar.with_suffix(".pom"))
    return with_licences(component, licences)


def of_package(package):
    """A package of Debian, by the digest of its file."""
    architecture = debian.ARCHITECTURES[package.platform]
    return {
        "type": "library",
        "group": "debian",
        "name": package.name,
        "version": package.version,
        "purl": f"pkg:deb/debian/{quoted(package.name)}@{quoted(package.version)}"
        f"?arch={architecture}&distro={debian.RELEASE}",
        "hashes": [{"alg": "SHA-256", "content": package.sha256}],
    }


def of_jdk(home):
    """A JDK that somebody else brought, by what it says of itself."""
    facts = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', (home / "release").read_text(), re.MULTILINE))
    version = facts.get("JAVA_RUNTIME_VERSION", facts["JAVA_VERSION"])
    component = {
        "type": "platform",
        "name": "openjdk",
        "version": version,
        "publisher": facts.get("IMPLEMENTOR", "unknown"),
        "purl": f"pkg:generic/openjdk@{quoted(version)}",
    }
    return with_licences(component, ["GPL-2.0-only WITH Classpath-exception-2.0"])


def with_licences(component, licences):
    if any(" WITH " in licence for licence in licences):
        component["licenses"] = [{"expression": licences[0]}]
    elif licences:
        known = {identifier for _, identifier in SPDX}
        component["licenses"] = [
            {"license": {"id" if licence in known else "name": licence}} for licence in licences
        ]
    return component


def licences_of(pom):
    """What a project says of its licence, or its nearest parent that says anything."""
    for _ in range(PARENTS_MAX):
        if not pom.is_file():
            return []
        project = ElementTree.parse(pom).getroot()
        names = [
            (element.text or "").strip()
            for element in project.findall("{*}licenses/{*}license/{*}name")
        ]
        if names:
            return [spdx(name) for name in names]
        parent = project.find("{*}parent")
        if parent is None:
            return []
        group, name, version = (
            parent.findtext("{*}" + field, "").strip() for field in ("groupId", "artifactId", "version")
        )
        own = project.findtext("{*}groupId", group).strip()
        repository = pom.parents[2 + len(own.split("."))]
        pom = repository.joinpath(*group.split("."), name, version, f"{name}-{version}.pom")
    return []


def spdx(name):
    for pattern, identifier in SPDX:
        if re.search(pattern, name, re.IGNORECASE):
            return identifier
    return name


def quoted(text):
    return urllib.parse.quote(text, safe="")


def of_image(name, version, digest):
    """What the bill of an image is about."""
    reference = f"pkg:oci/{name.rpartition('/')[2]}@{quoted(digest)}"
    return {"type": "container", "name": name, "version": version, "purl": reference}


def document(subject, created, components):
    """The whole bill. The same content has the same."""
    for component in components:
        component["bom-ref"] = component["purl"]
    root = subject["purl"]
    components = sorted(components, key=lambda component: component["purl"])
    return json.dumps(
        {
            "bomFormat": "CycloneDX",
            "specVersion": SPECIFICATION,
            "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, root)}",
            "version": 1,
            "metadata": {
                "timestamp": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "component": {
                    **subject,
                    "bom-ref": root,
                    "licenses": [{"license": {"id": "Apache-2.0"}}],
                },
            },
            "components": components,
            "dependencies": [
                {"ref": root, "dependsOn": [component["purl"] for component in components]}
            ],
        },
        indent=2,
    ).encode() + b"\n"
