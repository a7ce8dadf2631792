package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.LaunchAnswer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class LaunchTest {

    private final ClaimStage stage = new ClaimStage();

    @Test
    @Tag("H1")
    void aNewClaimGetsAMachine() {
        stage.launched(claim("a"));

        assertThat(stage.rig().cloud().machines()).hasSize(1);
        assertThat(stage.providerId("a"))
                .isEqualTo(stage.rig().cloud().machines().getFirst().providerId());
    }

    @Test
    @Tag("H2")
    void aClaimOfAnotherProviderIsLeftAlone() {
        stage.launched(claim("a").unmanaged());

        assertThat(stage.rig().cloud().launches()).isEmpty();
        assertThat(stage.providerId("a")).isEmpty();
        assertThat(stage.rig().api().writes()).isEmpty();
    }

    @Test
    @Tag("H3")
    void aLaunchedClaimSaysSo() {
        stage.launched(claim("a"));

        assertThat(stage.isTrue("a", ClaimObject.LAUNCHED)).isTrue();
        assertThat(stage.reason("a", ClaimObject.LAUNCHED)).isEqualTo("Launched");
    }

    @Test
    @Tag("H4")
    void withoutCapacityTheClaimIsDeleted() {
        stage.rig().cloud().nextLaunch(new LaunchAnswer.InsufficientCapacity("all sold"));

        stage.launched(claim("a"));
        stage.live("a");

        assertThat(stage.hasClaim("a")).isFalse();
        assertThat(stage.rig().eventReasons()).containsExactly("InsufficientCapacityError");
        assertThat(
                        stage.rig()
                                .count(
                                        Families.NODECLAIMS_DISRUPTED,
                                        "insufficient_capacity",
                                        "default",
                                        "",
                                        "",
                                        "graceful"))
                .isEqualTo(1);
    }

    @Test
    void aLongMessageOfTheCloudIsCutInItsEvent() {
        stage.rig().cloud().nextLaunch(new LaunchAnswer.InsufficientCapacity("x".repeat(1_000)));

        stage.launched(claim("a"));

        assertThat(stage.rig().events().getFirst().message())
                .endsWith(" " + "x".repeat(300) + "...");
    }

    @Test
    @Tag("H5")
    void whenTheClassIsNotReadyTheClaimIsDeleted() {
        stage.rig().cloud().nextLaunch(new LaunchAnswer.NodeClassNotReady("no subnets"));

        stage.launched(claim("a"));
        stage.live("a");

        assertThat(stage.hasClaim("a")).isFalse();
        assertThat(stage.rig().events()).isEmpty();
        assertThat(
                        stage.rig()
                                .count(
                                        Families.NODECLAIMS_DISRUPTED,
                                        "nodeclass_not_ready",
                                        "default",
                                        "",
                                        "",
                                        "graceful"))
                .isEqualTo(1);
    }

    @Test
    @Tag("H6")
    void aRefusalGivesTheConditionItsReasonAndMessage() {
        stage.rig().cloud().nextLaunch(new LaunchAnswer.Refused("QuotaReached", "ask for more"));

        var ending = stage.with(claim("a")).live("a");

        assertThat(ending).isInstanceOf(Ending.Failed.class);
        assertThat(stage.isUnknown("a", ClaimObject.LAUNCHED)).isTrue();
        assertThat(stage.reason("a", ClaimObject.LAUNCHED)).isEqualTo("QuotaReached");
        assertThat(stage.condition("a", ClaimObject.LAUNCHED).message()).isEqualTo("ask for more");
    }

    @Test
    void anyOtherFailureIsALaunchFailureAndTriedAgain() {
        stage.rig().cloud().nextLaunch(new LaunchAnswer.Failed("y".repeat(400)));

        var first = stage.with(claim("a")).live("a");

        assertThat(first).isInstanceOf(Ending.Failed.class);
        assertThat(stage.reason("a", ClaimObject.LAUNCHED)).isEqualTo("LaunchFailed");
        assertThat(stage.condition("a", ClaimObject.LAUNCHED).message())
                .isEqualTo("y".repeat(300) + "...");

        stage.live("a");

        assertThat(stage.isTrue("a", ClaimObject.LAUNCHED)).isTrue();
    }

    @Test
    void theUsersLabelsWinOverTheClouds() {
        stage.launched(claim("a").label("topology.kubernetes.io/zone", "mine"));

        assertThat(stage.claim("a").meta().labels())
                .containsEntry("topology.kubernetes.io/zone", "mine")
                .containsKey("node.kubernetes.io/instance-type");
    }

    @Test
    void aMachineWhoseClaimCouldNotBeWrittenIsNotLaunchedAgain() {
        stage.with(claim("a").metadata("finalizers: [karpenter.sh/termination]"));
        stage.rig().api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "changed"));

        var ending = stage.live("a");
        assertThat(ending).isInstanceOf(Ending.Retry.class);
        assertThat(stage.providerId("a")).isEmpty();
        stage.live("a");

        assertThat(stage.rig().cloud().launches()).hasSize(1);
        assertThat(stage.isTrue("a", ClaimObject.LAUNCHED)).isTrue();
        assertThat(stage.providerId("a")).isNotEmpty();
    }

    @Test
    void aSecondStepChangesNothing() {
        stage.launched(claim("a"));
        stage.rig().api().forgetWrites();

        stage.live("a");

        assertThat(stage.rig().cloud().launches()).hasSize(1);
        assertThat(stage.rig().api().writes()).isEmpty();
    }
}
