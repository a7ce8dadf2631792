"""SSM, the price list, the recovery controller, EKS, IAM's lists and the instance's metadata service: the calls that
moto does not have or answers otherwise than AWS."""

import json
import re
import urllib.parse

from moto.core.responses import ActionResult
from moto.iam.aws_managed_policies import aws_managed_policies_data
from moto.iam.models import SERVICE_NAME_CONVERSION, AWSManagedPolicy, IAMBackend
from moto.iam.responses import IamResponse

import wire
from state import ACCOUNT, REGION

PRICE_PAGE_MAX = 100
PROFILE_PAGE_MAX = 100
RESERVED_PARAMETERS = "/aws/service/"
CLUSTERS_MADE_AT = 1_794_000_000


# ---- SSM


def get_parameter(state, body):
    """Reserved names, which moto's PutParameter refuses; others are moto's."""
    name = body["Name"]
    if name not in state.parameters:
        if name.startswith(RESERVED_PARAMETERS):
            raise wire.Refusal("ParameterNotFound", f"Parameter {name} not found.")
        return None
    told = {"Name": name, "Type": "String", "Value": state.parameters[name], "Version": 1, "DataType": "text"}
    return {"Parameter": {**told, "ARN": f"arn:aws:ssm:{REGION}::parameter{name}"}}


# ---- prices


def get_products(state, body):
    asked = {each["Field"]: each["Value"] for each in body.get("Filters") or []}
    bare = asked.get("productFamily") == "Compute Instance (bare metal)"
    names = []
    if asked.get("regionCode", REGION) == REGION and asked.get("tenancy", "Shared") in ("Shared", "Dedicated"):
        for name in state.catalogue.rows:
            wanted = asked.get("instanceType") in (None, name) and state.catalogue.is_bare_metal(name) == bare
            if wanted and state.catalogue.on_demand(name):
                names.append(name)
    start = int(body.get("NextToken") or 0)
    size = min(int(body.get("MaxResults") or PRICE_PAGE_MAX), PRICE_PAGE_MAX)
    products = [_product(name, state.catalogue.on_demand(name), asked) for name in names[start : start + size]]
    answer = {"FormatVersion": "aws_v1", "PriceList": products}
    if start + size < len(names):
        answer["NextToken"] = str(start + size)
    return answer


def _product(name, price, asked):
    attributes = {"instanceType": name, "regionCode": REGION, "operatingSystem": "Linux"}
    attributes["tenancy"] = asked.get("tenancy", "Shared")
    term = f"{name}.JRTCKXETXF"
    dimension = {"unit": "Hrs", "description": f"{price} USD an hour", "pricePerUnit": {"USD": price}}
    product = {
        "serviceCode": "AmazonEC2",
        "product": {
            "sku": name,
            "productFamily": asked.get("productFamily", "Compute Instance"),
            "attributes": attributes,
        },
        "terms": {"OnDemand": {term: {"sku": name, "priceDimensions": {f"{term}.6YS6EN2CT7": dimension}}}},
    }
    return json.dumps(product)


JSON_ACTIONS = {
    ("ssm", "GetParameter"): get_parameter,
    ("pricing", "GetProducts"): get_products,
}


# ---- EKS and the recovery controller


def rest_action(service, method, path):
    """The name of the operation, as far as faults and counts need one."""
    if service == "eks" and re.fullmatch(r"/clusters/[^/]+", path) and method == "GET":
        return "DescribeCluster"
    if path.startswith("/managedresources/"):
        return "GetManagedResource"
    return f"{method} {path}"


def rest(state, action, path):
    name = urllib.parse.unquote(path.split("/", 2)[2]) if path.count("/") >= 2 else ""
    if action == "DescribeCluster" and name in state.clusters:
        return {"cluster": state.clusters[name]}
    if action == "GetManagedResource":
        if name not in state.shifts:
            text = f"The resource {name} is not managed by the recovery controller."
            raise wire.Refusal("ResourceNotFoundException", text, 404)
        told = {"arn": name, "name": name.rsplit("/", 1)[-1], "appliedWeights": {}, "autoshifts": []}
        return {**told, "zonalShifts": state.shifts[name]}
    return None


def cluster(name, given):
    told = {
        "name": name,
        "arn": f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/{name}",
        "status": "ACTIVE",
        "version": "1.35",
        "endpoint": f"https://{name}",
        "certificateAuthority": {"data": "Y2EtY2VydGlmaWNhdGU="},
        "kubernetesNetworkConfig": {"serviceIpv4Cidr": "10.100.0.0/16", "ipFamily": "ipv4"},
        "createdAt": CLUSTERS_MADE_AT,
        "platformVersion": "eks.1",
        "roleArn": f"arn:aws:iam::{ACCOUNT}:role/test-role",
        "accessConfig": {"authenticationMode": "API_AND_CONFIG_MAP"},
        "identity": {"oidc": {"issuer": f"https://oidc.eks.{REGION}.amazonaws.com/id/EXAMPLE"}},
        "resourcesVpcConfig": {"subnetIds": [], "securityGroupIds": [], "vpcId": "vpc-test1"},
    }
    return {**told, **given}


def shift(given):
    told = {"appliedStatus": "APPLIED", "zonalShiftIdentifier": "shift-1", "resourceIdentifier": "", "comment": ""}
    return {**told, "startTime": 0, **given}


# ---- IAM


def _list_instance_profiles(self):
    """moto's knows neither the prefix nor pages."""
    prefix = self._get_param("PathPrefix") or "/"
    found = [each for each in self.backend.get_instance_profiles() if each.path.startswith(prefix)]
    found.sort(key=lambda each: each.name)
    start = int(self._get_param("Marker") or 0)
    size = int(self._get_param("MaxItems") or PROFILE_PAGE_MAX)
    answer = {"InstanceProfiles": found[start : start + size], "IsTruncated": start + size < len(found)}
    if answer["IsTruncated"]:
        answer["Marker"] = str(start + size)
    return ActionResult(answer)


IamResponse.list_instance_profiles = _list_instance_profiles

AWS_POLICIES = "arn:aws:iam::aws:policy/"
# moto names a role after the first word of its service.
SERVICE_NAME_CONVERSION["spot"] = "EC2Spot"
_attach_role_policy = IAMBackend.attach_role_policy


def _attach_any(self, policy_arn, role_name):
    """AWS's own policies are there when somebody asks for one: all of them, after each reset, would take a second."""
    if policy_arn.startswith(AWS_POLICIES) and policy_arn not in self.managed_policies:
        name = policy_arn.rsplit("/", 1)[-1]
        known = json.loads(aws_managed_policies_data)
        if name in known:
            policy = AWSManagedPolicy.from_data(name, self.account_id, self.region_name, known[name])
            self.managed_policies[policy.arn] = policy
    return _attach_role_policy(self, policy_arn, role_name)


IAMBackend.attach_role_policy = _attach_any


# ---- metadata and credentials of an instance or a pod


def metadata(method, path):
    """What the SDK's default chains ask on a machine of EC2 or in a pod with an identity; None for any other path."""
    if path == "/latest/api/token" and method == "PUT":
        return "token-of-the-endpoint"
    if path == "/latest/meta-data/placement/region":
        return REGION
    if path == "/latest/dynamic/instance-identity/document":
        return json.dumps({"region": REGION, "accountId": ACCOUNT, "instanceId": "i-00000000000000000"})
    if path == "/_sim/credentials":
        keys = {"AccessKeyId": "AKIDPOD", "SecretAccessKey": "secret", "Token": "pod"}
        return json.dumps({**keys, "Expiration": "2099-01-01T00:00:00Z"})
    return None
