package dev.millwright.core.disruption;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.disruption.Machine.MovedPod;
import dev.millwright.core.disruption.MethodCase.Memory;
import dev.millwright.core.policy.NodePoolBudgets;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.ClusterPart;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.InstanceTypeBuilder;
import dev.millwright.testing.kit.NodePoolBuilder;
import dev.millwright.testing.kit.PodBuilder;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// A fleet in the making: machines, the pods that run on them, and what their pools say about
/// taking nodes away.
///
/// Without a word about pools there is one, `default`, which consolidates at once and has no
/// budget.
public final class FleetBuilder {

    private final TreeMap<String, PoolRules> rules = new TreeMap<>();
    private final TreeMap<String, NodePoolBuilder> pools = new TreeMap<>();
    private final List<MachineBuilder> machines = new ArrayList<>();
    private ClusterBuilder cluster = Given.cluster();
    private boolean isSpotToSpot;
    private PastMoves past = PastMoves.NONE;
    private DisruptionOptions options = DisruptionOptions.NONE;
    private Memory memory = Memory.NONE;

    public static FleetBuilder fleet() {
        return new FleetBuilder();
    }

    /// A type with so many cores and twice the memory, offered on demand and as spot in one zone.
    public static InstanceTypeBuilder type(String name, int cores, double price) {
        return type(name, cores)
                .offering("test-zone-1", "on-demand", price)
                .offering("test-zone-1", "spot", price);
    }

    /// A type that is to be offered in ways of its own.
    public static InstanceTypeBuilder type(String name, int cores) {
        return Given.instanceType(name)
                .cpu(Integer.toString(cores))
                .memory(2 * cores + "Gi")
                .pods(20)
                .withoutOverhead();
    }

    /// A pod of a ReplicaSet that runs on the node.
    public static PodBuilder running(String name, String node, String cpu) {
        return Given.pod(name, cpu).ownedBy("ReplicaSet", "web").onNode(node);
    }

    public FleetBuilder selling(InstanceType... types) {
        cluster = cluster.selling(Arrays.asList(types));
        return this;
    }

    public FleetBuilder sellingTo(String pool, InstanceType... types) {
        cluster = cluster.sellingTo(pool, Arrays.asList(types));
        return this;
    }

    public FleetBuilder with(MachineBuilder... more) {
        machines.addAll(Arrays.asList(more));
        return this;
    }

    public FleetBuilder with(ClusterPart... more) {
        cluster = cluster.with(more);
        return this;
    }

    public FleetBuilder policy(UnaryOperator<SchedulingPolicy> change) {
        cluster = cluster.policy(change);
        return this;
    }

    public FleetBuilder pool(UnaryOperator<PoolRules> change) {
        return pool(Given.nodePool("default"), change);
    }

    public FleetBuilder pool(NodePoolBuilder pool, UnaryOperator<PoolRules> change) {
        pools.put(pool.nodePool().name(), pool);
        rules.put(pool.nodePool().name(), change.apply(plain(pool)));
        return this;
    }

    public FleetBuilder pool(NodePoolBuilder pool) {
        return pool(pool, UnaryOperator.identity());
    }

    /// The pool `default`, with a budget of so many nodes.
    public FleetBuilder budget(String nodes) {
        return pool(each -> each.withBudgets(budgets(nodes)));
    }

    public FleetBuilder spotToSpot() {
        isSpotToSpot = true;
        return this;
    }

    public FleetBuilder past(PastMoves moves) {
        past = moves;
        return this;
    }

    public FleetBuilder options(DisruptionOptions others) {
        options = others;
        return this;
    }

    public FleetBuilder memory(Memory other) {
        memory = other;
        return this;
    }

    public static NodePoolBudgets budgets(String nodes) {
        return new NodePoolBudgets(List.of(NodePoolBudgets.Budget.of(nodes, null, null, null)));
    }

    /// With the horizon of a fleet that is consolidated as a whole.
    public static PoolRules whole(PoolRules plain, Duration horizon) {
        return new PoolRules(
                plain.pool(),
                plain.budgets(),
                plain.consolidateAfter(),
                plain.policy(),
                plain.controls(),
                horizon,
                plain.mix());
    }

    private static PoolRules plain(NodePoolBuilder pool) {
        return new PoolRules(
                pool.nodePool(),
                NodePoolBudgets.NONE,
                Duration.ZERO,
                PoolRules.Consolidation.WHEN_EMPTY_OR_UNDERUTILIZED);
    }

    public SchedulingProblem scheduling() {
        var problem = cluster.with(List.copyOf(pools.values())).problem();
        return problem.withSnapshot(
                problem.snapshot()
                        .withNodes(machines.stream().map(MachineBuilder::stateNode).toList()));
    }

    public DisruptionProblem problem() {
        var scheduling = scheduling();
        if (rules.isEmpty()) {
            rules.put("default", plain(Given.nodePool("default")));
        }
        var built =
                machines.stream().map(each -> each.build(podsOn(each.name(), scheduling))).toList();
        return new DisruptionProblem(scheduling, built, rules, isSpotToSpot).withPast(past);
    }

    private static List<MovedPod> podsOn(String node, SchedulingProblem scheduling) {
        return scheduling.snapshot().pods().stream()
                .filter(pod -> node.equals(pod.state().nodeName()))
                .map(FleetBuilder::moved)
                .toList();
    }

    private static MovedPod moved(Pod pod) {
        return new MovedPod(
                pod, DisruptionCost.ofPod(pod.annotations().get(DisruptionCost.DELETION_COST), 0));
    }

    public Decision decide(DisruptionMethod method) {
        return new MethodCase(problem(), method, options, memory).decide();
    }

    /// Why the only machine, or the first of several, stays when the method is asked.
    public KeepReason reason(DisruptionMethod method) {
        return decide(method).kept().get(machines.getFirst().name());
    }
}
