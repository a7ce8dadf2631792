"""Layers, manifests and archives of images, as the OCI's specifications say. The same files give the same bytes:
entries are sorted, belong to root and carry one time."""

import gzip
import hashlib
import io
import json
import tarfile

LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
GZIP_LEVEL = 6


class Layer:
    """Entries by their path. A directory above a file need not be named."""

    def __init__(self, comment):
        self.comment = comment
        self.entries = {}

    def file(self, path, content, mode=0o644):
        self._add(path, tarfile.REGTYPE, mode, content)

    def link(self, path, target):
        self._add(path, tarfile.SYMTYPE, 0o777, b"", target)

    def directory(self, path, mode=0o755):
        self._add(path, tarfile.DIRTYPE, mode, b"")

    def tree(self, directory, under):
        """All of a directory of this machine."""
        for found in sorted(directory.rglob("*")):
            path = f"{under}/{found.relative_to(directory).as_posix()}"
            if found.is_symlink():
                self.link(path, str(found.readlink()))
            elif found.is_dir():
                self.directory(path)
            else:
                executable = found.stat().st_mode & 0o111
                self.file(path, found.read_bytes(), 0o755 if executable else 0o644)

    def _add(self, path, kind, mode, content, target=""):
        path = path.strip("/")
        above = path.rpartition("/")[0]
        if above and above not in self.entries:
            self.directory(above)
        self.entries[path] = (kind, mode, content, target)

    def size(self):
        return sum(len(content) for _, _, content, _ in self.entries.values())

    def tar(self, seconds):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for path in sorted(self.entries):
                kind, mode, content, target = self.entries[path]
                entry = tarfile.TarInfo(path + ("/" if kind == tarfile.DIRTYPE else ""))
                entry.type, entry.mode, entry.linkname = kind, mode, target
                entry.size, entry.mtime = len(content), seconds
                archive.addfile(entry, io.BytesIO(content))
        return out.getvalue()


class Blobs:
    """Content by its digest."""

    def __init__(self):
        self.contents = {}

    def add(self, media_type, content):
        """Keeps it, and returns the descriptor that points at it."""
        digest = hashlib.sha256(content).hexdigest()
        self.contents[digest] = content
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}

    def add_json(self, media_type, document):
        return self.add(media_type, compact(document))


def compact(document):
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def image(blobs, platform, layers, config, created):
    """Adds an image of one platform, and returns its descriptor."""
    seconds, stamp = int(created.timestamp()), created.strftime("%Y-%m-%dT%H:%M:%SZ")
    descriptors, diffs, history = [], [], []
    for layer in layers:
        tar = layer.tar(seconds)
        diffs.append(f"sha256:{hashlib.sha256(tar).hexdigest()}")
        descriptors.append(blobs.add(LAYER, gzip.compress(tar, GZIP_LEVEL, mtime=0)))
        history.append({"created": stamp, "created_by": "build/image", "comment": layer.comment})
    document = {
        "created": stamp,
        "architecture": platform,
        "os": "linux",
        "config": config,
        "rootfs": {"type": "layers", "diff_ids": diffs},
        "history": history,
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": blobs.add_json(CONFIG, document),
        "layers": descriptors,
    }
    descriptor = blobs.add_json(MANIFEST, manifest)
    return {**descriptor, "platform": {"architecture": platform, "os": "linux"}}


def index(blobs, images):
    """Adds the index over the images of all platforms, and returns its descriptor."""
    document = {"schemaVersion": 2, "mediaType": INDEX, "manifests": images}
    return blobs.add_json(INDEX, document)


def write_archive(file, blobs, top, name, seconds):
    """An OCI layout as one tar. Of a single image `docker load` can read it as well, by manifest.json."""
    # As containerd writes names: one that names no registry is Docker's.
    host = name.partition("/")[0]
    full = name if host == "localhost" or "." in host or ":" in host else f"docker.io/{name}"
    annotations = {
        "io.containerd.image.name": full,
        "org.opencontainers.image.ref.name": name.rpartition(":")[2],
    }
    files = {
        "oci-layout": compact({"imageLayoutVersion": "1.0.0"}),
        "index.json": compact(
            {
                "schemaVersion": 2,
                "mediaType": INDEX,
                "manifests": [{**top, "annotations": annotations}],
            }
        ),
    }
    if top["mediaType"] == MANIFEST:
        manifest = json.loads(blobs.contents[top["digest"].partition(":")[2]])
        paths = [
            f"blobs/sha256/{descriptor['digest'].partition(':')[2]}"
            for descriptor in [manifest["config"], *manifest["layers"]]
        ]
        docker = [{"Config": paths[0], "RepoTags": [name], "Layers": paths[1:]}]
        files["manifest.json"] = compact(docker)
    for digest in reachable(blobs, top):
        files[f"blobs/sha256/{digest}"] = blobs.contents[digest]
    with tarfile.open(file, "w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted(files):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mtime, entry.mode = len(files[path]), seconds, 0o644
            archive.addfile(entry, io.BytesIO(files[path]))


def reachable(blobs, descriptor):
    digest = descriptor["digest"].partition(":")[2]
    found = {digest}
    if descriptor["mediaType"] in (INDEX, MANIFEST):
        document = json.loads(blobs.contents[digest])
        below = document.get("manifests") or [document["config"], *document["layers"]]
        for child in below:
            found |= reachable(blobs, child)
    return found
