package dev.millwright.testing.e2e.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The WorkspaceTemplates, applied, planned again and destroyed by real Terraform and its real
/// providers. `CaptClusterIT` shows them in the hands of the provider.
@Tag("long")
final class CaptTemplatesIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final AwsEndpoint ENDPOINT = AwsEndpoint.shared();
    private static final Path DIRECTORY = Terraform.newDirectory();
    private static List<String> before;
    private static Story network;
    private static Story cluster;
    private static Story spotRole;

    @BeforeAll
    static void begin() {
        ENDPOINT.fixture();
        before = ENDPOINT.account();
        network = Story.begin(CaptTemplatesIT::network);
        cluster = Story.begin(CaptTemplatesIT::cluster);
        spotRole = Story.begin(CaptTemplatesIT::spotRole);
    }

    @Test
    void theTemplatesAreMadeOfTheModules() {
        var script = Terraform.ROOT.resolve("deploy/capt/build.py").toString();
        assertThat(Shell.run(List.of("python3", script, "--check"), "", LIMIT)).isBlank();
    }

    @Test
    void aNetworkAppliesOnceAndGoesWithoutATrace() {
        network.ends();
    }

    @Test
    void aClusterWithKarpenterAndNodesAppliesOnceAndGoesWithoutATrace() {
        cluster.ends();
    }

    @Test
    void theRoleForSpotAppliesOnceAndGoesWithoutATrace() {
        spotRole.ends();
    }

    @Test
    void nothingIsLeftInTheAccount() {
        network.ends();
        cluster.ends();
        spotRole.ends();
        assertThat(ENDPOINT.account()).isEqualTo(before);
    }

    // ---- the stories

    private static void network() {
        var terraform = new Terraform().with(Terraform.account(ENDPOINT));
        var template =
                new CaptTemplate(
                        "vpc",
                        "vpc",
                        Map.of(
                                "cluster_name", "market",
                                "vpc_name", "market-vpc",
                                "environment", "test",
                                "region", AwsEndpoint.REGION));
        cycle(terraform, template, "vpcs: vpc-");

        var elsewhere = Map.of("cluster_name", "market", "vpc_name", "n", "region", "eu-west-1");
        assertThat(refusal(terraform, new CaptTemplate("vpc", "elsewhere", elsewhere)))
                .contains("The cluster is wanted in eu-west-1")
                .contains("leave region out there");
    }

    /// In a network that is there already, with the chart that stands in for Karpenter's.
    private static void cluster() throws IOException {
        try (var plane = Planes.forTokensOf(ENDPOINT, DIRECTORY, "capt")) {
            plane.apply(NODE);
            ENDPOINT.clusterFacts(Planes.facts(plane));
            var terraform = new Terraform().with(Terraform.account(ENDPOINT));
            var template =
                    new CaptTemplate(
                            "eks-controlplane-template",
                            "eks",
                            Map.of(
                                    "cluster_name", "market",
                                    "kubernetes_version", "1.35",
                                    "region", AwsEndpoint.REGION,
                                    "vpc_id", "vpc-test1",
                                    "endpoint_public_access", "true",
                                    "public_access_cidrs", "[\"192.0.2.0/24\"]",
                                    "addons", "[{\"name\": \"vpc-cni\", \"version\": \"v1.2.3\"}]",
                                    "tags", "{\"team\": \"market\"}",
                                    "vars.karpenter_chart", Tools.chart("millwright").toString(),
                                    "vars.karpenter_version", ""));
            var module = template.writeInto(terraform);
            terraform.apply(module, template.options());
            terraform.isUnchanged(module, template.options());
            assertThat(settings(plane)).contains("market", "Karpenter-market");
            assertThat(ENDPOINT.account())
                    .contains(
                            "clusters: market",
                            "roles: market-node",
                            "roles: market-karpenter",
                            "queues: Karpenter-market",
                            "fargate profiles: market/karpenter",
                            "addons: market/vpc-cni");
            nodes(terraform);
            terraform.destroy(module, template.options());
        }
    }

    private static void spotRole() {
        var owner = Map.of("cluster_name", "market");
        cycle(
                new Terraform().with(Terraform.account(ENDPOINT)),
                new CaptTemplate("spot-role-create", "spot", owner),
                "roles: AWSServiceRoleForEC2Spot");
    }

    private static void nodes(Terraform terraform) {
        var group =
                Map.of(
                        "cluster_name", "market",
                        "node_group", "workers",
                        "node_type", "ManagedNodeGroup",
                        "instance_type", "m5.large",
                        "max_size", "3",
                        "desired_size", "2",
                        "failure_domain", "us-east-1b",
                        "labels", "{\"role\": \"worker\"}",
                        "taints", "[{\"key\": \"dedicated\", \"effect\": \"NoSchedule\"}]");
        var profile =
                Map.of("cluster_name", "market", "node_group", "pods", "node_type", "Fargate");
        cycle(terraform, new CaptTemplate("eks-node-template", "nodes", group), "node groups: ");
        cycle(
                terraform,
                new CaptTemplate("eks-node-template", "pods", profile),
                "fargate profiles: ");
    }

    // ---- their places

    private static void cycle(Terraform terraform, CaptTemplate template, String made) {
        var module = template.writeInto(terraform);
        terraform.apply(module, template.options());
        assertThat(ENDPOINT.account()).anyMatch(thing -> thing.startsWith(made));
        terraform.isUnchanged(module, template.options());
        terraform.destroy(module, template.options());
    }

    private static String refusal(Terraform terraform, CaptTemplate template) {
        var module = template.writeInto(terraform);
        try {
            terraform.isUnchanged(module, template.options());
        } catch (IllegalStateException refused) {
            return String.valueOf(refused.getMessage()).replaceAll("[\\s│]+", " ");
        }
        throw new AssertionError("the plan was not refused");
    }

    private static String settings(ControlPlane plane) {
        return plane.kubectl(
                "get",
                "deployment/karpenter",
                "-n=karpenter",
                "-o=jsonpath={.spec.template.spec.containers[0].env}");
    }

    private static final String NODE =
            """
            apiVersion: v1
            kind: Node
            metadata:
              name: fargate
              annotations: {kwok.x-k8s.io/node: fake}
              labels: {kubernetes.io/os: linux, kubernetes.io/arch: amd64, topology.kubernetes.io/zone: us-east-1a}
            """;
}
