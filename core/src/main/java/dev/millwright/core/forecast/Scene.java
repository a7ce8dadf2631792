package dev.millwright.core.forecast;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.DisruptionBudgets;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.deliberation.DisruptionPass.Sight;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.disruption.PastMoves;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.CapacityBuffer;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.StaticCapacity;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The cluster as the forecast goes on.
final class Scene {

    private final ForecastProblem problem;
    private final TreeMap<String, Unit> units = new TreeMap<>();
    private final TreeMap<ObjectName, Pod> waiting = new TreeMap<>();

    /// Pods of nodes that nobody knows, and those that have ended: they only count.
    private final List<Pod> others = new ArrayList<>();

    private final Map<ObjectName, Double> costs = new HashMap<>();
    private final Map<ObjectName, Integer> allowed = new HashMap<>();
    private final Map<String, Integer> named = new HashMap<>();
    private final TreeSet<String> settled = new TreeSet<>();
    private long revision;

    Scene(ForecastProblem problem) {
        this.problem = problem;
        for (var machine : problem.disruption().machines()) {
            units.put(machine.name(), unit(machine));
            machine.pods().forEach(moved -> costs.put(moved.pod().name(), moved.cost()));
        }
        for (var budget : snapshot().disruptionBudgets()) {
            allowed.put(budget.name(), budget.disruptionsAllowed());
        }
        snapshot().pods().forEach(this::settle);
    }

    private Snapshot snapshot() {
        return problem.provisioning().snapshot();
    }

    private Unit unit(Machine machine) {
        var now = problem.now();
        var since = problem.quietSince().get(machine.name());
        if (since == null) {
            since = machine.standing().isConsolidatable() ? Instant.EPOCH : now;
        }
        var unit =
                new Unit(
                        machine.node(),
                        machine.standing(),
                        purchase(machine),
                        stage(machine),
                        since);
        if (machine.standing().isNominated()) {
            unit.nominate(now.plus(problem.pace().nomination()));
        }
        return unit;
    }

    private static Unit.Stage stage(Machine machine) {
        if (machine.standing().isInstanceTerminating()) {
            return Unit.Stage.LEAVING;
        }
        if (machine.node().isMarkedForDeletion()) {
            return Unit.Stage.DRAINING;
        }
        if (machine.node().isManaged()
                && machine.node().taints().stream().anyMatch(Taint.DISRUPTED::matches)) {
            return Unit.Stage.QUEUED; // A command waits for what is to stand in for it.
        }
        return machine.node().isInitialized() ? Unit.Stage.READY : Unit.Stage.COMING;
    }

    /// At the price of the first offering the node could have been bought as.
    private Purchase purchase(Machine machine) {
        var price = 0.0;
        for (var type : catalog(machine.nodePool())) {
            if (type.name().equals(machine.instanceType())) {
                for (var offering : type.offerings()) {
                    if (price == 0
                            && offering.zone().equals(machine.zone())
                            && offering.capacityType().equals(machine.capacityType())) {
                        price = offering.pricePerHour();
                    }
                }
            }
        }
        return new Purchase(
                machine.name(),
                machine.nodePool(),
                machine.instanceType(),
                machine.zone(),
                machine.capacityType(),
                price);
    }

    /// A pod that nobody has looked at yet is looked at first of all. Nobody foresees when a
    /// scheduling gate is taken away.
    private void settle(Pod pod) {
        if (CapacityBuffer.isVirtual(pod)) {
            return; // Room that is kept free is not forecast.
        }
        var state = pod.state();
        var unit = state.nodeName() == null ? null : units.get(state.nodeName());
        if (unit != null && !state.isTerminal()) {
            if (!state.isTerminating()) {
                unit.put(pod);
            } else if (state.isReschedulable()) {
                waiting.put(pod.name(), unbound(pod, problem.now()));
            }
        } else if (!state.isBound()
                && state.isActive()
                && state.gates().isEmpty()
                && !state.isOwnedByDaemonSet()
                && state.nominatedNodeName() == null) {
            waiting.put(pod.name(), unbound(pod, pod.createdAt()));
        } else if (!state.isTerminating()) {
            others.add(pod);
        }
    }

    private static Pod unbound(Pod pod, Instant createdAt) {
        var fresh =
                new Pod(
                        pod.name(),
                        pod.uid(),
                        createdAt,
                        pod.labels(),
                        pod.annotations(),
                        pod.requests(),
                        pod.placement(),
                        pod.hostPorts(),
                        pod.volumes(),
                        pod.hasResourceClaims(),
                        pod.state());
        return fresh.withState(PodState.WAITING.withOwners(pod.state().owners()));
    }

    Collection<Unit> units() {
        return units.values();
    }

    @Nullable Unit unit(String name) {
        return units.get(name);
    }

    SortedMap<ObjectName, Pod> waiting() {
        return waiting;
    }

    /// Grows with every change that a decision could see.
    long revision() {
        return revision;
    }

    void changed() {
        revision++;
    }

    List<InstanceType> catalog(String pool) {
        return problem.provisioning().catalogs().getOrDefault(pool, List.of());
    }

    @Nullable NodePool pool(String name) {
        for (var pool : problem.provisioning().nodePools()) {
            if (pool.name().equals(name)) {
                return pool;
            }
        }
        return null;
    }

    /// A name that no node of the cluster has.
    String newName(String pool) {
        String name;
        do {
            name = "%s-new-%d".formatted(pool, named.merge(pool, 1, Integer::sum));
        } while (units.containsKey(name));
        return name;
    }

    void add(Unit unit) {
        units.put(unit.name(), unit);
        changed();
    }

    void remove(Unit unit) {
        units.remove(unit.name());
        unit.pods().forEach(pod -> costs.remove(pod.name()));
        changed();
    }

    /// A consolidation of the whole fleet bought it: it is not replaced again.
    void settled(String node) {
        settled.add(node);
    }

    void bind(Pod pod, Unit unit, Instant now) {
        waiting.remove(pod.name());
        unit.put(pod.withState(PodState.runningOn(unit.name()).withOwners(pod.state().owners())));
        unit.stir(now);
        changed();
    }

    /// The pod leaves; its workload makes it anew. One that nobody makes anew is gone.
    void evict(Pod pod, Unit unit, Instant now) {
        unit.remove(pod);
        budgets().selecting(pod).forEach(budget -> allowed.merge(budget.name(), -1, Integer::sum));
        if (pod.state().controller() != null) {
            waiting.put(pod.name(), unbound(pod, now));
        }
        changed();
    }

    /// The pod is ready, and one more of its kind may be disturbed.
    void ready(Pod pod) {
        var selecting = budgets().selecting(pod);
        if (!selecting.isEmpty()) {
            selecting.forEach(budget -> allowed.merge(budget.name(), 1, Integer::sum));
            changed();
        }
    }

    DisruptionBudgets budgets() {
        return new DisruptionBudgets(currentBudgets());
    }

    private List<DisruptionBudget> currentBudgets() {
        return snapshot().disruptionBudgets().stream()
                .map(
                        each ->
                                new DisruptionBudget(
                                        each.name(),
                                        each.selector(),
                                        each.maxUnavailable(),
                                        each.minAvailable(),
                                        each.alwaysAllowsUnhealthy(),
                                        Math.max(0, allowed.getOrDefault(each.name(), 0))))
                .toList();
    }

    private Snapshot with(List<StateNode> nodes, Instant now) {
        var pods = new ArrayList<Pod>(others);
        units.values().forEach(unit -> pods.addAll(unit.pods()));
        pods.addAll(waiting.values());
        var first = snapshot();
        return new Snapshot(
                nodes,
                pods,
                first.daemonSets(),
                first.namespaces(),
                first.storage(),
                currentBudgets(),
                first.workloads(),
                now);
    }

    /// What a plan for waiting pods is made from.
    SchedulingProblem provisioning(Instant now) {
        var nodes = units.values().stream().map(Unit::seen).toList();
        return problem.provisioning().withSnapshot(with(nodes, now));
    }

    /// What kube-scheduler sees.
    SchedulingProblem scheduling(Instant now) {
        var nodes = new ArrayList<StateNode>();
        for (var unit : units.values()) {
            var seen = unit.forScheduler();
            if (seen != null) {
                nodes.add(seen);
            }
        }
        return problem.provisioning().withSnapshot(with(nodes, now));
    }

    DisruptionProblem disruption(Instant now) {
        var first = problem.disruption();
        return new DisruptionProblem(
                        provisioning(now),
                        units.values().stream()
                                .map(unit -> unit.machine(consolidateAfter(unit), costs, now))
                                .toList(),
                        first.pools(),
                        first.isSpotToSpot())
                .withPast(new PastMoves(settled, Set.of()));
    }

    /// What a pass must know beside the problem. Nobody asks for other pods in a forecast, and
    /// every command comes to its end.
    Sight sight(DisruptionProblem seen) {
        return new Sight(revision, fingerprint(seen), null, 0, true);
    }

    /// All that changes here and that a search depends on.
    private static long fingerprint(DisruptionProblem seen) {
        var number = 0L;
        for (var pod : seen.scheduling().snapshot().pods()) {
            number = mixed(mixed(number, pod.name()), pod.state());
        }
        for (var machine : seen.machines()) {
            number = mixed(mixed(number, machine.name()), machine.standing());
            number = mixed(number, machine.node().isInitialized());
            number = mixed(number, machine.node().isMarkedForDeletion());
        }
        for (var budget : seen.scheduling().snapshot().disruptionBudgets()) {
            number = mixed(mixed(number, budget.name()), budget.disruptionsAllowed());
        }
        return number;
    }

    private static long mixed(long number, Object part) {
        return (number ^ part.hashCode()) * 0x9E3779B97F4A7C15L + (number >>> 29);
    }

    @Nullable Duration consolidateAfter(Unit unit) {
        var rules = problem.disruption().pools().get(unit.pool());
        return rules == null ? null : rules.consolidateAfter();
    }

    /// The claims of static pools.
    Map<String, StaticCapacity.Counts> staticCounts() {
        var counts = new TreeMap<String, StaticCapacity.Counts>();
        for (var pool : problem.provisioning().nodePools()) {
            if (pool.isStatic()) {
                counts.put(pool.name(), counts(pool.name()));
            }
        }
        return counts;
    }

    StaticCapacity.Counts counts(String pool) {
        var active = 0L;
        var queued = 0L;
        var going = 0L;
        for (var unit : units.values()) {
            if (unit.isManaged() && unit.pool().equals(pool)) {
                switch (unit.stage()) {
                    case COMING, READY -> active++;
                    case QUEUED -> queued++;
                    case DRAINING, LEAVING -> going++;
                }
            }
        }
        return new StaticCapacity.Counts(active, queued, going, 0);
    }
}
