package dev.millwright.cli.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.tree.ClusterTree;
import dev.millwright.capi.tree.Estate;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;

final class TreeTextTest {

    private static final Instant NOW = Instant.parse("2026-01-01T10:30:00Z");

    private static String lines(TreeText.Look look) throws IOException {
        try (var stream = TreeTextTest.class.getResourceAsStream("/capi/shop.yaml")) {
            var estate =
                    new Estate(
                            DocumentReader.readAll(
                                    Source.bytes("shop.yaml", stream.readAllBytes())));
            var cluster = ClusterTree.find(estate, new ObjectName("team-a", "shop"));
            var tree = ClusterTree.of(cluster, estate, each -> StateSecrets.of(estate, each));
            return TreeText.rows(tree, look, NOW).stream()
                    .map(
                            row ->
                                    "%s | %s | %s | %s | %s"
                                            .formatted(
                                                    row.name(),
                                                    row.state(),
                                                    row.reason(),
                                                    row.age(),
                                                    row.message())
                                            .stripTrailing())
                    .collect(Collectors.joining("\n", "", "\n"));
        }
    }

    @Test
    void aTreeShowsEveryPartWithItsStateAndProgress() throws IOException {
        assertThat(lines(new TreeText.Look(false, true, false)))
                .isEqualTo(
                        """
                        Cluster/shop | … Waiting | NotAvailable | 30m | * ControlPlaneAvailable: waiting
                        ├─ CAPTCluster/shop (infrastructure) | ✓ Ready |  | 29m |
                        │  ├─ WorkspaceTemplate/vpc |  |  |  |
                        │  └─ WorkspaceTemplateApply/shop-vpc | ✓ Ready |  | 29m |
                        │     └─ Workspace/shop-vpc | ✓ Ready |  | 29m |
                        │        ├─ aws_subnet.private[0] |  |  |  |
                        │        ├─ aws_subnet.private[1] | ✗ Tainted | Tainted |  | is made anew by the next apply
                        │        ├─ aws_vpc.this |  |  |  |
                        │        └─ module.nat["a"].aws_eip.nat["a"] |  |  |  |
                        └─ CAPTControlPlane/shop (control plane) | … Waiting | Creating | 29m | waiting for Workspace shop-eks-controlplane
                           ├─ WorkspaceTemplate/eks-controlplane-template | ✗ Missing | NotFound |  | CAPTControlPlane/shop names it by spec.workspaceTemplateRef
                           ├─ WorkspaceTemplateApply/shop-eks-controlplane-apply | … Waiting | Creating | 28m |
                           │  ├─ WorkspaceTemplate/eks-controlplane-template | ✗ Missing | NotFound |  | WorkspaceTemplateApply/shop-eks-controlplane-apply names it by spec.tem…
                           │  └─ Workspace/shop-eks-controlplane | ▸ Running | Apply | 27m | apply: 7 of 23 resources, aws_eks_cluster.this for 2m10s; last error: apply: Error: creating EKS Cluster (shop): operation error EKS: CreateC…
                           ├─ WorkspaceTemplateApply/shop-kubeconfig-apply |  |  | 28m |
                           │  ├─ WorkspaceTemplate/vpc |  |  |  |
                           │  └─ Workspace/shop-kubeconfig | ✗ Missing | NotFound |  | WorkspaceTemplateApply/shop-kubeconfig-apply has applied it
                           └─ CaptMachineDeployment/workers | ✓ Ready |  | 20m |
                              └─ CaptMachineSet/workers-abc |  |  | 20m |
                                 └─ CaptMachine/workers-abc-1 | ✓ Ready |  | 20m |
                                    └─ WorkspaceTemplate/vpc |  |  |  |
                        """);
    }

    @Test
    void withoutUnicodeLettersStandForIt() throws IOException {
        assertThat(lines(new TreeText.Look(false, false, false)))
                .contains("|- CAPTCluster/shop (infrastructure) | + Ready |", "`- CaptMachine")
                .matches("[\\p{ASCII}]+");
    }

    @Test
    void wideMessagesAreWhole() throws IOException {
        assertThat(lines(new TreeText.Look(true, true, false)))
                .contains("CreateCluster, UnsupportedAvailabilityZoneException");
    }

    @ParameterizedTest
    @CsvSource({"-5,0s", "0,0s", "119,119s", "120,2m", "10799,179m", "10800,3h", "172800,2d"})
    void ageHasOneUnit(long seconds, String shown) {
        assertThat(TreeText.age(NOW.minus(Duration.ofSeconds(seconds)), NOW)).isEqualTo(shown);
    }
}
