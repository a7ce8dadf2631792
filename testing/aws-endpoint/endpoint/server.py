"""HTTP/1.1 on loopback: one thread a connection, kept alive, and an answer that may be no answer at all.

Python's own servers parse headers slowly and cannot hang up half way; both matter here.
"""

import io
import json
import socket
import sys
import threading
import traceback
import urllib.parse
from dataclasses import dataclass, field

HEADER_BYTES_MAX = 64 * 1024
BODY_BYTES_MAX = 16 * 1024 * 1024
BACKLOG_MAX = 256


@dataclass
class Request:
    method: str
    target: str
    headers: dict  # names in lower case
    body: bytes

    @property
    def path(self):
        return self.target.split("?", 1)[0]

    @property
    def query(self):
        _, _, text = self.target.partition("?")
        return dict(urllib.parse.parse_qsl(text, keep_blank_values=True))

    def json(self):
        return json.loads(self.body) if self.body else {}


@dataclass
class Answer:
    status: int
    body: bytes
    content_type: str = "application/json"
    headers: dict = field(default_factory=dict)


class Server:
    """`answer` maps a request to an Answer, or to None: then the connection is closed without a word."""

    def __init__(self, host, port, answer):
        self.answer = answer
        self.socket = socket.create_server((host, port), backlog=BACKLOG_MAX)
        self.port = self.socket.getsockname()[1]

    def serve(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection, connection.makefile("rb") as reader:
            try:
                while (request := _read(reader)) is not None:
                    answer = self._safely(request)
                    if answer is None:
                        return
                    connection.sendall(_bytes(answer, request.method))
                    if request.headers.get("connection", "").lower() == "close":
                        return
            except (ConnectionError, TimeoutError):
                return

    def _safely(self, request):
        try:
            return self.answer(request)
        except Exception:  # A fault of the endpoint's own must not look like one of AWS's that a client retries.
            print(f"{request.method} {request.target} failed:", file=sys.stderr)
            traceback.print_exc()
            sys.stderr.flush()
            text = traceback.format_exc(limit=-3)
            return Answer(400, f"EndpointBroken: {text}".encode(), "text/plain")


def _read(reader):
    line = reader.readline(HEADER_BYTES_MAX)
    if not line.strip():
        return None
    method, target, _ = line.decode("latin-1").split(" ", 2)
    headers = {}
    while (line := reader.readline(HEADER_BYTES_MAX)) not in (b"\r\n", b"\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = _chunks(reader)
    else:
        length = int(headers.get("content-length") or 0)
        if length > BODY_BYTES_MAX:
            raise ConnectionError(f"a body of {length} bytes is over {BODY_BYTES_MAX}")
        body = reader.read(length) if length else b""
    return Request(method, target, headers, body)


def _chunks(reader):
    parts = []
    while (size := int(reader.readline().split(b";")[0], 16)) > 0:
        parts.append(reader.read(size))
        reader.readline()
    reader.readline()
    return b"".join(parts)


def _bytes(answer, method):
    lines = [f"HTTP/1.1 {answer.status} -", f"Content-Type: {answer.content_type}"]
    lines += [f"{name}: {value}" for name, value in answer.headers.items()]
    lines.append(f"Content-Length: {len(answer.body)}")
    head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
    return head if method == "HEAD" else head + answer.body


def ask_wsgi(application, request):
    """Lets a WSGI application, here moto, answer the request."""
    environ = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": urllib.parse.unquote(request.path),
        "RAW_URI": request.target,
        "REQUEST_URI": request.target,
        "QUERY_STRING": request.target.partition("?")[2],
        "CONTENT_TYPE": request.headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(request.body)),
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(request.body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in request.headers.items():
        if name not in ("content-type", "content-length"):
            environ["HTTP_" + name.upper().replace("-", "_")] = value
    begun = []
    body = b"".join(application(environ, lambda status, headers, _=None: begun.append((status, headers))))
    status, headers = begun[0]
    kept = {name: value for name, value in headers if name.lower() not in ("content-length", "content-type", "date")}
    content_type = next((value for name, value in headers if name.lower() == "content-type"), "text/plain")
    return Answer(int(status.split()[0]), body, content_type, kept)
