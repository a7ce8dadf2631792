package dev.millwright.capi.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.stage.CaptStage;
import dev.millwright.capi.stage.Kubeconfigs;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.RawObject;

import org.junit.jupiter.api.Test;

import java.util.List;

/// A cluster goes in the reverse order of its coming, each part waited for.
final class DeletionTest {

    private final CaptStage stage = new CaptStage().withKubeconfig(Kubeconfigs.exec());

    private boolean isGoing(String workspace) {
        return stage.workspace(workspace).meta().isDeleting();
    }

    private CaptStage goes(String workspace) {
        stage.terraform().gone(workspace);
        return stage.settle();
    }

    @Test
    void kubeconfigThenEksThenVpcAreTakenAway() {
        stage.delete(CaptTypes.CLUSTER, "prod").delete(CaptTypes.CONTROL_PLANE, "prod").settle();
        assertThat(isGoing("prod-kubeconfig")).isTrue();
        assertThat(isGoing("prod-eks-controlplane")).isFalse();
        goes("prod-kubeconfig");
        assertThat(isGoing("prod-eks-controlplane")).isTrue();
        assertThat(isGoing("prod-vpc")).isFalse();
        goes("prod-eks-controlplane");
        assertThat(stage.rig().view().cache(CaptTypes.CONTROL_PLANE).all()).isEmpty();
        assertThat(isGoing("prod-vpc")).isTrue();
        goes("prod-vpc");
        assertThat(stage.rig().view().cache(CaptTypes.CLUSTER).all()).isEmpty();
        assertThat(stage.rig().view().cache(CaptTypes.APPLY).all()).isEmpty();
    }

    /// EKS refuses to delete a cluster that has node groups.
    @Test
    void machinesGoBeforeTheControlPlaneWhoeverOwnsThem() {
        var uid = stage.controlPlane().meta().uid();
        stage.given(
                """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CaptMachineDeployment
                metadata:
                  name: workers
                  namespace: team
                  finalizers: [it/holds]
                  ownerReferences: [{apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: CAPTControlPlane, name: prod, uid: %s}]
                ---
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CaptMachinePool
                metadata: {name: pool, namespace: team, labels: {cluster.x-k8s.io/cluster-name: prod}}
                """
                        .formatted(uid));
        stage.delete(CaptTypes.CONTROL_PLANE, "prod").settle();

        assertThat(machines(CaptTypes.MACHINE_DEPLOYMENT).getFirst().meta().isDeleting()).isTrue();
        assertThat(machines(CaptTypes.MACHINE_POOL).getFirst().meta().isDeleting()).isFalse();
        assertThat(isGoing("prod-kubeconfig")).isFalse();
        assertThat(stage.condition(stage.controlPlane(), "Ready").message())
                .isEqualTo(
                        "waits until its machines are gone: CaptMachineDeployment workers,"
                                + " CaptMachinePool pool");

        stage.patch(
                CaptTypes.MACHINE_DEPLOYMENT,
                "workers",
                Tree.of("metadata", Tree.of().putTextList("finalizers", List.of())));
        stage.settle();
        assertThat(isGoing("prod-kubeconfig")).isFalse();
        stage.delete(CaptTypes.MACHINE_POOL, "pool").settle();
        assertThat(isGoing("prod-kubeconfig")).isTrue();
        goes("prod-kubeconfig").settle();
        goes("prod-eks-controlplane");
        assertThat(stage.rig().view().cache(CaptTypes.CONTROL_PLANE).all()).isEmpty();
    }

    @Test
    void aPoolThatTheControlPlaneOwnsIsDeletedBeforeIt() {
        stage.given(
                """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CaptMachinePool
                metadata:
                  name: pool
                  namespace: team
                  finalizers: [it/holds]
                  ownerReferences: [{apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: CAPTControlPlane, name: prod, uid: %s}]
                """
                        .formatted(stage.controlPlane().meta().uid()));
        stage.delete(CaptTypes.CONTROL_PLANE, "prod").settle();

        assertThat(machines(CaptTypes.MACHINE_POOL).getFirst().meta().isDeleting()).isTrue();
        assertThat(isGoing("prod-kubeconfig")).isFalse();
    }

    /// The garbage collector takes the owner off what is to be kept, and only then its finalizer.
    @Test
    void anOrphaningDeletionTouchesNothingBelow() {
        stage.patch(
                CaptTypes.CONTROL_PLANE,
                "prod",
                Tree.of(
                        "metadata",
                        Tree.of()
                                .putTextList(
                                        "finalizers", List.of(ControlPlanes.FINALIZER, "orphan"))));
        stage.delete(CaptTypes.CONTROL_PLANE, "prod").settle();
        assertThat(isGoing("prod-kubeconfig")).isFalse();
        assertThat(isGoing("prod-eks-controlplane")).isFalse();
    }

    private List<RawObject> machines(Kind<RawObject> kind) {
        return List.copyOf(stage.rig().view().cache(kind).all());
    }

    @Test
    void allAppliesDeletedAtOnceStillGoInOrder() {
        stage.delete(CaptTypes.APPLY, "prod-vpc")
                .delete(CaptTypes.APPLY, "prod-eks-controlplane-apply")
                .delete(CaptTypes.APPLY, "prod-kubeconfig-apply")
                .delete(CaptTypes.CONTROL_PLANE, "prod")
                .delete(CaptTypes.CLUSTER, "prod")
                .settle();
        assertThat(isGoing("prod-kubeconfig")).isTrue();
        assertThat(isGoing("prod-eks-controlplane")).isFalse();
        assertThat(isGoing("prod-vpc")).isFalse();
        goes("prod-kubeconfig");
        assertThat(isGoing("prod-vpc")).isFalse();
        goes("prod-eks-controlplane");
        assertThat(isGoing("prod-vpc")).isTrue();
    }

    @Test
    void aVpcThatIsDeletedAloneStaysUnderItsControlPlane() {
        stage.delete(CaptTypes.APPLY, "prod-vpc").settle();
        assertThat(isGoing("prod-vpc")).isFalse();
        assertThat(stage.rig().eventReasons()).contains("WaitingForDependents");
    }

    @Test
    void theEndpointOfTheClusterIsCleared() {
        assertThat(stage.cluster().spec().at("controlPlaneEndpoint").isPresent()).isTrue();
        stage.delete(CaptTypes.CONTROL_PLANE, "prod").settle();
        assertThat(stage.cluster().spec().at("controlPlaneEndpoint").isPresent()).isFalse();
    }

    @Test
    void whileItGoesItsPhaseSaysSo() {
        assertThat(stage.controlPlane().status().at("phase").text()).isEqualTo("Ready");
        stage.delete(CaptTypes.CONTROL_PLANE, "prod").settle();
        assertThat(stage.controlPlane().status().at("phase").text()).isEqualTo("Deleting");
    }

    @Test
    void aDestroyThatFailsIsShown() {
        stage.delete(CaptTypes.CONTROL_PLANE, "prod").settle();
        stage.terraform().failed("prod-kubeconfig", "destroy: Error: DependencyViolation");
        stage.settle();
        var ready = stage.condition(stage.controlPlane(), "Ready");
        assertThat(ready.reason()).isEqualTo("Deleting");
        assertThat(ready.message()).contains("DependencyViolation");
    }

    @Test
    void whileItGoesNothingIsMadeAgain() {
        stage.delete(CaptTypes.CONTROL_PLANE, "prod").settle();
        goes("prod-kubeconfig").restart().settle();
        assertThat(stage.hasApply("prod-kubeconfig-apply")).isFalse();
    }
}
