package dev.millwright.controllers.pod;

import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.DoNotDisrupt;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.PodObject;
import dev.millwright.testing.kit.PodBuilder;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/// Whether a pod may be disturbed, is waited for, or comes back elsewhere.
final class PodRulesTest {

    private static PodBuilder running() {
        return pod("a").onNode("n1");
    }

    private static PodBuilder guarded(String value) {
        return running().annotation(LabelKeys.DO_NOT_DISRUPT, value);
    }

    private static PodBuilder tolerating(Toleration.Match match, String value) {
        return running()
                .tolerates(
                        new Toleration(
                                LabelKeys.DISRUPTED_TAINT, match, value, Effect.NO_SCHEDULE));
    }

    private static PodBuilder startedAt(PodBuilder builder, @Nullable Instant instant) {
        var state = builder.pod().state();
        return builder.state(
                new PodState(
                        state.phase(),
                        state.nodeName(),
                        state.nominatedNodeName(),
                        state.isTerminating(),
                        state.isMarkedUnschedulable(),
                        state.isKnownNotReady(),
                        instant,
                        state.owners()));
    }

    private static PodObject object(PodBuilder builder) {
        return object(builder, null);
    }

    private static PodObject ending(PodBuilder builder, Instant end) {
        return object(builder.terminating(), end);
    }

    private static PodObject object(PodBuilder builder, @Nullable Instant end) {
        var pod = builder.pod();
        var meta =
                new Meta(
                        pod.name(),
                        pod.uid(),
                        "1",
                        1,
                        pod.createdAt(),
                        end,
                        new TreeMap<>(pod.labels()),
                        new TreeMap<>(pod.annotations()),
                        List.of(),
                        List.of());
        return new PodObject(meta, pod, Resources.NONE, 0, "", 30L, null, null, true);
    }

    @Tag("M-PRD-1")
    @Test
    void aRunningPodIsDrainedEvictedAndComesBack() {
        var pod = object(running());

        assertThat(PodRules.isDrainable(pod, NOON)).isTrue();
        assertThat(PodRules.isWaitingEviction(pod, NOON)).isTrue();
        assertThat(PodRules.isEvictable(pod, NOON)).isTrue();
        assertThat(PodRules.isDisruptable(pod, NOON)).isTrue();
        assertThat(PodRules.isReschedulable(pod)).isTrue();
    }

    @Tag("M-PRD-2")
    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED"})
    void aPodThatHasEndedIsNotWaitedForNorEvicted(Phase phase) {
        var pod = object(running().phase(phase));

        assertThat(PodRules.isWaitingEviction(pod, NOON)).isFalse();
        assertThat(PodRules.isEvictable(pod, NOON)).isFalse();
        assertThat(PodRules.isReschedulable(pod)).isFalse();
    }

    @Tag("M-PRD-3")
    @Test
    void aPodOnItsWayOutIsWaitedForButNotEvictedAgain() {
        var pod = ending(running(), NOON.plusSeconds(30));

        assertThat(PodRules.isWaitingEviction(pod, NOON)).isTrue();
        assertThat(PodRules.isEvictable(pod, NOON)).isFalse();
        assertThat(PodRules.isReschedulable(pod)).isFalse();
    }

    @Tag("M-PRD-4")
    @Test
    void aPodOfADaemonSetIsDrainedButDoesNotComeBackElsewhere() {
        var pod = object(running().ownedBy("DaemonSet", "agent"));

        assertThat(PodRules.isWaitingEviction(pod, NOON)).isTrue();
        assertThat(PodRules.isEvictable(pod, NOON)).isTrue();
        assertThat(PodRules.isReschedulable(pod)).isFalse();
    }

    @Tag("M-PRD-5")
    @Test
    void aPodOfTheKubeletIsNeitherDrainedNorReplaced() {
        var pod = object(running().ownedBy("Node", "n1"));

        assertThat(PodRules.isDrainable(pod, NOON)).isFalse();
        assertThat(PodRules.isEvictable(pod, NOON)).isFalse();
        assertThat(PodRules.isReschedulable(pod)).isFalse();
    }

    @Tag("M-PRD-6")
    @Test
    void aPodOfAStatefulSetComesBackEvenOnItsWayOut() {
        var pod = ending(running().ownedBy("StatefulSet", "db"), NOON.plusSeconds(30));

        assertThat(PodRules.isReschedulable(pod)).isTrue();
    }

    @Tag("M-PRD-7")
    @Test
    void aPodThatToleratesTheTaintByEqualIsNotDrained() {
        var pod = object(tolerating(Toleration.Match.EQUAL, ""));

        assertThat(PodRules.isDrainable(pod, NOON)).isFalse();
        assertThat(PodRules.isEvictable(pod, NOON)).isFalse();
        assertThat(PodRules.isReschedulable(pod)).isTrue();
    }

    @Tag("M-PRD-8")
    @Test
    void aPodThatToleratesTheTaintByExistsIsNotDrained() {
        assertThat(PodRules.isDrainable(object(tolerating(Toleration.Match.EXISTS, "")), NOON))
                .isFalse();
    }

    @Tag("M-PRD-9")
    @Test
    void aPodThatToleratesEverythingIsNotDrained() {
        assertThat(PodRules.isDrainable(object(running().toleratesEverything()), NOON)).isFalse();
    }

    @Tag("M-PRD-10")
    @Test
    void aTolerationOfAnotherValueDoesNotCount() {
        assertThat(PodRules.isDrainable(object(tolerating(Toleration.Match.EQUAL, "other")), NOON))
                .isTrue();
    }

    @Tag("M-PRD-11")
    @Test
    void aPodPastItsTimeByMoreThanAMinuteIsStuck() {
        var pod = ending(running(), NOON);

        assertThat(PodRules.isStuckTerminating(pod, NOON.plusSeconds(60))).isFalse();
        assertThat(PodRules.isStuckTerminating(pod, NOON.plusSeconds(61))).isTrue();
        assertThat(PodRules.isWaitingEviction(pod, NOON.plusSeconds(61))).isFalse();
    }

    @Tag("M-PRD-12")
    @Test
    void aLivePodIsNeverStuck() {
        assertThat(PodRules.isStuckTerminating(object(running()), NOON.plusSeconds(1_000_000)))
                .isFalse();
    }

    @Tag("M-PRD-13")
    @Test
    void doNotDisruptTrueGuardsForEver() {
        var pod = object(startedAt(guarded("true"), NOON));

        assertThat(PodRules.isDisruptable(pod, NOON.plusSeconds(1_000_000_000))).isFalse();
        assertThat(PodRules.isEvictable(pod, NOON)).isFalse();
        assertThat(PodRules.isWaitingEviction(pod, NOON)).isTrue();
    }

    @Tag("M-PRD-14")
    @Test
    void aDurationGuardsFromThePodsStart() {
        var pod = object(startedAt(guarded("1h30m"), NOON));
        var end = NOON.plus(Duration.ofMinutes(90));

        assertThat(PodRules.isDisruptable(pod, end.minusNanos(1))).isFalse();
        assertThat(PodRules.isDisruptable(pod, end)).isTrue();
        assertThat(DoNotDisrupt.of(pod.pod(), end)).isEqualTo(new DoNotDisrupt.Elapsed(end));
    }

    @Tag("M-PRD-15")
    @Test
    void aDurationGuardsAPodThatHasNotStarted() {
        assertThat(
                        PodRules.isDisruptable(
                                object(startedAt(guarded("1s"), null)),
                                NOON.plusSeconds(1_000_000)))
                .isFalse();
    }

    @Tag("M-PRD-16")
    @ParameterizedTest
    @ValueSource(strings = {"", "false", "True", "soon", "10", "1h 30m", "1d"})
    void whatIsNeitherTrueNorADurationGuardsNothing(String value) {
        var pod = object(startedAt(guarded(value), NOON));

        assertThat(PodRules.isDisruptable(pod, NOON)).isTrue();
        assertThat(DoNotDisrupt.of(pod.pod(), NOON)).isEqualTo(new DoNotDisrupt.Invalid(value));
    }

    @Tag("M-PRD-17")
    @ParameterizedTest
    @ValueSource(strings = {"0", "0s", "-1h"})
    void aDurationThatIsNotAboveZeroGuardsNothing(String value) {
        var pod = object(startedAt(guarded(value), NOON));

        assertThat(PodRules.isDisruptable(pod, NOON)).isTrue();
        assertThat(DoNotDisrupt.of(pod.pod(), NOON)).isEqualTo(new DoNotDisrupt.Invalid(value));
    }

    @Tag("M-PRD-18")
    @Test
    void theAnnotationOfAPodThatEndsDoesNotMatter() {
        assertThat(PodRules.isDisruptable(ending(guarded("true"), NOON), NOON)).isTrue();
        assertThat(PodRules.isDisruptable(object(guarded("true").phase(Phase.FAILED)), NOON))
                .isTrue();
    }
}
