package dev.millwright.cli.plan;

import dev.millwright.core.cluster.DaemonSet;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.disruption.PoolRules;
import dev.millwright.core.forecast.ForecastProblem;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.spi.ec2.Ec2Labels;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A change that is tried on the cluster of a forecast.
public sealed interface WhatIf {

    /// As it is written on the command line.
    String text();

    ForecastProblem applied(ForecastProblem problem);

    /// Pools that buy one processor architecture may buy arm64 as well. Whether images run there
    /// nobody here can say.
    record Arm64() implements WhatIf {
        @Override
        public String text() {
            return "arm64";
        }

        @Override
        public ForecastProblem applied(ForecastProblem problem) {
            return withPools(problem, pool -> widened(pool, LabelKeys.ARCH, "arm64"));
        }
    }

    /// Pools that buy on demand may buy spot as well.
    record Spot() implements WhatIf {
        @Override
        public String text() {
            return "spot";
        }

        @Override
        public ForecastProblem applied(ForecastProblem problem) {
            return withPools(
                    problem,
                    pool -> widened(pool, LabelKeys.CAPACITY_TYPE, LabelKeys.CAPACITY_TYPE_SPOT));
        }
    }

    /// Pools buy on demand only.
    record OnDemand() implements WhatIf {
        @Override
        public String text() {
            return "on-demand";
        }

        @Override
        public ForecastProblem applied(ForecastProblem problem) {
            return withPools(
                    problem,
                    pool ->
                            replaced(
                                    pool,
                                    Requirement.in(
                                            LabelKeys.CAPACITY_TYPE,
                                            LabelKeys.CAPACITY_TYPE_ON_DEMAND),
                                    Set.of()));
        }
    }

    /// Pools buy of these instance families in place of what they say of families, categories,
    /// generations and types.
    record Families(List<String> families) implements WhatIf {

        private static final Set<String> OVERRIDDEN =
                Set.of(LabelKeys.INSTANCE_TYPE, Ec2Labels.CATEGORY, Ec2Labels.GENERATION);

        public Families {
            families = List.copyOf(new TreeSet<>(families));
        }

        @Override
        public String text() {
            return "families=" + String.join(",", families);
        }

        @Override
        public ForecastProblem applied(ForecastProblem problem) {
            return withPools(
                    problem,
                    pool ->
                            replaced(
                                    pool,
                                    Requirement.in(
                                            Ec2Labels.FAMILY, families.toArray(String[]::new)),
                                    OVERRIDDEN));
        }
    }

    /// A DaemonSet is not there, by its name or namespace and name.
    record WithoutDaemonSet(String daemonSet) implements WhatIf {
        @Override
        public String text() {
            return "without-daemonset=" + daemonSet;
        }

        @Override
        public ForecastProblem applied(ForecastProblem problem) {
            var snapshot = problem.provisioning().snapshot();
            var gone = new TreeSet<String>();
            var left = new ArrayList<>(snapshot.daemonSets());
            left.removeIf(
                    set -> {
                        var isMeant = isNamed(set, daemonSet);
                        if (isMeant) {
                            gone.add(set.uid());
                        }
                        return isMeant;
                    });
            var pods = snapshot.pods().stream().filter(pod -> !isOf(gone, pod)).toList();
            var without =
                    new Snapshot(
                            snapshot.nodes(),
                            pods,
                            left,
                            snapshot.namespaces(),
                            snapshot.storage(),
                            snapshot.disruptionBudgets(),
                            snapshot.workloads(),
                            snapshot.takenAt());
            var machines =
                    problem.disruption().machines().stream()
                            .map(
                                    machine ->
                                            new Machine(
                                                    machine.node(),
                                                    machine.standing(),
                                                    machine.pods().stream()
                                                            .filter(
                                                                    moved ->
                                                                            !isOf(
                                                                                    gone,
                                                                                    moved.pod()))
                                                            .toList()))
                            .toList();
            return rebuilt(problem, problem.provisioning().withSnapshot(without), machines);
        }

        static boolean isNamed(DaemonSet set, String name) {
            return set.name().name().equals(name) || set.name().toString().equals(name);
        }

        private static boolean isOf(Set<String> uids, Pod pod) {
            return pod.state().owners().stream()
                    .anyMatch(owner -> owner.isController() && uids.contains(owner.uid()));
        }
    }

    /// One change to a pool.
    @FunctionalInterface
    interface PoolEdit {
        NodePool of(NodePool pool);
    }

    private static NodePool widened(NodePool pool, String key, String value) {
        var requirements = new ArrayList<Requirement>();
        for (var each : pool.template().requirements()) {
            if (!each.key().equals(key) || each.has(value)) {
                requirements.add(each);
            } else if (!each.isComplement()) {
                var values = new ArrayList<>(each.values());
                values.add(value);
                requirements.add(Requirement.in(key, values.toArray(String[]::new)));
            }
        }
        return pool.withRequirements(requirements);
    }

    private static NodePool replaced(NodePool pool, Requirement wanted, Set<String> dropped) {
        var requirements = new ArrayList<Requirement>();
        for (var each : pool.template().requirements()) {
            if (!each.key().equals(wanted.key()) && !dropped.contains(each.key())) {
                requirements.add(each);
            }
        }
        requirements.add(wanted);
        return pool.withRequirements(requirements);
    }

    private static ForecastProblem withPools(ForecastProblem problem, PoolEdit edit) {
        var pools = new ArrayList<NodePool>();
        for (var pool : problem.provisioning().nodePools()) {
            pools.add(edit.of(pool));
        }
        return rebuilt(
                problem,
                problem.provisioning().withNodePools(pools),
                problem.disruption().machines());
    }

    /// A node that its pool would not buy any more has drifted from now on, as the operator would
    /// find at once.
    private static ForecastProblem rebuilt(
            ForecastProblem problem, SchedulingProblem provisioning, List<Machine> machines) {
        var pools = new TreeMap<String, NodePool>();
        provisioning.nodePools().forEach(pool -> pools.put(pool.name(), pool));
        var rules = new TreeMap<String, PoolRules>();
        problem.disruption()
                .pools()
                .forEach(
                        (name, each) ->
                                rules.put(
                                        name,
                                        new PoolRules(
                                                pools.getOrDefault(name, each.pool()),
                                                each.budgets(),
                                                each.consolidateAfter(),
                                                each.policy(),
                                                each.controls(),
                                                each.horizon(),
                                                each.mix())));
        var now = problem.now();
        var seen =
                machines.stream()
                        .map(machine -> Drifting.of(machine, pools.get(machine.nodePool()), now))
                        .toList();
        return new ForecastProblem(
                provisioning,
                new DisruptionProblem(
                        provisioning, seen, rules, problem.disruption().isSpotToSpot()),
                problem.options(),
                problem.quietSince(),
                problem.asked(),
                problem.pace());
    }
}
