package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.MultiNode;
import dev.millwright.core.disruption.PastMoves;
import dev.millwright.core.disruption.Validation;
import dev.millwright.core.disruption.WholeFleet;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// The fleet is consolidated as a whole: several nodes give way to fewer or to more, where that is
/// cheaper and the move pays for itself.
final class WholeFleetTest {

    private static final String ON_DEMAND = "on-demand";

    private final DisruptionStage stage = new DisruptionStage();

    private static DisruptionStage cheapest(DisruptionStage stage, String budget) {
        stage.rig.apply(
                DisruptionStage.pool("default", DisruptionStage.disruption(budget).mapping())
                        .annotation(ControlKeys.CONSOLIDATION, "cheapest"));
        return stage;
    }

    private static InstanceType type(String name, int cpus, double price) {
        return Given.instanceType(name)
                .cpu(Integer.toString(cpus))
                .memory("8Gi")
                .pods(20)
                .offering("test-zone-1", ON_DEMAND, price)
                .build();
    }

    private static FleetNode node(String name, String type, int cpus) {
        return new FleetNode(name).type(type, Integer.toString(cpus));
    }

    private void pods(DisruptionStage where, String node, String... cpus) {
        for (var index = 0; index < cpus.length; index++) {
            where.rig.apply(
                    DisruptionStage.pod(node + "-" + index, node).requests("cpu", cpus[index]));
        }
    }

    private void pods(String node, String... cpus) {
        pods(stage, node, cpus);
    }

    private static Decision decision(DisruptionProblem problem) {
        return WholeFleet.decide(
                problem,
                WholeFleet.candidacy(problem),
                Allowances.of(problem, DisruptionMethod.WHOLE_FLEET.reason()),
                Set.of());
    }

    private Decision decision() {
        return decision(stage.problem());
    }

    private static List<String> gone(Decision decision) {
        return decision.commands().stream()
                .flatMap(command -> command.nodes().stream())
                .sorted()
                .toList();
    }

    private static List<Replacement> bought(Decision decision) {
        return decision.commands().stream()
                .flatMap(command -> command.replacements().stream())
                .toList();
    }

    @Test
    void nodesWhosePodsFitOnOthersGoTogether() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("a", 10, 1)));
        stage.add(node("a", "a", 10), node("b", "a", 10), node("c", "a", 10), node("d", "a", 10));
        pods("a", "2");
        pods("b", "3");
        pods("c", "3");
        pods("d", "4");

        var decision = decision();

        assertThat(decision.commands()).hasSize(1);
        assertThat(decision.commands().getFirst().decision()).isEqualTo("delete");
        assertThat(gone(decision)).hasSize(2);
        assertThat(decision.kept().values()).allMatch(KeepReason.NotItsTurn.class::isInstance);
    }

    /// The large pod fits if it comes first; if small ones spread over both nodes first, it does
    /// not.
    @Test
    void podsThatFitOnlyJustSoStay() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("a", 10, 1)));
        stage.add(node("a", "a", 10), node("b", "a", 10), node("c", "a", 10));
        pods("a", "4", "1", "1");
        pods("b", "6");
        pods("c", "6");

        var decision = decision();

        assertThat(decision.commands()).isEmpty();
        assertThat(decision.kept().get("a")).isInstanceOf(KeepReason.TooTight.class);
    }

    @Test
    void threeNodesBecomeOne() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("small", 10, 1), type("large", 32, 1.5)));
        stage.add(node("a", "small", 10), node("b", "small", 10), node("c", "small", 10));
        pods("a", "6");
        pods("b", "6");
        pods("c", "6");

        var decision = decision();

        assertThat(gone(decision)).containsExactly("a", "b", "c");
        assertThat(bought(decision)).hasSize(1);
        assertThat(decision.commands().getFirst().savedPerHour()).isCloseTo(1.5, within(1e-9));
    }

    @Test
    void twoNodesBecomeThree() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("small", 9, 0.5), type("large", 16, 3)));
        stage.add(node("a", "large", 16), node("b", "large", 16));
        pods("a", "4", "4", "4");
        pods("b", "4", "4", "4");

        var decision = decision();

        assertThat(gone(decision)).containsExactly("a", "b");
        assertThat(bought(decision)).hasSize(3);
    }

    @Test
    void oneNodeBecomesTwo() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("small", 4, 0.5), type("large", 16, 3)));
        stage.add(node("a", "large", 16));
        pods("a", "3", "3");

        var decision = decision();

        assertThat(gone(decision)).containsExactly("a");
        assertThat(bought(decision)).hasSize(2);
    }

    @Test
    void aMoveThatDoesNotPayIsNotMade() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("a", 10, 1), type("b", 10, 0.99)));
        stage.add(node("a", "a", 10));
        pods("a", "6");

        var decision = decision();

        assertThat(decision.commands()).isEmpty();
        assertThat(decision.kept().get("a")).isInstanceOf(KeepReason.DoesNotPay.class);
    }

    @Test
    void podsThatAreDearToMoveStay() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("a", 10, 1), type("b", 10, 0.95)));
        stage.add(node("a", "a", 10), node("b", "a", 10));
        pods("b", "6");
        stage.rig.apply(
                DisruptionStage.pod("dear", "a")
                        .requests("cpu", "6")
                        .annotation("controller.kubernetes.io/pod-deletion-cost", "1342177280"));

        var decision = decision();

        assertThat(gone(decision)).containsExactly("b");
        assertThat(decision.kept()).containsKey("a");
    }

    @Test
    void aBudgetOfOneLetsOneGo() {
        cheapest(stage, "1");
        stage.rig.cloud().types(List.of(type("a", 10, 1)));
        stage.add(node("a", "a", 10), node("b", "a", 10), node("c", "a", 10));
        pods("a", "2");
        pods("b", "2");
        pods("c", "2");

        assertThat(gone(decision())).hasSize(1);
    }

    @Test
    void aClosedBudgetIsTheReason() {
        cheapest(stage, "0");
        stage.rig.cloud().types(List.of(type("a", 10, 1)));
        stage.add(node("a", "a", 10), node("b", "a", 10));
        pods("a", "2");
        pods("b", "2");

        var decision = decision();

        assertThat(decision.commands()).isEmpty();
        assertThat(decision.isWithheld()).isTrue();
        assertThat(decision.kept().get("a")).isInstanceOf(KeepReason.PoolBudgetSpent.class);
    }

    @Test
    void podsOfOnePodBudgetDoNotLeaveMoreThanItAllows() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("a", 10, 1)));
        stage.add(node("a", "a", 10), node("b", "a", 10), node("c", "a", 10));
        for (var name : List.of("a", "b", "c")) {
            stage.rig.apply(
                    DisruptionStage.pod(name + "-web", name)
                            .requests("cpu", "2")
                            .label("app", "web"));
        }
        stage.podBudget("web", "web", 1);

        assertThat(gone(decision())).hasSize(1);
    }

    @Test
    void guardedPodsKeepTheirNode() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("a", 10, 1)));
        stage.add(node("a", "a", 10), node("b", "a", 10));
        stage.rig.apply(
                DisruptionStage.pod("guarded", "a")
                        .requests("cpu", "1")
                        .annotation("karpenter.sh/do-not-disrupt", "true"));
        pods("b", "2");

        var decision = decision();

        assertThat(gone(decision)).containsExactly("b");
        assertThat(decision.kept().get("a")).isInstanceOf(KeepReason.PodGuarded.class);
    }

    private static DisruptionStage spot(boolean isOn, int types) {
        var stage = cheapest(new DisruptionStage(SchedulingPolicy.DEFAULT, isOn), "100%");
        stage.rig
                .cloud()
                .types(
                        IntStream.range(0, types)
                                .mapToObj(
                                        number ->
                                                Given.instanceType("s" + number)
                                                        .cpu("10")
                                                        .memory("8Gi")
                                                        .pods(20)
                                                        .offering(
                                                                "test-zone-1",
                                                                "spot",
                                                                0.1 + number * 0.001)
                                                        .build())
                                .toList());
        stage.add(node("a", "s" + (types - 1), 10).spot());
        return stage;
    }

    @Test
    void spotStaysSpotWithoutTheGate() {
        var spot = spot(false, 60);
        pods(spot, "a", "6");

        assertThat(decision(spot.problem()).kept().get("a"))
                .isInstanceOf(KeepReason.SpotToSpotOff.class);
    }

    @Test
    void spotIsReplacedBySpotWhenEnoughTypesAreCheaper() {
        var spot = spot(true, 60);
        pods(spot, "a", "6");

        var decision = decision(spot.problem());

        assertThat(gone(decision)).containsExactly("a");
        assertThat(bought(decision).getFirst())
                .isInstanceOfSatisfying(
                        Replacement.Planned.class,
                        planned -> assertThat(planned.claim().types()).hasSize(15));
    }

    @Test
    void spotIsNotReplacedWhenFewTypesAreCheaper() {
        var spot = spot(true, 16);
        pods(spot, "a", "6");

        var decision = decision(spot.problem());

        assertThat(decision.commands()).isEmpty();
        assertThat(decision.kept().get("a")).isInstanceOf(KeepReason.TooFewSpotTypes.class);
    }

    /// The new node may be spot, which is cheap in one zone and dear in the other.
    @Test
    void anOfferingThatCouldBeDearerIsNotBought() {
        cheapest(stage, "100%");
        stage.rig
                .cloud()
                .types(
                        List.of(
                                type("a", 10, 1),
                                Given.instanceType("b")
                                        .cpu("10")
                                        .memory("8Gi")
                                        .offering("test-zone-1", ON_DEMAND, 0.4)
                                        .offering("test-zone-2", ON_DEMAND, 1.2)
                                        .build()));
        stage.add(node("a", "a", 10));
        pods("a", "6");

        assertThat(decision().commands()).isEmpty();
    }

    @Test
    void whatAConsolidationBoughtIsNotReplaced() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("a", 10, 1), type("b", 10, 0.5)));
        stage.add(node("a", "a", 10));
        pods("a", "6");
        var settled = stage.problem().withPast(new PastMoves(new TreeSet<>(Set.of("a")), Set.of()));

        var decision = decision(settled);

        assertThat(decision.commands()).isEmpty();
        assertThat(decision.kept().get("a")).isInstanceOf(KeepReason.MovedRecently.class);
    }

    @Test
    void whatCouldNotBeHadIsNotAskedForAgain() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("a", 10, 1), type("b", 10, 0.5)));
        stage.add(node("a", "a", 10));
        pods("a", "6");
        var vain =
                stage.problem()
                        .withPast(
                                new PastMoves(
                                        new TreeSet<>(),
                                        Set.of(
                                                new PastMoves.Target("default", "a"),
                                                new PastMoves.Target("default", "b"))));

        assertThat(decision(vain).kept().get("a")).isInstanceOf(KeepReason.TriedInVain.class);
    }

    @Test
    void eachPoolIsConsolidatedInOneWay() {
        cheapest(stage, "100%");
        stage.rig.apply(
                DisruptionStage.pool("other", DisruptionStage.disruption("100%").mapping()));
        stage.rig.cloud().types(List.of(type("a", 10, 1)));
        stage.add(node("a", "a", 10), node("b", "a", 10).pool("other"));
        pods("a", "2");
        pods("b", "2");
        var problem = stage.problem();

        assertThat(WholeFleet.candidacy(problem).kept().get("b"))
                .isEqualTo(new KeepReason.ConsolidatedOtherwise("other"));
        assertThat(MultiNode.candidacy(problem).kept().get("a"))
                .isEqualTo(new KeepReason.ConsolidatedOtherwise("default"));
    }

    @Test
    void aCommandBreaksWhenItsRoomIsTaken() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("a", 10, 1)));
        stage.add(node("a", "a", 10), node("b", "a", 10));
        pods("a", "2");
        pods("b", "3");
        var commands = decision().commands();
        pods("b", "3", "6");

        assertThat(WholeFleet.validate(stage.problem(), commands).getFirst())
                .isEqualTo(new Validation.Broken(Validation.Cause.SCHEDULING, 0));
    }

    @Test
    void anotherPassGoesOnWhereTheLastOneEnded() {
        cheapest(stage, "100%");
        stage.rig.cloud().types(List.of(type("a", 10, 1)));
        stage.add(node("a", "a", 10), node("b", "a", 10));
        pods("a", "9");
        pods("b", "9");
        var problem = stage.problem();

        var first = decision(problem, Set.of(), 1);
        assertThat(first.search().isOutOfEffort()).isTrue();
        assertThat(first.isWithheld()).isTrue();
        assertThat(first.commands()).isEmpty();
        assertThat(first.search().unseen()).containsExactly("a", "b");

        var onlyB = decision(problem, Set.of("b"), 30);
        assertThat(onlyB.search().unseen()).isEmpty();
        assertThat(onlyB.isWithheld()).isFalse();
    }

    private static Decision decision(
            DisruptionProblem problem, Set<String> unseen, long effortMax) {
        return WholeFleet.decide(
                problem,
                WholeFleet.candidacy(problem),
                Allowances.of(problem, DisruptionMethod.WHOLE_FLEET.reason()),
                unseen,
                effortMax);
    }
}
