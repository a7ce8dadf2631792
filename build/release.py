#!/usr/bin/env python3
"""Steps of a release; docs/how-to/release.md tells their order. `make` calls each by its name.

release.py update-version VERSION      writes the version into the poms, the charts and the proxies that install them
release.py update-changelog VERSION    closes the section of what is unreleased, and opens a new one
release.py build-installer VERSION     writes target/release/install.yaml: definitions and operator, rendered
release.py assemble VERSION            fills target/release with all that a release consists of
release.py publish VERSION             creates the release on GitHub by `gh`, from target/release
release.py check VERSION               fails when it is not the project's version
release.py push VERSION                pushes the image to the registry that IMAGE names

SIGN_COMMAND  run for each artefact, with {} replaced by its path; nothing is signed when it is not set
HELM          the Helm to use; else the one on the PATH, else one that is built
DRY_RUN=1     publish and push print what they would run
"""

import datetime
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "target" / "release"
IMAGES = ROOT / "target" / "image"
CHARTS = ROOT / "deploy" / "charts"
PROXIES = ROOT / "deploy" / "capt" / "addons"
CHANGELOG = ROOT / "CHANGELOG.md"
DEFINITIONS = ROOT / "kube/src/main/resources/dev/millwright/kube/crd"
PROVIDERS = [ROOT / "deploy" / name / "build.py" for name in ("capt", "addons")]
VERSION = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z][0-9A-Za-z.-]*)?")
SECTIONS = ["You must act", "Changed", "Added", "Fixed", "Faster"]


def fail(words):
    sys.exit(f"release: {words}")


def say(words):
    print(f"release: {words}", file=sys.stderr)


def project_version():
    pom = (ROOT / "pom.xml").read_text()
    return re.search(r"<artifactId>millwright</artifactId>\s*<version>([^<]+)<", pom)[1]


def must_be(version):
    found = project_version()
    if found != version:
        fail(f"the project's version is {found}, not {version}; `make update-version VERSION={version}` changes it")


def check(version):
    must_be(version)


def update_version(version):
    before = project_version()
    poms = [file for file in ROOT.rglob("pom.xml") if "target" not in file.parts]
    # The project's own version, and that of the parent in each module; never a dependency's.
    own = re.compile(
        r"(<artifactId>millwright</artifactId>\s*<version>)" + re.escape(before) + "(</version>)"
    )
    for pom in poms:
        text, count = own.subn(rf"\g<1>{version}\g<2>", pom.read_text())
        if count != 1:
            fail(f"{pom.relative_to(ROOT)} names the version {before} {count} times, want once")
        pom.write_text(text)
    charts = sorted(CHARTS.glob("*/Chart.yaml"))
    number = version.removesuffix("-SNAPSHOT")
    for chart in charts:
        text = re.sub(r"(?m)^appVersion: .*$", f"appVersion: {version}", chart.read_text())
        chart.write_text(re.sub(r"(?m)^version: .*$", f"version: {number}", text))
    for proxy in sorted(PROXIES.glob("*.yaml")):
        proxy.write_text(re.sub(r"(?m)^  version: .*$", f"  version: {number}", proxy.read_text()))
    say(f"{before} is now {version} in {len(poms)} poms and {len(charts)} charts")


def update_changelog(version):
    text = CHANGELOG.read_text()
    if re.search(rf"(?m)^## {re.escape(version)}\b", text):
        fail(f"CHANGELOG.md has a section {version} already")
    body = section(text, "Unreleased")
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.datetime.now(datetime.timezone.utc)
    date = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc) if seconds else now
    empty = "".join(f"### {name}\n\n" for name in SECTIONS)
    closed = f"## Unreleased\n\n{empty}## {version} ({date:%Y-%m-%d})\n\n{without_empty(body)}\n"
    CHANGELOG.write_text(text.replace(f"## Unreleased\n{body}", closed, 1).rstrip() + "\n")


def section(text, name):
    """What stands below a heading of the second level, up to the next."""
    found = re.search(rf"(?ms)^## {re.escape(name)}\b[^\n]*\n(.*?)(?=^## |\Z)", text)
    if not found:
        fail(f"CHANGELOG.md has no section {name}; `make update-changelog VERSION={name}` makes it")
    return found[1]


def without_empty(body):
    parts = re.split(r"(?m)^(?=### )", body)
    kept = [part.strip() for part in parts if part.strip() and part.strip().count("\n")]
    return "\n\n".join(kept) + "\n"


def helm():
    found = os.environ.get("HELM") or shutil.which("helm")
    if found:
        return found
    built = subprocess.run(
        [ROOT / "testing/e2e/tools/build.sh", "helm"], stdout=subprocess.PIPE, text=True, check=True
    )
    return built.stdout.strip()


def definitions():
    """What the charts install: all but kwok's class, which is for simulations."""
    return [file for file in sorted(DEFINITIONS.glob("*.yaml")) if "kwok" not in file.name]


def build_installer(version):
    """What `helm install` of both charts applies, for those who have no Helm. What differs from cluster to cluster is
    left to envsubst."""
    must_be(version)
    values = ["settings.clusterName=${CLUSTER_NAME}", "settings.interruptionQueue=${INTERRUPTION_QUEUE}"]
    if os.environ.get("IMAGE"):
        values.append(f"controller.image.repository={os.environ['IMAGE']}")
    rendered = subprocess.run(
        [
            *[helm(), "template", "karpenter", CHARTS / "millwright", "--namespace", "kube-system"],
            *["--skip-tests", "--no-hooks"],
            *(word for value in values for word in ("--set-string", value)),
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    TARGET.mkdir(parents=True, exist_ok=True)
    head = (
        f"# Millwright {version}: definitions and operator. Fill in and apply:\n"
        "#   CLUSTER_NAME=... INTERRUPTION_QUEUE=... envsubst <install.yaml | kubectl apply --server-side -f -\n"
    )
    # A name that looks like a number must stay a text.
    rendered = re.sub(r"(?m): (\$\{\w+\})$", r': "\1"', rendered)
    (TARGET / "install.yaml").write_text(head + crds() + rendered)
    say("wrote target/release/install.yaml")


def crds():
    return "".join(f"---\n{file.read_text().removeprefix('---').strip()}\n" for file in definitions())


def assemble(version):
    must_be(version)
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    left_out = []
    copy_images(version, left_out)
    for chart in sorted(file.parent for file in CHARTS.glob("*/Chart.yaml")):
        subprocess.run(
            [
                *[helm(), "package", chart, "--destination", TARGET],
                *["--version", version, "--app-version", version],
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    (TARGET / "crds.yaml").write_text(crds())
    build_installer(version)
    # What clusterctl looks for in a release of the providers for Cluster API.
    environment = {**os.environ, "HELM": str(helm())}
    for provider in PROVIDERS:
        subprocess.run([sys.executable, provider, "--release", TARGET], check=True, env=environment)
    write_changelog(version, left_out)
    artefacts = sorted(TARGET.iterdir())
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in artefacts)
    (TARGET / "SHA256SUMS").write_text(sums)
    sign([*artefacts, TARGET / "SHA256SUMS"], left_out)
    for file in sorted(TARGET.iterdir()):
        print(f"{file.stat().st_size:>12,}  {file.name}")
    for words in left_out:
        say(f"NOT part: {words}")


def copy_images(version, left_out):
    files = sorted(IMAGES.glob(f"millwright-controller-{version}*"))
    if not files:
        fail(f"target/image has no image of {version}; `make docker-buildx` builds it")
    for file in files:
        shutil.copy(file, TARGET)
    for platform in ("amd64", "arm64", "ppc64le", "s390x"):
        if not (TARGET / f"millwright-controller-{version}-{platform}.tar").exists():
            left_out.append(f"the image for {platform}: it was not built")


def write_changelog(version, left_out):
    text = CHANGELOG.read_text()
    name = version if re.search(rf"(?m)^## {re.escape(version)}\b", text) else "Unreleased"
    if name != version:
        left_out.append(f"a section {version} of CHANGELOG.md: changelog.md holds what is unreleased")
    (TARGET / "changelog.md").write_text(without_empty(section(text, name)))


def sign(files, left_out):
    command = os.environ.get("SIGN_COMMAND")
    if not command:
        left_out.append("signatures: SIGN_COMMAND is not set")
        return
    for file in files:
        subprocess.run(command.replace("{}", shlex.quote(str(file))), shell=True, check=True)


def publish(version):
    must_be(version)
    files = sorted(file for file in TARGET.glob("*") if file.name != "changelog.md")
    if not files:
        fail("target/release is empty; `make release-dry-run` fills it")
    run_or_print(
        [
            *["gh", "release", "create", f"v{version}", "--verify-tag", "--title", f"v{version}"],
            *["--notes-file", TARGET / "changelog.md", *files],
        ],
        "install it (https://cli.github.com)",
    )


def push(version):
    must_be(version)
    image = os.environ.get("IMAGE")
    if not image:
        fail("say where to push to, as in IMAGE=registry.example/millwright/controller")
    archive = IMAGES / f"millwright-controller-{version}.tar"
    if not archive.exists() and os.environ.get("DRY_RUN") != "1":
        fail(f"there is no {archive.relative_to(ROOT)}; `make docker-buildx` builds it")
    run_or_print(
        ["skopeo", "copy", "--all", f"oci-archive:{archive}", f"docker://{image}:{version}"],
        "install it (https://github.com/containers/skopeo), or push the archive by a tool of yours",
    )


def run_or_print(command, advice):
    words = shlex.join(map(str, command))
    if os.environ.get("DRY_RUN") == "1":
        print(words)
    elif shutil.which(command[0]):
        subprocess.run(command, check=True)
    else:
        fail(f"found no {command[0]} on the PATH; {advice}. It would have run:\n{words}")


STEPS = {
    "update-version": update_version,
    "update-changelog": update_changelog,
    "build-installer": build_installer,
    "assemble": assemble,
    "publish": publish,
    "check": check,
    "push": push,
}


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in STEPS:
        sys.exit(__doc__)
    step, version = sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else ""
    if not version and not step.startswith("update"):
        version = project_version()
    if not VERSION.fullmatch(version):
        fail(f'VERSION is "{version}"; want one such as 1.2.3')
    STEPS[step](version)


if __name__ == "__main__":
    main()
