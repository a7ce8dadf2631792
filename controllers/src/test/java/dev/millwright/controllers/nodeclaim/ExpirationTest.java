package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.NodeText.settled;
import static dev.millwright.controllers.nodeclaim.PodText.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.nodeclaim.expiration.ExpirationController;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

final class ExpirationTest {

    private final ClaimStage stage = new ClaimStage();
    private final ExpirationController expiration = new ExpirationController();

    private static ClaimText shortLived(String name) {
        return claim(name)
                .ready()
                .metadata("finalizers: [karpenter.sh/termination]")
                .label("karpenter.sh/capacity-type", "spot")
                .spec("expireAfter: 30s");
    }

    private Ending after(Duration age) {
        stage.rig().advance(age);
        return stage.run(expiration, "a");
    }

    private double disrupted(String mode) {
        return stage.rig()
                .count(Families.NODECLAIMS_DISRUPTED, "expired", "default", "spot", "", mode);
    }

    @Test
    @Tag("I-EXP-1")
    void anExpiredClaimIsCounted() {
        stage.with(shortLived("a"));

        after(Duration.ofMinutes(1));

        assertThat(disrupted("graceful")).isEqualTo(1);
    }

    @Test
    @Tag("I-EXP-2")
    void theCountTellsHowThePodsAreToLeave() {
        stage.with(shortLived("a").spec("terminationGracePeriod: 1h"));

        after(Duration.ofMinutes(1));

        assertThat(disrupted("eventual")).isEqualTo(1);
        assertThat(disrupted("graceful")).isZero();
    }

    @Test
    void aGracePeriodOfNothingIsForceful() {
        stage.with(shortLived("a").spec("terminationGracePeriod: 0s"));

        after(Duration.ofMinutes(1));

        assertThat(disrupted("forceful")).isEqualTo(1);
    }

    @Test
    @Tag("I-EXP-3")
    void thePodsThatMustMoveAreCounted() {
        stage.with(shortLived("a"))
                .with(settled("n", "fake:///a"))
                .with(pod("p1", "n"))
                .with(pod("p2", "n"))
                .with(pod("done", "n").phase("Succeeded"))
                .with(pod("daemon", "n").ofDaemonSet())
                .with(pod("elsewhere", "m"));

        after(Duration.ofMinutes(1));

        assertThat(
                        stage.rig()
                                .count(
                                        Families.PODS_DISRUPTION_INITIATED,
                                        "expired",
                                        "default",
                                        "spot",
                                        "",
                                        "graceful"))
                .isEqualTo(2);
    }

    @Test
    @Tag("I-EXP-4")
    void anExpiredClaimIsDeleted() {
        stage.with(shortLived("a"));

        after(Duration.ofSeconds(30));

        assertThat(stage.claim("a").isDeleting()).isTrue();
    }

    @Test
    @Tag("I-EXP-5")
    void anExpiredClaimOfAnotherProviderIsLeftAlone() {
        stage.with(shortLived("a").unmanaged());

        after(Duration.ofMinutes(1));

        assertThat(stage.claim("a").isDeleting()).isFalse();
    }

    @Test
    @Tag("I-EXP-6")
    void aClaimThatNeverExpiresStays() {
        stage.with(claim("a").ready().spec("expireAfter: Never"));

        assertThat(after(Duration.ofDays(10_000))).isEqualTo(new Ending.Done());
        assertThat(stage.claim("a").isDeleting()).isFalse();
    }

    @Test
    @Tag("I-EXP-7")
    void aClaimStaysUntilItExpires() {
        stage.with(shortLived("a"));

        after(Duration.ofSeconds(29));

        assertThat(stage.claim("a").isDeleting()).isFalse();
    }

    @Test
    @Tag("I-EXP-8")
    void theClaimsAgeCountsNotTheNodes() {
        stage.with(shortLived("a"));
        stage.rig().advance(Duration.ofMinutes(1));
        stage.with(settled("n", "fake:///a"));

        after(Duration.ZERO);

        assertThat(stage.claim("a").isDeleting()).isTrue();
    }

    @Test
    void aClaimWithoutANodeExpiresToo() {
        stage.with(
                claim("a")
                        .metadata("finalizers: [karpenter.sh/termination]")
                        .spec("expireAfter: 30s"));

        after(Duration.ofMinutes(1));

        assertThat(stage.claim("a").isDeleting()).isTrue();
    }

    @Test
    @Tag("I-EXP-9")
    void theControllerComesAgainAtTheMoment() {
        stage.with(shortLived("a"));

        assertThat(after(Duration.ofSeconds(13)))
                .isEqualTo(new Ending.Again(Duration.ofSeconds(17)));
    }

    @Test
    @Tag("I-EXP-10")
    void aClaimExpiresOnce() {
        stage.with(shortLived("a"));

        after(Duration.ofMinutes(1));
        after(Duration.ofMinutes(1));

        assertThat(disrupted("graceful")).isEqualTo(1);
    }

    @Test
    void onlyANewClaimCalls() {
        var calls = stage.calls(expiration);

        stage.with(shortLived("a"));
        assertThat(calls).containsExactly(new ObjectName("", "a"));
        calls.clear();
        stage.live("a");

        assertThat(calls).isEmpty();
    }
}
