"""A cluster with a controller under it, for as long as a `with` block lasts.

The controller is a process outside of the cluster, yet it looks like the pod of the Deployment kube-system/karpenter:
it gets that pod's environment and its name as the host name, and a rollout of the Deployment restarts it. Must run in
network, process and host-name namespaces of its own (see `isolated`), because every such cluster has the same ports.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

from api import Api

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = HERE.parent / "control-plane"
CACHE = pathlib.Path(
    os.environ.get("MILLWRIGHT_CONTROL_PLANE_CACHE")
    or pathlib.Path(os.environ.get("MILLWRIGHT_CACHE") or pathlib.Path.home() / ".cache/millwright") / "control-plane"
)
PEER_DEFINITIONS = CACHE / "crds"
# Not loopback: the API server refuses that for a kubelet. It lies on the namespace's own loopback device, no further.
NODE_IP = "198.18.0.1"
# Clusters have the same ports, each in its own network.
PORT_BASE = 16443
LEADER_SECONDS_MAX = 90
STOP_SECONDS_MAX = 20
# A controller that ends so often before it leads will not come up.
ENDS_MAX = 5
POLL_SECONDS = 0.3
# What a process needs of the machine; all else comes from the pod.
KEPT = ("PATH", "HOME", "JAVA_HOME", "JDK25_HOME", "LANG", "MILLWRIGHT_JAVA_OPTIONS")


def isolated(command):
    """The command in namespaces of its own. Processes die with it, whatever they did to hide."""
    unshare = ["unshare", "--net", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
    return unshare + ([] if os.geteuid() == 0 else ["--map-root-user"]) + command


def prepare_network():
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["ip", "address", "add", NODE_IP + "/32", "dev", "lo"], check=True)


class Cluster:
    def __init__(self, directory, definitions, controller, metrics_port=8080):
        self.directory = pathlib.Path(directory).resolve()
        self.definitions = definitions
        self.controller = controller
        self.metrics_port = metrics_port
        self.kubeconfig = self.directory / "kubeconfig"
        self.plane = None
        self.api = None
        self.process = None
        self.pod = None
        self.ends = 0
        self.stopping = threading.Event()
        self.supervisor = threading.Thread(target=self._supervise, daemon=True)

    def __enter__(self):
        self.directory.mkdir(parents=True, exist_ok=True)
        self.plane = subprocess.Popen(
            ["bash", str(SCRIPTS / "cluster.sh"), str(self.directory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "PORT_BASE": str(PORT_BASE),
                "NODE_IP": NODE_IP,
                "SCHEDULER_CONFIG": str(HERE / "scheduler.yaml"),
                "STAGES": str(self._stages()),
            },
        )
        if self.plane.stdout.readline() != "ready\n":
            raise RuntimeError(f"the control plane in {self.directory} did not start")
        self.api = Api(self.directory, PORT_BASE)
        self.kubectl("apply", "--server-side", "-f", str(self.definitions))
        self.kubectl("apply", "-f", "-", stdin=self._filled("cluster.yaml"))
        self.supervisor.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        if self.supervisor.is_alive():
            self.supervisor.join()
        self.plane.stdin.close()
        self.plane.wait()

    def kubectl(self, *arguments, stdin=None):
        command = [str(CACHE / "bin/kubectl"), f"--kubeconfig={self.kubeconfig}", *arguments]
        done = subprocess.run(command, input=stdin, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"kubectl {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def await_leader(self):
        """Waits until the pod's process leads. A controller that cannot start is told at once, not spec by spec."""
        deadline = time.monotonic() + LEADER_SECONDS_MAX
        while time.monotonic() < deadline and self.ends < ENDS_MAX:
            try:
                lease = self.api.get("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/karpenter-leader-election")
                if self.pod and lease["spec"].get("holderIdentity", "").startswith(self.pod + "_"):
                    return
            except OSError:
                pass  # There is no lease yet.
            time.sleep(POLL_SECONDS)
        raise RuntimeError(
            f"{' '.join(self.controller)} ended {self.ends} times and does not lead; the end of its log:\n"
            + "\n".join(self.log().splitlines()[-20:])
        )

    def log(self):
        file = self.directory / "log/controller.log"
        return file.read_text(errors="replace") if file.exists() else "(none)"

    def controller_pids(self):
        """The controller's process and all below it: a launcher may stand before it."""
        if self.process is None or self.process.poll() is not None:
            return []
        parents = {}
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                parents.setdefault(int(stat.read_text().rsplit(")", 1)[1].split()[1]), []).append(int(stat.parent.name))
            except FileNotFoundError:
                continue
        found = [self.process.pid]
        for pid in found:
            found.extend(parents.get(pid, []))
        return found

    def _filled(self, name):
        return (HERE / name).read_text().replace("@METRICS_PORT@", str(self.metrics_port))

    def _stages(self):
        """The peer's suites count on the peer's stages."""
        stages = self.directory / "stages"
        shutil.copytree(CACHE / "stages-karpenter", stages, dirs_exist_ok=True)
        (stages / "zz-port-forward.yaml").write_text(self._filled("port-forward.yaml"))
        return stages

    def _supervise(self):
        with open(self.directory / "log/controller.log", "ab") as log:
            while not self.stopping.wait(POLL_SECONDS):
                try:
                    pod = self._newest_pod()
                except OSError as failure:
                    print(f"cannot list pods: {failure}", flush=True)
                    continue
                if pod is None:
                    continue
                name = pod["metadata"]["name"]
                ended = self.process is not None and self.process.poll() is not None
                if name == self.pod and not ended:
                    continue
                if name == self.pod:
                    self.ends += 1
                    print(f"controller {name} ended with {self.process.returncode}; starting it again", flush=True)
                self._end_controller()
                self._start_controller(pod, log)
        self._end_controller()

    def _newest_pod(self):
        listed = self.api.get("/api/v1/namespaces/kube-system/pods?labelSelector=app.kubernetes.io%2Finstance%3Dkarpenter")
        running = [
            pod
            for pod in listed["items"]
            if pod["status"].get("phase") == "Running" and "deletionTimestamp" not in pod["metadata"]
        ]
        return max(running, key=lambda pod: pod["metadata"]["creationTimestamp"], default=None)

    def _start_controller(self, pod, log):
        environment = {key: os.environ[key] for key in KEPT if key in os.environ}
        environment["KUBECONFIG"] = str(self.kubeconfig)
        for entry in pod["spec"]["containers"][0].get("env", []):
            if "value" in entry:
                environment[entry["name"]] = entry["value"]
        name = pod["metadata"]["name"]
        self.process = subprocess.Popen(
            ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', name, *self.controller],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=self.directory,
            start_new_session=True,
        )
        self.pod = name
        print(f"{time.strftime('%T')} controller {name} started", flush=True)

    def _end_controller(self):
        if self.process is None or self.process.poll() is not None:
            return
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
