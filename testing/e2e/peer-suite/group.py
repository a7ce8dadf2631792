#!/usr/bin/env python3
"""group.py DIRECTORY DEFINITIONS SUITE METRICS_PORT FOCUS -- CONTROLLER...: one group of a suite's specs on a cluster of its own.

Writes DIRECTORY/junit.xml, suite.log and the cluster's logs. Run it through `cluster.isolated`.
"""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))

from cluster import CACHE, Cluster, prepare_network  # noqa: E402

GROUP_MINUTES_MAX = 90


def main():
    directory, definitions, suite, metrics_port, focus, _, *controller = sys.argv[1:]
    prepare_network()
    with Cluster(directory, definitions, controller, int(metrics_port)) as cluster:
        cluster.await_leader()
        out = cluster.directory
        with open(out / "suite.log", "wb") as log:
            done = subprocess.run(
                [
                    str(CACHE / f"bin/e2e-{suite}.test"),
                    f"-test.timeout={GROUP_MINUTES_MAX + 5}m",
                    f"--ginkgo.timeout={GROUP_MINUTES_MAX}m",
                    "--ginkgo.grace-period=1m",
                    "--ginkgo.v",
                    "--ginkgo.no-color",
                    f"--ginkgo.junit-report={out / 'junit.xml'}",
                    f"--ginkgo.focus={focus}",
                ],
                env={**os.environ, "KUBECONFIG": str(cluster.kubeconfig), "OUTPUT_DIR": str(out)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=out,
            )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
