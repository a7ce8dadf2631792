package dev.millwright.core.explain;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.core.disruption.MachineBuilder.spotMachine;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.FleetBuilder;
import dev.millwright.core.disruption.PoolRules;
import dev.millwright.core.explain.NodeExplanation.Fix;
import dev.millwright.core.explain.NodeExplanation.Verdict;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.PoolControls;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Why the node `a` is kept, and what would let it go.
final class KeptNodeTest {

    private static final Map<String, String> WEB = Map.of("app", "web");
    private static final InstanceType SMALL = type("small", 4, 1).build();
    private static final InstanceType LARGE = type("large", 16, 5).build();

    private final FleetBuilder fleet = fleet().selling(SMALL, LARGE);

    private String told() {
        return told("a");
    }

    private String told(String node) {
        var explanation = new NodeExplainer(fleet.problem()).explain(node);
        var verdict =
                switch (explanation.verdict()) {
                    case Verdict.Goes(var command) -> "goes: " + command.summary();
                    case Verdict.Kept(var said) ->
                            said.stream()
                                    .map(
                                            each ->
                                                    each.method().label()
                                                            + ": "
                                                            + each.reason().label())
                                    .collect(Collectors.joining("\n"));
                };
        var fix =
                switch (explanation.fix()) {
                    case null -> "";
                    case Fix.None(var why) -> "\nno fix: " + why;
                    case Fix.Found(var changes, var command) ->
                            changes.stream()
                                            .map(
                                                    each ->
                                                            "\n"
                                                                    + each.object()
                                                                    + ": "
                                                                    + each.describe())
                                            .collect(Collectors.joining())
                                    + "\nthen: "
                                    + command.summary();
                };
        return verdict + fix;
    }

    @Test
    void aNodeThatIsNotThereIsNotExplained() {
        assertThat(new NodeExplainer(fleet.problem()).explain("gone")).isNull();
    }

    @Test
    void aNodeThatGoesSaysHow() {
        fleet.with(machine("a", SMALL), machine("b", LARGE))
                .with(running("1", "a", "1"), running("2", "b", "9"));

        assertThat(told())
                .isEqualTo(
                        """
                        goes: delete a""");
    }

    @Test
    void anEmptyNodeGoes() {
        fleet.with(machine("a", SMALL));

        assertThat(told())
                .isEqualTo(
                        """
                        goes: delete a""");
    }

    @Test
    void aGuardedPodIsLetGo() {
        fleet.with(machine("a", LARGE))
                .with(running("web", "a", "1").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: PodGuarded
                        single node: PodGuarded
                        Pod default/web: remove the annotation karpenter.sh/do-not-disrupt
                        then: replace a for 1 new""");
    }

    @Test
    void aGuardedNodeIsLetGo() {
        fleet.with(machine("a", LARGE).annotation(LabelKeys.DO_NOT_DISRUPT, "true"))
                .with(running("web", "a", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: NodeGuarded
                        single node: NodeGuarded
                        Node a: remove the annotation karpenter.sh/do-not-disrupt
                        then: replace a for 1 new""");
    }

    @Test
    void aSpentBudgetIsLoosened() {
        fleet.with(machine("a", LARGE))
                .with(
                        running("web", "a", "1").label("app", "web"),
                        disruptionBudget("web", WEB).maxUnavailable("0"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: PodBudgetSpent
                        single node: PodBudgetSpent
                        PodDisruptionBudget default/web: let one more pod be unavailable
                        then: replace a for 1 new""");
    }

    @Test
    void ofTwoBudgetsOneIsRemoved() {
        fleet.with(machine("a", LARGE))
                .with(
                        running("web", "a", "1").label("app", "web"),
                        disruptionBudget("web", WEB).disruptionsAllowed(1),
                        disruptionBudget("too", WEB).disruptionsAllowed(1));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: PodBudgetsContested
                        single node: PodBudgetsContested
                        PodDisruptionBudget default/too: delete it, or narrow its selector: its pods have another
                        then: replace a for 1 new""");
    }

    @Test
    void aPoolThatNeverConsolidatesDoesItSoon() {
        fleet.pool(each -> new PoolRules(each.pool(), each.budgets(), null, each.policy()))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: ConsolidationOff
                        single node: ConsolidationOff
                        NodePool default: set disruption.consolidateAfter to 0s
                        then: replace a for 1 new""");
    }

    @Test
    void aPoolThatConsolidatesEmptyNodesAloneConsolidatesAll() {
        fleet.pool(each -> each.withPolicy(PoolRules.Consolidation.WHEN_EMPTY))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: NotEmpty
                        single node: OnlyWhenEmpty
                        NodePool default: set disruption.consolidationPolicy to WhenEmptyOrUnderutilized
                        then: replace a for 1 new""");
    }

    @Test
    void aNodeWherePodsCameAMomentAgoIsConsolidatedSoon() {
        fleet.with(machine("a", LARGE).notConsolidatable()).with(running("web", "a", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: NotEmpty
                        single node: NotConsolidatable
                        NodePool default: set disruption.consolidateAfter to 0s
                        then: replace a for 1 new""");
    }

    @Test
    void aMoveThatIsNotWorthItIsMadeWhereThePolicyAllowsIt() {
        fleet.pool(each -> each.withPolicy(PoolRules.Consolidation.BALANCED))
                .selling(LARGE, type("almost", 16, 4.9).build())
                .with(machine("a", LARGE))
                .with(running("web", "a", "15"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: NotEmpty
                        single node: NotWorthIt
                        NodePool default: set disruption.consolidationPolicy to WhenEmptyOrUnderutilized
                        then: replace a for 1 new""");
    }

    @Test
    void aClosedPoolBudgetIsOpened() {
        fleet.budget("0").with(machine("a", LARGE)).with(running("web", "a", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: NotEmpty
                        single node: PoolBudgetSpent
                        NodePool default: raise disruption.budgets so that one more node may be disrupted
                        then: replace a for 1 new""");
    }

    @Test
    void aFrozenPoolIsThawed() {
        fleet.pool(
                        each ->
                                each.withControls(
                                        PoolControls.NONE.within(
                                                new Freeze("NodePool default", "sale"))))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: Frozen
                        single node: Frozen
                        NodePool default: end the freeze with millwright unfreeze
                        then: replace a for 1 new""");
    }

    @Test
    void fewCheaperSpotTypesAreNobodysFault() {
        fleet.selling(LARGE, SMALL)
                .spotToSpot()
                .with(spotMachine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: NotEmpty
                        single node: TooFewSpotTypes
                        no fix: 1 cheaper spot types remain; a spot node is replaced when there are 15""");
    }

    @Test
    void spotToSpotIsSwitchedOn() {
        fleet.selling(
                        IntStream.range(0, 17)
                                .mapToObj(
                                        each ->
                                                type("type-" + (10 + each), 4, 1 - 0.01 * each)
                                                        .build())
                                .toArray(InstanceType[]::new))
                .with(spotMachine("a", type("type-10", 4, 1).build()))
                .with(running("web", "a", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: NotEmpty
                        single node: SpotToSpotOff
                        the operator: turn the feature gate SpotToSpotConsolidation on
                        then: replace a for 1 new""");
    }

    @Test
    void severalThingsAreChangedTogether() {
        fleet.budget("0")
                .with(machine("a", LARGE).annotation(LabelKeys.DO_NOT_DISRUPT, "true"))
                .with(running("web", "a", "1").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: NodeGuarded
                        single node: NodeGuarded
                        Node a: remove the annotation karpenter.sh/do-not-disrupt
                        Pod default/web: remove the annotation karpenter.sh/do-not-disrupt
                        NodePool default: raise disruption.budgets so that one more node may be disrupted
                        then: replace a for 1 new""");
    }

    @Test
    void whatIsNotCheaperStays() {
        fleet.with(machine("a", SMALL)).with(running("web", "a", "4"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: NotEmpty
                        single node: NotCheaper
                        no fix: no replacement costs less than 1.0 an hour""");
    }

    @Test
    void aNodeThatGoesAlreadyStaysAsItIs() {
        fleet.with(machine("a", SMALL).queued());

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: Queued
                        single node: Queued
                        no fix: a disruption of it is under way""");
    }

    @Test
    void aNodeOfAnUnknownPoolStays() {
        fleet.with(machine("a", SMALL).pool("gone"));

        assertThat(told())
                .isEqualTo(
                        """
                        emptiness: PoolUnknown
                        single node: PoolUnknown
                        no fix: there is no NodePool "gone" to ask""");
    }

    @Test
    void aNodeOfAPoolThatIsConsolidatedAsAWholeSaysWhatThatFinds() {
        fleet.pool(rules -> FleetBuilder.whole(rules, Duration.ofHours(2)))
                .with(machine("a", SMALL))
                .with(running("web", "a", "3"));

        assertThat(told()).contains("whole fleet: NotCheaper").doesNotContain("single node");
    }

    @Test
    void aNodeOfSuchAPoolGoesAsTheWholeFleetDecides() {
        fleet.pool(rules -> FleetBuilder.whole(rules, Duration.ofHours(200)))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(told()).startsWith("goes: ");
    }

    @Test
    void aNodeThatDriftedSaysWhyItIsNotReplaced() {
        fleet.with(machine("a", SMALL).drifted())
                .with(
                        running("web", "a", "3").label("app", "web"),
                        disruptionBudget("web", WEB).maxUnavailable("0"));

        assertThat(told()).contains("drift: PodBudgetSpent");
    }

    @Test
    void aNodeOfAStaticPoolThatDriftedIsAskedAboutAsSuch() {
        fleet.pool(nodePool("default").replicas(1))
                .with(machine("a", SMALL).drifted().annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(told()).contains("static drift: NodeGuarded").doesNotContain("\ndrift:");
    }

    @Test
    void thatAnotherNodeWouldComeFirstIsNotItsFault() {
        fleet.budget("1").with(machine("a", SMALL), machine("b", SMALL));

        assertThat(told("a")).isEqualTo("goes: delete a");
        assertThat(told("b")).isEqualTo("goes: delete b");
    }

    @Test
    void aNodeThatGoesOnlyBesideOthersGoes() {
        var wide = type("wide", 8, 1.5).build();
        fleet.selling(SMALL, wide)
                .with(machine("a", SMALL), machine("b", SMALL))
                .with(running("1", "a", "3"), running("2", "b", "3"));

        assertThat(told()).isEqualTo("goes: replace a, b for 1 new");
    }

    @Test
    void aNodeOfAWholeFleetGoesBesideOthersAsTheFleetDecides() {
        var wide = type("wide", 8, 1.5).build();
        fleet.pool(rules -> FleetBuilder.whole(rules, Duration.ofHours(200)))
                .selling(SMALL, wide)
                .with(machine("a", SMALL), machine("b", SMALL))
                .with(running("1", "a", "3"), running("2", "b", "3"));

        assertThat(told()).isEqualTo("goes: replace a, b for 1 new");
    }
}
