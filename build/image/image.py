#!/usr/bin/env python3
"""Builds the container image, without Docker, as OCI archives into target/image; docs/reference/image.md tells what is in it.

image.py [--or-newest] [PLATFORM...]
                             builds for these platforms, or for all: amd64, arm64, ppc64le, s390x; --or-newest takes
                             the newest packages when one of the lock is no longer to be had
image.py --packages [FILE]   writes the newest packages into packages.lock, or into FILE

MILLWRIGHT_JDKS        a directory with a JDK for each platform; Debian's are fetched when it is not set
MILLWRIGHT_IMAGE_LOCK  the lock to read in place of packages.lock
MILLWRIGHT_IMAGE_DIR   where to write in place of target/image
IMAGE                  the repository in the image's name, such as ghcr.io/OWNER/NAME; localhost/millwright when it is
                       not set, which no registry has
REVISION               the commit, for a label
SOURCE_DATE_EPOCH      the time of every file; the jars' own when it is not set
Needs Python 3.10 or newer and a JDK 25, and the jars that `make build` makes.
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

import debian  # noqa: E402
import oci  # noqa: E402
import runtime  # noqa: E402
import sbom  # noqa: E402

PREFIX = "opt/millwright"
USER = 65532
LIBRARY = re.compile(r"[-+\w]+\.so\.[.\d]+")
# Of glibc what a JVM and its look-ups of names load; no tables of character sets, no profilers.
LIBC = re.compile(
    r"ld[-\w]*\.so\.\d+|lib(c|m|dl|pthread|rt|resolv|mvec|nss_dns|nss_files|util)\.so\.\d+"
)
USERS = f"""\
root:x:0:0:root:/root:/sbin/nologin
nonroot:x:{USER}:{USER}:nonroot:/home/nonroot:/sbin/nologin
"""
GROUPS = f"root:x:0:\nnonroot:x:{USER}:\n"


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--packages"]:
        file = pathlib.Path(arguments[1]) if arguments[1:] else HERE / "packages.lock"
        debian.write_lock(file, debian.newest(debian.ARCHITECTURES))
        return
    or_newest = "--or-newest" in arguments
    arguments = [word for word in arguments if word != "--or-newest"]
    lock = pathlib.Path(os.environ.get("MILLWRIGHT_IMAGE_LOCK", HERE / "packages.lock"))
    unknown = sorted(set(arguments) - set(debian.ARCHITECTURES))
    if unknown:
        sys.exit(f"image: unknown platform {unknown[0]}; there are {', '.join(debian.ARCHITECTURES)}")
    platforms = arguments or list(debian.ARCHITECTURES)
    os.environ["JAVA_HOME"] = find_jdk()
    try:
        Builder(lock).build(platforms)
    except debian.Gone as gone:
        print(f"image: {gone}", file=sys.stderr)
        if not or_newest:
            sys.exit(1)
        print("image: taking the newest packages", file=sys.stderr)
        lock = output() / "packages.lock"
        debian.write_lock(lock, debian.newest(debian.ARCHITECTURES))
        Builder(lock).build(platforms)


def find_jdk():
    script = ROOT / "build" / "find-jdk.sh"
    found = subprocess.run(["bash", script], stdout=subprocess.PIPE, text=True)
    if found.returncode != 0:
        sys.exit(found.returncode)
    return found.stdout.strip()


def output():
    directory = pathlib.Path(os.environ.get("MILLWRIGHT_IMAGE_DIR", ROOT / "target" / "image"))
    directory.mkdir(parents=True, exist_ok=True)
    return directory


class Builder:
    """One version of the image, for as many platforms as are asked for."""

    def __init__(self, lock):
        self.version, self.created = facts_of_project()
        self.packages, self.moment = debian.read_lock(lock)
        self.repository = os.environ.get("IMAGE") or "localhost/millwright"
        self.jars = jars_of_application()
        self.application = application_layers(self.jars)
        self.blobs = oci.Blobs()

    def build(self, platforms):
        images, missing = [], []
        for platform in platforms:
            try:
                home = runtime.jdk(platform, self.packages, self.moment)
            except runtime.NoJdk as reason:
                missing.append(f"{platform} ({reason})")
                continue
            images.append(self.image(platform, home))
        if not images:
            sys.exit(f"image: nothing built: {'; '.join(missing)}")
        index = oci.index(self.blobs, images)
        file = self.write("", index)
        built = ", ".join(image["platform"]["architecture"] for image in images)
        print(f"{file.name}: {index['digest']} for {built}")
        if missing:
            print(f"image: NOT built: {'; '.join(missing)}", file=sys.stderr)

    def image(self, platform, home):
        libraries = [
            package
            for package in self.packages
            if package.platform == platform and package.name in debian.LIBRARIES
        ]
        files = [(package, debian.fetch(package, self.moment)) for package in libraries]
        linked = output() / f"runtime-{platform}"
        runtime.link(home, linked)
        layers = [system_layer(files), runtime_layer(linked), *self.application]
        image = oci.image(self.blobs, platform, layers, config(self.version), self.created)
        file = self.write(f"-{platform}", image)
        components = [
            *(sbom.of_jar(*coordinates, content) for coordinates, content in self.jars.values()),
            *(sbom.of_package(package) for package in libraries),
            runtime_component(home, platform, self.packages),
        ]
        subject = sbom.of_image(self.repository, self.version, image["digest"])
        bill = sbom.document(subject, self.created, components)
        file.with_suffix(".cdx.json").write_bytes(bill)
        tell(file, image, layers)
        return image

    def write(self, suffix, top):
        file = output() / f"millwright-controller-{self.version}{suffix}.tar"
        name = f"{self.repository}:v{self.version}"
        oci.write_archive(file, self.blobs, top, name, int(self.created.timestamp()))
        return file


def tell(file, image, layers):
    packed = file.stat().st_size / 1e6
    unpacked = sum(layer.size() for layer in layers) / 1e6
    print(f"{file.name}: {image['digest']}, {packed:.0f} MB, unpacked {unpacked:.0f} MB")


def facts_of_project():
    """The version, and the time that the jars carry."""
    pom = (ROOT / "pom.xml").read_text()
    version = re.search(r"<artifactId>millwright</artifactId>\s*<version>([^<]+)<", pom)[1]
    if "SOURCE_DATE_EPOCH" in os.environ:
        seconds = int(os.environ["SOURCE_DATE_EPOCH"])
        return version, datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    stamp = re.search(r"<project.build.outputTimestamp>([^<]+)<", pom)[1]
    return version, datetime.datetime.fromisoformat(stamp.replace("Z", "+00:00"))


def system_layer(packages):
    """What a JVM needs of a system: the C library, users, a directory for temporary files. No shell."""
    layer = oci.Layer("glibc, libstdc++, zlib, users")
    for directory in ("lib", "lib64"):
        layer.link(directory, f"usr/{directory}")
        layer.directory(f"usr/{directory}")
    layer.file("etc/passwd", USERS.encode())
    layer.file("etc/group", GROUPS.encode())
    layer.file("etc/nsswitch.conf", b"hosts: files dns\n")
    layer.directory("dev")
    layer.directory("home/nonroot")
    layer.directory("proc", 0o555)
    layer.directory("tmp", 0o1777)
    for package, file in packages:
        with debian.archive_of(file, "data") as data:
            for entry in data:
                add_library(layer, package, data, entry)
        with debian.archive_of(file, "control") as control:
            # Where scanners look for packages in images that have no package manager.
            status = control.extractfile("./control").read()
            layer.file(f"var/lib/dpkg/status.d/{package.name}", status)
    return layer


def add_library(layer, package, data, entry):
    path = pathlib.PurePosixPath(entry.name)
    is_library = LIBRARY.fullmatch(path.name) and "gconv" not in path.parts
    is_wanted = package.name != "libc6" or LIBC.fullmatch(path.name)
    is_licence = path.name == "copyright" or (path.match("usr/share/doc/*") and entry.issym())
    if not (is_library and is_wanted) and not is_licence:
        return
    if entry.issym():
        layer.link(str(path), entry.linkname)
    elif entry.isfile():
        content = data.extractfile(entry).read()
        layer.file(str(path), content, 0o755 if entry.mode & 0o111 else 0o644)


def runtime_layer(linked):
    layer = oci.Layer("Java runtime")
    layer.tree(linked, f"{PREFIX}/runtime")
    return layer


def runtime_component(home, platform, packages):
    if (home / "release").exists():
        return sbom.of_jdk(home)
    return sbom.of_package(runtime.package(platform, packages))


def jars_of_application():
    """Coordinates and content of the jars that the program's manifest names, by their path."""
    target = ROOT / "cli" / "target"
    program = target / "millwright-cli.jar"
    if not program.exists():
        sys.exit(f"image: there is no {program}; `make build` makes it")
    with zipfile.ZipFile(program) as jar:
        manifest = jar.read("META-INF/MANIFEST.MF").decode().replace("\r\n ", "")
    known = {
        f"lib/{name}-{version}.jar": (group, name, version, jar)
        for group, name, version, jar in sbom.coordinates(target / "dependencies.txt")
    }
    paths = re.search(r"^Class-Path: (.*)$", manifest, re.MULTILINE)[1].split()
    jars = {path: (known[path], (target / path).read_bytes()) for path in paths}
    version = facts_of_project()[0]
    coordinates = ("dev.millwright", "millwright-cli", version, program)
    return {**jars, program.name: (coordinates, program.read_bytes())}


def application_layers(jars):
    """Others' jars, which rarely change, and ours."""
    theirs, ours = oci.Layer("libraries"), oci.Layer("Millwright")
    for path, (coordinates, content) in jars.items():
        layer = ours if coordinates[0] == "dev.millwright" else theirs
        layer.file(f"{PREFIX}/{path}", content)
    options = (ROOT / "build" / "run.options").read_text() + (HERE / "options").read_text()
    ours.file(f"{PREFIX}/options", options.encode())
    for name in ("LICENSE", "NOTICE"):
        ours.file(f"{PREFIX}/{name}", (ROOT / name).read_bytes())
    return [theirs, ours]


def config(version):
    labels = {
        "org.opencontainers.image.title": "Millwright",
        "org.opencontainers.image.description": "A node autoscaler for Kubernetes, compatible with Karpenter.",
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.version": version,
    }
    if os.environ.get("REVISION"):
        labels["org.opencontainers.image.revision"] = os.environ["REVISION"]
    return {
        "User": f"{USER}:{USER}",
        "Env": [f"PATH=/{PREFIX}/runtime/bin"],
        "Entrypoint": [f"/{PREFIX}/runtime/bin/java", f"@/{PREFIX}/options"],
        "WorkingDir": "/",
        "Labels": labels,
    }


if __name__ == "__main__":
    main()
