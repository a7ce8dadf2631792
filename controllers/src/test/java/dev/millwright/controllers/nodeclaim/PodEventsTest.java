package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.NodeText.settled;
import static dev.millwright.controllers.nodeclaim.PodText.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodeclaim.podevents.PodEventsController;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

final class PodEventsTest {

    private final ClaimStage stage = new ClaimStage();
    private final PodEventsController podEvents = new PodEventsController();
    private Set<ObjectName> calls = Set.of();

    @BeforeEach
    void listen() {
        calls = stage.calls(podEvents);
    }

    private void settle() {
        stage.run(podEvents, calls);
        calls.clear();
    }

    private @Nullable Instant lastPodEvent() {
        return stage.claim("a").status().lastPodEventAt();
    }

    /// A claim with a node whose last event was so long ago.
    private ClaimStage claimStamped(Duration ago) {
        return stage.with(
                        claim("a")
                                .ready()
                                .status(
                                        "lastPodEventTime: \"%s\""
                                                .formatted(stage.rig().now().minus(ago))))
                .with(settled("n", "fake:///a"));
    }

    private static String bound(Instant moment) {
        return "conditions: [{type: PodScheduled, status: \"True\", lastTransitionTime: \"%s\"}]"
                .formatted(moment);
    }

    @Test
    @Tag("I-POD-1")
    void aPodThatComesIsNoted() {
        stage.with(claim("a").ready()).with(settled("n", "fake:///a")).with(pod("p", "n"));

        settle();

        assertThat(lastPodEvent()).isEqualTo(stage.rig().now());
    }

    @Test
    @Tag("I-POD-2")
    void aPodOnANodeThatIsNotThereIsNotNoted() {
        stage.with(claim("a").ready()).with(pod("p", "n"));

        settle();

        assertThat(lastPodEvent()).isNull();
    }

    @Test
    @Tag("I-POD-3")
    void aPodOnANodeWithoutAClaimIsNoFault() {
        stage.with(settled("n", "fake:///a")).with(pod("p", "n"));

        settle();

        assertThat(stage.rig().api().writes()).isEmpty();
    }

    @Test
    @Tag("I-POD-4")
    void aPodThatComesLaterIsNotedAgain() {
        claimStamped(Duration.ofMinutes(5)).with(pod("p", "n"));

        settle();

        assertThat(lastPodEvent()).isEqualTo(stage.rig().now());
    }

    @Test
    @Tag("I-POD-5")
    void eventsWithinTenSecondsAreOne() {
        var first = stage.rig().now();
        claimStamped(Duration.ofMinutes(5)).with(pod("p", "n"));
        settle();

        stage.rig().advance(Duration.ofSeconds(5));
        stage.with(pod("q", "n"));
        settle();
        assertThat(lastPodEvent()).isEqualTo(first);

        stage.rig().advance(Duration.ofSeconds(5));
        stage.with(pod("r", "n"));
        settle();
        assertThat(lastPodEvent()).isEqualTo(first.plusSeconds(10));
    }

    @Test
    void aPodThatIsBoundIsNoted() {
        claimStamped(Duration.ofMinutes(5)).with(pod("p", ""));
        settle();
        assertThat(lastPodEvent()).isEqualTo(stage.rig().now().minus(Duration.ofMinutes(5)));

        stage.with(pod("p", "n"));
        settle();

        assertThat(lastPodEvent()).isEqualTo(stage.rig().now());
    }

    @Test
    void aPodThatEndsIsNoted() {
        claimStamped(Duration.ZERO).with(pod("p", "n"));
        settle();
        stage.rig().advance(Duration.ofMinutes(1));

        stage.with(pod("p", "n").phase("Succeeded"));
        settle();

        assertThat(lastPodEvent()).isEqualTo(stage.rig().now());
    }

    @Test
    void aPodThatIsDeletedIsNotedWhenItsDeletionBegins() {
        claimStamped(Duration.ZERO).with(pod("p", "n"));
        settle();
        stage.rig().advance(Duration.ofMinutes(1));
        var asked = stage.rig().now();

        stage.with(pod("p", "n").metadata("deletionTimestamp: \"%s\"".formatted(asked)));
        settle();
        stage.rig().advance(Duration.ofMinutes(1));
        stage.rig().api().vanish(ResourceType.POD, new ObjectName("default", "p"));
        settle();

        assertThat(lastPodEvent()).isEqualTo(asked);
    }

    @Test
    void aPodThatOnlyGetsReadyIsNoEvent() {
        claimStamped(Duration.ofMinutes(5)).with(pod("p", "n"));
        settle();
        stage.rig().advance(Duration.ofMinutes(1));

        stage.with(pod("p", "n").status("conditions: [{type: Ready, status: \"True\"}]"));

        assertThat(calls).isEmpty();
    }

    @Test
    void podsOfDaemonSetsDoNotCount() {
        claimStamped(Duration.ofMinutes(5)).with(pod("p", "n").ofDaemonSet());

        assertThat(calls).isEmpty();
    }

    @Test
    void aPodThatWasThereBeforeARestartIsNoEvent() {
        var earlier = stage.rig().now().minus(Duration.ofHours(1));
        claimStamped(Duration.ofMinutes(30)).with(pod("p", "n").status(bound(earlier)));

        settle();

        assertThat(lastPodEvent()).isEqualTo(stage.rig().now().minus(Duration.ofMinutes(30)));
    }

    @Test
    void aPodThatCameWhileNobodyLookedIsAnEvent() {
        var lately = stage.rig().now().minus(Duration.ofMinutes(1));
        claimStamped(Duration.ofMinutes(30)).with(pod("p", "n").status(bound(lately)));

        settle();

        assertThat(lastPodEvent()).isEqualTo(stage.rig().now());
    }
}
