package dev.millwright.testing.e2e.clusterapi;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/// What users do by the real clusterctl, with a release of ours in a folder: init, generate,
/// describe, get kubeconfig, move, delete. Core Cluster API's real manager works beside our
/// processes, and Terraform is real. In place of a network and EKS its modules make
/// `terraform_data`, whose id is another whenever it is made anew.
@Tag("long")
final class ClusterctlIT {

    private static final String CLUSTER = "clusters.cluster.x-k8s.io";

    private static InstalledProviders source;
    private static InstalledProviders target;

    @BeforeAll
    static void begin() throws IOException {
        var base = Files.createDirectories(Path.of("target", "clusterctl").toAbsolutePath());
        var directory = Files.createTempDirectory(base, "it");
        source = new InstalledProviders(directory.resolve("a"));
        target = new InstalledProviders(directory.resolve("b"));
        for (var site : List.of(source, target)) {
            // As docs/how-to/cluster-api.md has users make it; it belongs to no cluster.
            site.plane.apply(
                    """
                    apiVersion: tf.upbound.io/v1beta1
                    kind: ProviderConfig
                    metadata: {name: aws-provider}
                    spec: {credentials: []}
                    """);
        }
    }

    @AfterAll
    static void end() {
        source.close();
        target.close();
    }

    // ---- what it reads of a release

    @ParameterizedTest
    @CsvSource({
        "infrastructure, capt, InfrastructureProvider, capt-system, CAPT_TERRAFORM_TIMEOUT",
        "control-plane, capt, ControlPlaneProvider, capt-system, CAPT_CONCURRENCY",
        "addon, helm, AddonProvider, caaph-system, SYNC_PERIOD"
    })
    void itReadsTheComponentsOfEachProvider(
            String option, String name, String type, String namespace, String variable) {
        var told =
                source.clusterctl(
                        "generate", "provider", "--%s=%s".formatted(option, name), "--describe");

        assertThat(told)
                .containsPattern("Name: +" + name)
                .containsPattern("Type: +" + type)
                .containsPattern("Version: +" + Clusterctl.VERSION)
                .containsPattern("TargetNamespace: +" + namespace)
                .contains(
                        "- " + variable, "- registry.example.com/millwright:" + Clusterctl.VERSION);
    }

    /// It compares contracts and names of definitions before, and installs nothing when they do not
    /// agree with core's.
    @Test
    void initInstalledWhatTheReleaseHolds() {
        assertThat(
                        source.plane.kubectl(
                                "get",
                                "providers.clusterctl.cluster.x-k8s.io",
                                "-A",
                                "-o=jsonpath={range .items[*]}{.metadata.name} {.version}{\"\\n\"}{end}"))
                .contains(
                        "infrastructure-capt v0.1.0",
                        "control-plane-capt v0.1.0",
                        "addon-helm v0.1.0",
                        "cluster-api v1.");
        assertThat(
                        source.plane.kubectl(
                                "get",
                                "deployment/appthrust-capt-controller-manager-infrastructure",
                                "-n=capt-system",
                                "-o=jsonpath={.spec.template.spec.containers[0].args}"))
                .contains("--zap-log-level=debug", "--terraform-timeout=40m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "existing-vpc", "topology"})
    void itFillsInEachClusterTemplateAndCoreTakesIt(String flavor) {
        var text = generated("try" + flavor, flavor, "EXISTING_VPC_ID=vpc-0123456789abcdef0");

        assertThat(text).doesNotContain("${");
        assertThat(text.contains("kind: ClusterClass")).isEqualTo(flavor.equals("topology"));
        assertThat(source.plane.dryRun(text).lines())
                .isNotEmpty()
                .allMatch(line -> line.endsWith("serverside-applied (server dry run)"));
    }

    // ---- a cluster's life

    @Test
    void aClusterComesUpMovesWithItsStateAndGoesWithoutATrace() throws IOException {
        comesUp();
        isShown();
        moves();
        goes();
        assertThat(source.logs() + target.logs()).doesNotContainIgnoringCase("forbidden");
        providersAreDeleted();
    }

    private static void comesUp() throws IOException {
        source.plane.apply(templates());
        source.plane.apply(generated("shop", ""));

        up(source);
    }

    private static void isShown() throws IOException {
        var tree =
                source.clusterctl(
                        "describe", "cluster", "shop", "-n=" + InstalledProviders.NAMESPACE);
        assertThat(tree)
                .containsPattern("(?m)^Cluster clusters/shop ")
                .containsPattern("─CAPTCluster clusters/shop +True +VPCCreated")
                .containsPattern("─CAPTControlPlane clusters/shop, v1.35.0 +True +Available");
        assertThat(
                        source.clusterctl(
                                        "get",
                                        "kubeconfig",
                                        "shop",
                                        "-n=" + InstalledProviders.NAMESPACE)
                                .strip())
                .isEqualTo(kubeconfig().strip());
    }

    /// State Secrets lie in the provider's namespace: they go along by their label, and so
    /// Terraform finds at the target what it made at the source.
    private static void moves() {
        var made = source.field("captclusters", "shop", ".status.vpcId");
        var workspaces = workspaces(source);
        assertThat(made).isNotBlank();
        assertThat(states(source)).hasSameSizeAs(workspaces);

        source.clusterctl(
                "move",
                "-n=" + InstalledProviders.NAMESPACE,
                "--to-kubeconfig=" + target.plane.kubeconfig());

        up(target);
        assertThat(target.field("captclusters", "shop", ".status.vpcId")).isEqualTo(made);
        assertThat(workspaces(target)).isEqualTo(workspaces);
        assertThat(states(target)).hasSameSizeAs(workspaces);
        assertThat(
                        source.plane.kubectl(
                                "get",
                                CLUSTER
                                        + ",captclusters,captcontrolplanes,workspacetemplates,workspacetemplateapplies",
                                "-A",
                                "-o=name"))
                .isBlank();
        // They stay behind and do nothing.
        assertThat(
                        source.plane.kubectl(
                                "get",
                                "workspaces.tf.upbound.io",
                                "-o=jsonpath={.items[*].metadata.annotations.crossplane\\.io/paused}"))
                .isEqualTo("true ".repeat(workspaces.size()).strip());
    }

    private static void goes() {
        target.plane.kubectl(
                "delete", CLUSTER, "shop", "-n=" + InstalledProviders.NAMESPACE, "--wait=false");

        Eventually.see(
                "all is gone",
                () ->
                        target.plane.kubectl(
                                        "get",
                                        CLUSTER
                                                + ",captclusters,captcontrolplanes,workspacetemplateapplies,"
                                                + "workspaces.tf.upbound.io",
                                        "-A",
                                        "-o=name")
                                + String.join(" ", states(target)),
                String::isBlank);
    }

    /// Their definitions stay, and with them the objects of users.
    private static void providersAreDeleted() {
        target.clusterctl(
                "delete", "--infrastructure=capt", "--control-plane=capt", "--addon=helm");

        assertThat(target.plane.kubectl("get", "deployments", "-A", "-o=name"))
                .isEqualTo("deployment.apps/capi-controller-manager\n");
        assertThat(target.plane.kubectl("get", "crds", "-o=name"))
                .contains("captclusters.infrastructure.cluster.x-k8s.io");
    }

    // ---- their parts

    private static String generated(String name, String flavor, String... variables) {
        return source.clusterctl(
                List.of(variables),
                "generate",
                "cluster",
                name,
                "--infrastructure=capt",
                "--flavor=" + flavor,
                "--kubernetes-version=v1.35.0",
                "--target-namespace=" + InstalledProviders.NAMESPACE);
    }

    private static void up(InstalledProviders site) {
        site.see(
                "core calls the cluster provisioned",
                CLUSTER,
                "shop",
                ".status.phase",
                "Provisioned");
        site.see(
                "core calls its control plane initialised",
                CLUSTER,
                "shop",
                ".status.initialization.controlPlaneInitialized",
                "true");
        site.see(
                "the control plane is ready", "captcontrolplanes", "shop", ".status.ready", "true");
    }

    /// Names of Workspaces with the ids of what they made.
    private static List<String> workspaces(InstalledProviders site) {
        return site.plane
                .kubectl(
                        "get",
                        "workspaces.tf.upbound.io",
                        "-o=jsonpath={range .items[*]}{.metadata.name} {.status.atProvider.outputs.made}{\"\\n\"}{end}")
                .lines()
                .sorted()
                .toList();
    }

    private static List<String> states(InstalledProviders site) {
        return site.plane
                .kubectl("get", "secrets", "-n=capt-system", "-l=tfstate=true", "-o=name")
                .lines()
                .toList();
    }

    /// Templates by the names of the released ones, that make nothing in a cloud.
    private static String templates() throws IOException {
        var authority =
                Base64.getEncoder()
                        .encodeToString(
                                Files.readAllBytes(
                                        source.plane.kubeconfig().resolveSibling("pki/ca.crt")));
        return String.join(
                "---\n",
                template("vpc", output("vpc_id", "terraform_data.it.id", false)),
                template(
                        "eks-controlplane-template-without-karpenter",
                        output("cluster_endpoint", "\"%s\"".formatted(source.plane.server()), false)
                                + output("cluster_name", "\"shop\"", false)
                                + output(
                                        "cluster_certificate_authority_data",
                                        "\"%s\"".formatted(authority),
                                        true)),
                template(
                        "eks-kubeconfig-template",
                        output(
                                "kubeconfig",
                                "base64decode(\"%s\")"
                                        .formatted(
                                                Base64.getEncoder()
                                                        .encodeToString(
                                                                kubeconfig().getBytes(UTF_8))),
                                true)));
    }

    private static String kubeconfig() throws IOException {
        return Files.readString(source.plane.kubeconfig());
    }

    private static String output(String name, String value, boolean isSensitive) {
        return """
        output "%s" {
          value     = %s
          sensitive = %s
        }
        """
                .formatted(name, value, isSensitive);
    }

    private static String template(String name, String outputs) {
        var module =
                "resource \"terraform_data\" \"it\" {}\n"
                        + output("made", "terraform_data.it.id", false)
                        + outputs;
        return """
        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
        kind: WorkspaceTemplate
        metadata: {name: %s, namespace: %s}
        spec:
          template:
            spec:
              providerConfigRef: {name: aws-provider}
              forProvider:
                source: Inline
                module: |
        %s"""
                .formatted(name, InstalledProviders.NAMESPACE, module.indent(10));
    }
}
