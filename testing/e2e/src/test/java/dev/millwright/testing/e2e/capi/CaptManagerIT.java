package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.operator.OperatorProcess;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The provider as a process: probes, metrics, leases, what it looks after, and the tree.
@ExtendWith(ControlPlaneExtension.class)
final class CaptManagerIT {

    private static final Duration COMMAND_LIMIT = Duration.ofMinutes(1);

    @BeforeAll
    static void install(ControlPlane plane) {
        CaptDefinitions.install(plane);
    }

    private static String reader(ControlPlane plane, String namespace, String name) {
        plane.kubectl("create", "serviceaccount", name, "-n", namespace);
        return plane.kubectl("create", "token", name, "-n", namespace).strip();
    }

    @Test
    void probesAnswerAndMetricsAreForThoseWhoMayReadThem(ControlPlane plane) {
        var namespace = plane.createNamespace();
        var stranger = reader(plane, namespace, "stranger");
        var scraper = reader(plane, namespace, "scraper");
        plane.apply(
                """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: %1$s-metrics-reader}
                rules: [{nonResourceURLs: [/metrics], verbs: [get]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: %1$s-metrics-reader}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s-metrics-reader}
                subjects: [{kind: ServiceAccount, name: scraper, namespace: %1$s}]
                """
                        .formatted(namespace));
        try (var manager = Manager.start(plane, "--namespace=" + namespace, "--workspaces=leave")) {
            manager.says("started controllers");
            assertThat(manager.health("/healthz").status()).isEqualTo(200);
            assertThat(manager.health("/readyz?verbose").body()).contains("[+]caches ok");
            assertThat(manager.metrics("").status()).isEqualTo(401);
            assertThat(manager.metrics("no-token-of-this-cluster").status()).isEqualTo(401);
            assertThat(manager.metrics(stranger).status()).isEqualTo(403);
            var seen =
                    Eventually.see(
                            "the scraper's right is known",
                            () -> manager.metrics(scraper),
                            answer -> answer.status() == 200);
            assertThat(seen.body())
                    .contains(
                            "client_go_request_total{",
                            "millwright_build_info{",
                            "process_resident_memory_bytes");
            assertThat(manager.log()).doesNotContain(scraper, stranger);
            assertThat(manager.stop()).isZero();
        }
    }

    @Test
    void aStatusThatNamesAnAdministratorsWorkspaceTakesItNotUp(ControlPlane plane) {
        var namespace = plane.createNamespace();
        var apply = "workspacetemplateapplies.infrastructure.cluster.x-k8s.io/" + namespace;
        plane.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: %1$s}
                spec: {providerConfigRef: {name: none}, forProvider: {source: Inline, module: theirs}}
                ---
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: WorkspaceTemplate
                metadata: {name: t, namespace: %1$s}
                spec: {template: {spec: {forProvider: {source: Inline, module: hers}}}}
                ---
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: WorkspaceTemplateApply
                metadata: {name: %1$s, namespace: %1$s}
                spec: {templateRef: {name: t}}
                """
                        .formatted(namespace));
        plane.kubectl(
                "patch",
                apply,
                "-n=" + namespace,
                "--subresource=status",
                "--type=merge",
                "--patch={\"status\":{\"workspaceName\":\"%s\",\"applied\":true}}"
                        .formatted(namespace));
        try (var manager = Manager.start(plane, "--namespace=" + namespace, "--workspaces=leave")) {
            Eventually.see(
                    "the apply says that the Workspace is not its own; " + manager.log(),
                    () ->
                            plane.kubectl(
                                    "get",
                                    apply,
                                    "-n=" + namespace,
                                    "-o=jsonpath={.status.conditions}"),
                    told -> told.contains("left no mark"));
        }
        assertThat(
                        plane.kubectl(
                                "get",
                                "workspaces.tf.upbound.io/" + namespace,
                                "-o=jsonpath={.spec.forProvider.module}"))
                .isEqualTo("theirs");
    }

    @Test
    void theHalvesElectApartAndAStopGivesTheLeaseBack(ControlPlane plane) {
        var namespace = plane.createNamespace();
        var common =
                new String[] {
                    "--leader-elect",
                    "--leader-election-namespace=" + namespace,
                    "--workspaces=leave",
                    "--namespace=" + namespace
                };
        try (var infrastructure = half(plane, "infrastructure", common);
                var controlPlane = half(plane, "control-plane", common)) {
            infrastructure.says("started controllers");
            controlPlane.says("started controllers");
            assertThat(holders(plane, namespace)).hasSize(2).allMatch(each -> !each.isEmpty());
            try (var second = half(plane, "infrastructure", common)) {
                Eventually.see(
                        "a replica that waits is ready",
                        () -> second.says("waiting to lead").health("/readyz"),
                        answer -> answer.status() == 200);
                assertThat(second.log()).doesNotContain("started controllers");

                assertThat(infrastructure.stop()).isZero();
                second.says("started controllers");
                assertThat(second.stop()).isZero();
            }
            assertThat(controlPlane.stop()).isZero();
        }
        assertThat(holders(plane, namespace)).hasSize(2).allMatch(String::isEmpty);
    }

    private static Manager half(ControlPlane plane, String name, String... common) {
        var options = new String[common.length + 1];
        options[0] = "--enable-controller=" + name;
        System.arraycopy(common, 0, options, 1, common.length);
        return Manager.start(plane, options);
    }

    private static List<String> holders(ControlPlane plane, String namespace) {
        return plane.kubectl(
                        "get",
                        "leases",
                        "-n",
                        namespace,
                        "-o=jsonpath={range .items[*]}{.metadata.name}={.spec.holderIdentity}{\"\\n\"}{end}")
                .lines()
                .filter(line -> line.contains(".capt.ai="))
                .map(line -> line.substring(line.indexOf('=') + 1))
                .toList();
    }

    @Test
    void onlyWhatIsInItsScopeIsLookedAfter(ControlPlane plane) {
        var own = plane.createNamespace();
        var other = plane.createNamespace();
        var blue = "{cluster.x-k8s.io/watch-filter: blue}";
        waiting(plane, other, "blue", blue);
        waiting(plane, own, "plain", "{}");
        waiting(plane, own, "blue", blue);
        var scope = List.of("--namespace=" + own, "--watch-filter=blue", "--workspaces=leave");
        try (var manager = Manager.start(plane, scope.toArray(String[]::new))) {
            manager.says("started controllers");
            Eventually.see(
                    "what is in its scope has the finalizer",
                    () -> finalizers(plane, own, "blue"),
                    words -> !words.isEmpty());
            assertThat(finalizers(plane, own, "plain")).isEmpty();
            assertThat(finalizers(plane, other, "blue")).isEmpty();
            plane.kubectl("delete", "wtapply", "--all", "-n", own);
            plane.kubectl("delete", "wtapply", "--all", "-n", other);
            assertThat(manager.stop()).isZero();
        }
    }

    /// An apply that waits for a Secret which does not come.
    private static void waiting(ControlPlane plane, String namespace, String name, String labels) {
        plane.apply(
                """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: WorkspaceTemplateApply
                metadata: {name: %s, namespace: %s, labels: %s}
                spec: {templateRef: {name: none}, waitForSecrets: [{name: none}]}
                """
                        .formatted(name, namespace, labels));
    }

    private static String finalizers(ControlPlane plane, String namespace, String name) {
        return plane.kubectl(
                "get", "wtapply", name, "-n", namespace, "-o=jsonpath={.metadata.finalizers}");
    }

    private static String tree(ControlPlane plane, String... options) {
        var arguments =
                new ArrayList<>(
                        List.of("capi", "tree", "--kubeconfig", plane.kubeconfig().toString()));
        arguments.addAll(List.of(options));
        return Shell.run(OperatorProcess.command(arguments), "", COMMAND_LIMIT);
    }

    @Test
    void theTreeIsReadFromTheServer(ControlPlane plane) {
        var namespace = plane.createNamespace();
        plane.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: shop, namespace: %1$s}
                spec:
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: CAPTCluster, name: shop}
                  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: CAPTControlPlane, name: none}
                ---
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CAPTCluster
                metadata: {name: shop, namespace: %1$s}
                spec: {region: eu-west-1, vpcTemplateRef: {name: vpc, namespace: default}, workspaceTemplateApplyName: %1$s-vpc}
                ---
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: WorkspaceTemplateApply
                metadata: {name: %1$s-vpc, namespace: %1$s}
                spec: {templateRef: {name: vpc, namespace: default}}
                ---
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: %1$s-vpc}
                spec: {forProvider: {source: Inline, module: ""}, providerConfigRef: {name: none}}
                ---
                apiVersion: v1
                kind: Secret
                metadata:
                  name: tfstate-%1$s-vpc-it
                  namespace: %1$s
                  labels: {tfstate: "true", tfstateWorkspace: %1$s-vpc}
                stringData: {other: x}
                """
                        .formatted(namespace));
        plane.kubectl(
                "patch",
                "workspaces.tf.upbound.io",
                namespace + "-vpc",
                "--subresource=status",
                "--type=merge",
                "-p",
                """
                {"status": {"conditions": [{"type": "Running", "status": "True", "reason": "Apply",
                  "message": "apply: 1 of 3 resources", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}""");

        assertThat(tree(plane, "shop", "-n", namespace))
                .contains(
                        "Cluster/shop",
                        "CAPTCluster/shop (infrastructure)",
                        "WorkspaceTemplate/vpc",
                        "WorkspaceTemplateApply/%s-vpc".formatted(namespace),
                        "Workspace/%s-vpc".formatted(namespace),
                        "apply: 1 of 3 resources",
                        "state not readable",
                        "CAPTControlPlane/none (control plane)",
                        "Missing");
        assertThat(refusal(() -> tree(plane, "shap", "-n", namespace)))
                .contains("ended with 1", "maybe \"shop\"?");
        plane.kubectl("delete", "workspaces.tf.upbound.io", namespace + "-vpc");
    }

    private static String refusal(Runnable command) {
        try {
            command.run();
            throw new AssertionError("the command went well");
        } catch (IllegalStateException refused) {
            return Objects.toString(refused.getMessage());
        }
    }
}
