package dev.millwright.addons.helm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.Surroundings.Answer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Clusters of one namespace whose objects name Workspaces that are not its own. A CAPTCluster and
/// its status are written by its tenant.
final class SurroundingsTenantsTest {

    private static final ResourceType CAPT_CLUSTER =
            new ResourceType(
                    "infrastructure.cluster.x-k8s.io",
                    "v1beta1",
                    "captclusters",
                    "CAPTCluster",
                    true);
    private static final ResourceType WORKSPACE =
            new ResourceType("tf.upbound.io", "v1beta1", "workspaces", "Workspace", false);

    private final Rig rig = Rig.keeping(List.of());

    private static Value.Mapping object(String yaml) {
        return (Value.Mapping) DocumentReader.readAll(Source.text("t", yaml)).getFirst();
    }

    private Answer read(ReferencePolicy references, String mark) {
        rig.api()
                .put(
                        CAPT_CLUSTER,
                        object(
                                """
                                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                                kind: CAPTCluster
                                metadata: {name: c, namespace: team}
                                status: {vpcWorkspaceName: vpc}
                                """));
        rig.api()
                .put(
                        WORKSPACE,
                        object(
                                """
                                apiVersion: tf.upbound.io/v1beta1
                                kind: Workspace
                                metadata: {name: vpc, annotations: {%s}}
                                spec: {}
                                status: {atProvider: {outputs: {account: theirs}}}
                                """
                                        .formatted(mark)));
        var cluster =
                object(
                        """
                        metadata: {name: c, namespace: team}
                        spec: {infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: CAPTCluster, name: c}}
                        """);
        return new ApiSurroundings(rig.api(), references)
                .read(List.of(new WorkloadCluster(RawObject.of(cluster))))
                .getFirst();
    }

    private Answer read(String mark) {
        return read(new ReferenceGrants(rig.api()), mark);
    }

    private static void isOpen(Answer answer) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Found.class,
                        found -> assertThat(found.outputs().text("account")).isEqualTo("theirs"));
    }

    private static void isRefused(Answer answer, String words) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failed.class,
                        failed -> assertThat(failed.message()).contains("Workspace", words));
    }

    @Test
    void outputsOfAWorkspaceThatAnAdministratorMadeAreNotShown() {
        isRefused(read(""), "millwright.dev/apply");
    }

    @Test
    void noGrantOfTheTenantsOwnShowsThem() {
        rig.api()
                .put(
                        ReferenceGrants.TYPE,
                        object(
                                """
                                metadata: {name: g, namespace: team}
                                spec:
                                  from: [{group: cluster.x-k8s.io, kind: Cluster, namespace: team}]
                                  to: [{group: tf.upbound.io, kind: Workspace}]
                                """));

        isRefused(read(""), "millwright.dev/apply");
    }

    @Test
    void outputsOfAWorkspaceOfAnotherNamespaceAreNotShown() {
        isRefused(read("millwright.dev/apply: other/vpc"), "other/vpc");
    }

    @Test
    void outputsOfTheNamespacesOwnWorkspaceAreShown() {
        isOpen(read("millwright.dev/apply: team/vpc"));
    }

    @Test
    void outputsOfCaptsWorkspacesAreShownWhereNamespacesTrustEachOther() {
        isOpen(read(ReferencePolicy.ANY, ""));
    }
}
