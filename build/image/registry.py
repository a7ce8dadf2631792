"""Pushes an archive of images by the OCI's distribution API, so that a release needs neither Docker nor skopeo.

Logins are those of `docker login`, `podman login --compat-auth-file` and the like: DOCKER_CONFIG names the folder of
config.json, which is ~/.docker when it is not set. A registry on this machine is spoken to by HTTP.
"""

import base64
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tarfile
import urllib.error
import urllib.parse
import urllib.request

TIMEOUT_SECONDS = 300
LOOPBACK = re.compile(r"(localhost|127(\.\d+){3}|\[::1\])(:\d+)?")
# Docker's own registry has a login by an older name.
LOGIN_NAMES = {"registry-1.docker.io": "https://index.docker.io/v1/"}


class Refused(Exception):
    """What a registry answered, in one sentence."""


class Registry:
    """One repository of images, and what is needed to write there."""

    def __init__(self, image):
        self.host, _, self.name = image.partition("/")
        scheme = "http" if LOOPBACK.fullmatch(self.host) else "https"
        self.root = f"{scheme}://{self.host}"
        self.authorization = None
        handlers = [urllib.request.ProxyHandler({})] if scheme == "http" else []
        self.opener = urllib.request.build_opener(*handlers)

    def push(self, archive, tag):
        """Pushes all that an archive holds, and returns the digest of what the tag names."""
        with tarfile.open(archive) as layout:
            top = json.load(layout.extractfile("index.json"))["manifests"][0]
            content = self._push_manifest(layout, top)
        self._put_manifest(tag, top, content)
        return top["digest"]

    def _push_manifest(self, layout, descriptor):
        """What a manifest names comes before it: a registry refuses one whose parts it has not."""
        content = blob(layout, descriptor)
        document = json.loads(content)
        for child in document.get("manifests", []):
            self._put_manifest(child["digest"], child, self._push_manifest(layout, child))
        for part in [document["config"], *document["layers"]] if "layers" in document else []:
            self._push_blob(layout, part)
        return content

    def _put_manifest(self, reference, descriptor, content):
        headers = {"Content-Type": descriptor["mediaType"]}
        self._send("PUT", f"{self.root}/v2/{self.name}/manifests/{reference}", content, headers)

    def _push_blob(self, layout, descriptor):
        place = f"{self.root}/v2/{self.name}/blobs"
        if self._send("HEAD", f"{place}/{descriptor['digest']}", accept=(200, 404)).status == 200:
            return
        begun = self._send("POST", f"{place}/uploads/", b"")
        upload = urllib.parse.urljoin(self.root, begun.headers["Location"])
        upload += f"{'&' if '?' in upload else '?'}digest={urllib.parse.quote(descriptor['digest'])}"
        self._send("PUT", upload, blob(layout, descriptor), {"Content-Type": "application/octet-stream"})

    def _send(self, method, place, content=None, headers=(), accept=(200, 201, 202)):
        answer = self._try(method, place, content, headers)
        if answer.status == 401 and self._log_in(answer.headers.get("WWW-Authenticate", "")):
            answer = self._try(method, place, content, headers)
        if answer.status not in accept:
            words = answer.read(2000).decode(errors="replace").strip()
            hint = f"; `docker login {self.host}` lets you in" if answer.status in (401, 403) else ""
            raise Refused(f"{method} {place} was answered {answer.status} {words}{hint}")
        return answer

    def _try(self, method, place, content, headers):
        request = urllib.request.Request(place, data=content, method=method, headers=dict(headers))
        # An upload may lie with somebody else, who is not to learn the login.
        if self.authorization and urllib.parse.urlsplit(place).netloc == self.host:
            request.add_unredirected_header("Authorization", self.authorization)
        try:
            return self.opener.open(request, timeout=TIMEOUT_SECONDS)
        except urllib.error.HTTPError as answer:
            return answer

    def _log_in(self, challenge):
        """Learns what to send, from what the registry asks for; False where there is nothing new to send."""
        kind, _, rest = challenge.partition(" ")
        login = login_of(self.host)
        before = self.authorization
        if kind.lower() == "basic" and login:
            self.authorization = f"Basic {login}"
        elif kind.lower() == "bearer":
            asked = dict(re.findall(r'(\w+)="([^"]*)"', rest))
            question = {"scope": f"repository:{self.name}:pull,push", "service": asked.get("service", "")}
            request = urllib.request.Request(f"{asked['realm']}?{urllib.parse.urlencode(question)}")
            if login:
                request.add_unredirected_header("Authorization", f"Basic {login}")
            try:
                with self.opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                    given = json.load(answer)
            except urllib.error.HTTPError as fault:
                raise Refused(
                    f"{asked['realm']} gave no token: {fault.code}; `docker login {self.host}` lets you in"
                ) from fault
            self.authorization = f"Bearer {given.get('token') or given['access_token']}"
        return self.authorization != before


def blob(layout, descriptor):
    content = layout.extractfile(f"blobs/{descriptor['digest'].replace(':', '/')}").read()
    found = f"sha256:{hashlib.sha256(content).hexdigest()}"
    if found != descriptor["digest"]:
        raise Refused(f"{layout.name} holds {found} under the name {descriptor['digest']}; build it again")
    return content


def login_of(host):
    """User and password for a host in the form of an HTTP header, or None."""
    folder = pathlib.Path(os.environ.get("DOCKER_CONFIG", pathlib.Path.home() / ".docker"))
    try:
        settings = json.loads((folder / "config.json").read_text())
    except FileNotFoundError:
        return None
    name = LOGIN_NAMES.get(host, host)
    program = settings.get("credHelpers", {}).get(name) or settings.get("credsStore")
    if program:
        done = subprocess.run(
            [f"docker-credential-{program}", "get"], input=name, stdout=subprocess.PIPE, text=True
        )
        if done.returncode == 0:
            given = json.loads(done.stdout)
            return base64.b64encode(f"{given['Username']}:{given['Secret']}".encode()).decode()
    return settings.get("auths", {}).get(name, {}).get("auth")
