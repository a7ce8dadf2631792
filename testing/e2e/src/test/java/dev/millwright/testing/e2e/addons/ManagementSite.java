package dev.millwright.testing.e2e.addons;

import dev.millwright.addons.crd.AddonDefinitions;
import dev.millwright.capi.crd.CaptResources;
import dev.millwright.testing.e2e.Component;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.e2e.capi.CaptDefinitions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;

/// A management cluster with the definitions of the add-ons and of CAPT, a registry of charts, and
/// Helm. Clusters join it by their kubeconfig.
final class ManagementSite implements AutoCloseable {

    static final String CLUSTER_DEFINITION =
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: clusters.cluster.x-k8s.io}
            spec:
              group: cluster.x-k8s.io
              names: {kind: Cluster, plural: clusters, singular: cluster, listKind: ClusterList}
              scope: Namespaced
              versions:
              - name: v1beta2
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    private static final Duration HELM_LIMIT = Duration.ofMinutes(3);

    final ControlPlane plane;
    final ChartServer charts = new ChartServer();
    final String helm = Tools.path("helm").toString();
    private final Path packed;

    ManagementSite(Path directory) {
        this(directory, plane -> plane.apply(CLUSTER_DEFINITION));
    }

    /// With core Cluster API's own definitions, which its providers ask for.
    static ManagementSite withCore(Path directory) {
        return new ManagementSite(directory, CaptDefinitions::install);
    }

    private ManagementSite(Path directory, Consumer<ControlPlane> core) {
        try {
            packed = Files.createDirectories(directory.resolve("packed"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        plane =
                ControlPlane.start(
                        ControlPlane.Options.of(
                                Component.ETCD,
                                Component.API_SERVER,
                                Component.CONTROLLER_MANAGER));
        core.accept(plane);
        plane.apply(AddonDefinitions.all().text());
        plane.apply(CaptResources.all().text());
        plane.established();
    }

    /// What Helm prints. An exit code other than zero is an exception with its words.
    String helm(String... arguments) {
        var command = new ArrayList<>(List.of(helm));
        command.addAll(List.of(arguments));
        return Shell.run(command, "", HELM_LIMIT);
    }

    /// Packs the chart of a folder and offers it in the registry's folder `open`.
    void offer(Path chart, String name, String version) {
        helm("package", chart.toString(), "--version=" + version, "--destination=" + packed);
        try {
            var file = packed.resolve("%s-%s.tgz".formatted(name, version));
            charts.push("open/" + name, version, Files.readAllBytes(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Offers in the https repository what was packed so far.
    void serve() {
        helm("repo", "index", packed.toString());
        try {
            charts.serve(packed);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// A namespace with the Secret that trusts the registry.
    void namespace(String namespace) {
        plane.kubectl("create", "namespace", namespace);
        trust(namespace);
    }

    /// The Secret that trusts the registry, in a namespace that is there.
    void trust(String namespace) {
        plane.apply(
                """
                apiVersion: v1
                kind: Secret
                metadata: {name: authority, namespace: %s}
                stringData: {ca.crt: %s}
                """
                        .formatted(namespace, quoted(charts.authority())));
    }

    /// A Cluster whose control plane is up, with its kubeconfig.
    ///
    /// @param spec fields of the Cluster's spec, as YAML on one line
    void join(ControlPlane workload, String namespace, String name, String labels, String spec) {
        plane.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: %1$s, namespace: %2$s, labels: {%3$s}}
                spec: {%4$s}
                status: {initialization: {controlPlaneInitialized: true}}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: %1$s-kubeconfig, namespace: %2$s}
                type: cluster.x-k8s.io/secret
                data: {value: %5$s}
                """
                        .formatted(name, namespace, labels, spec, encoded(workload.kubeconfig())));
    }

    private static String encoded(Path file) {
        try {
            return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// As JSON, which is YAML too.
    static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    @Override
    public void close() {
        charts.close();
        plane.close();
    }
}
