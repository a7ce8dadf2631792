"""Debian's packages, without Debian's tools: which ones, where to get them, what is in them.

packages.lock names each by its digest, so that the same lock gives the same bytes wherever an image is built. A mirror
keeps a package until the next one replaces it; snapshot.debian.org keeps it for ever.
"""

import dataclasses
import datetime
import hashlib
import http.client
import io
import lzma
import os
import pathlib
import re
import sys
import tarfile
import urllib.error
import urllib.request

MIRROR = os.environ.get("MILLWRIGHT_DEBIAN_MIRROR", "https://deb.debian.org").rstrip("/")
SNAPSHOT = "https://snapshot.debian.org/archive"
RELEASE = "trixie"
# A fix of security is in its own archive before it is in a point release.
INDICES = [("debian", RELEASE), ("debian-security", f"{RELEASE}-security")]
# Of the base of GCC we take the licence of its libraries, which is there alone.
LIBRARIES = ["gcc-14-base", "libc6", "libgcc-s1", "libstdc++6", "zlib1g"]
JDK = "openjdk-25-jdk-headless"
# What build/fetch unpacks on a machine that lacks a JDK, Python or openssl.
TOOLS = [
    "libbz2-1.0",
    "libexpat1",
    "libffi8",
    "liblzma5",
    "libpython3.13-minimal",
    "libpython3.13-stdlib",
    "libsqlite3-0",
    "libssl3t64",
    "libuuid1",
    "libzstd1",
    "openjdk-25-jre-headless",
    "openssl",
    "python3.13-minimal",
]
# What we call a platform, and what Debian calls it.
ARCHITECTURES = {"amd64": "amd64", "arm64": "arm64", "ppc64le": "ppc64el", "s390x": "s390x"}
TIMEOUT_SECONDS = 60
CACHE = pathlib.Path(
    os.environ.get("MILLWRIGHT_CACHE", pathlib.Path.home() / ".cache" / "millwright")
).joinpath("debian")


class Gone(Exception):
    """A package that neither the mirror nor the snapshots hand out."""


@dataclasses.dataclass(frozen=True)
class Package:
    platform: str
    name: str
    version: str
    path: str
    sha256: str


def read_lock(file):
    """The packages of a lock, and the moment at which all of them were to be had."""
    packages, moment = [], None
    for line in file.read_text().splitlines():
        if line.startswith("# taken "):
            moment = line.removeprefix("# taken ").strip()
        elif line and not line.startswith("#"):
            packages.append(Package(*line.split()))
    return packages, moment


def write_lock(file, packages):
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    lines = [
        "# The packages in the image and in build/fetch, written by `make image-packages`:"
        " platform, package, version, path, SHA-256.",
        f"# taken {now}",
    ]
    for package in sorted(packages, key=lambda package: (package.platform, package.name)):
        lines.append(" ".join(dataclasses.astuple(package)))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n")


def newest(platforms, names=(*LIBRARIES, JDK, *TOOLS)):
    """The newest package of each name for each platform."""
    found = {}
    for platform in platforms:
        for archive, suite in INDICES:
            index = f"{archive}/dists/{suite}/main/binary-{ARCHITECTURES[platform]}/Packages.xz"
            text = lzma.decompress(read(f"{MIRROR}/{index}")).decode()
            for entry in text.split("\n\n"):
                if entry.partition("\n")[0].removeprefix("Package: ") not in names:
                    continue
                fields = dict(re.findall(r"^(\S+): (.*)$", entry, re.MULTILINE))
                package = Package(
                    platform,
                    fields["Package"],
                    fields["Version"],
                    f"{archive}/{fields['Filename']}",
                    fields["SHA256"],
                )
                before = found.get((platform, package.name))
                if before is None or order(package.version) > order(before.version):
                    found[platform, package.name] = package
    missing = [
        f"{name} for {platform}"
        for platform in platforms
        for name in names
        if (platform, name) not in found
    ]
    if missing:
        sys.exit(f"image: Debian {RELEASE} has no {', '.join(missing)}")
    return list(found.values())


def order(version):
    """A key that sorts as Debian sorts versions: epoch, then upstream's, then Debian's own.

    >>> versions = ["1.0~rc1-1", "1.0-1", "1.0-1+deb13u1", "1.0-2", "1.0a-1", "1.0+b-1", "1.10-1", "1:0.1-1"]
    >>> sorted(reversed(versions), key=order) == versions
    True
    """
    epoch, colon, rest = version.partition(":")
    if not colon:
        epoch, rest = "0", version
    upstream, _, revision = rest.rpartition("-")
    if not upstream:
        upstream, revision = rest, ""
    return int(epoch), parts(upstream), parts(revision)


def parts(text):
    """Words and numbers in turn. A tilde sorts before the end, the end before letters, letters before the rest."""
    ranks = []
    for word, number in re.findall(r"(\D*)(\d*)", text):
        letters = tuple(
            -1 if letter == "~" else ord(letter) if letter.isalpha() else ord(letter) + 256
            for letter in word
        )
        ranks.append((*letters, 0))
        ranks.append(int(number or 0))
    return ranks


def fetch(package, moment):
    """The file of a package in the cache, brought there when it is missing; its digest is checked."""
    file = CACHE / package.sha256[:16] / pathlib.PurePosixPath(package.path).name
    if file.exists():
        return file
    archive, _, path = package.path.partition("/")
    places = [f"{MIRROR}/{package.path}"]
    if moment:
        places.append(f"{SNAPSHOT}/{archive}/{moment}/{path}")
    faults = []
    for place in places:
        try:
            content = read(place)
        except (urllib.error.URLError, http.client.HTTPException, OSError) as fault:
            faults.append(f"{place}: {fault}")
            continue
        digest = hashlib.sha256(content).hexdigest()
        if digest != package.sha256:
            faults.append(f"{place}: found SHA-256 {digest}, want {package.sha256}")
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        # The rename keeps half a file out of sight.
        partial = file.with_name(f"{file.name}.{os.getpid()}")
        partial.write_bytes(content)
        partial.replace(file)
        return file
    raise Gone(
        f"{package.name} {package.version} for {package.platform} is not to be had:\n  "
        + "\n  ".join(faults)
        + "\n  `make image-packages` takes the packages of today"
    )


def read(place):
    with urllib.request.urlopen(place, timeout=TIMEOUT_SECONDS) as answer:
        return answer.read()


def members(file):
    """The members of a package's file, which is an `ar` archive: a header of 60 bytes before each."""
    content = file.read_bytes()
    if not content.startswith(b"!<arch>\n"):
        raise ValueError(f"{file} is no Debian package")
    found, at = {}, 8
    while at < len(content):
        name = content[at : at + 16].decode().strip().rstrip("/")
        size = int(content[at + 48 : at + 58])
        found[name] = content[at + 60 : at + 60 + size]
        at += 60 + size + size % 2
    return found


def archive_of(file, part):
    """`data` or `control` of a package, as an open tar."""
    for name, content in members(file).items():
        if name.startswith(f"{part}.tar"):
            if name.endswith(".zst"):
                sys.exit(f"image: {file.name} is compressed by zstd, which Python cannot read")
            return tarfile.open(fileobj=io.BytesIO(content))
    raise ValueError(f"{file} has no {part}")
