"""A Java runtime with the modules we need and no others, for each platform that a JDK is at hand for."""

import os
import pathlib
import platform as machine
import re
import shutil
import subprocess
import sys

import debian

# What our jars need (ImageIT compares this with what jdeps finds). The optional java.desktop is left out: of it
# Jackson and the AWS SDK want annotations alone, and live without.
MODULES = [
    "java.base",
    "java.logging",
    "java.management",
    "java.net.http",
    "java.sql",
    "java.xml",
    "jdk.httpserver",
    "jdk.jfr",
    "jdk.management",
]
# What a JDK says of itself in its file `release`, by our name.
MACHINES = {"amd64": "x86_64", "arm64": "aarch64", "ppc64le": "ppc64le", "s390x": "s390x"}
# The one program that we start, and the one by which it starts others.
PROGRAMS = {"bin/java", "lib/jspawnhelper"}
# Debian's modules carry symbols for debuggers; the others are for tools that are not in the image.
UNWANTED = ["**.debuginfo", "/java.base/lib/jrt-fs.jar", "/java.base/lib/jexec"]


class NoJdk(Exception):
    """There is no JDK for a platform, or not one that can be used."""


def here():
    found = machine.machine()
    return next((name for name, other in MACHINES.items() if other == found), found)


def jdk(platform, packages, moment):
    """The home of a JDK for the platform: from MILLWRIGHT_JDKS when that has one, else Debian's."""
    directory = os.environ.get("MILLWRIGHT_JDKS")
    if directory:
        home = checked(pathlib.Path(directory) / platform, platform)
        if has_modules(home):
            return home
        print(f"image: {home} has no modules to link; taking Debian's", file=sys.stderr)
    return unpacked(debian.fetch(package(platform, packages), moment))


def package(platform, packages):
    return next(
        package
        for package in packages
        if package.platform == platform and package.name == debian.JDK
    )


def checked(home, platform):
    if not home.is_dir():
        raise NoJdk(f"MILLWRIGHT_JDKS has no {platform}/")
    try:
        release = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', (home / "release").read_text(), re.M))
    except OSError as fault:
        raise NoJdk(f"{home} is no JDK: {fault}") from fault
    if release.get("OS_ARCH") != MACHINES[platform] or release.get("OS_NAME") != "Linux":
        raise NoJdk(
            f"{home} is for {release.get('OS_NAME')} {release.get('OS_ARCH')},"
            f" want Linux {MACHINES[platform]}"
        )
    if not (home / "jmods").is_dir() and platform != here():
        raise NoJdk(f"{home} has no jmods/, without which it can be linked on {platform} alone")
    return home


def has_modules(home):
    """Whether a JDK can be linked: it has module files, or was built to link itself. A fetched one does neither."""
    if (home / "jmods").is_dir():
        return True
    said = subprocess.run([home / "bin" / "jlink", "--help"], stdout=subprocess.PIPE, text=True)
    return "run-time image enabled" in said.stdout


def unpacked(package):
    """The modules of a JDK's package, which are all that a link reads of it."""
    home = package.parent / "jdk"
    if home.is_dir():
        return home
    partial = package.parent / f"jdk.{os.getpid()}"
    (partial / "jmods").mkdir(parents=True)
    with debian.archive_of(package, "data") as data:
        for entry in data:
            name = pathlib.PurePosixPath(entry.name)
            if name.suffix == ".jmod" and entry.isfile():
                with (partial / "jmods" / name.name).open("wb") as out:
                    shutil.copyfileobj(data.extractfile(entry), out)
    try:
        partial.rename(home)
    except OSError:
        shutil.rmtree(partial)  # Somebody else was sooner.
    return home


def link(home, output):
    """Links by our own JDK from the modules of the platform's; a JDK without module files links itself."""
    modules = home / "jmods"
    if modules.is_dir():
        program = [f"{os.environ['JAVA_HOME']}/bin/jlink", "--module-path", str(modules)]
    else:
        program = [f"{home}/bin/jlink"]
    shutil.rmtree(output, ignore_errors=True)
    subprocess.run(
        [
            *program,
            "--add-modules",
            ",".join(MODULES),
            "--strip-java-debug-attributes",
            "--no-header-files",
            "--no-man-pages",
            "--exclude-files",
            ",".join(UNWANTED),
            "--output",
            str(output),
        ],
        check=True,
    )
    for program in (output / "bin").iterdir():
        if f"bin/{program.name}" not in PROGRAMS:
            program.unlink()
