package dev.millwright.core.scheduling;

import dev.millwright.core.scheduling.FleetModel.HostRule;
import dev.millwright.core.scheduling.PackingDemand.Machine;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;

/// How cheap whole pods could be in a large model whose pods are of few kinds. Rules about zones,
/// limits and the lesser rules about hosts are left out, by which a fleet could only be dearer.
final class PatternBound {

    /// Kinds that are looked at; the work grows faster than their number.
    private static final int KINDS_MAX = 160;

    /// Groups of nodes alike that are there.
    private static final int NODE_GROUPS_MAX = 32;

    private static final int NODES_MAX = 2_000;

    /// Rules about hosts that are looked at, those of the most pods.
    private static final int RULES_MAX = 4;

    /// Pods among which a rule must keep one apart from the others to be looked at.
    private static final int PODS_PER_RULE_MAX = 64;

    private static final long STEPS_MAX = 6_000_000;
    private static final long STEPS_PER_POD = 5_000;

    /// Steps after which a proof must be above what pods in pieces prove, for more to be worth it.
    /// Machines whose prices grow evenly with their size give nothing to gain.
    private static final long STEPS_UNTIL_GAIN_MAX = 1_000_000;

    /// Steps for one machine, each time it is looked at.
    private static final long STEPS_PER_MACHINE = 2_000;

    private PatternBound() {}

    /// A price that no fleet of the model beats; 0 if the model has too many kinds of pods to say.
    ///
    /// @param proven what is known without it
    static double perHour(FleetModel model, double proven) {
        var demand = demand(model);
        if (demand == null) {
            return 0;
        }
        var pods = Arrays.stream(demand.counts()).asLongStream().sum();
        var steps = Math.min(STEPS_MAX, STEPS_PER_POD * pods);
        var effort =
                new PatternProgram.Effort(
                        steps, Math.min(steps, STEPS_UNTIL_GAIN_MAX), STEPS_PER_MACHINE);
        return new PatternProgram(demand, effort, proven).perHour();
    }

    /// Null if there are too many kinds of pods, nodes or machines.
    private static @Nullable PackingDemand demand(FleetModel model) {
        if (model.nodes().size() > NODES_MAX || isTooVaried(model)) {
            return null;
        }
        var rules = rules(model);
        var merged = new LinkedHashMap<List<Object>, List<Integer>>();
        for (var kind = 0; kind < model.kinds().size(); kind++) {
            var number = kind;
            var one = model.kinds().get(kind);
            if (isForSale(model, one)) {
                var key =
                        List.<Object>of(
                                Arrays.stream(asked(one, number, rules)).boxed().toList(),
                                Arrays.stream(one.sets()).boxed().toList(),
                                model.nodes().stream().map(node -> node.takes()[number]).toList());
                merged.computeIfAbsent(key, _ -> new ArrayList<>()).add(kind);
            }
        }
        return merged.isEmpty() || merged.size() > KINDS_MAX
                ? null
                : demand(model, rules, List.copyOf(merged.values()));
    }

    /// @param merged kinds of the model that nothing tells apart any more
    private static @Nullable PackingDemand demand(
            FleetModel model, List<HostRule> rules, List<List<Integer>> merged) {
        var firsts = merged.stream().map(List::getFirst).toList();
        var requests =
                firsts.stream()
                        .map(kind -> asked(model.kinds().get(kind), kind, rules))
                        .toArray(long[][]::new);
        var counts =
                merged.stream()
                        .mapToInt(
                                kinds ->
                                        kinds.stream()
                                                .mapToInt(kind -> model.kinds().get(kind).count())
                                                .sum())
                        .toArray();
        var sets =
                firsts.stream().map(kind -> model.kinds().get(kind).sets()).toArray(int[][]::new);
        var sharing = rules.stream().mapToLong(rule -> Math.max(1, rule.most())).toArray();
        var machines = PackingDemand.forSale(model.templates(), model.space(), sets, sharing);
        var nodes = nodes(model, firsts, sharing);
        if (nodes.size() > NODE_GROUPS_MAX) {
            return null;
        }
        machines.addAll(nodes);
        var demand =
                new PackingDemand(
                        model.resources() + rules.size(), requests, counts, List.copyOf(machines));
        return demand.isTooLarge() ? null : demand;
    }

    private static boolean isTooVaried(FleetModel model) {
        var known = new HashSet<List<Long>>();
        for (var kind : model.kinds()) {
            known.add(Arrays.stream(kind.requests()).boxed().toList());
            if (known.size() > KINDS_MAX) {
                return true;
            }
        }
        return false;
    }

    /// Pods that only nodes which are there could hold, or that come after others, cost nothing.
    private static boolean isForSale(FleetModel model, FleetModel.Kind kind) {
        for (var template = 0; template < kind.sets().length; template++) {
            var set = kind.sets()[template];
            if (set != RequirementSpace.IMPOSSIBLE
                    && model.templates().get(template).pricing().price(set, kind.requests())
                            < Double.POSITIVE_INFINITY) {
                return true;
            }
        }
        return false;
    }

    private static List<HostRule> rules(FleetModel model) {
        var all = model.kinds().stream().mapToInt(FleetModel.Kind::count).sum();
        return model.hostRules().stream()
                .filter(rule -> (long) hosts(model, rule) * PODS_PER_RULE_MAX >= all)
                .sorted(Comparator.comparingInt((HostRule rule) -> -hosts(model, rule)))
                .limit(RULES_MAX)
                .toList();
    }

    /// How many hosts the pods of the rule need at the least.
    private static int hosts(FleetModel model, HostRule rule) {
        var pods = 0;
        for (var kind = 0; kind < model.kinds().size(); kind++) {
            pods += isUnder(rule, kind) ? model.kinds().get(kind).count() : 0;
        }
        return pods <= 1 ? 0 : pods / Math.max(1, rule.most());
    }

    private static boolean isUnder(HostRule rule, int kind) {
        return rule.isOwner()[kind] && rule.isSelected()[kind];
    }

    private static long[] asked(FleetModel.Kind kind, int number, List<HostRule> rules) {
        return PackingDemand.withRules(
                kind.requests(),
                rules.stream().mapToLong(rule -> isUnder(rule, number) ? 1 : 0).toArray());
    }

    private static List<Machine> nodes(FleetModel model, List<Integer> kinds, long[] sharing) {
        var alike = new LinkedHashMap<List<Object>, Machine>();
        for (var node : model.nodes()) {
            var taken =
                    IntStream.range(0, kinds.size())
                            .filter(index -> node.takes()[kinds.get(index)])
                            .toArray();
            if (taken.length > 0) {
                alike.merge(
                        List.of(
                                Arrays.stream(node.room()).boxed().toList(),
                                Arrays.stream(taken).boxed().toList()),
                        node(node.room(), taken, sharing, 1),
                        (one, _) -> node(node.room(), taken, sharing, one.available() + 1));
            }
        }
        return List.copyOf(alike.values());
    }

    private static Machine node(long[] room, int[] kinds, long[] sharing, int available) {
        return new Machine(-1, -1, -1, 0, available, PackingDemand.withRules(room, sharing), kinds);
    }
}
