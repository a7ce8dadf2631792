#!/usr/bin/env python3
"""Steps of a release; docs/how-to/release.md tells their order. `make` calls each by its name.

release.py update-version VERSION      writes the version into the poms, the charts, the proxies that install them and the
                                       lists of versions that clusterctl reads
release.py update-changelog VERSION    closes the section of what is unreleased, and opens a new one
release.py check VERSION               fails when it is not the project's version
release.py destination VERSION         says where the image is pushed to, or that IMAGE does not say so
release.py push VERSION                pushes the image from target/image
release.py build-installer VERSION     renders all that is installed without Helm into target/release
release.py assemble VERSION            fills target/release with all that a release consists of
release.py publish VERSION             pushes the charts, and creates the release on GitHub by `gh`, from target/release
release.py stamp FOLDER                writes IMAGE into the charts of FOLDER, a copy of deploy/charts

VERSION is 1.2.3 or v1.2.3. The tag of git and of images is v1.2.3; poms, charts and files have 1.2.3.
IMAGE         the repository of the image, such as ghcr.io/OWNER/NAME; charts are pushed to IMAGE/charts
REPOSITORY    the project on GitHub, as OWNER/NAME; else GITHUB_REPOSITORY, else what git's remote `origin` says
SIGN_COMMAND  run for each artefact, with {} replaced by its path; nothing is signed when it is not set
HELM          the Helm to use; else the one on the PATH, else one that is built
DRY_RUN=1     publish and push print what they would do
"""

import datetime
import gzip
import hashlib
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "build" / "image"), str(ROOT / "build" / "cli")]

import listings  # noqa: E402
import registry  # noqa: E402

TARGET = ROOT / "target" / "release"
IMAGES = ROOT / "target" / "image"
ARCHIVES = ROOT / "target" / "cli"
DEPLOY = ROOT / "deploy"
CHARTS = DEPLOY / "charts"
PROXIES = DEPLOY / "capt" / "addons"
CHANGELOG = ROOT / "CHANGELOG.md"
DEFINITIONS = ROOT / "kube/src/main/resources/dev/millwright/kube/crd"
# The providers for Cluster API, and the contract that a version of them has from now on.
PROVIDERS = {"capt": "v1beta1", "addons": "v1beta2"}
VERSION = re.compile(r"v?(\d+\.\d+\.\d+(-[0-9A-Za-z][0-9A-Za-z.-]*)?)")
IMAGE = re.compile(r"[a-z0-9.-]+(:\d+)?(/[a-z0-9]+([._-]+[a-z0-9]+)*)+")
GZIP_LEVEL = 6
SECTIONS = ["You must act", "Changed", "Added", "Fixed", "Faster"]
# Charts that run the image, and the place of charts in the proxies of the source tree.
CHARTS_WITH_IMAGE = ["millwright", "capt", "addons"]
NO_CHARTS = "oci://registry.example.com/charts"


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


def image():
    found = os.environ.get("IMAGE", "")
    if not found:
        fail("IMAGE is not set; say where the image lies, as in IMAGE=ghcr.io/OWNER/NAME")
    if not IMAGE.fullmatch(found):
        fail(f'IMAGE is "{found}"; want a repository in small letters without a tag, as in ghcr.io/OWNER/NAME')
    return found


def project_on_github():
    named = os.environ.get("REPOSITORY") or os.environ.get("GITHUB_REPOSITORY")
    if named:
        return named
    git = ["git", "-C", ROOT, "remote", "get-url", "origin"]
    origin = subprocess.run(git, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()
    found = re.fullmatch(r"(?:https://|ssh://git@|git@)github\.com[:/]([^/]+/[^/]+?)(?:\.git)?/?", origin)
    return found and found[1]


# ---- versions


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
    for provider, contract in PROVIDERS.items():
        file = DEPLOY / provider / "metadata.yaml"
        file.write_text(listings.with_series(file.read_text(), version, contract))
    say(f"{before} is now {version} in {len(poms)} poms and {len(charts)} charts")


# ---- the changelog


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


def write_changelog(version, left_out):
    text = CHANGELOG.read_text()
    name = version if re.search(rf"(?m)^## {re.escape(version)}\b", text) else "Unreleased"
    if name != version:
        left_out.append(f"a section {version} of CHANGELOG.md: changelog.md holds what is unreleased")
    (TARGET / "changelog.md").write_text(without_empty(section(text, name)))


# ---- what is rendered


def helm():
    found = os.environ.get("HELM") or shutil.which("helm")
    if found:
        return found
    built = subprocess.run(
        [ROOT / "testing/e2e/tools/build.sh", "helm"], stdout=subprocess.PIPE, text=True, check=True
    )
    return built.stdout.strip()


def stamp(charts):
    """Writes the image's repository where a chart of the source tree has none."""
    for name in CHARTS_WITH_IMAGE:
        file = pathlib.Path(charts) / name / "values.yaml"
        text, count = re.subn(r'(?m)^( +)repository: ""$', rf"\1repository: {image()}", file.read_text())
        if count != 1:
            fail(f'{file} has `repository: ""` {count} times, want once')
        file.write_text(text)


def stamped(folder):
    """A copy of the charts that name the image."""
    charts = pathlib.Path(folder) / "charts"
    shutil.copytree(CHARTS, charts)
    stamp(charts)
    return charts


def definitions():
    """What the charts install: all but kwok's class, which is for simulations."""
    return [file for file in sorted(DEFINITIONS.glob("*.yaml")) if "kwok" not in file.name]


def crds():
    return "".join(f"---\n{file.read_text().removeprefix('---').strip()}\n" for file in definitions())


def build_installer(version):
    """What is installed without Helm: definitions and operator, and what clusterctl looks for in a release."""
    must_be(version)
    image()
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        render_operator(version, stamped(scratch))
    (TARGET / "crds.yaml").write_text(crds())
    environment = {**os.environ, "HELM": str(helm())}
    for provider in PROVIDERS:
        script = DEPLOY / provider / "build.py"
        subprocess.run([sys.executable, script, "--release", TARGET], check=True, env=environment)
        metadata = (DEPLOY / provider / "metadata.yaml").read_text()
        if listings.with_series(metadata, version, PROVIDERS[provider]) != metadata:
            fail(f"deploy/{provider}/metadata.yaml lacks {version}; `make update-version VERSION={version}` adds it")
    proxies = TARGET / "karpenter-proxies.yaml"
    text = proxies.read_text().replace(" Say where your charts are: repoURL.", "")
    proxies.write_text(text.replace(NO_CHARTS, f"oci://{image()}/charts"))
    say("wrote install.yaml, crds.yaml and what clusterctl reads into target/release")


def render_operator(version, charts):
    """What `helm install` of both charts applies. What differs from cluster to cluster is left to envsubst."""
    values = ["settings.clusterName=${CLUSTER_NAME}", "settings.interruptionQueue=${INTERRUPTION_QUEUE}"]
    rendered = subprocess.run(
        [
            *[helm(), "template", "karpenter", charts / "millwright", "--namespace", "kube-system"],
            *["--skip-tests", "--no-hooks"],
            *(word for value in values for word in ("--set-string", value)),
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    head = (
        f"# Millwright {version}: definitions and operator. Fill in and apply:\n"
        "#   CLUSTER_NAME=... INTERRUPTION_QUEUE=... envsubst <install.yaml | kubectl apply --server-side -f -\n"
    )
    # A name that looks like a number must stay a text.
    rendered = re.sub(r"(?m): (\$\{\w+\})$", r': "\1"', rendered)
    (TARGET / "install.yaml").write_text(head + crds() + rendered)


# ---- the whole


def assemble(version):
    must_be(version)
    shutil.rmtree(TARGET, ignore_errors=True)
    build_installer(version)
    left_out = []
    copy_images(version, left_out)
    copy_archives(version, left_out)
    with tempfile.TemporaryDirectory() as scratch:
        charts = stamped(scratch)
        for chart in sorted(file.parent for file in charts.glob("*/Chart.yaml")):
            subprocess.run(
                [
                    *[helm(), "package", chart, "--destination", TARGET],
                    *["--version", version, "--app-version", version],
                ],
                check=True,
                stdout=subprocess.DEVNULL,
            )
        # The modules look for the charts beside them.
        folders = {"charts": charts, "terraform": DEPLOY / "terraform"}
        write_folders(TARGET / f"millwright-terraform-{version}.tar.gz", folders)
    write_changelog(version, left_out)
    write_listings(version, left_out)
    artefacts = sorted(TARGET.iterdir())
    (TARGET / "SHA256SUMS").write_text("".join(f"{sha256(file)}  {file.name}\n" for file in artefacts))
    sign([*artefacts, TARGET / "SHA256SUMS"], left_out)
    for file in sorted(TARGET.iterdir()):
        print(f"{file.stat().st_size:>12,}  {file.name}")
    for words in left_out:
        say(f"NOT part: {words}")


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def write_folders(file, folders):
    """The same files give the same bytes. What Terraform keeps beside a module is no part of it; a directory that a
    link leads to is, under the link's name."""
    with gzip.GzipFile(file, "wb", GZIP_LEVEL, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for name, folder in folders.items():
            walk = os.walk(folder, followlinks=True)
            for found in sorted(pathlib.Path(place, file) for place, _, files in walk for file in files):
                path = found.relative_to(folder)
                if not any(part.startswith(".terraform") for part in path.parts):
                    entry = tarfile.TarInfo(f"{name}/{path.as_posix()}")
                    content = found.read_bytes()
                    entry.size, entry.mode = len(content), 0o755 if found.stat().st_mode & 0o100 else 0o644
                    archive.addfile(entry, io.BytesIO(content))


def copy_images(version, left_out):
    # Those of one platform are parts of the whole: their bills alone are added.
    files = [IMAGES / f"millwright-controller-{version}.tar", *IMAGES.glob(f"*-{version}-*.cdx.json")]
    if not files[0].exists():
        fail(f"target/image has no image of {version}; `make image` builds it")
    for file in files:
        shutil.copy(file, TARGET)
    for platform in ("amd64", "arm64", "ppc64le", "s390x"):
        if not (TARGET / f"millwright-controller-{version}-{platform}.cdx.json").exists():
            left_out.append(f"the image for {platform}: it was not built")


def copy_archives(version, left_out):
    for platform in listings.PLATFORMS:
        name = f"millwright-{version}-{platform}"
        if not (ARCHIVES / f"{name}.tar.gz").exists():
            left_out.append(f"the command line for {platform}: `make archives` builds it")
            continue
        for suffix in (".tar.gz", ".cdx.json"):
            shutil.copy(ARCHIVES / f"{name}{suffix}", TARGET)


def write_listings(version, left_out):
    """What krew and Homebrew read. Each names archives by their places on GitHub and their digests."""
    project = project_on_github()
    if not project:
        left_out.append("krew's manifest and Homebrew's formula: REPOSITORY=OWNER/NAME does not say where archives lie")
        return
    digests = {
        platform: sha256(TARGET / f"millwright-{version}-{platform}.tar.gz")
        for platform in listings.PLATFORMS
        if (TARGET / f"millwright-{version}-{platform}.tar.gz").exists()
    }
    if len(digests) < len(listings.PLATFORMS):
        left_out.append("krew's manifest and Homebrew's formula: not all archives of the command line were built")
        return
    (TARGET / "krew-millwright.yaml").write_text(listings.krew(project, version, digests))
    (TARGET / "millwright.rb").write_text(listings.formula(project, version, digests))


def sign(files, left_out):
    command = os.environ.get("SIGN_COMMAND")
    if not command:
        left_out.append("signatures: SIGN_COMMAND is not set")
        return
    for file in files:
        subprocess.run(command.replace("{}", shlex.quote(str(file))), shell=True, check=True)


# ---- what leaves this machine


def destination(version):
    must_be(version)
    print(f"{image()}:v{version}")


def push(version):
    must_be(version)
    place, archive = f"{image()}:v{version}", IMAGES / f"millwright-controller-{version}.tar"
    if os.environ.get("DRY_RUN") == "1":
        print(f"push {archive.relative_to(ROOT)} to {place}")
        return
    if not archive.exists():
        fail(f"there is no {archive.relative_to(ROOT)}; `make docker-buildx` builds it")
    try:
        digest = registry.Registry(image()).push(archive, f"v{version}")
    except (registry.Refused, OSError) as fault:
        fail(f"{place} did not take the image: {fault}")
    print(f"{place}@{digest}")


def publish(version):
    must_be(version)
    if not (TARGET / "SHA256SUMS").exists():
        fail("target/release is not complete; `make release-dry-run` fills it")
    for line in (TARGET / "SHA256SUMS").read_text().splitlines():
        digest, _, name = line.partition("  ")
        if sha256(TARGET / name) != digest:
            fail(f"{name} is not what SHA256SUMS says; `make release-dry-run` makes all again")
    plain = ["--plain-http"] if registry.LOOPBACK.fullmatch(image().partition("/")[0]) else []
    for chart in sorted(TARGET.glob("*.tgz")):
        run_or_print([helm(), "push", chart, f"oci://{image()}/charts", *plain], "")
    project = project_on_github()
    where = ["--repo", project] if project else []
    run_or_print(
        [
            *["gh", "release", "create", f"v{version}", *where, "--verify-tag", "--title", f"v{version}"],
            *["--notes-file", TARGET / "changelog.md", *sorted(TARGET.iterdir())],
        ],
        "install it (https://cli.github.com)",
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
    "check": check,
    "destination": destination,
    "push": push,
    "build-installer": build_installer,
    "assemble": assemble,
    "publish": publish,
}


def main():
    if sys.argv[1:2] == ["stamp"] and len(sys.argv) == 3:
        stamp(sys.argv[2])
        return
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in STEPS:
        sys.exit(__doc__)
    step, version = sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else ""
    if not version and not step.startswith("update"):
        version = project_version()
    found = VERSION.fullmatch(version)
    if not found:
        fail(f'VERSION is "{version}"; want one such as 1.2.3 or v1.2.3')
    try:
        STEPS[step](found[1])
    except subprocess.CalledProcessError as fault:
        fail(f"{shlex.join(map(str, fault.cmd))} ended with {fault.returncode}")


if __name__ == "__main__":
    main()
