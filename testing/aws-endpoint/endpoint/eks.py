"""EKS beside its clusters: pod identities, access entries, add-ons and the nodes of a node group, which moto lacks, and
the fields of a cluster that moto drops. A program that sets up a cluster finds again what it made, and may reach a real API server there."""

import base64
import binascii
import json
import re
import urllib.parse
import uuid

import moto.eks.models as eks_models

import fleet
import machines
import wire
from state import ACCOUNT, REGION

ARN = f"arn:aws:eks:{REGION}:{ACCOUNT}"
MADE_AT = 1_794_000_000
USUAL_NETWORK = {"serviceIpv4Cidr": "10.100.0.0/16", "ipFamily": "ipv4"}
PATH = re.compile(
    r"/clusters/(?P<cluster>[^/]+)/(?P<kind>pod-identity-associations|access-entries|addons)"
    r"(?:/(?P<key>[^/]+))?(?:/(?P<below>access-policies)(?:/.+)?)?"
)
ONE = {"pod-identity-associations": "association", "access-entries": "accessEntry", "addons": "addon"}
MANY = {"pod-identity-associations": "associations", "access-entries": "accessEntries", "addons": "addons"}

# moto lets people into node groups that nobody gave a key.
eks_models.DEFAULT_REMOTE_ACCESS = None


def answer(state, request):
    """None where the path is none of ours."""
    found = PATH.fullmatch(request.path)
    if found is None:
        return None
    kind, key = found["kind"], urllib.parse.unquote(found["key"] or "")
    things = state.eks_things.setdefault((found["cluster"], kind), {})
    if not key and request.method == "POST":
        key, thing = MAKE[kind](found["cluster"], request.json())
        things[key] = thing
        return {ONE[kind]: thing}
    if not key:
        return {MANY[kind]: [_listed(kind, name, thing) for name, thing in things.items()]}
    if found["below"]:
        return {"associatedAccessPolicies": []}
    if key not in things:
        raise wire.Refusal("ResourceNotFoundException", f"{kind} {key} not found", 404)
    if request.method == "POST":
        things[key] |= {name: value for name, value in request.json().items() if value is not None}
    return {ONE[kind]: things.pop(key) if request.method == "DELETE" else things[key]}


def _listed(kind, name, thing):
    if kind != "pod-identity-associations":
        return name
    shown = ("clusterName", "namespace", "serviceAccount", "associationArn", "associationId")
    return {field: thing[field] for field in shown}


def _association(cluster, given):
    key = "a-" + uuid.uuid4().hex[:17]
    thing = _thing(cluster, given, "namespace", "serviceAccount", "roleArn")
    thing |= {"associationId": key, "associationArn": f"{ARN}:podidentityassociation/{cluster}/{key}"}
    return key, {**thing, "disableSessionTags": bool(given.get("disableSessionTags"))}


def _entry(cluster, given):
    thing = _thing(cluster, given, "principalArn")
    thing |= {"type": given.get("type", "STANDARD"), "kubernetesGroups": given.get("kubernetesGroups") or []}
    thing |= {"username": given.get("username") or given["principalArn"]}
    return given["principalArn"], {**thing, "accessEntryArn": f"{ARN}:access-entry/{cluster}/role/entry"}


def _addon(cluster, given):
    thing = _thing(cluster, given, "addonName")
    thing |= {"addonVersion": given.get("addonVersion") or "v1.0.0-eksbuild.1", "status": "ACTIVE"}
    thing |= {"health": {"issues": []}, "addonArn": f"{ARN}:addon/{cluster}/{given['addonName']}/1"}
    if given.get("configurationValues"):
        thing["configurationValues"] = given["configurationValues"]
    return given["addonName"], thing


def _thing(cluster, given, *fields):
    thing = {"clusterName": cluster, "tags": given.get("tags") or {}, "createdAt": MADE_AT, "modifiedAt": MADE_AT}
    return {**thing, **{field: given[field] for field in fields}}


MAKE = {"pod-identity-associations": _association, "access-entries": _entry, "addons": _addon}


NODE_GROUP = re.compile(r"/clusters/([^/]+)/node-groups(?:/([^/]+))?/?")
IMAGES = {"x86_64": "ami-al2023amd64standard", "arm64": "ami-al2023arm64standard"}
USUAL_TYPE = "t3.medium"


def follow(state, request, answer_of_moto):
    """What moto's answer leaves out: nodes of a group, and fields of a cluster."""
    path = NODE_GROUP.fullmatch(request.path)
    if path is None:
        return remember(state, request, answer_of_moto)
    if answer_of_moto.status == 200 and request.method == "POST":
        _launch_nodes(state, path[1], request.json())
    if answer_of_moto.status == 200 and request.method == "DELETE":
        tags = _node_tags(path[1], path[2])
        for machine in list(state.machines.values()):
            if tags.items() <= machine.tags.items():
                machines.terminate(state, machine)
    return answer_of_moto


def _node_tags(cluster, group):
    return {"eks:cluster-name": cluster, "eks:nodegroup-name": group}


def _launch_nodes(state, cluster, given):
    """As many as the group wants, over the subnets whose zones have the type. An account without images has none."""
    type_name = (given.get("instanceTypes") or [USUAL_TYPE])[0]
    image = IMAGES[state.catalogue.architectures(type_name)[0]]
    zones = state.catalogue.zones[type_name]
    subnets = [each for each in given["subnets"] if machines.backend().get_subnet(each).availability_zone in zones]
    if image not in state.images or not subnets:
        return
    tags = _node_tags(cluster, given["nodegroupName"])
    specifications = [
        {"ResourceType": "instance", "Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}
    ]
    for number in range((given.get("scalingConfig") or {}).get("desiredSize", 1)):
        subnet = subnets[number % len(subnets)]
        wanted = {"InstanceType": type_name, "ImageId": image, "SubnetId": subnet, "TagSpecifications": specifications}
        fleet.run_instances(state, wanted)


def remember(state, request, answer_of_moto):
    """Gives a cluster that moto made or described back what moto dropped of it."""
    path = re.fullmatch(r"/clusters(?:/([^/]+))?/?", request.path)
    if path is None or answer_of_moto.status != 200 or request.method not in ("GET", "POST"):
        return answer_of_moto
    told = json.loads(answer_of_moto.body)
    if "cluster" not in told:
        return answer_of_moto
    if request.method == "POST":
        access = {"authenticationMode": "CONFIG_MAP", "bootstrapClusterCreatorAdminPermissions": True}
        given = request.json()
        state.cluster_access[given["name"]] = {**access, **(given.get("accessConfig") or {})}
    name = told["cluster"]["name"]
    if name in state.cluster_access:
        told["cluster"]["accessConfig"] = state.cluster_access[name]
    network = told["cluster"].get("kubernetesNetworkConfig") or {}
    told["cluster"]["kubernetesNetworkConfig"] = {**USUAL_NETWORK, **network}
    told["cluster"] |= state.cluster_facts
    answer_of_moto.body = json.dumps(told).encode()
    return answer_of_moto


TOKEN = "k8s-aws-v1."


def review_token(review):
    """What EKS's API servers are told of a token: whoever signed a call of GetCallerIdentity is who it says. Here all
    are one administrator."""
    token = review["spec"]["token"]
    answer = {"apiVersion": review["apiVersion"], "kind": "TokenReview", "status": {"authenticated": False}}
    if not token.startswith(TOKEN):
        return answer
    text = token.removeprefix(TOKEN)
    try:
        url = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return answer
    asked = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)
    signed = asked.get("X-Amz-SignedHeaders", [""])[0].split(";")
    if asked.get("Action") == ["GetCallerIdentity"] and "x-k8s-aws-id" in signed:
        user = {"username": f"arn:aws:sts::{ACCOUNT}:user/test", "groups": ["system:masters"]}
        answer["status"] = {"authenticated": True, "user": user}
    return answer
