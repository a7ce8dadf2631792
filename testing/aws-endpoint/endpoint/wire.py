"""AWS's protocols, by the service models that botocore carries: requests become dictionaries with the names of
the API's reference, dictionaries become answers, and a refusal is told in the protocol of who asked."""

import datetime
import functools
import json
import re
import urllib.parse
import uuid
from xml.sax.saxutils import escape

from botocore.session import Session

from server import Answer

EC2_NAMESPACE = "http://ec2.amazonaws.com/doc/2016-11-15/"
TRUE = ("true", "True", "1")


class Refusal(Exception):
    """AWS says no."""

    def __init__(self, code, message, status=400):
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


@functools.cache
def model(service):
    return Session().get_service_model(service)


# botocore resolves a shape anew wherever it is named; these are EC2's, by the shape's name.
MEMBERS = {}
ELEMENTS = {}


def _members(shape):
    """Name, shape, name in a request and name in an answer of each member."""
    found = MEMBERS.get(shape.name)
    if found is None:
        found = [
            (name, member, _wire_name(name, member), member.serialization.get("name", name))
            for name, member in shape.members.items()
        ]
        MEMBERS[shape.name] = found
    return found


def _element(shape):
    """The shape of a list's elements, and their name in an answer."""
    found = ELEMENTS.get(shape.name)
    if found is None:
        found = (shape.member, shape.member.serialization.get("name", "item"))
        ELEMENTS[shape.name] = found
    return found


def service_of(request):
    """From the credential's scope, which the signature carries."""
    found = re.search(r"Credential=[^/]+/\d+/[^/]*/([^/]+)/aws4_request", request.headers.get("authorization", ""))
    return found[1] if found else ""


def key_of(request):
    """The id of the access key that signed the request."""
    found = re.search(r"Credential=([^/]+)/", request.headers.get("authorization", ""))
    return found[1] if found else ""


def form_of(request):
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return {}
    return dict(urllib.parse.parse_qsl(request.body.decode(), keep_blank_values=True))


# ---- requests


def decode(action, form):
    """An EC2 request's parameters under the names of the API's reference."""
    shape = model("ec2").operation_model(action).input_shape
    return _structure(shape, _tree(form))


def tree(form):
    """Any other form, nested by its dots; numbered members become lists."""
    return _lists({name: part for name, part in _tree(form).items() if name not in ("Action", "Version")})


def _tree(form):
    root = {}
    for name, value in form.items():
        parts = name.split(".")
        node = root
        for part in parts[:-1]:
            node = node.setdefault(part, {})
            if not isinstance(node, dict):
                raise Refusal("InvalidParameter", f"{name} is both a value and a structure")
        node[parts[-1]] = value
    return root


def _lists(node):
    if not isinstance(node, dict):
        return node
    if set(node) == {"member"}:
        node = node["member"]
    if node and isinstance(node, dict) and all(key.isdigit() for key in node):
        return [_lists(node[key]) for key in sorted(node, key=int)]
    return {key: _lists(value) for key, value in node.items()} if isinstance(node, dict) else node


def _wire_name(name, shape):
    if "queryName" in shape.serialization:
        return shape.serialization["queryName"]
    told = shape.serialization.get("name", name)
    return told[:1].upper() + told[1:]


def _structure(shape, node):
    out = {}
    for name, member, wire_name, _ in _members(shape):
        found = node.get(wire_name)
        if found is not None:
            out[name] = _value(member, found)
    return out


def _value(shape, node):
    kind = shape.type_name
    if kind == "structure":
        return _structure(shape, node)
    if kind == "list":
        element, _ = _element(shape)
        return [_value(element, node[key]) for key in sorted(node, key=int)]
    if kind == "boolean":
        return node in TRUE
    if kind in ("integer", "long"):
        return int(node)
    if kind in ("double", "float"):
        return float(node)
    return node


# ---- answers


def xml(action, answer):
    """An EC2 answer."""
    shape = model("ec2").operation_model(action).output_shape
    return xml_of(action, members(shape, answer) if shape else "")


def xml_of(action, body):
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?><{action}Response xmlns="{EC2_NAMESPACE}">'
        f"<requestId>{uuid.uuid4()}</requestId>{body}</{action}Response>"
    )
    return Answer(200, text.encode(), "text/xml;charset=UTF-8")


def members(shape, value):
    parts = []
    for name, member, _, tag in _members(shape):
        found = value.get(name)
        if found is not None:
            parts.append(f"<{tag}>{_text(member, found)}</{tag}>")
    return "".join(parts)


def _text(shape, value):
    kind = shape.type_name
    if kind == "structure":
        return members(shape, value)
    if kind == "list":
        element, tag = _element(shape)
        return "".join(f"<{tag}>{_text(element, each)}</{tag}>" for each in value)
    if kind == "boolean":
        return "true" if value else "false"
    return escape(str(value))


def plain(value, headers=None):
    return Answer(200, json.dumps(value).encode(), "application/json", headers or {})


def json_of(value):
    return Answer(200, json.dumps(value).encode(), "application/x-amz-json-1.1")


def stamp(seconds):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


# ---- refusals

# SQS spoke XML once; clients know its faults by both names.
QUERY_CODES = {"QueueDoesNotExist": "AWS.SimpleQueueService.NonExistentQueue"}


def refusal(service, code, message, status):
    request_id = str(uuid.uuid4())
    if service == "ec2":
        text = (
            f'<?xml version="1.0" encoding="UTF-8"?><Response><Errors><Error><Code>{escape(code)}</Code>'
            f"<Message>{escape(message)}</Message></Error></Errors><RequestID>{request_id}</RequestID></Response>"
        )
        return Answer(status, text.encode(), "text/xml;charset=UTF-8")
    if service in ("iam", "sts"):
        text = (
            f"<ErrorResponse><Error><Type>Sender</Type><Code>{escape(code)}</Code>"
            f"<Message>{escape(message)}</Message></Error><RequestId>{request_id}</RequestId></ErrorResponse>"
        )
        return Answer(status, text.encode(), "text/xml")
    headers = {"x-amzn-RequestId": request_id, "x-amzn-ErrorType": code}
    if code in QUERY_CODES:
        headers["x-amzn-query-error"] = QUERY_CODES[code] + ";Sender"
    body = json.dumps({"__type": code, "message": message, "Message": message})
    return Answer(status, body.encode(), "application/x-amz-json-1.1", headers)
