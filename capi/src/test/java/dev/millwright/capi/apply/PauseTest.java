package dev.millwright.capi.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.stage.CaptStage;
import dev.millwright.capi.stage.Sample;
import dev.millwright.kube.document.Tree;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// A paused Cluster stands still, so that `clusterctl move` can carry it away.
final class PauseTest {

    private final CaptStage stage =
            new CaptStage()
                    .given(Sample.TEMPLATES)
                    .given(Sample.CLUSTER)
                    .given(Sample.CAPT_CLUSTER);

    @BeforeEach
    void vpcIsMade() {
        stage.settle();
        stage.terraform().creating("prod-vpc");
        stage.settle();
    }

    private @Nullable String annotation(String key) {
        return stage.workspace("prod-vpc").meta().annotation(key);
    }

    private boolean isHeld() {
        return stage.apply("prod-vpc").meta().annotation("clusterctl.cluster.x-k8s.io/block-move")
                != null;
    }

    @Test
    void aMoveIsHeldBackFromTheBeginning() {
        assertThat(isHeld()).isTrue();
    }

    @Test
    void theWorkspacesOfAPausedClusterArePaused() {
        stage.pause(true).settle();
        assertThat(annotation("crossplane.io/paused")).isEqualTo("true");
        assertThat(stage.apply("prod-vpc").conditions().isTrue("Paused")).isTrue();
        assertThat(stage.captCluster().conditions().isTrue("Paused")).isTrue();
    }

    @Test
    void aMoveIsHeldBackUntilTheRunHasEnded() {
        stage.terraform().running("prod-vpc", true);
        stage.pause(true).settle();
        assertThat(isHeld()).isTrue();
        stage.terraform().running("prod-vpc", false);
        stage.terraform().pauseSeen("prod-vpc");
        stage.settle();
        assertThat(isHeld()).isFalse();
    }

    @Test
    void aMoveIsHeldBackForAMinuteWhereNobodyAnswersForTheWorkspace() {
        stage.pause(true).settle();
        assertThat(isHeld()).isTrue();
        stage.rig().advance(Duration.ofSeconds(61));
        stage.settle();
        assertThat(isHeld()).isFalse();
    }

    @Test
    void allGoesOnOnceTheClusterIsNoLongerPaused() {
        stage.pause(true).settle().pause(false).settle();
        assertThat(annotation("crossplane.io/paused")).isNull();
        assertThat(isHeld()).isTrue();
        assertThat(stage.apply("prod-vpc").conditions().isFalse("Paused")).isTrue();
        assertThat(stage.captCluster().conditions().isFalse("Paused")).isTrue();
    }

    @Test
    void aWorkspaceThatAPersonPausedStaysPaused() {
        stage.patch(
                CaptTypes.WORKSPACE,
                "prod-vpc",
                Tree.of(
                        "metadata",
                        Tree.of("annotations", Tree.of("crossplane.io/paused", "true"))));
        stage.pause(true).settle().pause(false).settle();
        assertThat(annotation("crossplane.io/paused")).isEqualTo("true");
    }

    @Test
    void nothingOfAPausedClusterIsDeleted() {
        stage.pause(true).settle();
        stage.delete(CaptTypes.CLUSTER, "prod").delete(CaptTypes.APPLY, "prod-vpc").settle();
        assertThat(stage.workspace("prod-vpc").meta().isDeleting()).isFalse();
        assertThat(stage.captCluster().meta().finalizers()).isNotEmpty();
    }

    @Test
    void anObjectIsPausedByItsOwnAnnotation() {
        stage.patch(
                CaptTypes.CLUSTER,
                "prod",
                Tree.of(
                        "metadata",
                        Tree.of("annotations", Tree.of("cluster.x-k8s.io/paused", ""))));
        stage.terraform().done("prod-vpc", new Tree().put("vpc_id", "vpc-1"));
        stage.settle();
        assertThat(stage.captCluster().status().at("ready").isTrue()).isFalse();
        assertThat(stage.captCluster().conditions().isTrue("Paused")).isTrue();
    }
}
