"""All that a reset forgets: settings, faults, what was asked, and what is kept here in moto's place."""

import collections
import json
import re
import threading
import time

from moto.core.base_backend import BackendDict
from moto.core.model_instances import reset_model_data
from moto.moto_api._internal import mock_random

ACCOUNT = "123456789012"
REGION = "us-east-1"
REQUESTS_KEPT_MAX = 500

SETTINGS = {
    "pendingSeconds": 0,  # how long a new instance is pending
    "terminatingSeconds": 0,  # how long an ended instance is shutting down
    "hiddenDescribes": 0,  # how many DescribeInstances calls overlook a new instance
    "stateChangeQueue": "",  # the queue that hears of state changes
    "pageMax": 0,  # no page holds more, whatever is asked; 0: as asked
}


class State:
    def __init__(self, catalogue):
        self.catalogue = catalogue
        self.lock = threading.RLock()
        self.origin = ""
        self.generation = 0
        self.forget()

    def forget(self):
        self.generation += 1
        self.settings = dict(SETTINGS)
        self.launch_faults = []
        self.api_faults = []
        self.calls = collections.Counter()
        self.agents = collections.Counter()
        self.keys = collections.Counter()
        self.requests = collections.defaultdict(lambda: collections.deque(maxlen=REQUESTS_KEPT_MAX))
        self.machines = {}  # id -> Machine, oldest first
        self.fleets = {}  # client token -> answer
        self.images = {}
        self.reservations = {}
        self.placement_groups = {}
        self.parameters = {}
        self.statuses = {}
        self.free_addresses = {}  # subnet -> addresses free when no instance is there
        self.clusters = {}
        self.cluster_access = {}  # cluster -> how it is accessed
        self.cluster_facts = {}  # what EKS tells of each cluster that was made, in place of moto's
        self.eks_things = {}  # (cluster, kind) -> by name
        self.shifts = {}  # ARN -> zonal shifts
        self.clock_offset = 0.0
        self.counter = 0

    def reset(self):
        """Ours and moto's."""
        self.forget()
        BackendDict.reset()
        reset_model_data()
        mock_random.seed(1)  # The ids that moto draws are the same after each reset.

    def now(self):
        return time.time() + self.clock_offset

    def number(self):
        """Ids count up, so that the same calls make the same ids."""
        self.counter += 1
        return self.counter

    def record(self, action, parameters, agent, key):
        self.calls[action] += 1
        self.agents[agent] += 1
        self.keys[key] += 1
        self.requests[action].append(parameters)

    def fault_of(self, action, parameters):
        """The first fault that is meant for this call, counted down."""
        for fault in self.api_faults:
            if fault["action"] != action or fault["times"] == 0:
                continue
            if fault["match"] and not re.search(fault["match"], json.dumps(parameters, sort_keys=True)):
                continue
            if fault["skip"] > 0:
                fault["skip"] -= 1
                continue
            if fault["times"] > 0:
                fault["times"] -= 1
            return fault
        return None


def api_fault(given):
    """`times` below zero: for ever. `drop`: hang up, `before` or `after` the call was carried out."""
    fault = {"code": "", "message": "injected", "status": 400, "times": 1, "skip": 0, "match": ""}
    fault |= {"delayMillis": 0, "drop": ""}
    return _merged(fault, given, "action")


def launch_fault(given):
    """Patterns choose the pools; `remaining` instances are still to be had, `times` bounds the refusals."""
    fault = {"type": "*", "zone": "*", "capacity": "*", "subnet": "*", "times": -1, "remaining": 0}
    fault |= {"code": "InsufficientInstanceCapacity", "message": ""}
    return _merged(fault, given)


def _merged(fault, given, *wanted):
    unknown = sorted(set(given) - set(fault) - set(wanted))
    if unknown:
        raise ValueError(f"unknown fields {unknown}; known are {sorted(set(fault) | set(wanted))}")
    return {**fault, **given}
