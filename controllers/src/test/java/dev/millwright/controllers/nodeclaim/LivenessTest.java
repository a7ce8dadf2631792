package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.TerminateAnswer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

final class LivenessTest {

    private final ClaimStage stage = new ClaimStage();

    private void after(Duration duration) {
        stage.rig().advance(duration);
        stage.live("a");
        // A claim that was deleted goes by a step of its own.
        stage.live("a");
    }

    private double disrupted(String reason, String capacityType) {
        return stage.rig()
                .count(
                        Families.NODECLAIMS_DISRUPTED,
                        reason,
                        "default",
                        capacityType,
                        "",
                        "graceful");
    }

    private void launchFails() {
        stage.rig().cloud().launchesMax(0);
        stage.with(claim("a")).live("a");
    }

    @Test
    @Tag("H47")
    void aClaimWhoseNodeDoesNotComeIsDeletedAfterAQuarterOfAnHour() {
        stage.launched(claim("a"));
        var capacityType = stage.claim("a").meta().label(LabelKeys.CAPACITY_TYPE);
        stage.rig().cloud().nextTerminate(new TerminateAnswer.Gone());

        after(Duration.ofMinutes(15));

        assertThat(stage.hasClaim("a")).isFalse();
        assertThat(disrupted("registration_timeout", capacityType)).isEqualTo(1);
    }

    @Test
    void aClaimWhoseNodeMayStillComeStays() {
        stage.launched(claim("a"));

        after(Duration.ofMinutes(15).minusSeconds(1));

        assertThat(stage.claim("a").isDeleting()).isFalse();
        assertThat(stage.live("a")).isEqualTo(new Ending.Again(Duration.ofSeconds(1)));
    }

    @Test
    @Tag("H48")
    void aClaimOfAnotherProviderIsNotGivenUp() {
        stage.with(claim("a").unmanaged());

        after(Duration.ofHours(1));

        assertThat(stage.claim("a").isDeleting()).isFalse();
    }

    @Test
    @Tag("H49")
    void aRegisteredClaimIsNotGivenUp() {
        stage.registered(claim("a"));

        after(Duration.ofHours(1));

        assertThat(stage.claim("a").isDeleting()).isFalse();
    }

    @Test
    @Tag("H50")
    void aClaimThatIsNotLaunchedIsDeletedAfterFiveMinutes() {
        launchFails();

        after(Duration.ofMinutes(5));

        assertThat(stage.hasClaim("a")).isFalse();
        assertThat(disrupted("launch_timeout", "")).isEqualTo(1);
        assertThat(disrupted("registration_timeout", "")).isZero();
    }

    @Test
    @Tag("H51")
    void aClaimThatMayStillBeLaunchedStays() {
        launchFails();

        after(Duration.ofMinutes(5).minusSeconds(1));

        assertThat(stage.claim("a").isDeleting()).isFalse();
    }

    @Test
    @Tag("H52")
    void theProviderSaysHowLongALaunchMayTake() {
        var traits = stage.rig().cloud().traits();
        stage.rig()
                .cloud()
                .traits(
                        new CloudTraits(
                                traits.name(),
                                traits.nodeClassKinds(),
                                traits.vocabulary(),
                                traits.unsupportedStorage(),
                                traits.repairPolicies(),
                                Duration.ofMinutes(10),
                                null));
        launchFails();

        after(Duration.ofMinutes(9));
        assertThat(stage.claim("a").isDeleting()).isFalse();
        after(Duration.ofMinutes(1));

        assertThat(stage.hasClaim("a")).isFalse();
    }

    @Test
    @Tag("H53")
    void theTimeOfALaunchRunsFromItsConditionNotFromTheClaim() {
        stage.rig().cloud().launchesMax(0);
        stage.with(
                claim("a")
                        .metadata("creationTimestamp: \"%s\"".formatted(before("10m")))
                        .status(unknownSince("Launched", before("3m"))));

        after(Duration.ZERO);
        assertThat(stage.claim("a").isDeleting()).isFalse();
        after(Duration.ofMinutes(2));

        assertThat(stage.hasClaim("a")).isFalse();
    }

    @Test
    @Tag("H54")
    void theTimeOfARegistrationRunsFromItsConditionNotFromTheClaim() {
        stage.with(
                claim("a")
                        .metadata("creationTimestamp: \"%s\"".formatted(before("30m")))
                        .status(unknownSince("Registered", before("10m"))));

        after(Duration.ZERO);
        assertThat(stage.claim("a").isDeleting()).isFalse();
        after(Duration.ofMinutes(5));

        assertThat(stage.claim("a").isDeleting()).isTrue();
    }

    private String before(String minutes) {
        return stage.rig().now().minus(Duration.parse("PT" + minutes)).toString();
    }

    private static String unknownSince(String type, String moment) {
        return "conditions: [{type: %s, status: Unknown, reason: x, message: \"\", lastTransitionTime: \"%s\", observedGeneration: 1}]"
                .formatted(type, moment);
    }
}
