package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Workspaces run by a real Terraform on a real API server. Its built-in resource needs no
/// provider.
final class WorkspaceIT {

    private static final String OUTPUT =
            """
            variable "word" { default = "first" }
            resource "terraform_data" "it" { input = var.word }
            output "word" { value = terraform_data.it.output }
            output "id" { value = terraform_data.it.id }
            """;

    private static ControlPlane plane;
    private static WorkspaceManager manager;
    private static HttpKubeApi reader;
    private static Workspaces workspaces;
    private static Path root;

    @BeforeAll
    static void start() throws IOException {
        plane = ControlPlane.start(ControlPlane.Options.apiOnly());
        CaptDefinitions.install(plane);
        root = Files.createTempDirectory("workspaces");
        plane.kubectl("create", "namespace", "upbound-system");
        plane.apply(config("default", "  credentials: []"));
        manager =
                new WorkspaceManager(
                                ChartAccount.of(plane, Chart.CAPT).kubeconfig(),
                                root,
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(15))
                        .start();
        reader = MachineLoops.open(plane);
        workspaces = new Workspaces(plane, reader);
        workspaces.make("slow", slow(), "", "");
    }

    @AfterAll
    static void stop() {
        manager.close();
        reader.close();
        plane.close();
    }

    private static String config(String name, String spec) {
        return """
               apiVersion: tf.upbound.io/v1beta1
               kind: ProviderConfig
               metadata: {name: %s}
               spec:
               %s
               """
                .formatted(name, spec);
    }

    private static String slow() {
        return """
               resource "terraform_data" "quick" {}
               resource "terraform_data" "slow" {
                 depends_on = [terraform_data.quick]
                 provisioner "local-exec" { command = "exec sleep 120" }
               }
               """;
    }

    @Test
    void outputsAreToldAndDeletionDestroysEverything() {
        var module =
                OUTPUT
                        + """
                          output "secret" {
                            value     = "open sesame"
                            sensitive = true
                          }
                          output "list" { value = ["a", "b"] }
                          """;
        workspaces.make(
                "whole",
                module,
                "writeConnectionSecretToRef: {name: whole, namespace: default}",
                "");
        var ready = workspaces.ready("whole");
        assertThat(Workspaces.output(ready, "word")).isEqualTo("first");
        assertThat(ready.status().at("atProvider").at("outputs").at("secret").isPresent())
                .isFalse();
        assertThat(ready.status().at("atProvider").at("checksum").text("")).hasSize(64);
        assertThat(ready.meta().annotation("crossplane.io/external-name")).isEqualTo("whole");
        assertThat(ready.meta().finalizers()).contains("finalizer.managedresource.crossplane.io");
        var secret = workspaces.secret("default", "whole");
        assertThat(Workspaces.value(secret, "secret")).isEqualTo("open sesame");
        assertThat(Workspaces.value(secret, "list")).isEqualTo("[\"a\",\"b\"]");
        assertThat(
                        workspaces.find(
                                CaptTypes.PROVIDER_CONFIG_USAGE.type(),
                                new ObjectName("", ready.meta().uid())))
                .isNotNull();
        var state = "tfstate-whole-millwright";
        assertThat(workspaces.secret(WorkspaceManager.NAMESPACE, state)).isNotNull();

        workspaces.delete("whole");
        workspaces.gone("whole");
        assertThat(workspaces.secret(WorkspaceManager.NAMESPACE, state)).isNull();
        assertThat(
                        workspaces.find(
                                CaptTypes.PROVIDER_CONFIG_USAGE.type(),
                                new ObjectName("", ready.meta().uid())))
                .isNull();
    }

    @Test
    void theLastOfSeveralVariablesWins() {
        plane.apply(
                """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: variables, namespace: default}
                data:
                  hcl: |
                    b = "file"
                    c = "file"
                    d = "file"
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: variables, namespace: default}
                stringData:
                  json: '{"c": "secret file", "d": "secret file"}'
                  env: from the secret
                """);
        var module =
                """
                variable "a" {}
                variable "b" {}
                variable "c" {}
                variable "d" {}
                variable "e" {}
                variable "f" {}
                output "all" { value = "${var.a}|${var.b}|${var.c}|${var.d}|${var.e}|${nonsensitive(var.f)}" }
                """;
        var given =
                """
                vars: [{key: a, value: var}, {key: b, value: var}, {key: c, value: var}, {key: d, value: var}]
                varFiles:
                - source: ConfigMapKey
                  configMapKeyRef: {namespace: default, name: variables, key: hcl}
                - source: SecretKey
                  format: JSON
                  secretKeyRef: {namespace: default, name: variables, key: json}
                varmap: {d: map}
                env:
                - {name: TF_VAR_e, value: env}
                - name: TF_VAR_f
                  secretKeyRef: {namespace: default, name: variables, key: env}
                """;
        workspaces.make("variables", module, "", given);
        assertThat(Workspaces.output(workspaces.ready("variables"), "all"))
                .isEqualTo("var|file|secret file|map|env|from the secret");
    }

    @Test
    void anOutputThatChangesAloneIsApplied() {
        workspaces.make("outputs", "output \"word\" { value = \"one\" }", "", "");
        workspaces.ready("outputs");
        workspaces.make("outputs", "output \"word\" { value = \"two\" }", "", "");
        workspaces.see(
                "tells the new output",
                "outputs",
                found -> Workspaces.output(found, "word").equals("two"));
    }

    @Test
    void whoMayOnlyLookAppliesNothing() {
        workspaces.make("looking", OUTPUT, "managementPolicies: [Observe]", "");
        assertThat(workspaces.failing("looking")).contains("do not allow to create");
        assertThat(workspaces.secret(WorkspaceManager.NAMESPACE, "tfstate-looking-millwright"))
                .isNull();
        workspaces.delete("looking");
        workspaces.gone("looking");
    }

    @Test
    void whatIsOrphanedStaysInTheStateAndIsTakenUpAgain() {
        workspaces.make("orphan", OUTPUT, "deletionPolicy: Orphan", "");
        var id = Workspaces.output(workspaces.ready("orphan"), "id");
        workspaces.delete("orphan");
        workspaces.gone("orphan");
        assertThat(workspaces.secret(WorkspaceManager.NAMESPACE, "tfstate-orphan-millwright"))
                .isNotNull();
        workspaces.make("orphan", OUTPUT, "", "");
        assertThat(Workspaces.output(workspaces.ready("orphan"), "id")).isEqualTo(id);
    }

    @Test
    void aFailureShowsTerraformsWordsWithoutSecrets() {
        plane.apply(
                """
                apiVersion: v1
                kind: Secret
                metadata: {name: password, namespace: default}
                stringData: {it: "correct horse battery"}
                """);
        workspaces.make(
                "failing",
                """
                variable "password" {}
                resource "terraform_data" "it" {
                  lifecycle {
                    precondition {
                      condition     = var.password == ""
                      error_message = "The password ${var.password} is not good enough."
                    }
                  }
                }
                """,
                "",
                """
                env:
                - name: TF_VAR_password
                  secretKeyRef: {namespace: default, name: password, key: it}
                """);
        assertThat(workspaces.failing("failing"))
                .contains("plan failed")
                .contains("The password (hidden) is not good enough.");
        assertThat(plane.kubectl("get", "events", "-A", "-o", "yaml"))
                .doesNotContain("correct horse");
        workspaces.make("failing", OUTPUT, "", "");
        workspaces.ready("failing");
    }

    @Test
    void whatIsMissingIsNamed() {
        workspaces.make(
                "lacking",
                OUTPUT,
                "",
                "env: [{name: X, secretKeyRef: {namespace: default, name: nowhere, key: it}}]");
        assertThat(workspaces.failing("lacking"))
                .contains("env X: key \"it\" of Secret default/nowhere: no such object");
    }

    @Test
    void aRunThatTakesTooLongIsInterruptedAndItsStateKept() {
        var found =
                workspaces.see(
                        "is timed out",
                        "slow",
                        each -> Workspaces.message(each).contains("took longer than 15s"));
        assertThat(Workspaces.message(found)).startsWith("apply failed");
        assertThat(workspaces.secret(WorkspaceManager.NAMESPACE, "tfstate-slow-millwright"))
                .isNotNull();
        workspaces.delete("slow");
        workspaces.gone("slow");
    }

    private static String lease(String name, String holder, String info) {
        return """
               apiVersion: coordination.k8s.io/v1
               kind: Lease
               metadata:
                 name: lock-tfstate-%s-millwright
                 namespace: capt-system
                 annotations:
                   app.terraform.io/lock-info: '{"ID":"%s","Operation":"OperationTypeApply","Info":"%s","Who":"alice@laptop","Version":"1.11.4","Created":"2026-01-01T00:00:00Z","Path":""}'
               spec: {holderIdentity: "%s"}
               """
                .formatted(name, holder, info, holder);
    }

    @Test
    void aLockOfSomebodyUnknownIsRespected() {
        plane.apply(lease("locked", "one", ""));
        workspaces.make("locked", OUTPUT, "", "");
        assertThat(workspaces.failing("locked"))
                .contains("the state is locked by alice@laptop since 2026-01-01T00:00:00Z");
        plane.kubectl("delete", "lease", "-n", "capt-system", "lock-tfstate-locked-millwright");
        workspaces.ready("locked");
    }

    @Test
    void aLockOfALivingProcessOfOursIsRespectedAndOfADeadOneRecovered() throws IOException {
        var living = new ProcessBuilder("sleep", "300").start();
        try {
            var started = Files.readString(Path.of("/proc/%d/stat".formatted(living.pid())));
            var fields = started.substring(started.lastIndexOf(')') + 2).split(" ", -1);
            var boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            plane.apply(
                    lease(
                            "dead",
                            "two",
                            "millwright host=it-host boot=%s pid=%d started=%s folder=/nowhere"
                                    .formatted(boot, living.pid(), fields[19])));
            workspaces.make("dead", OUTPUT, "", "");
            assertThat(workspaces.failing("dead")).contains("the state is locked by");
        } finally {
            living.destroyForcibly();
        }
        workspaces.ready("dead");
    }

    @Test
    void aPausedWorkspaceIsLeftAlone() {
        workspaces.make("paused", OUTPUT, "", "");
        workspaces.ready("paused");
        plane.kubectl(
                "annotate", "workspaces.tf.upbound.io", "paused", "crossplane.io/paused=true");
        workspaces.see(
                "is paused",
                "paused",
                found -> Workspaces.isReason(found, "Synced", "ReconcilePaused"));
        workspaces.delete("paused");
        var left = workspaces.see("stays", "paused", found -> found.meta().isDeleting());
        assertThat(left.conditions().isTrue("Ready")).isTrue();
        plane.kubectl("annotate", "workspaces.tf.upbound.io", "paused", "crossplane.io/paused-");
        workspaces.gone("paused");
    }

    @Test
    void aConfigInUseIsKept() {
        plane.apply(config("used", "  credentials: []"));
        workspaces.make("using", OUTPUT, "providerConfigRef: {name: used}", "");
        workspaces.ready("using");
        plane.kubectl("delete", "providerconfigs.tf.upbound.io", "used", "--wait=false");
        var config =
                Eventually.see(
                        "the config tells its user",
                        () ->
                                workspaces.find(
                                        CaptTypes.PROVIDER_CONFIG.type(),
                                        new ObjectName("", "used")),
                        found -> found != null && found.status().at("users").whole(0, 9, 0) == 1);
        assertThat(config).isNotNull();
        workspaces.delete("using");
        workspaces.gone("using");
        Eventually.see(
                "the config is gone",
                () -> workspaces.find(CaptTypes.PROVIDER_CONFIG.type(), new ObjectName("", "used")),
                found -> found == null);
    }

    @Test
    void aNamespacedWorkspaceUsesItsOwnKinds() {
        plane.apply(
                """
                apiVersion: tf.m.upbound.io/v1beta1
                kind: ClusterProviderConfig
                metadata: {name: default}
                spec: {credentials: []}
                ---
                """
                        + Workspaces.yaml(
                                "tf.m.upbound.io",
                                "{name: own, namespace: default}",
                                OUTPUT,
                                "writeConnectionSecretToRef: {name: own}",
                                ""));
        Eventually.see(
                "the secret of the namespaced Workspace is there",
                () -> Workspaces.value(workspaces.secret("default", "own"), "word"),
                "first"::equals);
        assertThat(
                        plane.kubectl(
                                "get",
                                "secrets",
                                "-n",
                                WorkspaceManager.NAMESPACE,
                                "-l",
                                "tfstateWorkspace=own",
                                "-o",
                                "name"))
                .contains("secret/tfstate-own-millwright-");
        plane.kubectl(
                "delete", "workspaces.tf.m.upbound.io", "-n", "default", "own", "--wait=false");
        Eventually.see(
                "it is gone",
                () ->
                        workspaces.find(
                                CaptTypes.NAMESPACED_WORKSPACE.type(),
                                new ObjectName("default", "own")),
                found -> found == null);
    }

    @Test
    void aStateThatCaptLeftIsReadAndWrittenAsItIs() throws IOException {
        var terraform =
                new PlainTerraform(
                        plane,
                        OUTPUT
                                + """
                                  terraform {
                                    backend "kubernetes" {
                                      secret_suffix = "aws-provider-eks"
                                      namespace     = "upbound-system"
                                      config_path   = "%s"
                                    }
                                  }
                                  """
                                        .formatted(plane.kubeconfig()));
        terraform.run("init", "-input=false");
        terraform.run("workspace", "new", "left");
        terraform.run("apply", "-auto-approve");
        var id = terraform.run("output", "-raw", "id");
        plane.apply(
                config(
                        "capt",
                        """
                          credentials: []
                          configuration: |
                            terraform {
                              backend "kubernetes" {
                                secret_suffix     = "aws-provider-eks"
                                namespace         = "upbound-system"
                                in_cluster_config = true
                              }
                            }
                        """));
        plane.apply(
                Workspaces.yaml(
                        "tf.upbound.io",
                        "name: renamed\nannotations: {crossplane.io/external-name: left}",
                        OUTPUT,
                        "providerConfigRef: {name: capt}",
                        "vars: [{key: word, value: second}]"));
        var ready = workspaces.ready("renamed");
        assertThat(Workspaces.output(ready, "id")).isEqualTo(id);
        assertThat(terraform.run("output", "-raw", "word")).isEqualTo("second");
        terraform.run("plan", "-detailed-exitcode", "-var", "word=second");
        workspaces.delete("renamed");
        workspaces.gone("renamed");
        assertThat(workspaces.secret("upbound-system", "tfstate-left-aws-provider-eks")).isNull();
    }

    @Test
    void anyOtherBackendIsTerraformsOwn() throws IOException {
        var folder = Files.createTempDirectory("backend");
        plane.apply(
                config(
                        "elsewhere",
                        """
                          credentials: []
                          configuration: |
                            terraform {
                              backend "local" {}
                            }
                          backendFile: |
                            workspace_dir = "%s"
                        """
                                .formatted(folder)));
        workspaces.make("elsewhere", OUTPUT, "providerConfigRef: {name: elsewhere}", "");
        workspaces.ready("elsewhere");
        assertThat(folder.resolve("elsewhere/terraform.tfstate")).exists();
        assertThat(workspaces.secret(WorkspaceManager.NAMESPACE, "tfstate-elsewhere-millwright"))
                .isNull();
        workspaces.delete("elsewhere");
        workspaces.gone("elsewhere");
        assertThat(folder.resolve("elsewhere/terraform.tfstate")).doesNotExist();
    }

    @Test
    void aModuleIsFetchedFromItsAddress() throws IOException {
        var module = Files.createTempDirectory("module");
        Files.createDirectories(module.resolve("deep/er"));
        Files.writeString(module.resolve("deep/er/main.tf"), OUTPUT);
        plane.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: fetched}
                spec:
                  forProvider:
                    source: Remote
                    module: %s
                    entrypoint: ../deep/er
                """
                        .formatted(module));
        assertThat(Workspaces.output(workspaces.ready("fetched"), "word")).isEqualTo("first");
    }

    @Test
    void theLeaseIsFreeAfterEachRun() {
        workspaces.make("free", OUTPUT, "", "");
        workspaces.ready("free");
        var lease =
                workspaces.find(
                        ResourceType.LEASE,
                        new ObjectName(WorkspaceManager.NAMESPACE, "lock-tfstate-free-millwright"));
        assertThat(lease).isNotNull();
        assertThat(lease.spec().at("holderIdentity").text("")).isEmpty();
    }
}
