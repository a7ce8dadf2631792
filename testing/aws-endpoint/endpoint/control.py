"""The control API under /_sim: what tests set, ask and undo. README.md lists it."""

import dataclasses

from moto.ec2.models import ec2_backends
from moto.eks.models import eks_backends
from moto.events.models import events_backends
from moto.iam.models import iam_backends
from moto.sqs.models import sqs_backends

import ec2
import eks
import fixture
import machines
import queues
import services
import state as states
import wire


def answer(state, request):
    what = request.path.removeprefix("/_sim/")
    handler = HANDLERS.get((request.method, what))
    if handler is None:
        known = ", ".join(sorted(f"{method} /_sim/{name}" for method, name in HANDLERS))
        return wire.Answer(404, f"found no {request.method} {request.path}; there are {known}".encode(), "text/plain")
    try:
        with state.lock:
            return wire.plain(handler(state, request))
    except (ValueError, KeyError, TypeError, wire.Refusal) as refusal:
        return wire.Answer(400, f"{request.method} {request.path}: {refusal!r}".encode(), "text/plain")


def _settings(state, request):
    given = request.json()
    unknown = sorted(set(given) - set(state.settings))
    if unknown:
        raise ValueError(f"unknown settings {unknown}; known are {sorted(state.settings)}")
    state.settings |= given
    return state.settings


def _faults(state, request):
    given = request.json()
    if "launch" in given:
        state.launch_faults = [states.launch_fault(each) for each in given["launch"]]
    if "api" in given:
        state.api_faults = [states.api_fault(each) for each in given["api"]]
    return {"launch": state.launch_faults, "api": state.api_faults}


def _add_faults(state, request):
    given = request.json()
    state.launch_faults += [states.launch_fault(each) for each in given.get("launch", [])]
    state.api_faults += [states.api_fault(each) for each in given.get("api", [])]
    return {"launch": state.launch_faults, "api": state.api_faults}


def _replace(field, key, complete):
    def handler(state, request):
        made = [complete(each) for each in request.json()]
        setattr(state, field, {each[key]: each for each in made})
        return {}

    return handler


def _merge(field):
    """Null takes an entry away."""

    def handler(state, request):
        kept = getattr(state, field)
        for name, value in request.json().items():
            if value is None:
                kept.pop(name, None)
            else:
                kept[name] = value
        return kept

    return handler


def _images(state, request):
    for each in request.json():
        state.images[each["ImageId"]] = ec2.image(each)
    return {}


def _clusters(state, request):
    for name, given in request.json().items():
        state.clusters[name] = services.cluster(name, given)
        state.shifts.setdefault(state.clusters[name]["arn"], [])
    return state.clusters


def _shifts(state, request):
    for arn, given in request.json().items():
        state.shifts[arn] = [services.shift(each) for each in given]
    return state.shifts


def _event(state, request):
    given = request.json()
    resources = given.get("resources", [])
    told = given["source"], given["detailType"], given["detail"]
    queues.publish(state, given["queue"], *told, resources, given.get("time"))
    return {}


def _send(_, request):
    given = request.json()
    queues.check(given["queue"])
    queues.QUEUES.send(given["queue"], given["bodies"])
    return {"sent": len(given["bodies"])}


def _messages(_, request):
    return queues.QUEUES.count(request.query["queue"])


def _instances(state, _):
    out = []
    for machine in state.machines.values():
        told = dataclasses.asdict(machine)
        out.append({**told, "state": machine.state(state.now())})
    return {"instances": out}


def _change(state, request):
    """What somebody else does to an instance, unasked."""
    given = request.json()
    changes = {
        "terminated": machines.terminate,
        "stopped": machines.stop,
        "running": machines.start,
        "lapsed": machines.lapse,
    }
    changes[given["state"]](state, machines.find(state, [given["instance"]])[0])
    return {}


def _clock(state, request):
    state.clock_offset += float(request.json()["advanceSeconds"])
    return {"now": wire.stamp(state.now())}


def _calls(state, _):
    return dict(sorted(state.calls.items()))


def _requests(state, request):
    return {"requests": list(state.requests[request.query["action"]])}


def _callers(state, _):
    return {"agents": sorted(state.agents), "keys": sorted(state.keys)}


def _forget_calls(state, _):
    state.calls.clear()
    state.agents.clear()
    state.keys.clear()
    state.requests.clear()
    return {}


def _reset(state, _):
    state.reset()
    queues.QUEUES.forget()
    return {}


def _fixture(state, request):
    _reset(state, request)
    return fixture.make(state, request.json())


def _roles(_, request):
    fixture.roles(request.json())
    return {}


def _account(state, _):
    """What there is and has a name, so that a test can see that nothing is left of what was made."""
    iam = iam_backends[states.ACCOUNT]["aws"]
    network = ec2_backends[states.ACCOUNT][states.REGION]
    clusters = eks_backends[states.ACCOUNT][states.REGION].clusters
    buses = events_backends[states.ACCOUNT][states.REGION].event_buses
    there = {
        "roles": [each.name for each in iam.roles.values()],
        "policies": [each.name for each in iam.managed_policies.values() if ":aws:policy/" not in each.arn],
        "instance profiles": [each.name for each in iam.instance_profiles.values()],
        "identity providers": list(iam.open_id_providers),
        "queues": list(sqs_backends[states.ACCOUNT][states.REGION].queues),
        "rules": [rule for bus in buses.values() for rule in bus.rules],
        "clusters": list(clusters),
        "node groups": [f"{cluster.name}/{name}" for cluster in clusters.values() for name in cluster.nodegroups],
        "fargate profiles": [
            f"{cluster.name}/{name}" for cluster in clusters.values() for name in cluster.fargate_profiles
        ],
        "vpcs": list(network.vpcs),
        "subnets": [name for zone in network.subnets.values() for name in zone],
        "security groups": [
            each.name for groups in network.groups.values() for each in groups.values() if each.name != "default"
        ],
        "internet gateways": list(network.internet_gateways),
        "nat gateways": [each.id for each in network.nat_gateways.values() if each.state != "deleted"],
        "addresses": [each.allocation_id for each in network.addresses],
        "launch templates": [each.name for each in network.launch_templates.values()],
    }
    for (cluster, kind), things in state.eks_things.items():
        there.setdefault(kind, []).extend(f"{cluster}/{name}" for name in things)
    return {"things": sorted(f"{kind}: {name}" for kind, names in there.items() for name in names)}


def _token_review(_, request):
    return eks.review_token(request.json())


HANDLERS = {
    ("PUT", "settings"): _settings,
    ("PUT", "faults"): _faults,
    ("POST", "faults"): _add_faults,
    ("PUT", "parameters"): _merge("parameters"),
    ("PUT", "statuses"): _merge("statuses"),
    ("PUT", "free-addresses"): _merge("free_addresses"),
    ("PUT", "capacity-reservations"): _replace("reservations", "CapacityReservationId", ec2.reservation),
    ("PUT", "placement-groups"): _replace("placement_groups", "GroupId", ec2.placement_group),
    ("PUT", "images"): _images,
    ("PUT", "clusters"): _clusters,
    ("PUT", "cluster-facts"): _merge("cluster_facts"),
    ("POST", "token-reviews"): _token_review,
    ("PUT", "zonal-shifts"): _shifts,
    ("POST", "roles"): _roles,
    ("POST", "events"): _event,
    ("POST", "messages"): _send,
    ("GET", "messages"): _messages,
    ("GET", "instances"): _instances,
    ("POST", "instances"): _change,
    ("POST", "clock"): _clock,
    ("GET", "account"): _account,
    ("GET", "calls"): _calls,
    ("DELETE", "calls"): _forget_calls,
    ("GET", "requests"): _requests,
    ("GET", "callers"): _callers,
    ("POST", "reset"): _reset,
    ("POST", "fixture"): _fixture,
}
