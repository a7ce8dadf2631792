"""EC2's actions that are answered here. All others are moto's, some of them cut into pages on the way back."""

import base64
import functools
import re

import moto.ec2.models as ec2_models
from moto.ec2.models.availability_zones_and_regions import RegionsAndZonesBackend
from moto.ec2.models.instance_types import INSTANCE_TYPES, InstanceType
from moto.ec2.models.subnets import Subnet

import fleet
import machines
import wire
from state import ACCOUNT, REGION

PAGE = {"DescribeInstances": 1000, "DescribeInstanceTypes": 100, "DescribeInstanceTypeOfferings": 1000}
PAGE_USUAL = 1000
USER_DATA_BYTES_MAX = 16384
SPOT_PRODUCTS = ("Linux/UNIX", "Linux/UNIX (Amazon VPC)")

# What may be filtered by.
STATUS_FIELDS = (
    "instance-status.status",
    "system-status.status",
    "event.code",
    "instance-state-name",
    "availability-zone",
)
IMAGE_FIELDS = ("image-id", "name", "state", "architecture", "owner-id", "owner-alias")
RESERVATION_FIELDS = ("state", "owner-id", "instance-type", "availability-zone", "instance-match-criteria")
GROUP_FIELDS = ("state", "strategy", "group-name", "group-id")

# Actions whose answers of moto are cut into pages: the element that holds the list.
PAGED_BY_MOTO = {
    "DescribeSubnets": "subnetSet",
    "DescribeSecurityGroups": "securityGroupInfo",
    "DescribeLaunchTemplates": "launchTemplates",
}


def page(state, action, parameters, items):
    """The part of the list that the call is for, and the token for the next."""
    start = int(parameters.get("NextToken") or 0)
    size = int(parameters.get("MaxResults") or PAGE.get(action, PAGE_USUAL))
    if state.settings["pageMax"]:
        size = min(size, state.settings["pageMax"])
    token = str(start + size) if start + size < len(items) else None
    return items[start : start + size], token


# ---- instances


def describe_instances(state, parameters):
    ids = parameters.get("InstanceIds") or []
    if ids and parameters.get("MaxResults"):
        text = "The parameter instancesSet cannot be used with the parameter maxResults"
        raise wire.Refusal("InvalidParameterCombination", text)
    filters = machines.filters_of(parameters, machines.FIELDS)
    found = machines.find(state, ids) if ids else list(state.machines.values())
    seen, overlooked = [], []
    for machine in found:
        if machine.hidden > 0:
            machine.hidden -= 1
            overlooked.append(machine.id)
        elif machines.passes(filters, machines.fields_of(state, machine), machine.tags):
            seen.append(machine)
    if ids and overlooked:
        raise machines.not_found(overlooked)
    part, token = page(state, "DescribeInstances", parameters, seen)
    reservations = [
        {"ReservationId": "r-" + each.id[2:], "OwnerId": ACCOUNT, "Instances": [machines.describe(state, each)]}
        for each in part
    ]
    return {"Reservations": reservations, "NextToken": token}


def _change(state, parameters, change, answer_name):
    changed = []
    for machine in machines.find(state, parameters.get("InstanceIds") or []):
        before, after = change(state, machine)
        states = {"PreviousState": _state(before), "CurrentState": _state(after)}
        changed.append({"InstanceId": machine.id, **states})
    return {answer_name: changed}


def _state(name):
    return {"Code": machines.STATE_CODES[name], "Name": name}


def terminate_instances(state, parameters):
    return _change(state, parameters, machines.terminate, "TerminatingInstances")


def stop_instances(state, parameters):
    return _change(state, parameters, machines.stop, "StoppingInstances")


def start_instances(state, parameters):
    return _change(state, parameters, machines.start, "StartingInstances")


def reboot_instances(state, parameters):
    machines.find(state, parameters.get("InstanceIds") or [])
    return {}


def create_tags(state, parameters):
    """Of instances; anything else is moto's."""
    if not all(each.startswith("i-") for each in parameters["Resources"]):
        return None
    for machine in machines.find(state, parameters["Resources"]):
        machine.tags |= machines.wire_tags(parameters["Tags"])
    return {}


def delete_tags(state, parameters):
    if not all(each.startswith("i-") for each in parameters["Resources"]):
        return None
    for machine in machines.find(state, parameters["Resources"]):
        for tag in parameters.get("Tags") or []:
            machine.tags.pop(tag["Key"], None)
    return {}


def describe_instance_status(state, parameters):
    ids = parameters.get("InstanceIds") or []
    filters = machines.filters_of(parameters, STATUS_FIELDS)
    found = machines.find(state, ids) if ids else list(state.machines.values())
    items = []
    for machine in found:
        name = machine.state(state.now())
        if name != "running" and not parameters.get("IncludeAllInstances"):
            continue
        told = state.statuses.get(machine.id, {})
        fields = {
            "instance-status.status": told.get("instance", "ok"),
            "system-status.status": told.get("system", "ok"),
            "event.code": told.get("events", []),
            "instance-state-name": name,
            "availability-zone": machine.zone,
        }
        if machines.passes(filters, fields, machine.tags):
            items.append(_status(machine, name, told))
    part, token = page(state, "DescribeInstanceStatus", parameters, items)
    return {"InstanceStatuses": part, "NextToken": token}


def _status(machine, name, told):
    return {
        "InstanceId": machine.id,
        "AvailabilityZone": machine.zone,
        "InstanceState": _state(name),
        "InstanceStatus": _health(told, "instance"),
        "SystemStatus": _health(told, "system"),
        "Events": [
            {"InstanceEventId": f"event-{code}", "Code": code, "Description": told.get("description", code)}
            for code in told.get("events", [])
        ],
    }


def _health(told, what):
    status = told.get(what, "ok")
    detail = {"Name": "reachability", "Status": "passed" if status == "ok" else "failed"}
    if status != "ok" and told.get("impairedSince"):
        detail["ImpairedSince"] = told["impairedSince"]
    return {"Status": status, "Details": [detail]}


# ---- types


@functools.cache
def _type_xml(name):
    shape = wire.model("ec2").shape_for("InstanceTypeInfo")
    return f"<item>{wire.members(shape, INSTANCE_TYPES[name])}</item>"


@functools.lru_cache(maxsize=16)
def _types(names, filters):
    """Filtering takes much longer than answering, and the question is always the same."""
    known = [InstanceType(name) for name in names if name in INSTANCE_TYPES]
    return [each["InstanceType"] for each in known if machines.passes(filters, _fields(each, filters), {})]


def _fields(kind, filters):
    """Only what is asked for: a type has fifty. moto's own filter wants all of several values, EC2 any of them."""
    return {name: kind.get_filter_value(name) for name, _ in filters}


def describe_instance_types(state, parameters):
    asked = parameters.get("InstanceTypes") or []
    unknown = [name for name in asked if name not in state.catalogue.rows]
    if unknown:
        text = f"The following supplied instance types do not exist: [{', '.join(unknown)}]"
        raise wire.Refusal("InvalidInstanceType", text)
    given = machines.filters_of(parameters, InstanceType._filter_attributes)
    filters = tuple((name, tuple(values)) for name, values in given)
    names = _types(tuple(asked or state.catalogue.rows), filters)
    part, token = page(state, "DescribeInstanceTypes", parameters, names)
    body = "".join(_type_xml(name) for name in part)
    more = f"<nextToken>{token}</nextToken>" if token else ""
    return wire.xml_of("DescribeInstanceTypes", f"<instanceTypeSet>{body}</instanceTypeSet>{more}")


def describe_instance_type_offerings(state, parameters):
    if parameters.get("LocationType", "region") != "availability-zone":
        raise wire.Refusal("InvalidParameterValue", "the endpoint knows the location type availability-zone only")
    filters = machines.filters_of(parameters, ("instance-type", "location"))
    items = [
        {"InstanceType": name, "Location": zone, "LocationType": "availability-zone"}
        for name, zones in state.catalogue.zones.items()
        for zone in zones
        if machines.passes(filters, {"instance-type": name, "location": zone}, {})
    ]
    part, token = page(state, "DescribeInstanceTypeOfferings", parameters, items)
    return {"InstanceTypeOfferings": part, "NextToken": token}


def describe_spot_price_history(state, parameters):
    asked = parameters.get("InstanceTypes") or list(state.catalogue.rows)
    products = parameters.get("ProductDescriptions") or ["Linux/UNIX"]
    wanted_zone = parameters.get("AvailabilityZone")
    items = [
        (product, name, zone)
        for product in products
        if product in SPOT_PRODUCTS
        for name in asked
        for zone in state.catalogue.zones.get(name, [])
        if wanted_zone in (None, zone) and state.catalogue.spot(name, zone)
    ]
    part, token = page(state, "DescribeSpotPriceHistory", parameters, items)
    at = wire.stamp(state.now())
    told = [
        {
            "InstanceType": name,
            "ProductDescription": product,
            "SpotPrice": state.catalogue.spot(name, zone),
            "AvailabilityZone": zone,
            "Timestamp": at,
        }
        for product, name, zone in part
    ]
    return {"SpotPriceHistory": told, "NextToken": token or ""}


# ---- images, reservations, placement groups


def describe_images(state, parameters):
    ids = parameters.get("ImageIds") or []
    missing = [each for each in ids if each not in state.images]
    if missing:
        raise wire.Refusal("InvalidAMIID.NotFound", f"The image id '[{', '.join(missing)}]' does not exist")
    owners = parameters.get("Owners") or []
    filters = machines.filters_of(parameters, IMAGE_FIELDS)
    now = wire.stamp(state.now())
    items = []
    for image in state.images.values():
        if ids and image["ImageId"] not in ids or owners and not _is_owned(image, owners):
            continue
        deprecated = image.get("DeprecationTime") and image["DeprecationTime"] <= now
        if deprecated and not parameters.get("IncludeDeprecated") and image["OwnerId"] != ACCOUNT:
            continue
        fields = {
            "image-id": image["ImageId"],
            "name": image["Name"],
            "state": image["State"],
            "architecture": image["Architecture"],
            "owner-id": image["OwnerId"],
            "owner-alias": image.get("ImageOwnerAlias", ""),
        }
        if machines.passes(filters, fields, machines.wire_tags(image.get("Tags"))):
            items.append(image)
    part, token = page(state, "DescribeImages", parameters, items)
    return {"Images": part, "NextToken": token}


def _is_owned(image, owners):
    if "self" in owners and image["OwnerId"] == ACCOUNT:
        return True
    return image["OwnerId"] in owners or image.get("ImageOwnerAlias") in owners


def describe_capacity_reservations(state, parameters):
    ids = parameters.get("CapacityReservationIds") or []
    missing = [each for each in ids if each not in state.reservations]
    if missing:
        text = f"The capacity reservation '{missing[0]}' does not exist"
        raise wire.Refusal("InvalidCapacityReservationId.NotFound", text)
    filters = machines.filters_of(parameters, RESERVATION_FIELDS)
    items = []
    for reservation in state.reservations.values():
        fields = {
            "state": reservation["State"],
            "owner-id": reservation["OwnerId"],
            "instance-type": reservation["InstanceType"],
            "availability-zone": reservation["AvailabilityZone"],
            "instance-match-criteria": reservation["InstanceMatchCriteria"],
        }
        wanted = not ids or reservation["CapacityReservationId"] in ids
        if wanted and machines.passes(filters, fields, machines.wire_tags(reservation.get("Tags"))):
            items.append(reservation)
    part, token = page(state, "DescribeCapacityReservations", parameters, items)
    return {"CapacityReservations": part, "NextToken": token}


def describe_placement_groups(state, parameters):
    asked = (parameters.get("GroupNames") or []) + (parameters.get("GroupIds") or [])
    known = {name for each in state.placement_groups.values() for name in (each["GroupId"], each["GroupName"])}
    for name in asked:
        if name not in known:
            raise wire.Refusal("InvalidPlacementGroup.Unknown", f"The Placement Group '{name}' is unknown.")
    filters = machines.filters_of(parameters, GROUP_FIELDS)
    items = []
    for group in state.placement_groups.values():
        names = ("state", "State"), ("strategy", "Strategy"), ("group-name", "GroupName"), ("group-id", "GroupId")
        fields = {name: group[key] for name, key in names}
        wanted = not asked or group["GroupId"] in asked or group["GroupName"] in asked
        if wanted and machines.passes(filters, fields, machines.wire_tags(group.get("Tags"))):
            items.append(group)
    return {"PlacementGroups": items}


# ---- launch templates


def create_launch_template(_, parameters):
    """Checks the user data's size, which moto does not; moto does the rest."""
    data = (parameters.get("LaunchTemplateData") or {}).get("UserData") or ""
    if len(base64.b64decode(data)) > USER_DATA_BYTES_MAX:
        text = f"User data is limited to {USER_DATA_BYTES_MAX} bytes"
        raise wire.Refusal("InvalidUserData.Malformed", text)


ACTIONS = {
    "CreateFleet": fleet.create_fleet,
    "RunInstances": fleet.run_instances,
    "DescribeInstances": describe_instances,
    "TerminateInstances": terminate_instances,
    "StopInstances": stop_instances,
    "StartInstances": start_instances,
    "RebootInstances": reboot_instances,
    "CreateTags": create_tags,
    "DeleteTags": delete_tags,
    "DescribeInstanceStatus": describe_instance_status,
    "DescribeInstanceTypes": describe_instance_types,
    "DescribeInstanceTypeOfferings": describe_instance_type_offerings,
    "DescribeSpotPriceHistory": describe_spot_price_history,
    "DescribeImages": describe_images,
    "DescribeCapacityReservations": describe_capacity_reservations,
    "DescribePlacementGroups": describe_placement_groups,
    "CreateLaunchTemplate": create_launch_template,
}


def answer(state, action, parameters):
    """None where moto is to answer."""
    handler = ACTIONS.get(action)
    if handler is None:
        return None
    if parameters.get("DryRun") and action != "RunInstances":
        raise fleet.dry_run()
    found = handler(state, parameters)
    if found is None or not isinstance(found, dict):
        return found
    return wire.xml(action, found)


# ---- moto's lists in pages


def without_paging(action, form):
    """What moto is asked instead: everything at once."""
    form = {name: value for name, value in form.items() if name not in ("MaxResults", "NextToken")}
    if action == "DescribeLaunchTemplates":
        form["MaxResults"] = "100000"
    return form


def cut(state, action, parameters, answer_of_moto):
    """Keeps the page's items of moto's list. Text, not a parsed tree: moto's XML is flat enough, and it is fast."""
    if answer_of_moto.status != 200:
        return answer_of_moto
    text = answer_of_moto.body.decode()
    tag = PAGED_BY_MOTO[action]
    found = re.search(rf"<{tag}>(.*)</{tag}>", text, re.DOTALL)
    items = _items(found[1]) if found else []
    part, token = page(state, action, parameters, items)
    more = f"<nextToken>{token}</nextToken>" if token else ""
    answer_of_moto.body = wire.xml_of(action, f"<{tag}>{''.join(part)}</{tag}>{more}").body
    return answer_of_moto


def _items(text):
    """The outermost items."""
    items, depth, start = [], 0, 0
    for tag in re.finditer(r"<(/?)item>", text):
        if tag[1]:
            depth -= 1
            if depth == 0:
                items.append(text[start : tag.end()])
        else:
            if depth == 0:
                start = tag.start()
            depth += 1
    return items


def teach_moto(state):
    """Lets moto's subnets tell the addresses that our instances leave, and the catalogue's zone ids; the fixture's ids,
    which are words, may be tagged."""
    ec2_models.is_valid_resource_id = re.compile(r"[a-z]+-[0-9a-z]+").fullmatch
    Subnet.available_ip_address_count = property(lambda subnet: machines.free_addresses(state, subnet))
    for zone in RegionsAndZonesBackend.zones[REGION]:
        zone.zone_id = state.catalogue.zone_ids.get(zone.name, zone.zone_id)


def image(given):
    """An image with everything a describe call shows."""
    told = {"State": "available", "OwnerId": ACCOUNT, "Public": True, "VirtualizationType": "hvm", "Hypervisor": "xen"}
    told |= {"ImageType": "machine", "RootDeviceType": "ebs", "RootDeviceName": "/dev/xvda", "Architecture": "x86_64"}
    told |= {"CreationDate": "2026-01-01T00:00:00.000Z", "Name": given["ImageId"]}
    return {**told, **given}


def reservation(given):
    told = {"OwnerId": ACCOUNT, "State": "active", "InstanceMatchCriteria": "targeted", "ReservationType": "default"}
    told |= {"TotalInstanceCount": 1, "AvailableInstanceCount": 1}
    told |= {"Tenancy": "default", "InstancePlatform": "Linux/UNIX"}
    return {**told, **given}


def placement_group(given):
    told = {"State": "available", "Strategy": "cluster", "GroupName": given["GroupId"]}
    return {**told, "GroupArn": f"arn:aws:ec2:{REGION}:{ACCOUNT}:placement-group/{given['GroupId']}", **given}
