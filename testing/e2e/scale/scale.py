#!/usr/bin/env python3
"""scale.py OUT.json NAME [--cases burst,hold] [--definitions DIRECTORY] -- CONTROLLER...: times one controller and adds it to OUT.json as NAME.

burst: a Deployment of 1,000 pods appears; when do the first NodeClaims, and when do all pods run?
hold:  10,000 pods on 500 nodes, then two minutes of rest; what does it cost to hold them?
Both on a fresh cluster in namespaces of its own, from the creation of the Deployment as a client sees it.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))

from cluster import PEER_DEFINITIONS, Cluster, isolated, prepare_network  # noqa: E402

LOOK_SECONDS = 0.1
RUN_SECONDS_MAX = 1800
REST_SECONDS = 120
MEGABYTE = 1e6

CASES = {
    "burst": {"pods": 1000, "cpu": "1", "memory": "1Gi", "node_cpu": None, "rest": 0},
    # Twenty such pods fill a node of 16 cores beside its DaemonSet, and a 21st does not fit.
    "hold": {"pods": 10000, "cpu": "780m", "memory": "256Mi", "node_cpu": "16", "rest": REST_SECONDS},
}


def objects(case):
    requirements = [
        {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]},
        {"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]},
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
    ]
    if case["node_cpu"]:
        requirements.append({"key": "karpenter.kwok.sh/instance-cpu", "operator": "In", "values": [case["node_cpu"]]})
    pool = {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "default"},
        "spec": {
            "disruption": {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "30s"},
            "template": {
                "spec": {
                    "expireAfter": "Never",
                    "nodeClassRef": {"group": "karpenter.kwok.sh", "kind": "KWOKNodeClass", "name": "default"},
                    "requirements": requirements,
                }
            },
        },
    }
    node_class = {"apiVersion": "karpenter.kwok.sh/v1alpha1", "kind": "KWOKNodeClass", "metadata": {"name": "default"}}
    return [node_class, pool]


def deployment(case):
    container = {
        "name": "main",
        "image": "none/main",
        "resources": {"requests": {"cpu": case["cpu"], "memory": case["memory"]}},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "load", "namespace": "default"},
        "spec": {
            "replicas": case["pods"],
            "selector": {"matchLabels": {"app": "load"}},
            "template": {"metadata": {"labels": {"app": "load"}}, "spec": {"containers": [container]}},
        },
    }


def memory_of(pids, field):
    total = 0
    for pid in pids:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                total += int(line.split()[1]) * 1024
    return round(total / MEGABYTE)


def processor_seconds_of(pids):
    ticks = 0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def measure(case, directory, definitions, controller):
    prepare_network()
    with Cluster(directory, definitions, controller) as cluster:
        cluster.await_leader()
        api = cluster.api
        cluster.kubectl("apply", "-f", "-", stdin="\n---\n".join(json.dumps(one) for one in objects(case)))
        cluster.kubectl("wait", "nodepool/default", "--for=condition=Ready", "--timeout=60s")
        idle = memory_of(cluster.controller_pids(), "VmRSS")
        began = time.monotonic()
        cluster.kubectl("create", "-f", "-", stdin=json.dumps(deployment(case)))
        first = None
        while True:
            elapsed = time.monotonic() - began
            if first is None and api.count("/apis/karpenter.sh/v1/nodeclaims"):
                first = elapsed
            status = api.get("/apis/apps/v1/namespaces/default/deployments/load/status")["status"]
            if status.get("readyReplicas", 0) == case["pods"]:
                break
            if elapsed > RUN_SECONDS_MAX:
                raise RuntimeError(f"not all pods run after {RUN_SECONDS_MAX} s: {status}")
            time.sleep(LOOK_SECONDS)
        pids = cluster.controller_pids()
        result = {
            "firstClaimSeconds": round(first, 1),
            "allRunningSeconds": round(elapsed, 1),
            "claims": api.count("/apis/karpenter.sh/v1/nodeclaims"),
            "idleMegabytes": idle,
            "megabytes": memory_of(pids, "VmRSS"),
            "peakMegabytes": memory_of(pids, "VmHWM"),
            "processorSeconds": round(processor_seconds_of(pids), 1),
        }
        if case["rest"]:
            time.sleep(case["rest"])
            after = cluster.controller_pids()
            if after != pids:
                raise RuntimeError(f"the controller did not live through the rest: was {pids}, is {after}")
            status = api.get("/apis/apps/v1/namespaces/default/deployments/load/status")["status"]
            result["heldPods"] = status.get("readyReplicas", 0)
            result["heldNodes"] = api.count("/api/v1/nodes") - 1  # The system's own is not the controller's.
            result["heldMegabytes"] = memory_of(after, "VmRSS")
            result["heldPeakMegabytes"] = memory_of(after, "VmHWM")
            used = processor_seconds_of(after) - result["processorSeconds"]
            result["heldProcessorShare"] = round(used / case["rest"], 3)
        return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("name")
    parser.add_argument("--cases", default="burst,hold")
    parser.add_argument("--inside", help="the case to measure here; set by this program when it calls itself")
    parser.add_argument("--definitions", type=pathlib.Path, default=PEER_DEFINITIONS)
    parser.add_argument("controller", nargs="+")
    given = parser.parse_args()
    directory = given.out.resolve().parent / given.name
    if given.inside:
        result = measure(CASES[given.inside], directory / given.inside, given.definitions, given.controller)
        (directory / f"{given.inside}.json").write_text(json.dumps(result))
        return 0
    failed = 0
    for case in given.cases.split(","):
        shutil.rmtree(directory / case, ignore_errors=True)
        (directory / case).mkdir(parents=True)
        command = [sys.executable, __file__, str(given.out), given.name, "--inside", case]
        command += ["--definitions", str(given.definitions), "--", *given.controller]
        done = subprocess.run(isolated(command))
        measured = directory / f"{case}.json"
        all_results = json.loads(given.out.read_text()) if given.out.exists() else {}
        if done.returncode == 0:
            all_results.setdefault(case, {})[given.name] = json.loads(measured.read_text())
        else:
            all_results.setdefault(case, {})[given.name] = None
            failed = 1
        given.out.write_text(json.dumps(all_results, indent=1) + "\n")
    return failed


if __name__ == "__main__":
    sys.exit(main())
