"""CreateFleet (instant) and RunInstances: which pool is taken, which say no, and what an instance is made of."""

import fnmatch

from moto.ec2.exceptions import EC2ClientError
from moto.iam.models import iam_backends

import machines
import wire
from state import ACCOUNT

NO_PRICE = 1e9
SPREAD_PER_ZONE_MAX = 7
LIFECYCLES = {
    "spot": "spot",
    "capacity-block": "capacity-block",
    "reserved-capacity": "interruptible-capacity-reservation",
}


def create_fleet(state, parameters):
    if parameters.get("Type") != "instant":
        raise wire.Refusal("InvalidParameterValue", "the endpoint makes instant fleets only")
    token = parameters.get("ClientToken") or ""
    if token in state.fleets:
        return state.fleets[token]
    target = parameters["TargetCapacitySpecification"]
    capacity = target.get("DefaultTargetCapacityType") or "on-demand"
    candidates = _candidates(parameters)
    candidates.sort(key=_order(state, parameters, capacity))
    tags = tags_by_kind(parameters.get("TagSpecifications"))
    fleet_id = f"fleet-{state.number():08x}-0000-4000-8000-000000000000"
    wanted = int(target["TotalTargetCapacity"])
    launched, errors = [], []
    for template, version, override in candidates:
        spec = _Spec(template, version, override, capacity)
        ids = []
        while wanted > 0:
            try:
                ids.append(launch(state, spec, tags, fleet_id).id)
                wanted -= 1
            except wire.Refusal as refusal:
                error = {"ErrorCode": refusal.code, "ErrorMessage": refusal.message}
                errors.append({"LaunchTemplateAndOverrides": spec.shown(), "Lifecycle": spec.bought_as(), **error})
                break
        if ids:
            told = {"Lifecycle": spec.bought_as(), "InstanceIds": ids, "InstanceType": spec.type_name}
            launched.append({"LaunchTemplateAndOverrides": spec.shown(), **told})
    answer = {"FleetId": fleet_id, "Instances": launched, "Errors": errors}
    if token:
        state.fleets[token] = answer
    return answer


def run_instances(state, parameters):
    """With a launch template or without; the first refusal ends the call. A dry run checks as a launch does."""
    spec = _run_spec(parameters)
    spec.check_profile()
    if parameters.get("DryRun"):
        raise dry_run()
    count = int(parameters.get("MaxCount") or 1)
    tags = tags_by_kind(parameters.get("TagSpecifications"))
    made = [launch(state, spec, tags, "") for _ in range(count)]
    shown = [machines.describe(state, machine) for machine in made]
    return {"ReservationId": f"r-{state.number():017x}", "OwnerId": ACCOUNT, "Instances": shown}


def dry_run():
    return wire.Refusal("DryRunOperation", "Request would have succeeded, but DryRun flag is set.", 412)


def tags_by_kind(specifications):
    return {each["ResourceType"]: machines.wire_tags(each.get("Tags")) for each in specifications or []}


# ---- candidates


def template_of(specification):
    """The template and its version, or what EC2 says when there is none."""
    name, template_id = specification.get("LaunchTemplateName"), specification.get("LaunchTemplateId")
    backend = machines.backend()
    try:
        if template_id:
            template = backend.get_launch_template(template_id)
        else:
            template = backend.get_launch_template_by_name(name)
        return template, template.get_version(specification.get("Version") or "$Default")
    except (EC2ClientError, KeyError):
        if template_id:
            text = f"The specified launch template, with template ID {template_id}, does not exist."
            raise wire.Refusal("InvalidLaunchTemplateId.NotFound", text) from None
        text = f"The specified launch template, with template name {name}, does not exist."
        raise wire.Refusal("InvalidLaunchTemplateName.NotFoundException", text) from None


def _candidates(parameters):
    out = []
    for config in parameters.get("LaunchTemplateConfigs") or []:
        template, version = template_of(config["LaunchTemplateSpecification"])
        out += [(template, version, override) for override in config.get("Overrides") or [{}]]
    return out


def _order(state, parameters, capacity):
    options = parameters.get("SpotOptions" if capacity == "spot" else "OnDemandOptions") or {}
    by_priority = "prioritized" in (options.get("AllocationStrategy") or "")

    def key(candidate):
        override = candidate[2]
        price = price_of(state, override.get("InstanceType"), _zone(override), capacity)
        priority = float(override.get("Priority", NO_PRICE))
        return (priority, price) if by_priority else (price, priority)

    return key


def price_of(state, type_name, zone, capacity):
    if type_name not in state.catalogue.rows:
        return NO_PRICE
    spot = capacity == "spot"
    price = state.catalogue.spot(type_name, zone) if spot else state.catalogue.on_demand(type_name)
    return float(price) if price else NO_PRICE


def _zone(override):
    if override.get("SubnetId"):
        return _subnet(override["SubnetId"]).availability_zone
    return override.get("AvailabilityZone") or ""


def _subnet(subnet_id):
    try:
        return machines.backend().get_subnet(subnet_id)
    except EC2ClientError:
        text = f"The subnet ID '{subnet_id}' does not exist"
        raise wire.Refusal("InvalidSubnetID.NotFound", text) from None


class _Spec:
    """One template with one of its overrides."""

    def __init__(self, template, version, override, capacity):
        self.template, self.version, self.override = template, version, override
        self.data = version.data if version else {}
        self.capacity = capacity
        self.type_name = override.get("InstanceType") or self.data.get("InstanceType") or ""
        self.image_id = override.get("ImageId") or self.data.get("ImageId") or ""
        self.subnet_id = override.get("SubnetId") or self._template_subnet()
        self.market = (self.data.get("InstanceMarketOptions") or {}).get("MarketType")

    def _template_subnet(self):
        for interface in self.data.get("NetworkInterfaces") or []:
            if interface.get("SubnetId"):
                return interface["SubnetId"]
        return ""

    def bought_as(self):
        return {"spot": "spot"}.get(self.capacity, "on-demand")

    def lifecycle(self):
        if self.market in ("capacity-block", "interruptible-capacity-reservation"):
            return self.market
        return LIFECYCLES.get(self.capacity, "on-demand")

    def shown(self):
        override = dict(self.override)
        if override.get("SubnetId") and not override.get("AvailabilityZone"):
            override["AvailabilityZone"] = _zone(override)
        specification = {"Version": str(self.version.number)}
        specification |= {"LaunchTemplateId": self.template.id, "LaunchTemplateName": self.template.name}
        return {"LaunchTemplateSpecification": specification, "Overrides": override}

    def check_profile(self):
        profile = (self.data.get("IamInstanceProfile") or {}).get("Name")
        if profile and profile not in iam_backends[ACCOUNT]["aws"].instance_profiles:
            text = f"Value ({profile}) for parameter iamInstanceProfile.name is invalid. "
            raise wire.Refusal("InvalidParameterValue", text + "Invalid IAM Instance Profile name")
        return profile or ""


def _run_spec(parameters):
    own = {key: parameters[key] for key in ("InstanceType", "ImageId", "SubnetId") if key in parameters}
    for interface in parameters.get("NetworkInterfaces") or []:
        own.setdefault("SubnetId", interface.get("SubnetId"))
    if parameters.get("LaunchTemplate"):
        template, version = template_of(parameters["LaunchTemplate"])
    else:
        template, version = None, None
    spec = _Spec(template, version, own, "on-demand")
    spec.data = {**spec.data, **{key: value for key, value in parameters.items() if key != "TagSpecifications"}}
    market = (spec.data.get("InstanceMarketOptions") or {}).get("MarketType")
    spec.capacity = "spot" if market == "spot" else "on-demand"
    spec.market = market
    return spec


# ---- one instance


def launch(state, spec, tags, fleet_id):
    zone = _zone_of(state, spec)
    subnet = _subnet_in(spec, zone)
    _check_pool(state, spec, zone, subnet)
    _check_image(state, spec)
    profile = spec.check_profile()
    interfaces = _interfaces(state, spec, subnet)
    if machines.free_addresses(state, subnet) < sum(machines.addresses_of(each) for each in interfaces):
        text = f"There are not enough free addresses in subnet '{subnet.id}' to satisfy the request."
        raise wire.Refusal("InsufficientFreeAddressesInSubnet", text)
    placement = _placement(state, spec, zone)
    reservation = _reserve(state, spec, zone)
    return _make(state, spec, subnet, interfaces, placement, reservation, profile, tags, fleet_id)


def _zone_of(state, spec):
    if spec.subnet_id:
        return _subnet(spec.subnet_id).availability_zone
    return spec.override.get("AvailabilityZone") or sorted(state.catalogue.zone_ids)[0]


def _subnet_in(spec, zone):
    if spec.subnet_id:
        return _subnet(spec.subnet_id)
    default = machines.backend().get_default_subnets().get(zone)
    if default is None:
        raise wire.Refusal("MissingInput", f"No subnets found for the default VPC in {zone}. Please specify a subnet.")
    return default


def _check_pool(state, spec, zone, subnet):
    capacity = spec.capacity if spec.capacity == "spot" else "on-demand"
    for fault in state.launch_faults:
        if _is_meant(fault, spec.type_name, zone, capacity, subnet.id):
            if fault["remaining"] > 0:
                fault["remaining"] -= 1
                return
            if fault["times"] == 0:
                continue
            fault["times"] -= 1 if fault["times"] > 0 else 0
            raise wire.Refusal(fault["code"], fault["message"] or _no_capacity(spec.type_name, zone))
    if spec.type_name not in state.catalogue.rows:
        text = f"Invalid value '{spec.type_name}' for InstanceType."
        raise wire.Refusal("InvalidParameterValue", text)
    offered = zone in state.catalogue.zones[spec.type_name]
    if not offered or (capacity == "spot" and not state.catalogue.spot(spec.type_name, zone)):
        text = f"Your requested instance type ({spec.type_name}) is not supported in {zone} as {capacity}."
        raise wire.Refusal("Unsupported", text)


def _is_meant(fault, type_name, zone, capacity, subnet_id):
    found = {"type": type_name, "zone": zone, "capacity": capacity, "subnet": subnet_id}
    return all(fnmatch.fnmatchcase(value, fault[name]) for name, value in found.items())


def _no_capacity(type_name, zone):
    return (
        f"We currently do not have sufficient {type_name} capacity in the Availability Zone you requested ({zone}). "
        "Our system will be working on provisioning additional capacity."
    )


def _check_image(state, spec):
    image = state.images.get(spec.image_id)
    if image is None:
        raise wire.Refusal("InvalidAMIID.NotFound", f"The image id '[{spec.image_id}]' does not exist")
    supported = state.catalogue.architectures(spec.type_name)
    if image["Architecture"] not in supported:
        text = (
            f"The architecture '{'|'.join(supported)}' of the specified instance type does not match "
            f"the architecture '{image['Architecture']}' of the specified AMI."
        )
        raise wire.Refusal("InvalidParameterValue", text)


def _interfaces(state, spec, subnet):
    out = []
    for given in spec.data.get("NetworkInterfaces") or [{"DeviceIndex": 0}]:
        interface = dict(given)
        interface["SubnetId"] = given.get("SubnetId") or subnet.id
        groups = given.get("Groups") or spec.data.get("SecurityGroupIds") or []
        interface["Groups"] = groups or [machines.backend().get_default_security_group(subnet.vpc_id).id]
        out.append(interface)
    for group in {group for each in out for group in each["Groups"]}:
        found = machines.backend().get_security_group_from_id(group)
        if found is None:
            raise wire.Refusal("InvalidGroup.NotFound", f"The security group '{group}' does not exist")
        if found.vpc_id != subnet.vpc_id:
            text = f"Security group {group} and subnet {subnet.id} belong to different networks."
            raise wire.Refusal("InvalidParameter", text)
    for interface in out:
        interface["NetworkInterfaceId"] = f"eni-{state.number():017x}"
    return out


def _placement(state, spec, zone):
    given = spec.data.get("Placement") or {}
    placement = {"AvailabilityZone": zone, "AvailabilityZoneId": state.catalogue.zone_ids.get(zone, "")}
    placement["Tenancy"] = given.get("Tenancy") or "default"
    wanted = given.get("GroupId") or given.get("GroupName")
    if not wanted:
        return placement
    groups = state.placement_groups.values()
    group = next((each for each in groups if wanted in (each["GroupId"], each["GroupName"])), None)
    if group is None:
        raise wire.Refusal("InvalidPlacementGroup.Unknown", f"The Placement Group '{wanted}' is unknown.")
    placement |= {"GroupId": group["GroupId"], "GroupName": group["GroupName"]}
    alive = [each for each in state.machines.values() if not each.ended_at]
    there = [each for each in alive if each.placement.get("GroupId") == group["GroupId"]]
    if group["Strategy"] == "spread" and sum(each.zone == zone for each in there) >= SPREAD_PER_ZONE_MAX:
        text = f"You have reached the limit of instances in this spread placement group in {zone}."
        raise wire.Refusal("InsufficientInstanceCapacity", text)
    if group["Strategy"] == "partition":
        asked = int(given.get("PartitionNumber") or 0)
        placement["PartitionNumber"] = asked or 1 + len(there) % int(group["PartitionCount"])
    return placement


def _reserve(state, spec, zone):
    given = spec.data.get("CapacityReservationSpecification") or {}
    taken = {"preference": given.get("CapacityReservationPreference") or ""}
    wanted = (given.get("CapacityReservationTarget") or {}).get("CapacityReservationId")
    if not wanted:
        return taken
    reservation = state.reservations.get(wanted)
    if reservation is None:
        text = f"The capacity reservation '{wanted}' does not exist"
        raise wire.Refusal("InvalidCapacityReservationId.NotFound", text)
    fits = reservation["InstanceType"] == spec.type_name and reservation["AvailabilityZone"] == zone
    if not fits or reservation["State"] != "active" or reservation["AvailableInstanceCount"] <= 0:
        text = f"The requested reservation {wanted} does not have sufficient compatible and available capacity."
        raise wire.Refusal("ReservationCapacityExceeded", text)
    reservation["AvailableInstanceCount"] -= 1
    return {**taken, "id": wanted}


def _make(state, spec, subnet, interfaces, placement, reservation, profile, tags, fleet_id):
    now = state.now()
    number = state.number()
    data = spec.data
    own_tags = {**tags_by_kind(data.get("TagSpecifications")).get("instance", {}), **tags.get("instance", {})}
    if spec.template:
        own_tags["aws:ec2launchtemplate:id"] = spec.template.id
        own_tags["aws:ec2launchtemplate:version"] = str(spec.version.number)
    if fleet_id:
        own_tags["aws:ec2:fleet-id"] = fleet_id
    machine = machines.Machine(
        id=f"i-{number:017x}",
        type=spec.type_name,
        image_id=spec.image_id,
        zone=placement["AvailabilityZone"],
        subnet_id=subnet.id,
        vpc_id=subnet.vpc_id,
        group_ids=sorted({group for each in interfaces for group in each["Groups"]}),
        launched_at=now,
        lifecycle=spec.lifecycle(),
        tags=own_tags,
        volume_tags=tags.get("volume", {}),
        interfaces=interfaces,
        placement=placement,
        reservation=reservation,
        profile=profile,
        user_data=str(data.get("UserData") or ""),
        address=machines.next_address(state, subnet),
        spot_request=f"sir-{number:08x}" if spec.capacity == "spot" else "",
        template={"name": spec.template.name, "id": spec.template.id} if spec.template else {},
        block_devices=data.get("BlockDeviceMappings") or [],
        metadata=data.get("MetadataOptions") or {},
        monitored=bool((data.get("Monitoring") or {}).get("Enabled")),
        hidden=state.settings["hiddenDescribes"],
        running_at=now + state.settings["pendingSeconds"],
    )
    state.machines[machine.id] = machine
    machines.tell(state, machine, "pending", 0)
    machines.tell(state, machine, "running", state.settings["pendingSeconds"])
    return machine
