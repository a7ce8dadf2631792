package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.e2e.terraform.Planes;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/// From manifests to a cluster and back: a real control plane, core's and our definitions, the
/// manager as a process with the chart's rights, real Terraform, and AWS's protocols. Core Cluster
/// API's part is played: it sets owners, and takes a Cluster's parts away.
///
/// The control plane is its own workload cluster: EKS tells its address, and it takes EKS's tokens.
final class CaptClusterIT {

    private static final Duration LIMIT = CaptSite.LIMIT;
    private static final AwsEndpoint ENDPOINT = AwsEndpoint.shared();
    private static Path directory;
    private static ControlPlane plane;
    private static CaptSite site;
    private static List<String> before;

    @BeforeAll
    static void begin() throws IOException {
        ENDPOINT.fixture();
        ENDPOINT.roles("AWSServiceRoleForEC2Spot");
        var base = Files.createDirectories(Path.of("target", "capt").toAbsolutePath());
        directory = Files.createTempDirectory(base, "site");
        plane = Planes.forTokensOf(ENDPOINT, directory, "capt");
        ENDPOINT.clusterFacts(Planes.facts(plane));
        before = ENDPOINT.account();
        site = new CaptSite(plane, ENDPOINT, directory);
    }

    @AfterEach
    void noFaults() {
        ENDPOINT.noFaults();
    }

    @AfterAll
    static void end() {
        site.close();
        plane.close();
    }

    @Test
    void aClusterComesInOrderAndGoesInReverse() throws IOException {
        site.apply(cluster("shop"));
        site.adopt("shop");

        site.see("the VPC is there", "captclusters", "shop", ".status.ready", "true");
        assertThat(site.field("captclusters", "shop", ".status.vpcId")).startsWith("vpc-");
        assertThat(site.field("captclusters", "shop", ".status.failureDomains[*].name"))
                .isEqualTo("us-east-1a us-east-1b us-east-1c");
        site.see(
                "the control plane is ready", "captcontrolplanes", "shop", ".status.ready", "true");
        assertThat(site.field("captcontrolplanes", "shop", ".status.phase")).isEqualTo("Ready");
        assertThat(made("shop-eks-controlplane")).isAfterOrEqualTo(ready("shop-vpc"));
        assertThat(made("shop-kubeconfig")).isAfterOrEqualTo(ready("shop-eks-controlplane"));
        assertThat(
                        site.field(
                                "captcontrolplanes",
                                "shop",
                                ".status.workspaceStatus.atProvider.outputs.karpenter.node_iam_role_name"))
                .isEqualTo("shop-node");
        assertThat(ENDPOINT.account()).contains("clusters: shop", "roles: shop-node");
        assertThat(namespacesBy("shop-kubeconfig")).contains("namespace/kube-system");
        assertThat(site.field("secrets", "shop-ca", ".type")).isEqualTo("cluster.x-k8s.io/secret");

        // Both at once: the provider itself must keep them apart.
        site.delete("captclusters,captcontrolplanes", "shop");
        Eventually.see(
                "the control plane's workspace goes",
                LIMIT,
                () -> site.workspace("shop-eks-controlplane", ".metadata.name"),
                String::isEmpty);
        assertThat(site.workspace("shop-kubeconfig", ".metadata.name")).isEmpty();
        assertThat(site.field("captclusters", "shop", ".metadata.name")).isEqualTo("shop");
        Eventually.see(
                "all is gone",
                LIMIT,
                () ->
                        site.get(
                                "captclusters,captcontrolplanes,workspacetemplateapplies",
                                "-A",
                                "-o=name"),
                String::isEmpty);
        assertThat(site.get("workspaces.tf.upbound.io", "-o=name")).isEmpty();
        assertThat(ENDPOINT.account()).isEqualTo(before);
        assertThat(site.get("secrets", "-A", "-o=name")).doesNotContain("tfstate", "shop-");
        site.delete("clusters.cluster.x-k8s.io", "shop");
        nothingWasRefusedOrTold();
    }

    @Test
    @Tag("long")
    void aFailureIsToldInTerraformsWordsWithoutSecrets() throws IOException {
        ENDPOINT.fail(
                new ApiFault(
                        "CreateVpc", "VpcLimitExceeded", 400, "", -1, 0, "", Duration.ZERO, ""));
        site.apply(cluster("fault"));
        site.adopt("fault");

        var told =
                Eventually.see(
                        "the failure is told",
                        LIMIT,
                        () ->
                                site.field(
                                        "captclusters",
                                        "fault",
                                        ".status.conditions[?(@.type==\"VPCReady\")].message"),
                        message -> message.contains("VpcLimitExceeded"));
        assertThat(told)
                .hasSizeLessThan(1_100)
                .contains("aws_vpc.this")
                .doesNotContain(CaptSite.KEY);
        assertThat(
                        site.field(
                                "captclusters",
                                "fault",
                                ".status.conditions[?(@.type==\"VPCReady\")].reason"))
                .isEqualTo("VPCCreationFailed");
        assertThat(site.workspace("fault-eks-controlplane", ".metadata.name")).isEmpty();

        ENDPOINT.noFaults();
        site.delete("captclusters,captcontrolplanes", "fault");
        Eventually.see(
                "it is gone",
                LIMIT,
                () -> site.field("captclusters", "fault", ".metadata.name"),
                String::isEmpty);
        site.delete("clusters.cluster.x-k8s.io", "fault");
        nothingWasRefusedOrTold();
    }

    private static void nothingWasRefusedOrTold() {
        assertThat(site.manager().log())
                .doesNotContainIgnoringCase("forbidden")
                .doesNotContain(CaptSite.KEY);
        assertThat(site.get("events", "-A", "-o=yaml")).doesNotContain(CaptSite.KEY);
    }

    private static Instant made(String workspace) {
        return Instant.parse(site.workspace(workspace, ".metadata.creationTimestamp"));
    }

    private static Instant ready(String workspace) {
        return Instant.parse(
                site.workspace(
                        workspace, ".status.conditions[?(@.type==\"Ready\")].lastTransitionTime"));
    }

    /// What somebody sees who has only this Secret.
    private static String namespacesBy(String secret) throws IOException {
        var value = site.field("secrets", secret, ".data.value");
        var file = directory.resolve(secret);
        Files.write(file, Base64.getDecoder().decode(value));
        // The last of two flags counts.
        return plane.kubectl("get", "namespaces", "-o=name", "--kubeconfig=" + file);
    }

    /// The example that people begin with, in the endpoint's region.
    private static String cluster(String name) throws IOException {
        return Files.readString(Tools.ROOT.resolve("examples/capt/cluster.yaml"))
                .replace("name: shop", "name: " + name)
                .replace("namespace: default", "namespace: " + CaptSite.NAMESPACE)
                .replace("eu-central-1", AwsEndpoint.REGION)
                .replace(
                        "name: eks-controlplane-template",
                        "name: eks-controlplane-template-without-karpenter");
    }
}
