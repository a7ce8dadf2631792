package dev.millwright.capi.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.stage.CaptStage;
import dev.millwright.capi.stage.Kubeconfigs;

import org.junit.jupiter.api.Test;

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
