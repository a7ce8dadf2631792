package dev.millwright.testing.e2e.clusterapi;

import dev.millwright.testing.e2e.Component;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.e2e.operator.OperatorProcess;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A management cluster after `clusterctl init`, and what its Deployments would run, as processes
/// with their arguments and the rights of their accounts: no kubelet pulls images here.
final class InstalledProviders implements AutoCloseable {

    static final String NAMESPACE = "clusters";

    private static final String SYSTEM = "capt-system";
    private static final String MANAGER = "appthrust-capt-controller-manager-";

    final ControlPlane plane;
    private final Path directory;
    private final Clusterctl clusterctl;
    private final CoreProvider core;
    private final OperatorProcess runner;
    private final OperatorProcess infrastructure;
    private final OperatorProcess controlPlane;

    InstalledProviders(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        plane =
                ControlPlane.start(
                        ControlPlane.Options.of(
                                Component.ETCD,
                                Component.API_SERVER,
                                Component.CONTROLLER_MANAGER));
        // clusterctl finds these kinds, so it takes cert-manager for installed.
        plane.kubectl("apply", "--server-side", "-f", Tools.path("cert-manager-crds").toString());
        plane.established();
        var port = CoreProvider.freePort();
        clusterctl = new Clusterctl(directory.resolve("clusterctl"));
        clusterctl.offer(CoreProvider.components(plane, port));
        clusterctl.run(
                plane,
                "init",
                "--core=cluster-api",
                "--bootstrap=-",
                "--control-plane=capt",
                "--infrastructure=capt",
                "--addon=helm");
        plane.established();
        core =
                CoreProvider.start(
                        plane, directory, port, List.of("--feature-gates=ClusterTopology=true"));
        plane.kubectl("create", "namespace", NAMESPACE);
        runner = runner();
        infrastructure = manager("infrastructure");
        controlPlane = manager("control-plane");
    }

    /// What `clusterctl` prints for this cluster.
    String clusterctl(String... arguments) {
        return clusterctl.run(plane, arguments);
    }

    /// @param variables more of them, as `NAME=value`
    String clusterctl(List<String> variables, String... arguments) {
        return clusterctl.run(plane, variables, arguments);
    }

    private OperatorProcess runner() {
        var terraform = Tools.path("terraform").getParent();
        return OperatorProcess.start(
                List.of(
                        "run",
                        "terraform",
                        "--socket=" + directory.resolve("socket"),
                        "--work-dir=" + directory.resolve("work")),
                Map.of("PATH", terraform + ":/usr/local/bin:/usr/bin:/bin"));
    }

    private OperatorProcess manager(String half) throws IOException {
        var account = deployment(half, "{.spec.template.spec.serviceAccountName}");
        var access =
                Files.writeString(
                        directory.resolve(half + ".kubeconfig"), plane.access(SYSTEM, account));
        var arguments = new ArrayList<String>();
        for (var word :
                deployment(half, "{.spec.template.spec.containers[?(@.name==\"manager\")].args[*]}")
                        .split(" ", -1)) {
            arguments.add(
                    word.replaceFirst("(?<=-bind-address=):\\d+$", "127.0.0.1:0")
                            .replace("/runner/socket", directory.resolve("socket").toString()));
        }
        arguments.add("--kubeconfig=" + access);
        arguments.add("--leader-election-namespace=" + SYSTEM);
        arguments.add("--terraform-work-dir=" + directory.resolve(half));
        return OperatorProcess.start(
                arguments, Map.of("POD_NAMESPACE", SYSTEM, "PATH", "/nowhere"));
    }

    private String deployment(String half, String path) {
        return plane.kubectl(
                "get", "deployment", MANAGER + half, "-n", SYSTEM, "-o=jsonpath=" + path);
    }

    /// One field of one object; empty when either is missing.
    String field(String kind, String name, String path) {
        return plane.kubectl(
                "get",
                "--ignore-not-found",
                kind,
                name,
                "-n",
                NAMESPACE,
                "-o=jsonpath={%s}".formatted(path));
    }

    void see(String what, String kind, String name, String path, String wanted) {
        Eventually.see(
                what,
                () -> field(kind, name, path) + "\n" + lastWords(),
                seen -> seen.startsWith(wanted));
    }

    String lastWords() {
        return infrastructure.lastWords() + controlPlane.lastWords();
    }

    /// What all processes said.
    String logs() {
        return infrastructure.log() + controlPlane.log() + runner.log() + core.log();
    }

    @Override
    public void close() {
        Stream.of(controlPlane, infrastructure, runner).forEach(OperatorProcess::close);
        core.close();
        plane.close();
    }
}
