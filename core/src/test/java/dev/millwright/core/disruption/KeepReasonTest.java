package dev.millwright.core.disruption;

import static dev.millwright.testing.kit.Given.NOON;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.KeepReason.Homeless;
import dev.millwright.core.disruption.KeepReason.Tone;
import dev.millwright.core.policy.NodePoolBudgets.Reason;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What a node that is kept says, and to whom.
final class KeepReasonTest {

    private static final ObjectName WEB = new ObjectName("default", "web");
    private static final ObjectName BUDGET = new ObjectName("default", "budget");
    private static final List<Homeless> HOMELESS = List.of(new Homeless(WEB, "no room"));

    static Stream<Arguments> reasons() {
        return Stream.of(
                arguments(new KeepReason.Queued(), Tone.QUIET, "a disruption of it is under way"),
                arguments(new KeepReason.NotManaged(), Tone.QUIET, "it is not a node of any pool"),
                arguments(new KeepReason.WithoutNode(), Tone.BLOCKED, "its claim has no node yet"),
                arguments(
                        new KeepReason.NotInitialized(), Tone.BLOCKED, "it is not initialised yet"),
                arguments(new KeepReason.Going(), Tone.BLOCKED, "it is being deleted or marked"),
                arguments(new KeepReason.Nominated(), Tone.BLOCKED, "a pod that waits is about to"),
                arguments(new KeepReason.Rebooting(), Tone.BLOCKED, "it is being rebooted"),
                arguments(new KeepReason.NotSick(), Tone.QUIET, "none of its conditions calls"),
                arguments(
                        new KeepReason.RepairForbidden(),
                        Tone.BLOCKED,
                        "its annotation karpenter.sh/do-not-repair"),
                arguments(
                        new KeepReason.DrainUnbounded(),
                        Tone.BLOCKED,
                        "it is sick, but pods on it must not be evicted"),
                arguments(
                        new KeepReason.PoolUnwell("pool", 3, 10, 2),
                        Tone.QUIET,
                        "3 of 10 nodes of NodePool pool are unhealthy and at most 2 may be"),
                arguments(
                        new KeepReason.NodeGuarded(),
                        Tone.BLOCKED,
                        "its annotation karpenter.sh/do-not-disrupt"),
                arguments(
                        new KeepReason.WithoutPoolLabel(),
                        Tone.BLOCKED,
                        "it lacks the label karpenter.sh/nodepool"),
                arguments(
                        new KeepReason.PoolUnknown("pool"),
                        Tone.BLOCKED,
                        "there is no NodePool \"pool\""),
                arguments(
                        new KeepReason.PoolWithoutTypes("pool"),
                        Tone.BLOCKED,
                        "the instance types of NodePool pool cannot be told"),
                arguments(
                        new KeepReason.PodGuarded(WEB),
                        Tone.BLOCKED,
                        "pod default/web has an active karpenter.sh/do-not-disrupt"),
                arguments(
                        new KeepReason.PodBudgetSpent(WEB, BUDGET),
                        Tone.BLOCKED,
                        "PodDisruptionBudget default/budget lets pod default/web not be evicted"),
                arguments(
                        new KeepReason.PodBudgetsContested(WEB, List.of(WEB, BUDGET)),
                        Tone.BLOCKED,
                        "selected by 2 PodDisruptionBudgets (default/web, default/budget)"),
                arguments(
                        new KeepReason.PodsHomeless(HOMELESS),
                        Tone.BLOCKED,
                        "pods would not schedule: default/web (no room)"),
                arguments(
                        new KeepReason.StaticPool(), Tone.QUIET, "its pool has a fixed number of"),
                arguments(
                        new KeepReason.DynamicPool(),
                        Tone.QUIET,
                        "its pool's size follows its pods"),
                arguments(new KeepReason.NotDrifted(), Tone.QUIET, "it has not drifted"),
                arguments(
                        new KeepReason.ConsolidationOff("pool"),
                        Tone.UNCONSOLIDATABLE,
                        "NodePool pool has consolidateAfter Never"),
                arguments(
                        new KeepReason.HeldForBuffer(2),
                        Tone.UNCONSOLIDATABLE,
                        "2 pods of capacity buffers count on its room"),
                arguments(new KeepReason.NotEmpty(), Tone.QUIET, "pods on it would have to move"),
                arguments(new KeepReason.Empty(), Tone.QUIET, "it holds no pod that would have"),
                arguments(
                        new KeepReason.NotConsolidatable(),
                        Tone.QUIET,
                        "its claim is not Consolidatable"),
                arguments(
                        new KeepReason.Frozen("NodePool pool", "audit"),
                        Tone.QUIET,
                        "of NodePool pool (audit)"),
                arguments(
                        new KeepReason.PoolUnreadable("pool", "spec"),
                        Tone.QUIET,
                        "NodePool pool lets no node go until it is mended: spec"),
                arguments(
                        new KeepReason.OutsideWindows("pool", Reason.DRIFTED, NOON),
                        Tone.QUIET,
                        "for reason Drifted; the next opens at 2026-01-01T12:00:00Z"),
                arguments(
                        new KeepReason.OutsideWindows("pool", Reason.DRIFTED, null),
                        Tone.QUIET,
                        "for reason Drifted; none opens in the next two weeks"),
                arguments(
                        new KeepReason.PoolBudgetSpent("pool", Reason.EMPTY),
                        Tone.QUIET,
                        "NodePool pool allows no further disruption for reason Empty"),
                arguments(
                        new KeepReason.PoolOverscaled("pool", 3, 2),
                        Tone.QUIET,
                        "NodePool pool has 3 nodes of 2; it shrinks first"),
                arguments(
                        new KeepReason.PoolAtNodeLimit("pool", 3),
                        Tone.BLOCKED,
                        "limits.nodes 3 of NodePool pool leaves no room"),
                arguments(new KeepReason.NotItsTurn(), Tone.QUIET, "another node comes first"),
                arguments(
                        new KeepReason.TypeUnknown("type"),
                        Tone.UNCONSOLIDATABLE,
                        "its instance type \"type\" is unknown to its pool"),
                arguments(
                        new KeepReason.LabelMissing("key"),
                        Tone.UNCONSOLIDATABLE,
                        "it lacks the label key"),
                arguments(
                        new KeepReason.OnlyWhenEmpty("pool"),
                        Tone.UNCONSOLIDATABLE,
                        "NodePool pool has consolidationPolicy WhenEmpty"),
                arguments(
                        new KeepReason.PodsUnmovable(HOMELESS),
                        Tone.UNCONSOLIDATABLE,
                        "pods would not schedule: default/web (no room)"),
                arguments(
                        new KeepReason.NeedsSeveralNodes(2),
                        Tone.UNCONSOLIDATABLE,
                        "its pods would need 2 new nodes"),
                arguments(
                        new KeepReason.MinValuesBroken("key"),
                        Tone.UNCONSOLIDATABLE,
                        "too few cheaper instance types for minValues: key"),
                arguments(
                        new KeepReason.NotCheaper(0.5),
                        Tone.UNCONSOLIDATABLE,
                        "no replacement costs less than 0.5 an hour"),
                arguments(
                        new KeepReason.SpotToSpotOff(),
                        Tone.UNCONSOLIDATABLE,
                        "only with the feature gate SpotToSpotConsolidation"),
                arguments(
                        new KeepReason.TooFewSpotTypes(3),
                        Tone.UNCONSOLIDATABLE,
                        "3 cheaper spot types remain; a spot node is replaced when there are 15"),
                arguments(
                        new KeepReason.NotWorthIt(),
                        Tone.QUIET,
                        "would disturb more than 2 times the share of the pool that it saves"),
                arguments(
                        new KeepReason.ConsolidatedOtherwise("pool"),
                        Tone.QUIET,
                        "NodePool pool is consolidated in another way"),
                arguments(
                        new KeepReason.DoesNotPay(0.01, 0.1, Duration.ofHours(2)),
                        Tone.QUIET,
                        "moving its pods costs $0.1000, and saves $0.0100 an hour for PT2H"),
                arguments(new KeepReason.MovedRecently(), Tone.QUIET, "a consolidation bought it"),
                arguments(
                        new KeepReason.LeadsBack(NOON),
                        Tone.UNCONSOLIDATABLE,
                        "it was tried at 2026-01-01T12:00:00Z"),
                arguments(
                        new KeepReason.DecidedAlready(NOON),
                        Tone.QUIET,
                        "its removal was decided at 2026-01-01T12:00:00Z"),
                arguments(
                        new KeepReason.NoCheaperSpot(0.5),
                        Tone.UNCONSOLIDATABLE,
                        "no spot node for its pods costs less than 0.5 an hour"),
                arguments(
                        new KeepReason.TooTight(), Tone.QUIET, "its pods would fit elsewhere only"),
                arguments(
                        new KeepReason.TriedInVain(),
                        Tone.QUIET,
                        "the cheaper instance types could not be had a while ago"),
                arguments(new KeepReason.NotReached(), Tone.QUIET, "the search ended before it"));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void eachReasonSaysWhatKeepsTheNodeAndToWhom(KeepReason reason, Tone tone, String part) {
        assertThat(reason.explain()).contains(part);
        assertThat(reason.cause()).hasSizeGreaterThan(10);
        assertThat(reason.tone()).isEqualTo(tone);
    }

    @Test
    void aReasonIsKnownByItsShortName() {
        assertThat(new KeepReason.TooTight().label()).isEqualTo("TooTight");
    }

    private static List<Homeless> homeless(int count) {
        return IntStream.range(0, count)
                .mapToObj(each -> new Homeless(new ObjectName("default", "p" + each), "no room"))
                .toList();
    }

    @Test
    void noMoreThanFivePodsAreListed() {
        assertThat(new KeepReason.PodsHomeless(homeless(5)).explain())
                .endsWith("default/p4 (no room)");
        assertThat(new KeepReason.PodsHomeless(homeless(7)).explain())
                .endsWith("default/p4 (no room); and 2 more");
    }

    @Test
    void nodesThatStayForOneCauseShareItsWords() {
        var web = new ObjectName("default", "web");
        var api = new ObjectName("default", "api");

        assertThat(new KeepReason.PodGuarded(web).cause())
                .isEqualTo(new KeepReason.PodGuarded(api).cause());
        assertThat(new KeepReason.NotCheaper(1).cause())
                .isEqualTo(new KeepReason.NotCheaper(2).cause());
        assertThat(new KeepReason.PodBudgetSpent(web, web).cause())
                .isEqualTo(new KeepReason.PodBudgetSpent(api, api).cause());
        assertThat(new KeepReason.OnlyWhenEmpty("a").cause())
                .isNotEqualTo(new KeepReason.OnlyWhenEmpty("b").cause());
    }
}
