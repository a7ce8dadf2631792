package dev.millwright.capi.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Machines in the tree of their Cluster: what they hang below, and what they wait for.
final class MachineTreeTest {

    private static final String TEMPLATE =
            """
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
            kind: WorkspaceTemplate
            metadata: {name: eks-node-template, namespace: shop}
            spec: {template: {spec: {forProvider: {vars: [{key: cluster_name, value: "${cluster_name}"}]}}}}
            """;

    private final Yard yard = new Yard();

    private void cluster(String name) {
        yard.rig.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: NAME, namespace: shop}
                spec:
                  infrastructureRef: {kind: CAPTCluster, name: NAME, apiGroup: infrastructure.cluster.x-k8s.io}
                  controlPlaneRef: {kind: CAPTControlPlane, name: NAME, apiGroup: controlplane.cluster.x-k8s.io}
                ---
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CAPTCluster
                metadata: {name: NAME, namespace: shop}
                spec: {region: eu-west-1}
                ---
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: CAPTControlPlane
                metadata: {name: NAME, namespace: shop, uid: NAME-uid}
                spec: {version: "1.33"}
                status: {conditions: [{type: Ready, status: "False", reason: Creating, message: waits for the EKS cluster}]}
                """
                        .replace("NAME", name));
    }

    private void ready(String controlPlane) {
        yard.status(CaptTypes.CONTROL_PLANE, controlPlane, "{initialized: true}");
        yard.settle();
    }

    private List<String> owners(Kind<RawObject> kind, String name) {
        return yard.find(kind, name).meta().owners().stream()
                .map((OwnerReference each) -> each.kind() + " " + each.name())
                .toList();
    }

    private String message(Kind<RawObject> kind, String name) {
        var condition = yard.find(kind, name).conditions().find("Ready");
        return condition == null ? "" : condition.message();
    }

    private void deployment() {
        yard.deployment(3, "m7g.large", "{type: RollingUpdate}");
    }

    @Test
    void aDeploymentHangsBelowItsControlPlaneAndItsMachinesBelowIt() {
        yard.rig.apply(TEMPLATE);
        cluster("shop");
        ready("shop");
        deployment();

        var kind = CaptTypes.MACHINE_DEPLOYMENT;
        assertThat(owners(kind, "workers")).containsExactly("CAPTControlPlane shop");
        var owner = yard.find(kind, "workers").meta().owners().getFirst();
        assertThat(owner.uid()).isEqualTo("shop-uid");
        assertThat(owner.isController()).isFalse();
        var set = yard.all(CaptTypes.MACHINE_SET).getFirst();
        assertThat(owners(CaptTypes.MACHINE_SET, set.name().name()))
                .containsExactly("CaptMachineDeployment workers");
        assertThat(yard.all(CaptTypes.MACHINE))
                .hasSize(3)
                .allSatisfy(
                        each -> {
                            assertThat(each.meta().label(ClusterApi.CLUSTER_NAME))
                                    .isEqualTo("shop");
                            assertThat(owners(CaptTypes.MACHINE, each.name().name()))
                                    .containsExactly("CaptMachineSet " + set.name().name());
                        });
    }

    @Test
    void eachReplicaIsMadeUnderANameOfItsOwnForItsCluster() {
        yard.rig.apply(TEMPLATE);
        cluster("shop");
        ready("shop");
        deployment();

        var machines =
                yard.all(CaptTypes.MACHINE).stream().map(each -> each.name().name()).toList();
        var variables =
                yard.all(CaptTypes.APPLY).stream()
                        .map(each -> each.spec().at("variables"))
                        .toList();
        assertThat(variables.stream().map(each -> each.at("machine_name").text("")))
                .containsExactlyInAnyOrderElementsOf(machines);
        assertThat(variables)
                .allSatisfy(
                        each -> {
                            assertThat(each.at("node_group").text("")).isEqualTo("workers");
                            assertThat(each.at("cluster_name").text("")).isEqualTo("shop");
                            assertThat(each.at("region").text("")).isEqualTo("eu-west-1");
                        });
    }

    @Test
    void aDeploymentMakesNoSetBeforeItsControlPlaneIsReadyAndSaysWhatItWaitsFor() {
        yard.rig.apply(TEMPLATE);
        cluster("shop");
        deployment();

        var kind = CaptTypes.MACHINE_DEPLOYMENT;
        assertThat(yard.reason(kind, "workers", "Ready")).isEqualTo("False WaitingForControlPlane");
        assertThat(message(kind, "workers"))
                .isEqualTo("CAPTControlPlane shop is not ready: waits for the EKS cluster");
        assertThat(yard.all(CaptTypes.MACHINE_SET)).isEmpty();
        assertThat(yard.reason(kind, "workers", "Progressing")).isEmpty();

        ready("shop");
        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(3);
    }

    @Test
    void aMachineByItselfWaitsLikewiseAndHangsBelowTheControlPlane() {
        cluster("shop");
        yard.rig.apply(machine("{cluster.x-k8s.io/cluster-name: shop}"));
        yard.settle();

        assertThat(owners(CaptTypes.MACHINE, "one")).containsExactly("CAPTControlPlane shop");
        assertThat(yard.reason(CaptTypes.MACHINE, "one", "Ready"))
                .isEqualTo("False WaitingForControlPlane");
        assertThat(yard.all(CaptTypes.APPLY)).isEmpty();

        ready("shop");
        assertThat(yard.has(CaptTypes.APPLY, "one-machine")).isTrue();
    }

    /// Its status is lost in a move, and found again.
    @Test
    void aMachineThatIsThereGoesOnThoughTheControlPlaneHasNoStatus() {
        cluster("shop");
        ready("shop");
        yard.rig.apply(machine("{cluster.x-k8s.io/cluster-name: shop}"));
        yard.settle().applied();
        yard.status(CaptTypes.CONTROL_PLANE, "shop", "{initialized: null}");
        yard.settle();

        assertThat(yard.reason(CaptTypes.MACHINE, "one", "Ready")).isEqualTo("True Ready");
    }

    @Test
    void noMachineIsBegunForAControlPlaneThatIsBeingDeleted() {
        cluster("shop");
        yard.patch(
                CaptTypes.CONTROL_PLANE,
                "shop",
                "metadata: {finalizers: [it/holds]}",
                Subresource.NONE);
        ready("shop");
        yard.delete(CaptTypes.CONTROL_PLANE, "shop");
        yard.rig.apply(machine("{cluster.x-k8s.io/cluster-name: shop}"));
        yard.settle();

        assertThat(yard.reason(CaptTypes.MACHINE, "one", "Ready"))
                .isEqualTo("False ControlPlaneDeleting");
        assertThat(yard.all(CaptTypes.APPLY)).isEmpty();
    }

    @Test
    void aLabelThatNamesNoClusterIsTold() {
        yard.rig.apply(machine("{cluster.x-k8s.io/cluster-name: shoop}"));
        yard.settle();

        assertThat(yard.reason(CaptTypes.MACHINE, "one", "Ready"))
                .isEqualTo("False WaitingForCluster");
        assertThat(message(CaptTypes.MACHINE, "one")).isEqualTo("Cluster shoop is not there");
    }

    @Test
    void oneOfSeveralClustersMustBeNamed() {
        yard.rig.apply(TEMPLATE);
        cluster("shop");
        cluster("shed");
        deployment();

        var kind = CaptTypes.MACHINE_DEPLOYMENT;
        assertThat(yard.reason(kind, "workers", "Ready")).isEqualTo("False ClusterUnknown");
        assertThat(message(kind, "workers"))
                .isEqualTo(
                        "WorkspaceTemplate eks-node-template asks for ${cluster_name}, and"
                                + " namespace shop has 2 Clusters (shed, shop); name the Cluster in the"
                                + " label cluster.x-k8s.io/cluster-name");

        yard.patch(
                kind,
                "workers",
                "metadata: {labels: {cluster.x-k8s.io/cluster-name: shed}}",
                Subresource.NONE);
        ready("shed");
        assertThat(owners(kind, "workers")).containsExactly("CAPTControlPlane shed");
        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(3);
    }

    /// CAPT's users have templates with the cluster written in them, in any namespace.
    @Test
    void aTemplateThatAsksForNoClusterBindsItsMachinesToNone() {
        yard.rig.apply(TEMPLATE.replace("${cluster_name}", "elsewhere"));
        cluster("shop");
        deployment();

        assertThat(owners(CaptTypes.MACHINE_DEPLOYMENT, "workers")).isEmpty();
        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(3);
        assertThat(yard.all(CaptTypes.APPLY))
                .allSatisfy(
                        each ->
                                assertThat(
                                                each.spec()
                                                        .at("variables")
                                                        .at("cluster_name")
                                                        .isPresent())
                                        .isFalse());
    }

    @Test
    void aClusterInTheLabelsOfTheTemplateCountsForAllOfItsTree() {
        cluster("shop");
        cluster("shed");
        ready("shed");
        deployment();
        assertThat(owners(CaptTypes.MACHINE_DEPLOYMENT, "workers")).isEmpty();

        yard.spec(
                CaptTypes.MACHINE_DEPLOYMENT,
                "workers",
                "{template: {metadata: {labels: {cluster.x-k8s.io/cluster-name: shed}}}}");
        yard.settle();
        assertThat(owners(CaptTypes.MACHINE_DEPLOYMENT, "workers"))
                .containsExactly("CAPTControlPlane shed");
    }

    private static String machine(String labels) {
        return """
        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
        kind: CaptMachine
        metadata: {name: one, namespace: shop, labels: %s}
        spec:
          workspaceTemplateRef: {name: eks-node-template}
          nodeGroupRef: {name: workers, namespace: shop}
          instanceType: m7g.large
        """
                .formatted(labels);
    }
}
