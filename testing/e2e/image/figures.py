#!/usr/bin/env python3
"""figures.py ARCHIVE [--runs N] [--rest SECONDS] [--java-options OPTIONS]: what an image weighs, and what its operator costs when it rests.

Starts a control plane, and on it the image's `run controllers` as a kubelet would: read-only root, user 65532. Times
count from the start of the process to the first answer of /readyz that says so, and to the lease. Prints rows of a table.
"""

import argparse
import http.client
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
SCRIPTS = HERE.parent / "control-plane"
CACHE = pathlib.Path(
    os.environ.get("MILLWRIGHT_CONTROL_PLANE_CACHE")
    or pathlib.Path(os.environ.get("MILLWRIGHT_CACHE") or pathlib.Path.home() / ".cache/millwright") / "control-plane"
)
PORT_BASE = 28443
HEALTH_PORT = PORT_BASE + 10
KUBECONFIG = "/etc/millwright/kubeconfig"
LOOK_SECONDS = 0.01
READY_SECONDS_MAX = 120
ESTABLISHED_SECONDS_MAX = 120
KIBIBYTE = 1024
MEBIBYTE = 1024 * 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rest", type=float, default=60)
    parser.add_argument("--java-options", default="")
    given = parser.parse_args()
    subprocess.run([str(SCRIPTS / "build.sh")], check=True, stdout=sys.stderr)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        container = scratch / "container"
        subprocess.run([HERE / "container.py", "unpack", given.archive, container], check=True)
        print_sizes(given.archive, container / "root")
        plane = scratch / "plane"
        with subprocess.Popen(
            ["bash", SCRIPTS / "cluster.sh", plane],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PORT_BASE": str(PORT_BASE)},
        ) as process:
            if process.stdout.readline() != "ready\n":
                sys.exit("figures: the control plane did not start")
            prepare(plane)
            runs = [run(container, plane, given) for _ in range(given.runs)]
            process.stdin.close()
    print_runs(runs, given.rest)


def kubectl(plane, *arguments, stdin=None):
    command = [CACHE / "bin/kubectl", f"--kubeconfig={plane / 'kubeconfig'}", *arguments]
    done = subprocess.run(command, input=stdin, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def define(plane, *folders):
    """Applies definitions and waits until all can be used. `kubectl wait` gives up on one without conditions."""
    for folder in folders:
        kubectl(plane, "apply", "--server-side", "-f", folder)
    for _ in range(ESTABLISHED_SECONDS_MAX):
        all_of_them = json.loads(kubectl(plane, "get", "crd", "-o=json"))["items"]
        waiting = [each["metadata"]["name"] for each in all_of_them if not is_established(each)]
        if not waiting:
            return
        time.sleep(1)
    sys.exit(f"figures: not established after {ESTABLISHED_SECONDS_MAX} s: {', '.join(waiting)}")


def is_established(definition):
    conditions = definition.get("status", {}).get("conditions") or []
    return any(each["type"] == "Established" and each["status"] == "True" for each in conditions)


def prepare(plane):
    define(plane, ROOT / "kube/src/main/resources/dev/millwright/kube/crd")
    node_class = {
        "apiVersion": "karpenter.kwok.sh/v1alpha1",
        "kind": "KWOKNodeClass",
        "metadata": {"name": "default"},
    }
    kubectl(plane, "apply", "-f", "-", stdin=json.dumps(node_class))
    # The container's user must be able to read what is mounted.
    (plane / "kubeconfig").chmod(0o644)


def run(container, plane, given):
    mount = f"{plane / 'kubeconfig'}:{KUBECONFIG}"
    command = [HERE / "container.py", "run", container, "--mount", mount]
    for pair in [
        f"KUBECONFIG={KUBECONFIG}",
        "SYSTEM_NAMESPACE=kube-system",
        "METRICS_PORT=0",
        f"HEALTH_PROBE_PORT={HEALTH_PORT}",
        *([f"JDK_JAVA_OPTIONS={given.java_options}"] if given.java_options else []),
    ]:
        command += ["--env", pair]
    log = plane / "log" / "container.log"
    began = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--", "run", "controllers"], stdout=out, stderr=subprocess.STDOUT
        )
    try:
        while not is_ready():
            if process.poll() is not None or time.monotonic() - began > READY_SECONDS_MAX:
                sys.exit(f"figures: the operator is not ready:\n{log.read_text()[-4000:]}")
            time.sleep(LOOK_SECONDS)
        ready = time.monotonic() - began
        java = child_of(process.pid)
        result = {
            "readySeconds": ready,
            "readyProcessorSeconds": processor_seconds(java),
            "readyMebibytes": memory(java, "VmRSS"),
        }
        time.sleep(given.rest)
        result["restMebibytes"] = memory(java, "VmRSS")
        result["restAnonymousMebibytes"] = memory(java, "RssAnon")
        result["peakMebibytes"] = memory(java, "VmHWM")
        used = processor_seconds(java) - result["readyProcessorSeconds"]
        result["restProcessorShare"] = used / given.rest
        if "started controllers" not in log.read_text():
            sys.exit(f"figures: the operator did not lead:\n{log.read_text()[-4000:]}")
        os.kill(java, signal.SIGTERM)
        if process.wait(30) != 0:
            sys.exit(f"figures: the operator ended with {process.returncode}")
        return result
    finally:
        process.kill()


def is_ready():
    connection = http.client.HTTPConnection("127.0.0.1", HEALTH_PORT, timeout=2)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def child_of(pid):
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[0])


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid, field):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * KIBIBYTE / MEBIBYTE
    raise ValueError(f"process {pid} has no {field}")


def print_sizes(archive, root):
    with tarfile.open(archive) as tar:
        packed = sum(entry.size for entry in tar)
    unpacked = sum(file.stat().st_size for file in root.rglob("*") if not file.is_symlink() and file.is_file())
    print("| | |\n| --- | ---: |")
    print(f"| pulled | {packed / MEBIBYTE:.1f} MiB |")
    print(f"| unpacked | {unpacked / MEBIBYTE:.1f} MiB |")


def print_runs(runs, rest):
    def row(words, key, unit, digits=1, scale=1):
        values = [run[key] * scale for run in runs]
        middle, least, most = statistics.median(values), min(values), max(values)
        print(f"| {words} | {middle:.{digits}f} {unit} ({least:.{digits}f} to {most:.{digits}f}) |")

    row("start to ready", "readySeconds", "s", 2)
    row("processor time by then", "readyProcessorSeconds", "s", 2)
    row("resident when ready", "readyMebibytes", "MiB")
    row(f"resident after {rest:.0f} s as the leader", "restMebibytes", "MiB")
    row("of that not backed by a file", "restAnonymousMebibytes", "MiB")
    row("peak", "peakMebibytes", "MiB")
    row("processor at rest", "restProcessorShare", "% of a core", 2, 100)


if __name__ == "__main__":
    main()
