package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.helm.ApiSurroundings;
import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.Surroundings;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.grant.ReferencePolicy.From;
import dev.millwright.kube.grant.ReferencePolicy.To;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.capi.CaptDefinitions;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;
import java.util.stream.IntStream;

/// What templates may ask of Clusters, read with the rights of the chart `addons`.
@ExtendWith(ControlPlaneExtension.class)
final class SurroundingsIT {

    /// From eight on they are listed.
    private static final int MANY = 9;

    private static String objects(String namespace, int number) {
        return """
        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
        kind: CAPTCluster
        metadata: {name: c%1$d, namespace: %2$s}
        spec: {region: eu-west-1, existingVpcId: vpc-1}
        ---
        apiVersion: controlplane.cluster.x-k8s.io/v1beta1
        kind: CAPTControlPlane
        metadata: {name: c%1$d, namespace: %2$s}
        spec: {version: v1.35.0, workspaceTemplateRef: {name: eks, namespace: %2$s}}
        ---
        """
                .formatted(number, namespace);
    }

    private static WorkloadCluster cluster(String namespace, int number) {
        var name = "c" + number;
        return new WorkloadCluster(
                RawObject.of(
                        Tree.of("metadata", Tree.of("name", name).put("namespace", namespace))
                                .put(
                                        "spec",
                                        Tree.of(
                                                        "infrastructureRef",
                                                        reference(
                                                                "infrastructure",
                                                                "CAPTCluster",
                                                                name))
                                                .put(
                                                        "controlPlaneRef",
                                                        reference(
                                                                "controlplane",
                                                                "CAPTControlPlane",
                                                                name)))
                                .mapping()));
    }

    private static Tree reference(String group, String kind, String name) {
        return Tree.of("apiGroup", group + ".cluster.x-k8s.io").put("kind", kind).put("name", name);
    }

    @Test
    void oneClusterIsReadAndManyAreListed(ControlPlane plane) {
        CaptDefinitions.install(plane);
        var namespace = plane.createNamespace();
        var all = new StringBuilder();
        IntStream.range(0, MANY).forEach(number -> all.append(objects(namespace, number)));
        plane.apply(all.toString());
        plane.kubectl(
                "patch",
                "captcluster",
                "c0",
                "-n",
                namespace,
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\":{\"vpcWorkspaceName\":\"c0-vpc\"}}");
        var clusters =
                IntStream.range(0, MANY).mapToObj(number -> cluster(namespace, number)).toList();
        try (var api =
                HttpKubeApi.open(
                        KubeAccess.Kubeconfig.of(ChartAccount.of(plane, Chart.ADDONS).kubeconfig()),
                        ApiSettings.of("test", 100, 100),
                        RequestObserver.NONE)) {
            var surroundings = new ApiSurroundings(api, new ReferenceGrants(api));

            assertThat(surroundings.read(List.of(clusters.getFirst())))
                    .allMatch(Surroundings.Answer.Found.class::isInstance);
            assertThat(surroundings.read(clusters))
                    .hasSize(MANY)
                    .allMatch(Surroundings.Answer.Found.class::isInstance);
            assertThat(
                            new ReferenceGrants(api)
                                    .judge(
                                            new From(AddonTypes.GROUP, "HelmChartProxy", namespace),
                                            new To(
                                                    "spec.x",
                                                    "",
                                                    "Secret",
                                                    new ObjectName("default", "keys"))))
                    .isNotNull()
                    .satisfies(
                            refusal ->
                                    assertThat(refusal.message())
                                            .contains("make a ReferenceGrant"));
        }
    }
}
