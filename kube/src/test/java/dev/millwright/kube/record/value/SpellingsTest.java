package dev.millwright.kube.record.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.PoolRules;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Mismatch;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.CapacityMix;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.MaintenanceWindows;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePoolBudgets;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.policy.PoolControls;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.WaitReason;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

final class SpellingsTest {

    private static final ObjectName POD = new ObjectName("shop", "web-1");
    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00.000000001Z");

    private static <T> T cameBack(Spelling<T> spelling, T value) {
        return ValueIn.plain(spelling, ValueOut.plain(spelling, value));
    }

    private static final Spelling<Double> REAL = Spelling.of("real", ValueOut::real, ValueIn::real);
    private static final Spelling<Long> NUMBER =
            Spelling.of("number", ValueOut::number, ValueIn::number);

    @ParameterizedTest
    @ValueSource(
            doubles = {
                0,
                -0.0,
                0.1,
                -3,
                1e300,
                Double.MIN_VALUE,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                9007199254740994.0
            })
    void aPriceKeepsEveryBit(double price) {
        assertThat(Double.doubleToRawLongBits(cameBack(REAL, price)))
                .isEqualTo(Double.doubleToRawLongBits(price));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 63, 64, -65, Long.MAX_VALUE, Long.MIN_VALUE})
    void aNumberOfAnySizeComesBack(long number) {
        assertThat(cameBack(NUMBER, number)).isEqualTo(number);
    }

    static Stream<Requirement> requirements() {
        return Stream.of(
                Requirement.in("zone", "a", "b"),
                Requirement.doesNotExist("zone"),
                Requirement.exists("zone").withMinValues(3),
                Requirement.of("cpu", Operator.GT, "4")
                        .intersection(Requirement.of("cpu", Operator.LT, "64"))
                        .intersection(Requirement.of("cpu", Operator.NOT_IN, "8", "9")));
    }

    @ParameterizedTest
    @MethodSource("requirements")
    void aRequirementComesBackWithItsBounds(Requirement requirement) {
        assertThat(cameBack(LabelSpellings.REQUIREMENT, requirement)).isEqualTo(requirement);
    }

    private static final List<KeepReason> REASONS =
            List.of(
                    new KeepReason.Queued(),
                    new KeepReason.NotManaged(),
                    new KeepReason.WithoutNode(),
                    new KeepReason.NotInitialized(),
                    new KeepReason.Going(),
                    new KeepReason.Nominated(),
                    new KeepReason.Rebooting(),
                    new KeepReason.NotSick(),
                    new KeepReason.RepairForbidden(),
                    new KeepReason.DrainUnbounded(),
                    new KeepReason.PoolUnwell("a", 1, 2, 3),
                    new KeepReason.NodeGuarded(),
                    new KeepReason.WithoutPoolLabel(),
                    new KeepReason.PoolUnknown("a"),
                    new KeepReason.PoolWithoutTypes("a"),
                    new KeepReason.PodGuarded(POD),
                    new KeepReason.PodBudgetSpent(POD, new ObjectName("shop", "web")),
                    new KeepReason.PodBudgetsContested(POD, List.of(POD, POD)),
                    new KeepReason.PodsHomeless(List.of(new KeepReason.Homeless(POD, "no room"))),
                    new KeepReason.StaticPool(),
                    new KeepReason.DynamicPool(),
                    new KeepReason.NotDrifted(),
                    new KeepReason.ConsolidationOff("a"),
                    new KeepReason.HeldForBuffer(4),
                    new KeepReason.NotEmpty(),
                    new KeepReason.Empty(),
                    new KeepReason.NotConsolidatable(),
                    new KeepReason.TypeUnknown("m5.large"),
                    new KeepReason.LabelMissing("zone"),
                    new KeepReason.OnlyWhenEmpty("a"),
                    new KeepReason.PodsUnmovable(List.of(new KeepReason.Homeless(POD, "no room"))),
                    new KeepReason.NeedsSeveralNodes(2),
                    new KeepReason.MinValuesBroken("too few"),
                    new KeepReason.NotCheaper(0.1),
                    new KeepReason.SpotToSpotOff(),
                    new KeepReason.TooFewSpotTypes(14),
                    new KeepReason.NotWorthIt(),
                    new KeepReason.ConsolidatedOtherwise("a"),
                    new KeepReason.DoesNotPay(0.1, 0.2, Duration.ofHours(2)),
                    new KeepReason.MovedRecently(),
                    new KeepReason.LeadsBack(NOON),
                    new KeepReason.DecidedAlready(NOON),
                    new KeepReason.NoCheaperSpot(0.1),
                    new KeepReason.TooTight(),
                    new KeepReason.TriedInVain(),
                    new KeepReason.NotReached(),
                    new KeepReason.Frozen("NodePool a", "a launch"),
                    new KeepReason.PoolUnreadable("a", "b"),
                    new KeepReason.OutsideWindows("a", Reason.DRIFTED, null),
                    new KeepReason.PoolBudgetSpent("a", Reason.EMPTY),
                    new KeepReason.PoolOverscaled("a", 5, 3),
                    new KeepReason.PoolAtNodeLimit("a", 5),
                    new KeepReason.NotItsTurn());

    static Stream<KeepReason> reasons() {
        return REASONS.stream();
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void aReasonToKeepANodeComesBack(KeepReason reason) {
        assertThat(cameBack(KeepReasonSpellings.REASON, reason)).isEqualTo(reason);
    }

    @Test
    void noReasonToKeepANodeIsForgotten() {
        assertThat(REASONS.stream().map(Object::getClass).toList())
                .containsExactlyInAnyOrder(KeepReason.class.getPermittedSubclasses());
    }

    private static final List<Refusal> REFUSALS =
            List.of(
                    new Refusal.Untolerated(new Taint("a", "b", Effect.NO_EXECUTE)),
                    new Refusal.Requirement(new Mismatch.Undefined("zonee", "zone")),
                    new Refusal.Requirement(new Mismatch.Contradiction("zone")),
                    new Refusal.Volume(
                            new Mismatch.Disjoint(
                                    "zone",
                                    Requirement.in("zone", "a"),
                                    Requirement.in("zone", "b"))),
                    new Refusal.Topology(
                            "spread",
                            "zone",
                            new TreeMap<>(Map.of("a", 1)),
                            Requirement.exists("zone"),
                            Requirement.in("zone", "a")),
                    new Refusal.NoInstanceType(
                            true,
                            false,
                            true,
                            Requirements.of(Requirement.in("zone", "a")),
                            Resources.parse("cpu", "500m"),
                            Resources.NONE,
                            Resources.parse("memory", "1Gi")),
                    new Refusal.HostPorts(List.of("80")),
                    new Refusal.VolumeLimit("ebs.csi.aws.com", 30, 25),
                    new Refusal.Limit(Resources.parse("cpu", "0")),
                    new Refusal.NodeLimit(),
                    new Refusal.MinValues("zone", 3, 1),
                    new Refusal.NoTypesLeft());

    private static final List<WaitReason> WAITS =
            List.of(
                    new WaitReason.NoNodePools(),
                    new WaitReason.NodePoolsWithoutTypes(List.of("a", "b")),
                    new WaitReason.Refused(
                            REFUSALS.stream()
                                    .map(each -> new WaitReason.PoolRefusal("a", each))
                                    .toList()),
                    new WaitReason.ReservationPending("a"),
                    new WaitReason.ResourceClaimsUnsupported(),
                    new WaitReason.Invalid("mend it"),
                    new WaitReason.OptedOut(),
                    new WaitReason.MinValuesLost("a", "too few"));

    private static Plan waitingPlan() {
        return new Plan(
                List.of(),
                List.of(),
                WAITS.stream().map(each -> new Plan.WaitingPod(POD, each)).toList(),
                0.1,
                0.05,
                Packing.CHEAPEST,
                List.of("empty"));
    }

    @Test
    void theFeeOfAPlannedNodeComesBack() {
        var claim =
                new PlannedClaim(
                        "general",
                        Requirements.of(Requirement.in("zone", "a")),
                        List.of(),
                        List.of(POD),
                        Resources.parse("cpu", "1"),
                        List.of(),
                        false,
                        0.015);

        assertThat(cameBack(PlanSpellings.CLAIM, claim)).isEqualTo(claim);
    }

    @Test
    void everyReasonForAPodToWaitComesBack() {
        assertThat(cameBack(PlanSpellings.PLAN, waitingPlan())).isEqualTo(waitingPlan());
    }

    @Test
    void noReasonForAPodToWaitIsForgotten() {
        assertThat(WAITS.stream().map(Object::getClass).toList())
                .containsExactlyInAnyOrder(WaitReason.class.getPermittedSubclasses());
        assertThat(REFUSALS.stream().map(Object::getClass).distinct().toList())
                .containsExactlyInAnyOrder(Refusal.class.getPermittedSubclasses());
    }

    private static PoolRules rules() {
        var template =
                new NodePool.Template(
                        new TreeMap<>(Map.of("team", "shop")),
                        new TreeMap<>(),
                        List.of(Requirement.in("zone", "a")),
                        List.of(new Taint("a", "", Effect.NO_SCHEDULE)),
                        List.of(),
                        new NodePool.NodeClassRef("karpenter.k8s.aws", "EC2NodeClass", "default"));
        return new PoolRules(
                new NodePool(
                        "general",
                        10,
                        Resources.parse("cpu", "100"),
                        template,
                        3L,
                        true,
                        false,
                        0.015),
                new NodePoolBudgets(
                        List.of(
                                NodePoolBudgets.Budget.of(
                                        "10%",
                                        List.of("Empty"), "0 9 * * mon-fri", Duration.ofHours(8)),
                                NodePoolBudgets.Budget.of("5", null, null, null),
                                NodePoolBudgets.Budget.of("many", null, "never", null))),
                Duration.ofMinutes(5),
                PoolRules.Consolidation.BALANCED,
                new PoolControls(
                        new Freeze("NodePool general", "a launch"),
                        MaintenanceWindows.parse("Sat,Sun 02:00-06:00 Europe/Berlin"),
                        Duration.ofHours(168),
                        List.of("a problem")),
                Duration.ofHours(2),
                new CapacityMix(2, 70));
    }

    /// Schedules have no equality, so what they are written as is compared.
    @Test
    void whatAPoolSaysComesBack() {
        var bytes = ValueOut.plain(PolicySpellings.RULES, rules());
        assertThat(ValueOut.plain(PolicySpellings.RULES, cameBack(PolicySpellings.RULES, rules())))
                .isEqualTo(bytes);
        assertThat(cameBack(PolicySpellings.RULES, rules()).budgets().problems())
                .isEqualTo(rules().budgets().problems());
    }

    static Stream<Integer> lengths() {
        return IntStream.range(0, ValueOut.plain(PlanSpellings.PLAN, waitingPlan()).length).boxed();
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void aValueThatIsCutOffIsDamage(int length) {
        var bytes = Arrays.copyOf(ValueOut.plain(PlanSpellings.PLAN, waitingPlan()), length);
        assertThatThrownBy(() -> ValueIn.plain(PlanSpellings.PLAN, bytes))
                .isInstanceOf(DamageException.class);
    }
}
