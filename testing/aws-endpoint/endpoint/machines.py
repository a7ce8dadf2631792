"""Instances, kept here and not in moto: their states take time, new ones are overlooked for a while, and each shows
what its launch template said."""

import fnmatch
import ipaddress
import threading
from dataclasses import dataclass, field

from moto.ec2.models import ec2_backends

import queues
import wire
from state import ACCOUNT, REGION

STATE_CODES = {"pending": 0, "running": 16, "shutting-down": 32, "terminated": 48, "stopping": 64, "stopped": 80}
ADDRESSES_PER_PREFIX = 16


def backend():
    return ec2_backends[ACCOUNT][REGION]


@dataclass
class Machine:
    id: str
    type: str
    image_id: str
    zone: str
    subnet_id: str
    vpc_id: str
    group_ids: list
    launched_at: float
    lifecycle: str  # spot, on-demand, capacity-block, interruptible-capacity-reservation
    tags: dict
    interfaces: list
    placement: dict
    reservation: dict
    profile: str
    user_data: str
    address: str
    spot_request: str
    template: dict
    block_devices: list
    metadata: dict
    monitored: bool
    hidden: int
    running_at: float
    ended_at: float = 0
    gone_at: float = 0
    stopped: bool = False
    volume_tags: dict = field(default_factory=dict)

    def state(self, now):
        if self.ended_at:
            return "terminated" if now >= self.gone_at else "shutting-down"
        if self.stopped:
            return "stopped"
        return "running" if now >= self.running_at else "pending"


def is_known(state, instance_id):
    return instance_id in state.machines


def find(state, ids):
    missing = [each for each in ids if each not in state.machines]
    if missing:
        raise not_found(missing)
    return [state.machines[each] for each in ids]


def not_found(ids):
    what = "instance ID" if len(ids) == 1 else "instance IDs"
    verb = "does" if len(ids) == 1 else "do"
    return wire.Refusal("InvalidInstanceID.NotFound", f"The {what} '{', '.join(ids)}' {verb} not exist")


# ---- addresses


def used_addresses(state, subnet_id):
    """Interfaces in the subnet and the prefixes they hold; instances that are gone give them back."""
    used = 0
    for machine in state.machines.values():
        if not machine.ended_at:
            used += sum(addresses_of(each) for each in machine.interfaces if each["SubnetId"] == subnet_id)
    return used


def addresses_of(interface):
    return 1 + ADDRESSES_PER_PREFIX * int(interface.get("Ipv4PrefixCount") or 0)


def free_addresses(state, subnet):
    at_first = state.free_addresses.get(subnet.id)
    if at_first is None:
        at_first = subnet.cidr.num_addresses - 5
    return max(0, at_first - used_addresses(state, subnet.id))


def next_address(state, subnet):
    taken = {machine.address for machine in state.machines.values() if not machine.ended_at}
    first = int(ipaddress.ip_network(subnet.cidr_block)[4])
    offset = state.number()
    room = max(1, subnet.cidr.num_addresses - 5)
    for step in range(room):
        address = str(ipaddress.ip_address(first + (offset + step) % room))
        if address not in taken:
            return address
    return str(ipaddress.ip_address(first))


# ---- changes of state


def terminate(state, machine):
    """Returns the states before and after."""
    now = state.now()
    before = machine.state(now)
    if not machine.ended_at:
        machine.ended_at = now
        machine.gone_at = now + state.settings["terminatingSeconds"]
        reservation = state.reservations.get(machine.reservation.get("id", ""))
        if reservation:
            reservation["AvailableInstanceCount"] += 1
        tell(state, machine, "shutting-down", 0)
        tell(state, machine, "terminated", state.settings["terminatingSeconds"])
    return before, "terminated" if before == "terminated" else "shutting-down"


def stop(state, machine):
    before = machine.state(state.now())
    machine.stopped = True
    tell(state, machine, "stopping", 0)
    tell(state, machine, "stopped", 0)
    return before, "stopping"


def lapse(_, machine):
    """Its reservation ended; it stays as an ordinary instance."""
    machine.reservation = {"preference": machine.reservation.get("preference", "")}
    machine.lifecycle = "on-demand"


def start(state, machine):
    before = machine.state(state.now())
    machine.stopped = False
    tell(state, machine, "running", 0)
    return before, "pending"


def tell(state, machine, name, delay_seconds):
    """Sends what EventBridge would send, if a queue wants to hear it."""
    queue = state.settings["stateChangeQueue"]
    if not queue:
        return
    generation = state.generation

    def send():
        if state.generation == generation:
            detail = {"instance-id": machine.id, "state": name}
            arn = f"arn:aws:ec2:{REGION}:{ACCOUNT}:instance/{machine.id}"
            queues.publish(state, queue, "aws.ec2", "EC2 Instance State-change Notification", detail, [arn])

    if delay_seconds <= 0:
        send()
    else:
        timer = threading.Timer(delay_seconds, send)
        timer.daemon = True
        timer.start()


# ---- what the API shows


def describe(state, machine):
    now = state.now()
    name = machine.state(now)
    shown = {
        "InstanceId": machine.id,
        "InstanceType": machine.type,
        "ImageId": machine.image_id,
        "State": {"Code": STATE_CODES[name], "Name": name},
        "LaunchTime": wire.stamp(machine.launched_at),
        "SubnetId": machine.subnet_id,
        "VpcId": machine.vpc_id,
        "PrivateIpAddress": machine.address,
        "PrivateDnsName": private_name(machine),
        "Architecture": state.catalogue.architectures(machine.type)[0],
        "Monitoring": {"State": "enabled" if machine.monitored else "disabled"},
        "SecurityGroups": [{"GroupId": each, "GroupName": _group_name(each)} for each in machine.group_ids],
        "Placement": machine.placement,
        "NetworkInterfaces": [_interface(machine, each) for each in machine.interfaces],
        "Tags": [{"Key": key, "Value": value} for key, value in sorted(machine.tags.items())],
        "MetadataOptions": {"State": "applied", **machine.metadata},
        "RootDeviceType": "ebs",
        "VirtualizationType": "hvm",
        "Hypervisor": "xen",
    }
    if machine.profile:
        shown["IamInstanceProfile"] = {"Arn": f"arn:aws:iam::{ACCOUNT}:instance-profile/{machine.profile}"}
    if machine.lifecycle != "on-demand":
        shown["InstanceLifecycle"] = machine.lifecycle
    if machine.spot_request:
        shown["SpotInstanceRequestId"] = machine.spot_request
    if machine.reservation.get("id"):
        shown["CapacityReservationId"] = machine.reservation["id"]
    if machine.reservation.get("preference"):
        specification = {"CapacityReservationPreference": machine.reservation["preference"]}
        if machine.reservation.get("id"):
            specification["CapacityReservationTarget"] = {"CapacityReservationId": machine.reservation["id"]}
        shown["CapacityReservationSpecification"] = specification
    return shown


def private_name(machine):
    return f"ip-{machine.address.replace('.', '-')}.ec2.internal"


def _group_name(group_id):
    group = backend().get_security_group_from_id(group_id)
    return group.name if group else group_id


def _interface(machine, each):
    return {
        "NetworkInterfaceId": each["NetworkInterfaceId"],
        "InterfaceType": each.get("InterfaceType") or "interface",
        "SubnetId": each["SubnetId"],
        "VpcId": machine.vpc_id,
        "PrivateIpAddress": machine.address,
        "Status": "in-use",
        "Groups": [{"GroupId": group, "GroupName": _group_name(group)} for group in each.get("Groups") or []],
        "Attachment": {
            "DeviceIndex": int(each.get("DeviceIndex") or 0),
            "NetworkCardIndex": int(each.get("NetworkCardIndex") or 0),
            "Status": "attached",
            "DeleteOnTermination": True,
        },
    }


# ---- filters


def filters_of(parameters, known):
    """A filter nobody here knows is refused, not overlooked."""
    filters = [(each["Name"], each.get("Values") or []) for each in parameters.get("Filters") or []]
    for name, _ in filters:
        if not name.startswith("tag:") and name != "tag-key" and name not in known:
            raise wire.Refusal("InvalidParameterValue", f"The filter '{name}' is invalid")
    return filters


def passes(filters, fields, tags):
    for name, values in filters:
        if name.startswith("tag:"):
            found = [tags[name[4:]]] if name[4:] in tags else []
        elif name == "tag-key":
            found = list(tags)
        else:
            found = fields[name] if isinstance(fields[name], list) else [fields[name]]
        if not any(fnmatch.fnmatchcase(str(each), value) for each in found for value in values):
            return False
    return True


FIELDS = (
    "instance-id",
    "instance-type",
    "instance-state-name",
    "instance-lifecycle",
    "availability-zone",
    "subnet-id",
    "vpc-id",
    "image-id",
    "placement-group-name",
    "private-dns-name",
)


def fields_of(state, machine):
    return {
        "instance-id": machine.id,
        "instance-type": machine.type,
        "instance-state-name": machine.state(state.now()),
        "instance-lifecycle": machine.lifecycle,
        "availability-zone": machine.zone,
        "subnet-id": machine.subnet_id,
        "vpc-id": machine.vpc_id,
        "image-id": machine.image_id,
        "placement-group-name": machine.placement.get("GroupName", ""),
        "private-dns-name": private_name(machine),
    }


def wire_tags(tags):
    return {each["Key"]: each.get("Value", "") for each in tags or []}
