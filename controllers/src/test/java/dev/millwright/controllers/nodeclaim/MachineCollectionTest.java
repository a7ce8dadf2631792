package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.machine.garbagecollection.MachineCollectionController;
import dev.millwright.core.quantity.Resources;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.TreeMap;

final class MachineCollectionTest {

    private static final String STRAY = "fake:///stray";

    private final ClaimStage stage = new ClaimStage();
    private final MachineCollectionController collection = new MachineCollectionController();

    private Ending collectedAfter(Duration wait) {
        stage.rig().advance(wait);
        return stage.rig().run(collection);
    }

    /// A machine that is there, and no claim has its id.
    private void stray() {
        stage.rig()
                .cloud()
                .put(
                        new Machine(
                                STRAY,
                                "image",
                                new TreeMap<>(),
                                new TreeMap<>(),
                                Resources.NONE,
                                Resources.NONE,
                                stage.rig().now(),
                                false));
    }

    private boolean isTold(String providerId) {
        return stage.rig().cloud().terminations().stream()
                .anyMatch(claim -> claim.providerId().equals(providerId));
    }

    @Test
    void aMachineThatNoClaimStandsForIsEndedAndItsNodeDeleted() {
        stage.initialized(claim("a"));
        stray();
        stage.with(NodeText.node("stray-node", STRAY));

        assertThat(collectedAfter(Duration.ofMinutes(1)))
                .isEqualTo(new Ending.Again(Duration.ofSeconds(10)));

        assertThat(isTold(STRAY)).isTrue();
        assertThat(isTold(stage.providerId("a"))).isFalse();
        assertThat(stage.hasNode("stray-node")).isFalse();
        assertThat(stage.hasNode("a-node")).isTrue();
    }

    @Test
    void aMachineThatWasLaunchedAMomentAgoIsLeftAlone() {
        stray();

        collectedAfter(Duration.ofSeconds(30));

        assertThat(isTold(STRAY)).isFalse();
    }

    @Test
    void aMachineIsSparedWhileAClaimWaitsForItsOwn() {
        stage.with(claim("a"));
        stray();

        collectedAfter(Duration.ofMinutes(4));

        assertThat(isTold(STRAY)).isFalse();
    }

    @Test
    void aClaimOfAnotherProviderDoesNotSpareIt() {
        stage.with(claim("a").unmanaged());
        stray();

        collectedAfter(Duration.ofMinutes(1));

        assertThat(isTold(STRAY)).isTrue();
    }

    @Test
    void aClaimThatCameLaterDoesNotSpareIt() {
        stray();
        stage.rig().advance(Duration.ofSeconds(1));
        stage.with(claim("a"));

        collectedAfter(Duration.ofMinutes(1));

        assertThat(isTold(STRAY)).isTrue();
    }

    @Test
    void aNodeThatWeHoldIsDrainedBeforeItsMachineEnds() {
        stray();
        stage.with(
                NodeText.settled("stray-node", STRAY)
                        .metadata("finalizers: [karpenter.sh/termination]"));

        collectedAfter(Duration.ofMinutes(1));

        assertThat(isTold(STRAY)).isFalse();
        assertThat(stage.node("stray-node").isDeleting()).isTrue();
    }

    @Test
    void aMachineThatIsOnItsWayOutIsNotEndedAgain() {
        stray();
        collectedAfter(Duration.ofMinutes(1));

        collectedAfter(Duration.ofMinutes(2));

        assertThat(stage.rig().cloud().terminations()).hasSize(1);
    }

    @Test
    void aCloudThatCannotListIsAskedAgain() {
        stage.rig().cloud().nextList(new ListAnswer.Failed("out of order"));

        assertThat(stage.rig().run(collection))
                .isEqualTo(new Ending.Failed("machines cannot be listed, out of order"));
    }

    @Test
    void itLooksOftenAtFirstAndEveryTwoMinutesThen() {
        for (var look = 1; look <= 20; look++) {
            assertThat(collectedAfter(Duration.ZERO))
                    .isEqualTo(new Ending.Again(Duration.ofSeconds(10)));
        }

        assertThat(collectedAfter(Duration.ZERO))
                .isEqualTo(new Ending.Again(Duration.ofMinutes(2)));
    }
}
