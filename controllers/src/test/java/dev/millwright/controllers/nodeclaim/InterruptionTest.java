package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.interruption.InterruptionController;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.Notice;
import dev.millwright.spi.NoticesAnswer;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

final class InterruptionTest {

    private static final Instant SOON = Instant.parse("2026-01-05T12:02:00Z");

    private final ClaimStage stage = new ClaimStage();
    private final InterruptionController interruption = new InterruptionController();

    private Ending noticed(String... providerIds) {
        var notices =
                List.of(providerIds).stream()
                        .map(id -> new Notice(id, SOON.minusSeconds(120), SOON))
                        .toList();
        stage.rig().cloud().notices(new NoticesAnswer.Notices(notices));
        return stage.rig().run(interruption, Controller.SINGLETON);
    }

    private static ClaimText held(String name) {
        return claim(name).ready().metadata("finalizers: [karpenter.sh/termination]");
    }

    @Test
    void theClaimOfAMachineThatWillBeTakenBackIsDeletedAndToldOf() {
        stage.with(held("a")).with(held("b"));

        var ending = noticed("fake:///a");

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(2)));
        assertThat(stage.claim("a").isDeleting()).isTrue();
        assertThat(stage.claim("b").isDeleting()).isFalse();
        assertThat(stage.rig().events())
                .anyMatch(event -> event.reason().equals("TerminatingOnInterruption"));
        assertThat(counted()).isEqualTo(1);
    }

    private double counted() {
        return stage.rig()
                .count(
                        Families.NODECLAIMS_DISRUPTED,
                        "spot_interrupted",
                        "default",
                        "",
                        "",
                        "graceful");
    }

    @Test
    void aNoticeThatIsToldAgainChangesNothing() {
        stage.with(held("a"));
        noticed("fake:///a");
        stage.rig().api().forgetWrites();

        noticed("fake:///a");

        assertThat(stage.rig().api().writes()).isEmpty();
        assertThat(counted()).isEqualTo(1);
    }

    @Test
    void aNoticeForAMachineThatIsNotOursIsPassedOver() {
        stage.with(held("a"));

        noticed("fake:///foreign");

        assertThat(stage.rig().api().writes())
                .noneMatch(write -> write.type().equals(ResourceType.NODE_CLAIM));
    }

    @Test
    void aCloudThatTakesNothingBackIsAskedOnce() {
        assertThat(stage.rig().run(interruption, Controller.SINGLETON))
                .isEqualTo(new Ending.Done());
    }

    @Test
    void aCloudThatDoesNotAnswerIsAskedAgain() {
        stage.rig().cloud().notices(new NoticesAnswer.Failed("out of order"));

        assertThat(stage.rig().run(interruption, Controller.SINGLETON))
                .isEqualTo(new Ending.Failed("cannot ask for notices: out of order"));
    }
}
