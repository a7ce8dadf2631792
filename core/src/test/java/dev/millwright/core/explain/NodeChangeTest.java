package dev.millwright.core.explain;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.FleetBuilder;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.disruption.PastMoves;
import dev.millwright.core.disruption.PoolRules;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.NodePoolBudgets;
import dev.millwright.core.policy.NodePoolBudgets.Budget;
import dev.millwright.core.policy.PoolControls;
import dev.millwright.testing.kit.BudgetBuilder;
import dev.millwright.testing.kit.NodeBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What each change that lets a node go is called, and does to the cluster.
final class NodeChangeTest {

    private static final InstanceType SMALL = type("small", 4, 1).build();
    private static final ObjectName WEB = new ObjectName("default", "web");
    private static final ObjectName API = new ObjectName("default", "api");

    static Stream<Arguments> changes() {
        var unguarded = "remove the annotation karpenter.sh/do-not-disrupt";
        return Stream.of(
                Arguments.of(new NodeChange.UnguardPod(WEB), "Pod default/web", unguarded),
                Arguments.of(new NodeChange.UnguardNode("a"), "Node a", unguarded),
                Arguments.of(
                        new NodeChange.LoosenBudget(WEB),
                        "PodDisruptionBudget default/web",
                        "let one more pod be unavailable"),
                Arguments.of(
                        new NodeChange.RemoveBudget(WEB),
                        "PodDisruptionBudget default/web",
                        "delete it, or narrow its selector: its pods have another"),
                Arguments.of(
                        new NodeChange.ConsolidateSoon("p"),
                        "NodePool p",
                        "set disruption.consolidateAfter to 0s"),
                Arguments.of(
                        new NodeChange.ConsolidateUnderutilized("p"),
                        "NodePool p",
                        "set disruption.consolidationPolicy to WhenEmptyOrUnderutilized"),
                Arguments.of(
                        new NodeChange.OpenBudgets("p"),
                        "NodePool p",
                        "raise disruption.budgets so that one more node may be disrupted"),
                Arguments.of(
                        new NodeChange.RaiseBudget("p", 2, 3),
                        "NodePool p",
                        "set disruption.budgets[2].nodes to 3"),
                Arguments.of(
                        new NodeChange.DropBudget("p", 2),
                        "NodePool p",
                        "mend disruption.budgets[2], or take it away"),
                Arguments.of(
                        new NodeChange.Unfreeze("p", "Namespace shop"),
                        "Namespace shop",
                        "end the freeze with millwright unfreeze"),
                Arguments.of(
                        new NodeChange.AllowSpotToSpot(),
                        "the operator",
                        "turn the feature gate SpotToSpotConsolidation on"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeNamesItsObjectAndSaysWhatToDo(NodeChange change, String object, String words) {
        assertThat(change.object()).isEqualTo(object);
        assertThat(change.describe()).isEqualTo(words);
    }

    /// Everything else of the problem is as it was, and what was tried before is not forgotten.
    @ParameterizedTest
    @MethodSource("changes")
    void aChangeOfWhatIsNotThereChangesNothingButTheGate(NodeChange change) {
        var past = new PastMoves(new TreeSet<>(List.of("a")), Set.of());
        var problem = fleet().selling(SMALL).past(past).problem();

        var changed = change.applied(problem);

        assertThat(changed.past()).isSameAs(past);
        assertThat(changed.machines()).isEqualTo(problem.machines());
        assertThat(changed.pools()).isEqualTo(problem.pools());
        assertThat(changed.scheduling()).isEqualTo(problem.scheduling());
        assertThat(changed.isSpotToSpot()).isEqualTo(change instanceof NodeChange.AllowSpotToSpot);
    }

    private static DisruptionProblem guarded() {
        return fleet().selling(SMALL)
                .with(machine("a", SMALL), machine("b", SMALL))
                .with(
                        running("web", "a", "1")
                                .annotation(LabelKeys.DO_NOT_DISRUPT, "true")
                                .annotation("note", "kept"),
                        running("api", "b", "1").annotation(LabelKeys.DO_NOT_DISRUPT, "true"))
                .problem();
    }

    @Test
    void onePodLosesItsGuardAndKeepsItsOtherAnnotations() {
        var changed = new NodeChange.UnguardPod(WEB).applied(guarded());

        assertThat(changed.scheduling().snapshot().pods())
                .extracting(each -> each.annotations().keySet().toString())
                .containsExactly("[note]", "[" + LabelKeys.DO_NOT_DISRUPT + "]");
        assertThat(changed.machines())
                .flatExtracting(Machine::pods)
                .extracting(each -> each.pod().annotations().keySet().toString())
                .containsExactly("[note]", "[" + LabelKeys.DO_NOT_DISRUPT + "]");
    }

    @Test
    void aPodThatLosesItsGuardCostsAsMuchAsBefore() {
        var before = guarded();

        var changed = new NodeChange.UnguardPod(WEB).applied(before);

        assertThat(changed.machines().getFirst().pods().getFirst().cost())
                .isEqualTo(before.machines().getFirst().pods().getFirst().cost());
        assertThat(changed.machines().getFirst().standing())
                .isEqualTo(before.machines().getFirst().standing());
    }

    @Test
    void oneNodeLosesItsGuardAndKeepsItsOtherAnnotations() {
        var problem =
                fleet().selling(SMALL)
                        .with(
                                machine("a", SMALL)
                                        .annotation(LabelKeys.DO_NOT_DISRUPT, "true")
                                        .annotation("note", "kept"),
                                machine("b", SMALL).annotation(LabelKeys.DO_NOT_DISRUPT, "true"))
                        .problem();

        var changed = new NodeChange.UnguardNode("a").applied(problem);

        assertThat(changed.scheduling().snapshot().nodes())
                .extracting(each -> each.name(), each -> each.node().annotations().keySet())
                .containsExactly(
                        tuple("a", Set.of("note")), tuple("b", Set.of(LabelKeys.DO_NOT_DISRUPT)));
        assertThat(changed.machines())
                .extracting(Machine::node)
                .isEqualTo(changed.scheduling().snapshot().nodes());
        assertThat(changed.machines().getFirst().node().claim())
                .isEqualTo(problem.machines().getFirst().node().claim());
    }

    @Test
    void aMachineWithoutNodeHasNoGuardToLose() {
        var problem =
                fleet().selling(SMALL)
                        .with(machine("a", SMALL).node(NodeBuilder::inFlight))
                        .problem();

        assertThat(new NodeChange.UnguardNode("a").applied(problem).machines())
                .isEqualTo(problem.machines());
    }

    private static DisruptionBudget loosened(BudgetBuilder budget) {
        var problem = fleet().selling(SMALL).with(budget).problem();
        return new NodeChange.LoosenBudget(WEB)
                .applied(problem)
                .scheduling()
                .snapshot()
                .disruptionBudgets()
                .getFirst();
    }

    @Test
    void aSpentBudgetAllowsOneMore() {
        var budget = disruptionBudget("web", Map.of()).minAvailable("2").disruptionsAllowed(1);

        assertThat(loosened(budget)).isEqualTo(budget.disruptionsAllowed(2).budget());
    }

    @Test
    void aBudgetThatLetsNoPodGoLetsOneGo() {
        var none = disruptionBudget("web", Map.of()).maxUnavailable("0");
        var all = disruptionBudget("web", Map.of()).minAvailable("100%");
        var one = disruptionBudget("web", Map.of()).maxUnavailable("1").disruptionsAllowed(1);

        assertThat(loosened(none)).isEqualTo(one.budget());
        assertThat(loosened(all)).isEqualTo(one.budget());
    }

    @Test
    void aBudgetOfAnotherNameStaysAsItIs() {
        var budget = disruptionBudget("api", Map.of()).maxUnavailable("0");

        assertThat(loosened(budget)).isEqualTo(budget.budget());
    }

    @Test
    void oneBudgetIsRemovedAndOthersStay() {
        var problem =
                fleet().selling(SMALL)
                        .with(disruptionBudget("web", Map.of()), disruptionBudget("api", Map.of()))
                        .problem();

        assertThat(
                        new NodeChange.RemoveBudget(WEB)
                                .applied(problem)
                                .scheduling()
                                .snapshot()
                                .disruptionBudgets())
                .extracting(DisruptionBudget::name)
                .containsExactly(API);
    }

    private static FleetBuilder twoPools() {
        return fleet().selling(SMALL)
                .pool(nodePool("default"), NodeChangeTest::strict)
                .pool(nodePool("other"), NodeChangeTest::strict)
                .with(
                        machine("a", SMALL).notConsolidatable(),
                        machine("b", SMALL).pool("other").notConsolidatable());
    }

    private static PoolRules strict(PoolRules rules) {
        return new PoolRules(
                        rules.pool(),
                        FleetBuilder.budgets("0"),
                        Duration.ofHours(1),
                        PoolRules.Consolidation.WHEN_EMPTY)
                .withControls(PoolControls.NONE.within(new Freeze("NodePool default", "sale")));
    }

    private static PoolRules rules(NodeChange change, String pool) {
        return change.applied(twoPools().problem()).pools().get(pool);
    }

    @Test
    void onlyThePoolThatIsNamedChanges() {
        var before = twoPools().problem().pools().get("other");

        assertThat(rules(new NodeChange.ConsolidateSoon("default"), "other")).isEqualTo(before);
        assertThat(rules(new NodeChange.Unfreeze("default", "x"), "other")).isEqualTo(before);
    }

    @Test
    void aPoolThatConsolidatesSoonMakesItsNodesCandidatesNow() {
        var changed = new NodeChange.ConsolidateSoon("default").applied(twoPools().problem());

        assertThat(changed.pools().get("default").consolidateAfter()).isEqualTo(Duration.ZERO);
        assertThat(changed.machines())
                .extracting(Machine::name, each -> each.standing().isConsolidatable())
                .containsExactly(tuple("a", true), tuple("b", false));
    }

    @Test
    void policyBudgetsAndFreezeOfAPoolAreChangedEachAlone() {
        var before = twoPools().problem().pools().get("default");

        assertThat(rules(new NodeChange.ConsolidateUnderutilized("default"), "default"))
                .isEqualTo(before.withPolicy(PoolRules.Consolidation.WHEN_EMPTY_OR_UNDERUTILIZED));
        assertThat(rules(new NodeChange.OpenBudgets("default"), "default"))
                .isEqualTo(before.withBudgets(NodePoolBudgets.NONE));
        assertThat(rules(new NodeChange.Unfreeze("default", "x"), "default"))
                .isEqualTo(before.withControls(PoolControls.NONE));
        assertThat(rules(new NodeChange.RaiseBudget("default", 0, 2), "default"))
                .isEqualTo(before.withBudgets(FleetBuilder.budgets("2")));
        assertThat(rules(new NodeChange.DropBudget("default", 0), "default"))
                .isEqualTo(before.withBudgets(FleetBuilder.budgets("100%")));
    }

    @Test
    void aRaisedBudgetKeepsItsReasonsAndItsPlace() {
        var budgets =
                new NodePoolBudgets(
                        List.of(
                                Budget.of("5", null, null, null),
                                Budget.of("0", List.of("Drifted"), null, null)));

        assertThat(new NodeChange.RaiseBudget("p", 1, 2).on(budgets))
                .isEqualTo(
                        new NodePoolBudgets(
                                List.of(
                                        Budget.of("5", null, null, null),
                                        Budget.of("2", List.of("Drifted"), null, null))));
    }

    @Test
    void aDroppedBudgetLeavesOthersTheirPlace() {
        var budgets =
                new NodePoolBudgets(
                        List.of(
                                Budget.of("some", null, null, null),
                                Budget.of("5", null, null, null)));

        assertThat(new NodeChange.DropBudget("p", 0).on(budgets))
                .isEqualTo(
                        new NodePoolBudgets(
                                List.of(
                                        Budget.of("100%", null, null, null),
                                        Budget.of("5", null, null, null))));
    }

    @Test
    void aBudgetThatIsGoneByNowIsLeftAlone() {
        var budgets = FleetBuilder.budgets("5");

        assertThat(new NodeChange.RaiseBudget("p", 1, 2).on(budgets)).isEqualTo(budgets);
        assertThat(new NodeChange.DropBudget("p", 1).on(budgets)).isEqualTo(budgets);
    }
}
