package dev.millwright.core.explain;

import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.disruption.Machine.MovedPod;
import dev.millwright.core.disruption.PoolRules;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodePoolBudgets;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// A change by which a node that is kept might go.
public sealed interface NodeChange {

    /// As [Change#effort]: what one object says about itself before what a pool says about all.
    double effort();

    String describe();

    /// The object that is changed, e.g. `NodePool general`.
    String object();

    DisruptionProblem applied(DisruptionProblem problem);

    /// Takes the pod's annotation away.
    record UnguardPod(ObjectName pod) implements NodeChange {
        @Override
        public double effort() {
            return 1.00;
        }

        @Override
        public String object() {
            return "Pod " + pod;
        }

        @Override
        public String describe() {
            return "remove the annotation " + LabelKeys.DO_NOT_DISRUPT;
        }

        @Override
        public DisruptionProblem applied(DisruptionProblem problem) {
            return withPods(
                    problem,
                    each ->
                            each.name().equals(pod)
                                    ? each.withAnnotations(unguarded(each.annotations()))
                                    : each);
        }
    }

    /// Takes the node's annotation away.
    record UnguardNode(String node) implements NodeChange {
        @Override
        public double effort() {
            return 1.05;
        }

        @Override
        public String object() {
            return "Node " + node;
        }

        @Override
        public String describe() {
            return "remove the annotation " + LabelKeys.DO_NOT_DISRUPT;
        }

        @Override
        public DisruptionProblem applied(DisruptionProblem problem) {
            return withMachines(
                    problem, machine -> machine.name().equals(node) ? unguarded(machine) : machine);
        }

        private static Machine unguarded(Machine machine) {
            var state = machine.node();
            Node with = state.node();
            return with == null
                    ? machine
                    : new Machine(
                            new StateNode(
                                    with.withAnnotations(NodeChange.unguarded(with.annotations())),
                                    state.claim(),
                                    state.isMarkedForDeletion(),
                                    state.isInsideConsolidateAfter()),
                            machine.standing(),
                            machine.pods());
        }
    }

    /// Lets one more pod of a budget be away.
    record LoosenBudget(ObjectName budget) implements NodeChange {
        @Override
        public double effort() {
            return 1.20;
        }

        @Override
        public String object() {
            return "PodDisruptionBudget " + budget;
        }

        @Override
        public String describe() {
            return "let one more pod be unavailable";
        }

        @Override
        public DisruptionProblem applied(DisruptionProblem problem) {
            return withBudgets(
                    problem,
                    problem.scheduling().snapshot().disruptionBudgets().stream()
                            .map(each -> each.name().equals(budget) ? looser(each) : each)
                            .toList());
        }

        private static DisruptionBudget looser(DisruptionBudget budget) {
            return new DisruptionBudget(
                    budget.name(),
                    budget.selector(),
                    budget.isFullyBlocking() ? "1" : budget.maxUnavailable(),
                    budget.isFullyBlocking() ? null : budget.minAvailable(),
                    budget.alwaysAllowsUnhealthy(),
                    budget.disruptionsAllowed() + 1);
        }
    }

    /// Of several budgets for one pod only one can be asked.
    record RemoveBudget(ObjectName budget) implements NodeChange {
        @Override
        public double effort() {
            return 1.25;
        }

        @Override
        public String object() {
            return "PodDisruptionBudget " + budget;
        }

        @Override
        public String describe() {
            return "delete it, or narrow its selector: its pods have another";
        }

        @Override
        public DisruptionProblem applied(DisruptionProblem problem) {
            return withBudgets(
                    problem,
                    problem.scheduling().snapshot().disruptionBudgets().stream()
                            .filter(each -> !each.name().equals(budget))
                            .toList());
        }
    }

    /// Lets nodes be consolidated as soon as they could be.
    record ConsolidateSoon(String nodePool) implements NodeChange {
        @Override
        public double effort() {
            return 1.40;
        }

        @Override
        public String object() {
            return "NodePool " + nodePool;
        }

        @Override
        public String describe() {
            return "set disruption.consolidateAfter to 0s";
        }

        @Override
        public DisruptionProblem applied(DisruptionProblem problem) {
            var soon =
                    withPool(problem, nodePool, rules -> rules.withConsolidateAfter(Duration.ZERO));
            return withMachines(
                    soon,
                    machine ->
                            machine.nodePool().equals(nodePool)
                                    ? new Machine(
                                            machine.node(),
                                            machine.standing().consolidatable(),
                                            machine.pods())
                                    : machine);
        }
    }

    /// Lets nodes that hold pods be consolidated.
    record ConsolidateUnderutilized(String nodePool) implements NodeChange {
        @Override
        public double effort() {
            return 1.45;
        }

        @Override
        public String object() {
            return "NodePool " + nodePool;
        }

        @Override
        public String describe() {
            return "set disruption.consolidationPolicy to WhenEmptyOrUnderutilized";
        }

        @Override
        public DisruptionProblem applied(DisruptionProblem problem) {
            return withPool(
                    problem,
                    nodePool,
                    rules -> rules.withPolicy(PoolRules.Consolidation.WHEN_EMPTY_OR_UNDERUTILIZED));
        }
    }

    /// Lets as many nodes of the pool be away as are needed for one more.
    record OpenBudgets(String nodePool) implements NodeChange {
        @Override
        public double effort() {
            return 1.50;
        }

        @Override
        public String object() {
            return "NodePool " + nodePool;
        }

        @Override
        public String describe() {
            return "raise disruption.budgets so that one more node may be disrupted";
        }

        @Override
        public DisruptionProblem applied(DisruptionProblem problem) {
            return withPool(problem, nodePool, rules -> rules.withBudgets(NodePoolBudgets.NONE));
        }
    }

    /// Lets one budget of the pool's, by its place in the list, allow so many nodes.
    record RaiseBudget(String nodePool, int index, int nodes) implements NodeChange {
        @Override
        public double effort() {
            return 1.50;
        }

        @Override
        public String object() {
            return "NodePool " + nodePool;
        }

        @Override
        public String describe() {
            return "set disruption.budgets[%d].nodes to %d".formatted(index, nodes);
        }

        @Override
        public DisruptionProblem applied(DisruptionProblem problem) {
            return withPool(problem, nodePool, rules -> rules.withBudgets(on(rules.budgets())));
        }

        /// The budgets with it.
        public NodePoolBudgets on(NodePoolBudgets budgets) {
            var all = new ArrayList<>(budgets.budgets());
            if (index < all.size()) {
                var old = all.get(index);
                all.set(
                        index,
                        new NodePoolBudgets.Budget(
                                new NodePoolBudgets.Amount.Count(nodes),
                                old.reasons(),
                                old.times()));
            }
            return new NodePoolBudgets(all);
        }
    }

    /// Takes one budget of the pool's away that cannot be read, and so allows nothing. One that
    /// allows all stands in its place, so that the others keep theirs.
    record DropBudget(String nodePool, int index) implements NodeChange {

        private static final NodePoolBudgets.Budget UNBOUNDED =
                NodePoolBudgets.Budget.of("100%", null, null, null);

        @Override
        public double effort() {
            return 1.55;
        }

        @Override
        public String object() {
            return "NodePool " + nodePool;
        }

        @Override
        public String describe() {
            return "mend disruption.budgets[%d], or take it away".formatted(index);
        }

        @Override
        public DisruptionProblem applied(DisruptionProblem problem) {
            return withPool(problem, nodePool, rules -> rules.withBudgets(on(rules.budgets())));
        }

        /// The budgets with one that says nothing in its place.
        public NodePoolBudgets on(NodePoolBudgets budgets) {
            var all = new ArrayList<>(budgets.budgets());
            if (index < all.size()) {
                all.set(index, UNBOUNDED);
            }
            return new NodePoolBudgets(all);
        }
    }

    /// Ends a freeze.
    record Unfreeze(String nodePool, String where) implements NodeChange {
        @Override
        public double effort() {
            return 1.60;
        }

        @Override
        public String object() {
            return where;
        }

        @Override
        public String describe() {
            return "end the freeze with millwright unfreeze";
        }

        @Override
        public DisruptionProblem applied(DisruptionProblem problem) {
            return withPool(
                    problem, nodePool, rules -> rules.withControls(rules.controls().unfrozen()));
        }
    }

    /// Turns the feature gate on.
    record AllowSpotToSpot() implements NodeChange {
        @Override
        public double effort() {
            return 1.70;
        }

        @Override
        public String object() {
            return "the operator";
        }

        @Override
        public String describe() {
            return "turn the feature gate SpotToSpotConsolidation on";
        }

        @Override
        public DisruptionProblem applied(DisruptionProblem problem) {
            return new DisruptionProblem(
                            problem.scheduling(), problem.machines(), problem.pools(), true)
                    .withPast(problem.past());
        }
    }

    private static SequencedMap<String, String> unguarded(
            SequencedMap<String, String> annotations) {
        var kept = new TreeMap<>(annotations);
        kept.remove(LabelKeys.DO_NOT_DISRUPT);
        return kept;
    }

    private static DisruptionProblem withPool(
            DisruptionProblem problem, String pool, UnaryOperator<PoolRules> change) {
        var pools = new TreeMap<>(problem.pools());
        pools.computeIfPresent(pool, (_, rules) -> change.apply(rules));
        return new DisruptionProblem(
                        problem.scheduling(), problem.machines(), pools, problem.isSpotToSpot())
                .withPast(problem.past());
    }

    private static DisruptionProblem withMachines(
            DisruptionProblem problem, UnaryOperator<Machine> change) {
        var machines = problem.machines().stream().map(change).toList();
        var snapshot =
                problem.scheduling()
                        .snapshot()
                        .withNodes(machines.stream().map(Machine::node).toList());
        return new DisruptionProblem(
                        problem.scheduling().withSnapshot(snapshot),
                        machines,
                        problem.pools(),
                        problem.isSpotToSpot())
                .withPast(problem.past());
    }

    private static DisruptionProblem withPods(
            DisruptionProblem problem, UnaryOperator<Pod> change) {
        var machines = new ArrayList<Machine>();
        for (var machine : problem.machines()) {
            List<MovedPod> pods =
                    machine.pods().stream()
                            .map(moved -> new MovedPod(change.apply(moved.pod()), moved.cost()))
                            .toList();
            machines.add(new Machine(machine.node(), machine.standing(), pods));
        }
        var snapshot = problem.scheduling().snapshot();
        return new DisruptionProblem(
                        problem.scheduling()
                                .withSnapshot(
                                        snapshot.withPods(
                                                snapshot.pods().stream().map(change).toList())),
                        machines,
                        problem.pools(),
                        problem.isSpotToSpot())
                .withPast(problem.past());
    }

    private static DisruptionProblem withBudgets(
            DisruptionProblem problem, List<DisruptionBudget> budgets) {
        return new DisruptionProblem(
                        problem.scheduling()
                                .withSnapshot(
                                        problem.scheduling()
                                                .snapshot()
                                                .withDisruptionBudgets(budgets)),
                        problem.machines(),
                        problem.pools(),
                        problem.isSpotToSpot())
                .withPast(problem.past());
    }
}
