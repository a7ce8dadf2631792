#!/usr/bin/env python3
"""check.py ARCHIVE...: runs each image's `version` and `simulate`, for other machines by QEMU's emulators. All must
come to the same plan. An emulator is taken from the PATH, else from Debian's package into the cache."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
sys.path.insert(0, str(ROOT / "build" / "image"))

import debian  # noqa: E402
import runtime  # noqa: E402

PACKAGE = "qemu-user"
PROBLEM = ROOT / "examples" / "shop.yaml"
SIMULATION = ["simulate", "--quiet", "--packing", "first-fit", "-o", "json", "/problem.yaml"]
SECONDS_MAX = 600


def main():
    plans = {}
    for archive in map(pathlib.Path, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as scratch:
            container = pathlib.Path(scratch) / "container"
            subprocess.run([HERE / "container.py", "unpack", archive, container], check=True)
            platform = json.loads((container / "config.json").read_text())["architecture"]
            print(run(container, platform, "version", "-o", "wide").strip(), flush=True)
            plans[platform] = json.loads(run(container, platform, *SIMULATION))
            del plans[platform]["solve"]  # The time that it took.
    if not plans:
        sys.exit("check: say the archives to check")
    first, *others = plans
    for other in others:
        if plans[other] != plans[first]:
            sys.exit(f"check: {first} plans {plans[first]}\nbut {other} {plans[other]}")
    print(f"{', '.join(plans)} come to the same plan")


def run(container, platform, *arguments):
    command = [HERE / "container.py", "run", container, "--mount", f"{PROBLEM}:/problem.yaml"]
    if platform != runtime.here():
        command += ["--mount", f"{emulator(platform)}:/emulator", "--with", "/emulator"]
    done = subprocess.run(
        [*command, "--", *arguments], stdout=subprocess.PIPE, text=True, timeout=SECONDS_MAX
    )
    if done.returncode != 0:
        sys.exit(f"check: {' '.join(arguments)} on {platform} ended with {done.returncode}")
    return done.stdout


def emulator(platform):
    """A program that runs in any root, so that it must be linked statically."""
    name = f"qemu-{runtime.MACHINES[platform]}"
    found = shutil.which(f"{name}-static")
    if found:
        return pathlib.Path(found)
    package = next(
        package for package in debian.newest([runtime.here()], [PACKAGE]) if package.name == PACKAGE
    )
    file = debian.fetch(package, None)
    target = file.with_name(name)
    if not target.exists():
        with debian.archive_of(file, "data") as data:
            content = data.extractfile(f"./usr/bin/{name}").read()
        target.write_bytes(content)
        target.chmod(0o755)
    return target


if __name__ == "__main__":
    main()
