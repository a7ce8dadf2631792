"""One account that is ready for a cluster: network, images, parameters, cluster, role, queue. Ids are always the same,
so that recorded requests can be compared with files."""

import contextlib
import json

import moto.ec2.models.security_groups as security_group_models
import moto.ec2.models.subnets as subnet_models
import moto.ec2.models.vpcs as vpc_models
from moto.iam.models import iam_backends
from moto.sqs.models import sqs_backends

import ec2
import machines
import services
from state import ACCOUNT, REGION

AMAZON = "602401143452"
VERSIONS = (("v20260101", "2026-01-01"), ("v20260901", "2026-09-01"))
DEPRECATED_AT = "2026-03-01T00:00:00.000Z"
EC2_NAMES = {"amd64": "x86_64", "arm64": "arm64"}

# Family, architecture, variant, the path of the parameter that names the image, and the image's name: {k} is
# Kubernetes' version, {v} the word for the image's.
AL2 = "/aws/service/eks/optimized-ami/{k}/amazon-linux-2"
AL2023 = "/aws/service/eks/optimized-ami/{k}/amazon-linux-2023"
IMAGES = (
    ("al2", "amd64", "standard", AL2 + "/{v}/image_id", "amazon-eks-node-{k}-{v}"),
    ("al2", "arm64", "standard", AL2 + "-arm64/{v}/image_id", "amazon-eks-arm64-node-{k}-{v}"),
    ("al2", "amd64", "gpu", AL2 + "-gpu/{v}/image_id", "amazon-eks-gpu-node-{k}-{v}"),
    *(
        (
            "al2023",
            arch,
            variant,
            AL2023 + f"/{EC2_NAMES[arch]}/{variant}/{{v}}/image_id",
            f"amazon-eks-node-al2023-{EC2_NAMES[arch]}-{variant}-{{k}}-{{v}}",
        )
        for arch, variant in (
            ("amd64", "standard"),
            ("amd64", "nvidia"),
            ("amd64", "neuron"),
            ("arm64", "standard"),
            ("arm64", "nvidia"),
        )
    ),
)
BOTTLEROCKET = (("1.45.0", "2026-01-01"), ("1.46.0", "2026-09-01"))
WINDOWS = ("2019", "2022", "2025")


@contextlib.contextmanager
def _named(module, function, name):
    """Lets moto take this id for what it makes next."""
    before = getattr(module, function)
    setattr(module, function, lambda *_, **__: name)
    try:
        yield
    finally:
        setattr(module, function, before)


def make(state, given):
    name = given.get("cluster", "test-cluster")
    version = given.get("kubernetesVersion", "1.35")
    subnets = _network(state, name, given)
    images(state, version)
    _own_images(state)
    state.clusters[name] = services.cluster(name, {"version": version, **given.get("eks", {})})
    state.shifts[state.clusters[name]["arn"]] = []
    roles(("test-role", "other-role"))
    sqs_backends[ACCOUNT][REGION].create_queue(name)
    return {"cluster": name, "arn": state.clusters[name]["arn"], "subnets": subnets, "queue": name, "role": "test-role"}


def roles(names):
    document = json.dumps({"Version": "2012-10-17", "Statement": []})
    for name in names:
        # A role of a service lies below the service's path.
        path = "/aws-service-role/spot.amazonaws.com/" if name == "AWSServiceRoleForEC2Spot" else "/"
        iam_backends[ACCOUNT]["aws"].create_role(name, document, path, None, "", [], "3600")


def _network(state, cluster, given):
    """A VPC with a subnet and a security group in each of three zones."""
    backend = machines.backend()
    with _named(vpc_models, "random_vpc_id", "vpc-test1"):
        vpc = backend.create_vpc("10.0.0.0/16")
    zones = given.get("zones") or sorted(state.catalogue.zone_ids)[:3]
    subnets = {}
    for number, zone in enumerate(zones, start=1):
        tags = {"karpenter.sh/discovery": cluster, "Name": f"test-subnet-{number}"}
        with _named(subnet_models, "random_subnet_id", f"subnet-test{number}"):
            block = f"10.0.{(number - 1) * 32}.0/19"
            subnet = backend.create_subnet(vpc.id, block, None, zone, None, tags={"subnet": tags})
        subnet.add_tags(tags)
        subnets[subnet.id] = zone
    for number in (1, 2, 3):
        tags = {"karpenter.sh/discovery": cluster, "Name": f"test-security-group-{number}"}
        with _named(security_group_models, "random_security_group_id", f"sg-test{number}"):
            backend.create_security_group(f"securityGroup-test{number}", "for tests", vpc.id, tags=tags)
    return subnets


def _image(state, image_id, name, arch, created, **more):
    told = {"ImageId": image_id, "Name": name, "Architecture": arch, "CreationDate": f"{created}T00:00:00.000Z"}
    state.images[image_id] = ec2.image({**told, **more})


def images(state, version):
    """What AWS publishes: of each variant the newest image and an older one, which is deprecated."""
    for family, arch, variant, path, name in IMAGES:
        newest = f"ami-{family}{arch}{variant}"
        for image_id, (pin, created) in zip((newest + "old", newest), VERSIONS):
            shown = name.format(k=version, v=pin)
            more = {"OwnerId": AMAZON, "ImageOwnerAlias": "amazon"}
            if image_id != newest:
                more["DeprecationTime"] = DEPRECATED_AT
            _image(state, image_id, shown, EC2_NAMES[arch], created, **more)
            state.parameters[path.format(k=version, v=shown)] = image_id
        state.parameters[path.format(k=version, v="recommended")] = newest
    for arch in ("amd64", "arm64"):
        for variant, suffix in (("standard", ""), ("nvidia", "-nvidia")):
            _bottlerocket(state, version, arch, variant, suffix)
    for year in WINDOWS:
        image_id = f"ami-windows{year}"
        shown = f"Windows_Server-{year}-English-Core-EKS_Optimized-{version}"
        more = {"OwnerId": AMAZON, "ImageOwnerAlias": "amazon", "RootDeviceName": "/dev/sda1"}
        _image(state, image_id, f"{shown}-2026.09.01", "x86_64", "2026-09-01", **more)
        state.parameters[f"/aws/service/ami-windows-latest/{shown}/image_id"] = image_id


def _bottlerocket(state, version, arch, variant, suffix):
    newest = f"ami-bottlerocket{arch}{variant}"
    for image_id, (release, created) in zip((newest + "old", newest), BOTTLEROCKET):
        more = {"OwnerId": "092701018921", "ImageOwnerAlias": "amazon"}
        if image_id != newest:
            more["DeprecationTime"] = DEPRECATED_AT
        kind = f"aws-k8s-{version}{suffix}"
        name = f"bottlerocket-{kind}-{EC2_NAMES[arch]}-v{release}-0000000"
        _image(state, image_id, name, EC2_NAMES[arch], created, **more)
        words = (release, "latest") if image_id == newest else (release,)
        for word in words:
            path = f"/aws/service/bottlerocket/{kind}/{EC2_NAMES[arch]}/{word}/image_id"
            state.parameters[path] = image_id


def _own_images(state):
    """Images of the account's own, from old to new."""
    for number, arch in enumerate(("x86_64", "x86_64", "x86_64", "arm64"), start=1):
        tags = [{"Key": "Name", "Value": f"test-ami-{number}"}, {"Key": "foo", "Value": "bar"}]
        _image(state, f"ami-test{number}", f"test-ami-{number}", arch, f"2026-0{number}-01", Tags=tags)
