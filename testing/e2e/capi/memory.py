#!/usr/bin/env python3
"""memory.py [--clusters N] [--rest SECONDS] [-- COMMAND…]: what the Cluster API provider weighs with many clusters.

Starts a control plane with the definitions of core and ours, has the provider (COMMAND that ends in capi, else `./millwright
run capi`) build the clusters with a stand-in for terraform, waits until all is ready, lets it rest and prints rows of a table.
Each cluster has a VPC, a control plane, a kubeconfig and a deployment of one machine: four Workspaces.

Heap, limits and arguments are those of the chart's manager container, and the limits of memory and processor are those of a
cgroup that the provider is put into, which needs root. Terraform runs outside, as in the chart: by `run terraform`.
Ends with 1 when the kernel killed a process of the provider there, or the provider ended. What is resident is shown besides: it counts
files that other processes have mapped, too, which the kernel charges to them.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
SCRIPTS = HERE.parent / "control-plane"
sys.path.insert(0, str(HERE.parent / "image"))
import figures  # noqa: E402

PORT_BASE = 29443
HEALTH_PORT = PORT_BASE + 10
WORKSPACES_PER_CLUSTER = 4
READY_SECONDS_MAX = 1800
LOOK_SECONDS = 2

TEMPLATES = ["vpc", "eks-controlplane-template", "eks-kubeconfig-template", "eks-node-template"]

TEMPLATE = """
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: WorkspaceTemplate
metadata: {{name: {name}, namespace: default}}
spec:
  template:
    metadata: {{description: stand-in, version: 1.0.0}}
    spec:
      providerConfigRef: {{name: default}}
      forProvider:
        source: Inline
        module: |
          output "cluster_name" {{ value = "${{cluster_name}}" }}
"""

CLUSTER = """
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {{name: {name}, namespace: default}}
spec:
  infrastructureRef: {{apiGroup: infrastructure.cluster.x-k8s.io, kind: CAPTCluster, name: {name}}}
  controlPlaneRef: {{apiGroup: controlplane.cluster.x-k8s.io, kind: CAPTControlPlane, name: {name}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: CAPTCluster
metadata: {{name: {name}, namespace: default}}
spec: {{region: eu-central-1, vpcTemplateRef: {{name: vpc}}}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: CAPTControlPlane
metadata: {{name: {name}, namespace: default}}
spec:
  version: "1.33"
  workspaceTemplateRef: {{name: eks-controlplane-template}}
  controlPlaneConfig: {{region: eu-central-1}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: CaptMachineDeployment
metadata: {{name: {name}-workers, namespace: default, labels: {{cluster.x-k8s.io/cluster-name: {name}}}}}
spec:
  replicas: 1
  selector: {{matchLabels: {{pool: {name}-workers}}}}
  template:
    metadata: {{labels: {{pool: {name}-workers, cluster.x-k8s.io/cluster-name: {name}}}}}
    spec:
      workspaceTemplateRef: {{name: eks-node-template, namespace: default}}
      nodeGroupRef: {{name: workers, namespace: default}}
      instanceType: m6i.large
"""

# What core's controllers would say.
CLUSTER_STATUS = """
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {{name: {name}, namespace: default}}
status: {{initialization: {{infrastructureProvisioned: true}}}}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clusters", type=int, default=50)
    parser.add_argument("--rest", type=float, default=150)
    parser.add_argument("command", nargs="*", default=[])
    given = parser.parse_args()
    command = given.command or [str(ROOT / "millwright"), "run", "capi"]
    container = chart()
    given.limit = container["memory"]
    subprocess.run([str(SCRIPTS / "build.sh")], check=True, stdout=sys.stderr)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        plane = scratch / "plane"
        with subprocess.Popen(
            ["bash", SCRIPTS / "cluster.sh", plane],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PORT_BASE": str(PORT_BASE), "COMPONENTS": "etcd apiserver controller-manager"},
        ) as process:
            if process.stdout.readline() != "ready\n":
                sys.exit("memory: the control plane did not start")
            prepare(plane, given.clusters)
            measured = run(command, container, plane, scratch, given)
            print_run(measured, given)
            process.stdin.close()
    if measured["killed"]:
        sys.exit(f"memory: the kernel killed a process of the provider at its limit of {given.limit:g} MiB")


def prepare(plane, clusters):
    core = subprocess.run(
        ["bash", HERE.parent / "tools/build.sh", "cluster-api-crds"], check=True, stdout=subprocess.PIPE, text=True
    )
    ours = ROOT / "capi/src/main/resources/dev/millwright/capi/crd"
    figures.define(plane, core.stdout.strip(), ours)
    names = [f"cluster-{number:02}" for number in range(clusters)]
    config = """
apiVersion: tf.upbound.io/v1beta1
kind: ProviderConfig
metadata: {name: default}
spec: {configuration: ""}
"""
    figures.kubectl(plane, "apply", "-f", "-", stdin=config)
    for text, all_names in [(TEMPLATE, TEMPLATES), (CLUSTER, names)]:
        figures.kubectl(plane, "apply", "-f", "-", stdin="---".join(text.format(name=name) for name in all_names))
    status = "---".join(CLUSTER_STATUS.format(name=name) for name in names)
    figures.kubectl(plane, "apply", "--server-side", "--subresource=status", "-f", "-", stdin=status)


def chart():
    """What the chart gives the manager: arguments, heap, MiB and processors."""
    helm = subprocess.run(
        ["bash", HERE.parent / "tools/build.sh", "helm"], check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()
    text = subprocess.run(
        [helm, "template", "capt", ROOT / "deploy/charts/capt", "--set=image.repository=none,crds.enabled=false"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    manager = text[text.index("- name: manager\n") : text.index("- name: runner\n")]
    limits = re.search(r"limits:\n\s+cpu: (\d+)m\n\s+memory: (\d+)Mi\n", manager)
    return {
        "arguments": re.findall(r"^ +- (--(?:leader-elect|concurrency|terraform-(?:timeout|poll-interval|runs-max))=\S+)$", manager, re.M),
        "heap": re.search(r"value: (-Xmx\w+)", manager)[1],
        "memory": int(limits[2]),
        "processors": int(limits[1]) / 1000,
    }


class Cgroup:
    """The kernel's limits of a container, by version 1 or 2 of control groups."""

    def __init__(self, container):
        name = f"millwright-{os.getpid()}"
        mine = {}
        for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
            _, kinds, path = line.split(":", 2)
            mine.update({kind: path.lstrip("/") for kind in kinds.split(",")})
        root = pathlib.Path("/sys/fs/cgroup")
        bytes_max = container["memory"] << 20
        quota = int(container["processors"] * 100_000)
        self.folders = []
        self.is_first = "memory" in mine
        if self.is_first:
            self.memory = self.folder(root / "memory" / mine["memory"] / name, {"memory.limit_in_bytes": bytes_max})
            self.folder(root / "cpu" / mine["cpu"] / name, {"cpu.cfs_quota_us": quota})
        else:
            (root / "cgroup.subtree_control").write_text("+memory +cpu")
            limits = {"memory.max": bytes_max, "cpu.max": f"{quota} 100000"}
            self.memory = self.folder(root / name, limits)

    def folder(self, folder, limits):
        folder.mkdir()
        self.folders.append(folder)
        for file, limit in limits.items():
            (folder / file).write_text(str(limit))
        return folder

    def enter(self):
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(os.getpid()))

    def peak(self):
        file = "memory.max_usage_in_bytes" if self.is_first else "memory.peak"
        return int((self.memory / file).read_text()) / (1 << 20)

    def killed(self):
        file = "memory.oom_control" if self.is_first else "memory.events"
        return int(re.search(r"^oom_kill (\d+)$", (self.memory / file).read_text(), re.M)[1])

    def close(self):
        for folder in self.folders:
            folder.rmdir()


def start(command, log, **more):
    with log.open("wb") as out:
        return subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, **more)


def run(command, container, plane, scratch, given):
    tools = scratch / "tools"
    tools.mkdir()
    shutil.copy(HERE / "terraform-stand-in.py", tools / "terraform")
    socket = scratch / "socket"
    runner = start(
        [*command[:-1], "terraform", f"--socket={socket}", f"--work-dir={scratch / 'work'}"],
        plane / "log" / "runner.log",
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
    )
    flags = [
        *container["arguments"],
        f"--kubeconfig={plane / 'kubeconfig'}",
        "--metrics-bind-address=127.0.0.1:0",
        f"--health-probe-bind-address=127.0.0.1:{HEALTH_PORT}",
        f"--terraform-runner={socket}",
        f"--terraform-work-dir={scratch / 'manager'}",
    ]
    log = plane / "log" / "provider.log"
    cgroup = Cgroup(container)
    process = start(
        [*command, *flags],
        log,
        preexec_fn=cgroup.enter,
        env={**os.environ, "MILLWRIGHT_JAVA_OPTIONS": container["heap"]},
    )
    try:
        began = time.monotonic()
        while not is_ready(plane, given.clusters):
            if process.poll() is not None or time.monotonic() - began > READY_SECONDS_MAX:
                sys.exit(f"memory: the clusters are not ready:\n{log.read_text()[-8000:]}")
            time.sleep(LOOK_SECONDS)
        ready = {
            "seconds": time.monotonic() - began,
            "resident": figures.memory(process.pid, "VmRSS"),
            "processor": figures.processor_seconds(process.pid),
        }
        time.sleep(given.rest)
        ready["processor at rest"] = figures.processor_seconds(process.pid) - ready["processor"]
        ready["rest"] = figures.memory(process.pid, "VmRSS")
        ready["anonymous"] = figures.memory(process.pid, "RssAnon")
        ready["peak"] = figures.memory(process.pid, "VmHWM")
        ready["charged"] = cgroup.peak()
        ready["killed"] = cgroup.killed()
        process.send_signal(signal.SIGTERM)
        if process.wait(30) != 0:
            sys.exit(f"memory: the provider ended with {process.returncode}")
        return ready
    finally:
        for each in (process, runner):
            each.kill()
            each.wait()
        cgroup.close()


def is_ready(plane, clusters):
    ready = "{range .items[*]}{.status.ready}{\"\\n\"}{end}"
    planes = figures.kubectl(plane, "get", "captcontrolplanes", "-A", f"-o=jsonpath={ready}")
    conditions = "{range .items[*]}{.status.conditions[?(@.type==\"Ready\")].status}{\"\\n\"}{end}"
    workspaces = figures.kubectl(plane, "get", "workspaces.tf.upbound.io", f"-o=jsonpath={conditions}")
    counts = planes.split().count("true"), workspaces.split().count("True")
    print(f"memory: {counts[0]} control planes and {counts[1]} Workspaces are ready", file=sys.stderr)
    return counts == (clusters, clusters * WORKSPACES_PER_CLUSTER)


def print_run(run, given):
    print("| | |\n| --- | ---: |")
    print(f"| {given.clusters} clusters ready after | {run['seconds']:.0f} s |")
    print(f"| resident then | {run['resident']:.1f} MiB |")
    print(f"| resident after {given.rest:.0f} s of rest | {run['rest']:.1f} MiB |")
    print(f"| of that not backed by a file | {run['anonymous']:.1f} MiB |")
    print(f"| processor time until ready | {run['processor']:.1f} s |")
    print(f"| processor time during the rest | {run['processor at rest']:.1f} s |")
    print(f"| peak | {run['peak']:.1f} MiB |")
    print(f"| most that its cgroup was charged with, files included; the limit is {given.limit} MiB | {run['charged']:.1f} MiB |")
    print(f"| processes that the kernel killed at the limit | {run['killed']} |")


if __name__ == "__main__":
    main()
