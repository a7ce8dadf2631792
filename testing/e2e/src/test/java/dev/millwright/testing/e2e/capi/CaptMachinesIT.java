package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.Component;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Machines on a real API server with its garbage collector; only Terraform is played.
final class CaptMachinesIT {

    private static final Duration APPLY_TAKES = Duration.ofMillis(150);

    private static ControlPlane plane;
    private static MachineLoops applies;
    private static MachineLoops machines;

    @BeforeAll
    static void start() {
        plane =
                ControlPlane.start(
                        ControlPlane.Options.of(
                                Component.ETCD,
                                Component.API_SERVER,
                                Component.CONTROLLER_MANAGER));
        CaptDefinitions.install(plane);
        // The garbage collector looks for new kinds now and then; at its start it knows them all.
        plane.stop(Component.CONTROLLER_MANAGER);
        plane.start(Component.CONTROLLER_MANAGER);
        applies = MachineLoops.applies(plane, APPLY_TAKES);
        machines = MachineLoops.machines(plane);
    }

    @AfterAll
    static void stop() {
        machines.close();
        applies.close();
        plane.close();
    }

    private static void deployment(String namespace, int replicas) {
        plane.apply(
                """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CaptMachineDeployment
                metadata: {name: workers, namespace: %s}
                spec:
                  replicas: %d
                  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
                  template:
                    metadata: {labels: {role: worker}}
                    spec:
                      workspaceTemplateRef: {name: eks-node-template}
                      nodeGroupRef: {name: workers, namespace: %s}
                      instanceType: m7g.large
                """
                        .formatted(namespace, replicas, namespace));
        Eventually.see("rolled out", () -> column(namespace), ready(replicas)::equals);
    }

    /// Ready, replicas, updated, available.
    private static String column(String namespace) {
        return deployment(
                namespace,
                "{.status.conditions[?(@.type=='Ready')].status} {.status.replicas} {.status.updatedReplicas} {.status.availableReplicas} {.metadata.generation}/{.status.observedGeneration}",
                true);
    }

    private static String deployment(String namespace, String path, boolean isTrimmed) {
        var text =
                plane.kubectl(
                        "get",
                        "captmachinedeployment",
                        "workers",
                        "-n",
                        namespace,
                        "-o=jsonpath=" + path);
        return isTrimmed ? text.trim().replaceFirst(" (\\d+)/\\1$", "") : text;
    }

    private static String ready(int replicas) {
        return "True %1$d %1$d %1$d".formatted(replicas);
    }

    private static List<String> types(String namespace) {
        return plane.kubectl(
                        "get",
                        "captmachines",
                        "-n",
                        namespace,
                        "-o=jsonpath={range .items[*]}{.spec.instanceType}{\"\\n\"}{end}")
                .lines()
                .distinct()
                .sorted()
                .toList();
    }

    private static void roll(String namespace, String type) {
        plane.kubectl(
                "patch",
                "captmachinedeployment",
                "workers",
                "-n",
                namespace,
                "--type=merge",
                "-p={\"spec\":{\"template\":{\"spec\":{\"instanceType\":\"%s\"}}}}"
                        .formatted(type));
    }

    private static void rolledTo(String namespace, String type, int replicas) {
        Eventually.see("only " + type, () -> types(namespace), List.of(type)::equals);
        Eventually.see("rolled out", () -> column(namespace), ready(replicas)::equals);
    }

    private static String left(String namespace) {
        return plane.kubectl(
                "get",
                "captmachinedeployments,captmachinesets,captmachines,workspacetemplateapplies",
                "-n",
                namespace,
                "-o=name");
    }

    @Test
    void tenMachinesAreReadyAtEveryMomentOfARolloutARestartAndARollBack() {
        var namespace = plane.createNamespace();
        deployment(namespace, 10);
        try (var watch = new MachineWatch(plane, namespace)) {
            roll(namespace, "m7g.xlarge");
            Eventually.see(
                    "a third is new",
                    () -> deployment(namespace, "{.status.updatedReplicas}", false),
                    text -> text.matches("[3-9]"));
            machines.kill();
            machines = MachineLoops.machines(plane);
            rolledTo(namespace, "m7g.xlarge", 10);

            plane.kubectl(
                    "annotate",
                    "captmachinedeployment",
                    "workers",
                    "-n",
                    namespace,
                    "millwright.dev/rollback-to=0");
            rolledTo(namespace, "m7g.large", 10);

            assertThat(watch.broken()).isEmpty();
            assertThat(watch.fewestReady()).isEqualTo(10);
            assertThat(watch.mostThere()).isEqualTo(11);
            assertThat(watch.events()).isGreaterThan(80);
        }
        assertThat(
                        plane.kubectl(
                                "get",
                                "captmachinesets",
                                "-n",
                                namespace,
                                "-o=jsonpath={.items[*].metadata.annotations.millwright\\.dev/revision}"))
                .satisfiesAnyOf(
                        text -> assertThat(text).isEqualTo("2 3"),
                        text -> assertThat(text).isEqualTo("3 2"));

        plane.kubectl("scale", "captmachinedeployment", "workers", "-n", namespace, "--replicas=4");
        Eventually.see("scaled down", () -> column(namespace), ready(4)::equals);
        plane.kubectl("scale", "captmachinedeployment", "workers", "-n", namespace, "--replicas=6");
        Eventually.see("scaled up", () -> column(namespace), ready(6)::equals);
    }

    @Test
    @Tag("long")
    void nothingIsLeftOfADeploymentThatIsDeletedInTheMiddleOfARollout() {
        var namespace = plane.createNamespace();
        deployment(namespace, 3);
        roll(namespace, "m7g.xlarge");
        plane.kubectl(
                "delete",
                "captmachinedeployment",
                "workers",
                "-n",
                namespace,
                "--cascade=foreground",
                "--wait=false");

        Eventually.see("nothing is left", () -> left(namespace), String::isEmpty);
    }

    @Test
    @Tag("long")
    void machinesOfASetThatIsDeletedWithoutThemStayUntilTheyAreTakenAgain() {
        var namespace = plane.createNamespace();
        deployment(namespace, 2);
        var before = plane.kubectl("get", "captmachines", "-n", namespace, "-o=name");
        plane.kubectl("delete", "captmachineset", "--all", "-n", namespace, "--cascade=orphan");
        Eventually.see("rolled out", () -> column(namespace), ready(2)::equals);

        assertThat(plane.kubectl("get", "captmachines", "-n", namespace, "-o=name"))
                .isEqualTo(before);

        plane.kubectl("delete", "captmachinedeployment", "workers", "-n", namespace);
        Eventually.see("nothing is left", () -> left(namespace), String::isEmpty);
    }

    @Test
    void aMachineOfCoreIsServedInBothVersions() {
        var namespace = plane.createNamespace();
        plane.apply(core(namespace));
        var uid =
                plane.kubectl(
                        "get",
                        "machines.cluster.x-k8s.io",
                        "m",
                        "-n",
                        namespace,
                        "-o=jsonpath={.metadata.uid}");
        status(
                namespace,
                "clusters.cluster.x-k8s.io/shop",
                "{\"initialization\":{\"infrastructureProvisioned\":true}}");
        plane.apply(
                """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
                kind: CaptMachine
                metadata:
                  name: m
                  namespace: %s
                  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: m, uid: %s, controller: true}]
                spec:
                  workspaceTemplateRef: {name: eks-node-template}
                  nodeType: ManagedNodeGroup
                  instanceType: m7g.large
                """
                        .formatted(namespace, uid));
        plane.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: m-machine, annotations: {millwright.dev/apply: %s/m-machine}}
                spec: {forProvider: {source: Inline, module: ""}}
                """
                        .formatted(namespace));
        status(
                namespace,
                "workspaces.tf.upbound.io/m-machine",
                "{\"atProvider\":{\"outputs\":{\"provider_id\":\"aws:///eu-west-1a/i-1\",\"private_ip\":\"10.0.0.9\"}}}");

        for (var version : List.of("v1beta1", "v1beta2")) {
            Eventually.see(
                    "ready in " + version,
                    () ->
                            plane.kubectl(
                                    "get",
                                    "captmachines.%s.infrastructure.cluster.x-k8s.io"
                                            .formatted(version),
                                    "m",
                                    "-n",
                                    namespace,
                                    "-o=jsonpath={.spec.providerID} {.status.ready} {.status.initialization.provisioned} {.status.instanceId} {.status.addresses[0].address}"),
                    "aws:///eu-west-1a/i-1 true true i-1 10.0.0.9"::equals);
        }
    }

    private static String core(String namespace) {
        return """
               apiVersion: cluster.x-k8s.io/v1beta2
               kind: Cluster
               metadata: {name: shop, namespace: %1$s}
               spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: CAPTCluster, name: shop}}
               ---
               apiVersion: cluster.x-k8s.io/v1beta2
               kind: Machine
               metadata: {name: m, namespace: %1$s}
               spec:
                 clusterName: shop
                 bootstrap: {dataSecretName: none}
                 infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: CaptMachine, name: m}
               """
                .formatted(namespace);
    }

    private static void status(String namespace, String object, String json) {
        plane.kubectl(
                "patch",
                object,
                "-n",
                namespace,
                "--subresource=status",
                "--type=merge",
                "-p={\"status\":%s}".formatted(json));
    }
}
