package dev.millwright.core.explain;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.FleetBuilder;
import dev.millwright.core.explain.PoolExplanation.Fix;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.MaintenanceWindows;
import dev.millwright.core.policy.NodePoolBudgets;
import dev.millwright.core.policy.NodePoolBudgets.Budget;
import dev.millwright.core.policy.PoolControls;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Collectors;

/// How the pool `default` does, and what would mend it.
final class TroubledPoolTest {

    private static final InstanceType SMALL = type("small", 4, 1).build();
    private static final InstanceType LARGE = type("large", 16, 5).build();

    private final FleetBuilder fleet = fleet().selling(SMALL, LARGE);

    private String told() {
        var problem = fleet.problem();
        var explanation =
                new PoolExplainer(problem.scheduling(), problem).explain("default", "see Ready");
        var findings =
                explanation.findings().stream()
                        .map(each -> "\n- " + each.explain())
                        .collect(Collectors.joining());
        var fix =
                switch (explanation.fix()) {
                    case null -> "";
                    case Fix.None(var why) -> "\nno fix: " + why;
                    case Fix.Buying(var changes) ->
                            changes.stream()
                                    .map(
                                            each ->
                                                    "\nNodePool "
                                                            + each.nodePool()
                                                            + ": "
                                                            + each.describe())
                                    .collect(Collectors.joining());
                    case Fix.Leaving(var changes) ->
                            changes.stream()
                                    .map(each -> "\n" + each.object() + ": " + each.describe())
                                    .collect(Collectors.joining());
                };
        return explanation.verdict().text() + findings + fix;
    }

    @Test
    void aPoolThatIsNotThereIsNotExplained() {
        var problem = fleet.problem();

        assertThat(new PoolExplainer(problem.scheduling(), problem).explain("gone", "")).isNull();
    }

    @Test
    void aPoolThatWorksSaysSo() {
        fleet.with(machine("a", SMALL)).with(running("web", "a", "4"));

        assertThat(told())
                .isEqualTo(
                        """
                        Works
                        - 1 node stays, such as a: no replacement costs less than 1.0 an hour""");
    }

    @Test
    void aPoolWhoseNodesMayGoSaysHowMany() {
        fleet.with(machine("a", SMALL), machine("b", SMALL), machine("c", SMALL))
                .with(running("web", "a", "4"));

        assertThat(told())
                .isEqualTo(
                        """
                        Works
                        - 3 nodes go, such as a""");
    }

    @Test
    void aPoolThatIsNotReadyBuysNothing() {
        fleet.pool(nodePool("default").notReady());

        assertThat(told())
                .isEqualTo(
                        """
                        NotReady
                        - it is not ready: see Ready
                        no fix: it is not ready: see Ready""");
    }

    @Test
    void aPoolThatIsDeletedBuysNothing() {
        fleet.pool(nodePool("default").deleting());

        assertThat(told())
                .isEqualTo(
                        """
                        NotReady
                        - it is being deleted
                        no fix: it is being deleted""");
    }

    @Test
    void aStaticPoolSaysHowManyNodesItKeeps() {
        fleet.pool(nodePool("default").replicas(3)).with(machine("a", SMALL));

        assertThat(told())
                .isEqualTo(
                        """
                        Works
                        - it keeps 3 nodes and buys none for pods
                        - 1 node stays, such as a: its pool has a fixed number of nodes""");
    }

    @Test
    void aPoolOfUnknownTypesBuysNothing() {
        fleet.pool(nodePool("default").requirement(in(LabelKeys.INSTANCE_TYPE, "smal")));

        assertThat(told())
                .isEqualTo(
                        """
                        BuysNothing
                        - no instance type of 2 meets node.kubernetes.io/instance-type In [smal]; maybe "small"?
                        NodePool default: allow node.kubernetes.io/instance-type=small instead of smal""");
    }

    @Test
    void aPoolWithATypoInAKeyIsFaulty() {
        fleet.pool(nodePool("default").requirement(in("karpenter.sh/capacity-typ", "spot")));

        assertThat(told())
                .isEqualTo(
                        """
                        NotReady
                        - label "karpenter.sh/capacity-typ" is restricted; use a label of your own or a well-known one; maybe "karpenter.sh/capacity-type"?
                        NodePool default: require it of label karpenter.sh/capacity-type instead of karpenter.sh/capacity-typ""");
    }

    @Test
    void aPoolWithATypoInAValueIsFaulty() {
        fleet.pool(nodePool("default").requirement(in(LabelKeys.CAPACITY_TYPE, "spt")));

        assertThat(told())
                .isEqualTo(
                        """
                        NotReady
                        - label "karpenter.sh/capacity-type": none of [spt] is known; wanted one of [on-demand, reserved, spot]
                        - no instance type of 2 meets karpenter.sh/capacity-type In [spt]; maybe "spot"?
                        NodePool default: allow karpenter.sh/capacity-type=spot instead of spt""");
    }

    @Test
    void aPoolWithATypoInAZoneBuysNothing() {
        fleet.pool(nodePool("default").requirement(in(LabelKeys.ZONE, "test-zne-1")));

        assertThat(told())
                .isEqualTo(
                        """
                        BuysNothing
                        - no instance type of 2 meets topology.kubernetes.io/zone In [test-zne-1]; maybe "test-zone-1"?
                        NodePool default: allow topology.kubernetes.io/zone=test-zone-1 instead of test-zne-1""");
    }

    @Test
    void aPoolWhoseLimitIsReachedBuysNothing() {
        fleet.pool(nodePool("default").limit("cpu", "4"))
                .with(machine("a", SMALL))
                .with(running("web", "a", "4"));

        assertThat(told())
                .isEqualTo(
                        """
                        BuysNothing
                        - limits.cpu is 4 and 4 of it is used; one more node needs 8
                        - 1 node stays, such as a: no replacement costs less than 1.0 an hour
                        NodePool default: raise the limit of cpu to 8""");
    }

    @Test
    void aPoolWhoseNodesAreCountedOutBuysNothing() {
        fleet.pool(nodePool("default").limit("nodes", "1"))
                .with(machine("a", SMALL))
                .with(running("web", "a", "4"));

        assertThat(told())
                .isEqualTo(
                        """
                        BuysNothing
                        - limits.nodes is 1 and 1 of it is used; one more node needs 2
                        - 1 node stays, such as a: no replacement costs less than 1.0 an hour
                        NodePool default: raise the limit of nodes to 2""");
    }

    @Test
    void aPoolThatWantsTooManyTypesBuysNothing() {
        fleet.pool(nodePool("default").minValues(LabelKeys.INSTANCE_TYPE, 5));

        assertThat(told())
                .isEqualTo(
                        """
                        BuysNothing
                        - minValues of "node.kubernetes.io/instance-type" is 5, but the instance types left have only 2
                        NodePool default: take minValues of node.kubernetes.io/instance-type away""");
    }

    @Test
    void aPoolWhoseTypesAreNotToBeHadBuysNothing() {
        fleet.selling(instanceType("gone").unavailable().build());

        assertThat(told())
                .isEqualTo(
                        """
                        BuysNothing
                        - its requirements together leave none of 1 instance types, and no single one is to blame
                        no fix: no set of up to 3 changes that we know of helps""");
    }

    @Test
    void aPoolWithoutTypesBuysNothing() {
        fleet.sellingTo("default");

        assertThat(told())
                .isEqualTo(
                        """
                        BuysNothing
                        - its requirements together leave none of 0 instance types, and no single one is to blame
                        no fix: no set of up to 3 changes that we know of helps""");
    }

    @Test
    void contradictingRequirementsBuyNothing() {
        fleet.pool(
                nodePool("default")
                        .requirement(in(LabelKeys.ZONE, "test-zone-1"))
                        .requirement(in(LabelKeys.ZONE, "test-zone-2")));

        assertThat(told())
                .isEqualTo(
                        """
                        BuysNothing
                        - no instance type of 2 meets topology.kubernetes.io/zone In [test-zone-1] and topology.kubernetes.io/zone In [test-zone-2]; maybe "test-zone-1"?
                        NodePool default: allow topology.kubernetes.io/zone=test-zone-1 instead of test-zone-2""");
    }

    @Test
    void aTaintedPoolThatKeepsPodsOffIsHealthy() {
        fleet.pool(nodePool("default").taint(taint("team", "a")))
                .with(pod("web", "1"), pod("api", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        Works
                        - its taints keep 2 waiting pods off, such as default/api, and should: they do not ask for it""");
    }

    @Test
    void aPodThatAsksForATaintedPoolByNameIsRefused() {
        fleet.pool(nodePool("default").taint(taint("team", "a")))
                .with(pod("web", "1").nodeSelector(LabelKeys.NODE_POOL, "default"));

        assertThat(told())
                .isEqualTo(
                        """
                        RefusesPods
                        - refuses 1 waiting pod, such as default/web: does not tolerate taint team=a:NoSchedule
                        no fix: no change of the pool alone gives pod default/web a place; see millwright explain pod default/web""");
    }

    @Test
    void aPoolThatRefusesALargePodSaysWhich() {
        fleet.with(pod("web", "99"));

        assertThat(told())
                .isEqualTo(
                        """
                        RefusesPods
                        - refuses 1 waiting pod, such as default/web: no instance type had enough resources, requirements: karpenter.sh/initialized In [true], karpenter.sh/nodepool In [default], karpenter.sh/registered In [true], karpenter.test.sh/testnodeclass In [default], requested: cpu 99, pods 1, the nearest type lacks: cpu 83
                        no fix: no change of the pool alone gives pod default/web a place; see millwright explain pod default/web""");
    }

    @Test
    void aPodThatAnotherPoolTakesIsNotRefused() {
        fleet.pool(nodePool("default").taint(taint("team", "a")))
                .pool(nodePool("other"))
                .with(pod("web", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        Works""");
    }

    @Test
    void aFrozenPoolKeepsItsNodes() {
        fleet.pool(
                        each ->
                                each.withControls(
                                        PoolControls.NONE.within(
                                                new Freeze("NodePool default", "sale"))))
                .with(machine("a", SMALL));

        assertThat(told())
                .isEqualTo(
                        """
                        KeepsNodes
                        - Empty, Underutilized, Drifted: frozen by annotation millwright.dev/freeze of NodePool default (sale); remove it, or run millwright unfreeze
                        - 1 node stays, such as a: frozen by annotation millwright.dev/freeze of NodePool default (sale); remove it, or run millwright unfreeze
                        NodePool default: end the freeze with millwright unfreeze""");
    }

    @Test
    void aPoolWithABudgetOfNoneKeepsItsNodes() {
        fleet.budget("0").with(machine("a", SMALL));

        assertThat(told())
                .isEqualTo(
                        """
                        KeepsNodes
                        - Empty, Underutilized, Drifted: disruption.budgets[0] lets no node go
                        - 1 node stays, such as a: NodePool default allows no further disruption for reason Empty
                        NodePool default: set disruption.budgets[0].nodes to 1""");
    }

    @Test
    void aPoolWhoseBudgetsAddUpToNoneKeepsItsNodes() {
        fleet.pool(
                        each ->
                                each.withBudgets(
                                        new NodePoolBudgets(
                                                List.of(
                                                        Budget.of(
                                                                "0",
                                                                List.of("Drifted"),
                                                                null,
                                                                null),
                                                        Budget.of("20%", null, null, null),
                                                        Budget.of(
                                                                "0",
                                                                List.of("Empty"),
                                                                null,
                                                                null)))))
                .with(machine("a", SMALL));

        assertThat(told())
                .isEqualTo(
                        """
                        KeepsNodes
                        - Drifted: disruption.budgets[0] lets no node go
                        - Empty: disruption.budgets[2] lets no node go
                        - 1 node stays, such as a: NodePool default allows no further disruption for reason Empty
                        NodePool default: set disruption.budgets[0].nodes to 1
                        NodePool default: set disruption.budgets[2].nodes to 1""");
    }

    @Test
    void aPoolWithABudgetThatCannotBeReadKeepsItsNodes() {
        fleet.budget("some").with(machine("a", SMALL));

        assertThat(told())
                .isEqualTo(
                        """
                        KeepsNodes
                        - Empty, Underutilized, Drifted: NodePool default lets no node go until it is mended: spec.disruption.budgets[0]: nodes "some" is neither a number such as 5 nor a share such as 10%
                        - 1 node stays, such as a: NodePool default lets no node go until it is mended: spec.disruption.budgets[0]: nodes "some" is neither a number such as 5 nor a share such as 10%
                        NodePool default: mend disruption.budgets[0], or take it away""");
    }

    @Test
    void aPoolWhoseBudgetIsSpentSaysSo() {
        fleet.budget("1").with(machine("a", SMALL).queued(), machine("b", SMALL));

        assertThat(told())
                .isEqualTo(
                        """
                        Works
                        - Empty, Underutilized, Drifted: disruption.budgets[0] lets at most 1 node go, and 1 is going or not ready
                        - 1 node stays, such as b: NodePool default allows no further disruption for reason Empty
                        - 1 node stays, such as a: a disruption of it is under way""");
    }

    @Test
    void aPoolOutsideItsWindowsKeepsItsNodes() {
        fleet.pool(
                        each ->
                                each.withControls(
                                        new PoolControls(
                                                null,
                                                MaintenanceWindows.parse("daily 01:00-02:00"),
                                                null,
                                                List.of())))
                .with(machine("a", SMALL));

        assertThat(told())
                .isEqualTo(
                        """
                        KeepsNodes
                        - Empty: NodePool default is outside its maintenance windows for reason Empty; the next opens at 2026-01-02T01:00:00Z
                        - Underutilized: NodePool default is outside its maintenance windows for reason Underutilized; the next opens at 2026-01-02T01:00:00Z
                        - Drifted: NodePool default is outside its maintenance windows for reason Drifted; the next opens at 2026-01-02T01:00:00Z
                        - 1 node stays, such as a: NodePool default is outside its maintenance windows for reason Empty; the next opens at 2026-01-02T01:00:00Z
                        no fix: Empty: NodePool default is outside its maintenance windows for reason Empty; the next opens at 2026-01-02T01:00:00Z""");
    }

    @Test
    void aPoolSaysWhyItsNodesAreKept() {
        fleet.with(
                machine("a", SMALL).annotation(LabelKeys.DO_NOT_DISRUPT, "true"),
                machine("b", SMALL).nominated(),
                machine("c", SMALL).annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(told())
                .isEqualTo(
                        """
                        Works
                        - 2 nodes stay, such as a: its annotation karpenter.sh/do-not-disrupt is "true"; remove it to let the node go
                        - 1 node stays, such as b: a pod that waits is about to be bound to it""");
    }
}
