package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.AuditLog;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The provider that looks after one namespace, with the Roles that the chart gives it then: real
/// Terraform, states and outputs, and nothing of another namespace.
final class OneNamespaceIT {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final String OWN = "team-a";

    /// It asks for the right to let an owner's deletion wait, as OpenShift's does.
    private static final ControlPlane.Options OPTIONS =
            ControlPlane.Options.apiOnly()
                    .withApiServerFlags(
                            "--enable-admission-plugins=OwnerReferencesPermissionEnforcement");

    private static final String OBJECTS =
            """
            apiVersion: v1
            kind: Secret
            metadata: {name: login, namespace: team-a}
            stringData: {key: known-here}
            ---
            apiVersion: tf.upbound.io/v1beta1
            kind: ProviderConfig
            metadata: {name: default}
            spec: {credentials: [{filename: login, source: Secret, secretRef: {namespace: team-a, name: login, key: key}}]}
            ---
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
            kind: WorkspaceTemplate
            metadata: {name: words, namespace: team-a}
            spec:
              template:
                spec:
                  providerConfigRef: {name: default}
                  forProvider: {source: Inline, module: 'output "word" { value = file("login") }'}
            ---
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
            kind: WorkspaceTemplateApply
            metadata: {name: words, namespace: team-a}
            spec: {templateRef: {name: words}, writeConnectionSecretToRef: {name: outputs, namespace: team-a}}
            ---
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
            kind: WorkspaceTemplateApply
            metadata: {name: elsewhere, namespace: team-b}
            spec: {templateRef: {name: words}}
            ---
            """;

    @TempDir private Path directory;

    @Test
    void itWorksWithRolesAndAsksForNothingElsewhere() {
        try (var plane = ControlPlane.start(OPTIONS)) {
            CaptDefinitions.install(plane);
            plane.kubectl("create", "namespace", OWN);
            plane.kubectl("create", "namespace", "team-b");
            var account = ChartAccount.of(plane, Chart.CAPT, "namespace=" + OWN);
            plane.apply(
                    OBJECTS
                            + Workspaces.yaml(
                                    "tf.m.upbound.io",
                                    "{name: own, namespace: team-a}",
                                    "output \"word\" { value = \"namespaced\" }",
                                    """
                                    providerConfigRef: {kind: ProviderConfig, name: none}
                                    writeConnectionSecretToRef: {name: own-outputs}
                                    """,
                                    "")
                            + "---\n"
                            + """
                            apiVersion: tf.m.upbound.io/v1beta1
                            kind: ProviderConfig
                            metadata: {name: none, namespace: team-a}
                            spec: {credentials: []}
                            """);
            try (var manager = manager(account)) {
                manager.says("started controllers");
                outputIs(plane, manager, "outputs", "known-here");
                outputIs(plane, manager, "own-outputs", "namespaced");
                plane.kubectl(
                        "delete",
                        "wtapply/words",
                        "workspaces.tf.m.upbound.io/own",
                        "-n=" + OWN,
                        "--timeout=120s");
                assertThat(plane.kubectl("get", "secrets", "-A", "-l=tfstate=true", "-o=name"))
                        .isBlank();
                assertThat(manager.log()).doesNotContain("forbidden");
                assertThat(manager.stop()).isZero();
            }
            assertThat(plane.audit().requests())
                    .filteredOn(request -> request.user().equals(account.user()))
                    .isNotEmpty()
                    .noneMatch(request -> request.code() == 403)
                    .noneMatch(request -> request.subject().namespace().equals("team-b"))
                    .anyMatch(AuditLog.Request::isWrite);
        }
    }

    private OperatorProcess manager(ChartAccount account) {
        return OperatorProcess.start(
                List.of(
                        "run",
                        "capi",
                        "--kubeconfig=" + account.kubeconfig(),
                        "--namespace=" + OWN,
                        "--leader-elect=true",
                        "--leader-election-namespace=" + account.namespace(),
                        "--metrics-bind-address=0",
                        "--health-probe-bind-address=127.0.0.1:0",
                        "--terraform-work-dir=" + directory.resolve("work"),
                        "--zap-log-level=debug"),
                Map.of(
                        "POD_NAMESPACE",
                        account.namespace(),
                        "PATH",
                        Tools.path("terraform").getParent() + ":/usr/local/bin:/usr/bin:/bin"));
    }

    private static void outputIs(
            ControlPlane plane, OperatorProcess manager, String secret, String wanted) {
        Eventually.see(
                "Secret %s holds %s".formatted(secret, wanted),
                LIMIT,
                () ->
                        plane.kubectl(
                                        "get",
                                        "secret",
                                        secret,
                                        "-n=" + OWN,
                                        "--ignore-not-found",
                                        "-o=go-template={{if .data}}{{.data.word | base64decode}}{{end}}")
                                + "\n"
                                + manager.lastWords(),
                seen -> seen.startsWith(wanted));
    }
}
