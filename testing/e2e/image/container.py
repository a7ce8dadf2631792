#!/usr/bin/env python3
"""Runs an image as a kubelet would have it run: its own root, read-only, as its own user, with an empty /tmp. On Linux.

container.py unpack ARCHIVE DIRECTORY
    unpacks the root of an OCI archive's image, and its configuration beside it; every digest is checked
container.py run DIRECTORY [--env NAME=VALUE]... [--mount SOURCE:TARGET]... [--volume SOURCE:TARGET]...
        [--read-only-volume SOURCE:TARGET]... [--user USER:GROUP] [--with PROGRAM] [-- ARGUMENT...]
    runs it; a signal for it goes to its process, which is below this one. A volume is a directory that the containers of
    a pod share: it gets the group, as a kubelet does it for a pod's fsGroup. With --with another program runs its
    entry point: an emulator, when the image is for another machine
container.py signal PID NAME
    sends a signal to a process of a container, which whoever started it need not own
container.py erase DIRECTORY
    deletes a directory with what containers wrote into it, which whoever started them need not own

Only root may give a process another root; `run`, `signal` and `erase` become it by sudo.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import pathlib
import shlex
import shutil
import signal
import sys
import tarfile

# Those that every container has. Without one for random numbers Java makes its own, by ten seconds of work.
DEVICES = ["full", "null", "random", "urandom", "zero"]


def unpack(archive, directory):
    root = directory / "root"
    root.mkdir(parents=True)
    with tarfile.open(archive) as tar:

        def blob(descriptor):
            content = tar.extractfile(f"blobs/{descriptor['digest'].replace(':', '/')}").read()
            return checked(content, descriptor["digest"])

        manifest = json.loads(blob(json.load(tar.extractfile("index.json"))["manifests"][0]))
        if "layers" not in manifest:
            sys.exit(f"container: {archive} is for several platforms; want one of a single image")
        config = blob(manifest["config"])
        digests = json.loads(config)["rootfs"]["diff_ids"]
        for layer, digest in zip(manifest["layers"], digests, strict=True):
            content = checked(gzip.decompress(blob(layer)), digest)
            with tarfile.open(fileobj=io.BytesIO(content)) as entries:
                entries.extractall(root, filter="fully_trusted")
    (directory / "config.json").write_bytes(config)


def checked(content, digest):
    algorithm, _, wanted = digest.partition(":")
    found = hashlib.new(algorithm, content).hexdigest()
    if found != wanted:
        sys.exit(f"container: found {algorithm}:{found}, want {digest}")
    return content


def run(directory, arguments):
    config = json.loads((directory / "config.json").read_text())["config"]
    root = (directory / "root").resolve()
    # Whoever cleans up must own the places, so they are made before this becomes root.
    mounts = [mount_of(mount, root) for mount in arguments.mount]
    user = arguments.user or config["User"]
    group = user.partition(":")[2]
    for volume in [*arguments.volume, *arguments.read_only_volume]:
        mounts += [*grouped(volume, group), mount_of(volume, root)]
    for volume in arguments.read_only_volume:
        target = root / volume.partition(":")[2].strip("/")
        mounts.append(shlex.join(["mount", "-o", "remount,bind,ro", str(target)]))
    become_root()
    environment = [*config["Env"], *arguments.env]
    emulator = [arguments.with_] if arguments.with_ else []
    # The programs that lead into the root are this machine's, whatever the image's PATH says.
    command = [
        *[program("env"), "-i", *environment],
        *[program("setpriv"), "--no-new-privs"],
        *[program("chroot"), f"--userspec={user}", str(root)],
        *emulator,
        *config["Entrypoint"],
        *arguments.arguments,
    ]
    script = "\n".join(
        [
            "set -e",
            f"root={shlex.quote(str(root))}",
            'mount --bind "$root" "$root"',
            'mount -t proc proc "$root/proc"',
            'mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/tmp"',
            'mount -t tmpfs -o mode=755,size=64k tmpfs "$root/dev"',
            f"for device in {' '.join(DEVICES)}; do",
            '  touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"',
            "done",
            *mounts,
            'mount -o remount,bind,ro "$root"',
            f"exec {shlex.join(command)}",
        ]
    )
    unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script]
    os.execvp(unshare[0], unshare)


def mount_of(mount, root):
    """Makes the place for it, and returns the command that mounts it there."""
    source, _, target = mount.partition(":")
    place = root / target.strip("/")
    if pathlib.Path(source).is_dir():
        place.mkdir(parents=True, exist_ok=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    return shlex.join(["mount", "--bind", source, str(place)])


def grouped(volume, group):
    """The commands that give a volume and what is in it to a group."""
    source = volume.partition(":")[0]
    changes = [["chgrp", "-R", group, source], ["chmod", "-R", "g+rX", source], ["chmod", "2777", source]]
    return [shlex.join(change) for change in changes]


def program(name):
    for directory in ("/usr/bin", "/usr/sbin", "/bin", "/sbin"):
        if os.access(f"{directory}/{name}", os.X_OK):
            return f"{directory}/{name}"
    sys.exit(f"container: found no {name}")


def become_root():
    if os.geteuid() != 0:
        os.execvp("sudo", ["sudo", "-n", sys.executable, *sys.argv])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, dest="command")
    unpacking = commands.add_parser("unpack")
    unpacking.add_argument("archive", type=pathlib.Path)
    unpacking.add_argument("directory", type=pathlib.Path)
    running = commands.add_parser("run")
    running.add_argument("directory", type=pathlib.Path)
    running.add_argument("--env", action="append", default=[])
    running.add_argument("--mount", action="append", default=[])
    running.add_argument("--volume", action="append", default=[])
    running.add_argument("--read-only-volume", action="append", default=[])
    running.add_argument("--user")
    running.add_argument("--with", dest="with_")
    signalling = commands.add_parser("signal")
    signalling.add_argument("pid", type=int)
    signalling.add_argument("name")
    erasing = commands.add_parser("erase")
    erasing.add_argument("directory", type=pathlib.Path)
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:end])
    arguments.arguments = words[end + 1 :]
    match arguments.command:
        case "unpack":
            unpack(arguments.archive, arguments.directory)
        case "run":
            run(arguments.directory, arguments)
        case "signal":
            become_root()
            os.kill(arguments.pid, signal.Signals[f"SIG{arguments.name}"])
        case "erase":
            become_root()
            shutil.rmtree(arguments.directory)


if __name__ == "__main__":
    main()
