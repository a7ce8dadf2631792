package dev.millwright.core.scheduling;

import dev.millwright.core.scheduling.CheapestSearch.Solution;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;

/// Proves how cheap the pods that a pass placed could be at best: no fleet of these pools holds
/// them for less, whichever pool each pod lands in, and with all the room that the nodes which are
/// there have for them. Weights of pools and wishes of pods are not looked at, since a bound may
/// rest on musts alone.
///
/// A small problem is solved to the end ([PatternSearch]). In a larger one [PatternBound] prices
/// whole pods and [TieredBound] resources, and the greater price counts.
final class LowerBound {

    /// How many groups of pods with the same choice of machines are bounded by themselves.
    private static final int GROUPS_MAX = 16;

    private LowerBound() {}

    /// @param exact the same problem as solved by what the pods wish, or null; where they wish
    ///   nothing, its answer is the bound
    static double perHour(CompiledProblem problem, Solution solution, @Nullable ExactSearch exact) {
        var pods = new ArrayList<Integer>();
        for (var pod = 0; pod < problem.podCount(); pod++) {
            if (solution.outcomes().outcome(pod) == FirstFit.Outcome.PLACED) {
                pods.add(pod);
            }
        }
        var known = solution.pricePerHour();
        if (known == 0 || pods.isEmpty()) {
            return 0;
        }
        var model = new FleetModels(problem).ofMusts(pods);
        return exact != null && exact.isComplete() && exact.model().asksTheSame(model)
                ? Math.min(known, exact.price())
                : perHour(model, known);
    }

    /// @param known what some fleet costs
    private static double perHour(FleetModel model, double known) {
        var found = PatternSearch.search(model, known, 1, PatternSearch.PATTERNS_MAX, 0);
        if (found != null && found.isComplete()) {
            return found.perHour();
        }
        var least = found == null ? 0 : found.perHour();
        return Math.max(least, ofMany(model));
    }

    /// What large problems cost at the least: whole pods of few kinds, or pods in pieces.
    static double ofMany(FleetModel model) {
        var liquid = liquid(model);
        return Math.max(PatternBound.perHour(model, liquid), liquid);
    }

    /// Pods that may use only some of the machines cost at least what they would cost alone.
    static double liquid(FleetModel model) {
        var kinds = model.kinds().size();
        var groups = new LinkedHashSet<List<Integer>>();
        for (var kind : model.kinds()) {
            groups.add(Arrays.stream(kind.sets()).boxed().toList());
        }
        var all = new boolean[kinds];
        Arrays.fill(all, true);
        var best = new TieredBound(model, all).perHour(machinesMin(model, all));
        if (groups.size() == 1) {
            return best;
        }
        for (var group : groups.stream().limit(GROUPS_MAX).toList()) {
            var isCounted = new boolean[kinds];
            for (var kind = 0; kind < kinds; kind++) {
                isCounted[kind] =
                        Arrays.stream(model.kinds().get(kind).sets())
                                .boxed()
                                .toList()
                                .equals(group);
            }
            best =
                    Math.max(
                            best,
                            new TieredBound(model, isCounted)
                                    .perHour(machinesMin(model, isCounted)));
        }
        return best;
    }

    /// Pods that may not share a host need one each. Without nodes that are there, there is at
    /// least one machine.
    private static int machinesMin(FleetModel model, boolean[] isCounted) {
        var most = model.nodes().isEmpty() ? 1 : 0;
        for (var rule : model.hostRules()) {
            var pods = 0;
            for (var kind = 0; kind < isCounted.length; kind++) {
                if (isCounted[kind] && rule.isOwner()[kind] && rule.isSelected()[kind]) {
                    pods += model.kinds().get(kind).count();
                }
            }
            var share = Math.max(1, rule.most());
            most = Math.max(most, (pods + share - 1) / share - model.nodes().size());
        }
        return most;
    }

    /// Groups whose pods keep each other off their hosts, so that each needs a node of its own.
    static List<TopologyGroup> exclusiveGroups(PodClass podClass) {
        return podClass.inverseOwned().stream()
                .filter(group -> group.isHostname() && podClass.labelClass().isSelectedBy(group))
                .toList();
    }

    /// What a unit of each resource, and last a node, is worth at best in the pools.
    static double[] worth(List<PoolTemplate> pools, double[] demand, int nodes) {
        var rows = new ArrayList<double[]>();
        var prices = new ArrayList<Double>();
        for (var pool : pools) {
            var pricing = pool.pricing();
            var set = pool.requirements();
            for (var index = 0; index < pricing.size(set); index++) {
                var row = new double[demand.length + 1];
                for (var resource = 0; resource < demand.length; resource++) {
                    var room = pricing.room(set, index)[resource];
                    row[resource] = demand[resource] > 0 ? room / demand[resource] : 0;
                }
                row[demand.length] = 1.0 / nodes;
                rows.add(row);
                prices.add(pricing.price(set, index));
            }
        }
        var gain = new double[demand.length + 1];
        for (var resource = 0; resource < demand.length; resource++) {
            gain[resource] = demand[resource] > 0 ? 1 : 0;
        }
        gain[demand.length] = 1;
        var worth =
                Simplex.maximize(
                        rows.toArray(double[][]::new),
                        prices.stream().mapToDouble(Double::doubleValue).toArray(),
                        gain);
        for (var resource = 0; resource < demand.length; resource++) {
            worth[resource] = demand[resource] > 0 ? worth[resource] / demand[resource] : 0;
        }
        worth[demand.length] /= nodes;
        return worth;
    }

    /// Rounding may have left the worth of some machine a hair above its price: scaled down it is a
    /// proof.
    static double proven(double[][] rows, double[] prices, double[] worth, double[] gain) {
        var scale = 1.0;
        for (var row = 0; row < rows.length; row++) {
            var held = 0.0;
            for (var column = 0; column < worth.length; column++) {
                held += rows[row][column] * worth[column];
            }
            if (held > prices[row]) {
                scale = Math.min(scale, prices[row] / held);
            }
        }
        var sum = 0.0;
        for (var column = 0; column < worth.length; column++) {
            sum += worth[column] * gain[column];
        }
        return scale * sum;
    }
}
