package dev.millwright.core.scheduling;

import dev.millwright.core.label.LabelKeys;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// Proves how cheap the pods of a pass that are on new nodes could be at best.
///
/// It prices resources, not machines: if each unit of resource r is worth w(r), and no machine is
/// cheaper than the worth of all it holds (plus a worth for being a node at all), then the pods'
/// worth is a price no fleet can beat. The best such prices are a small linear program. Pods that
/// may not share a host need a node each, which gives nodes a worth. Pools are bounded one by one,
/// since a pod's pool is given.
final class LowerBound {

    private final Pass pass;

    LowerBound(Pass pass) {
        this.pass = pass;
    }

    double perHour() {
        var sum = 0.0;
        for (var template : pass.templates()) {
            sum += perHour(template.pricing());
        }
        return sum;
    }

    /// Takes more time for a closer bound.
    double closePerHour() {
        var sum = 0.0;
        for (var template : pass.templates()) {
            var pool = template.pricing();
            sum += Math.max(perHour(pool), tieredPerHour(pool));
        }
        return sum;
    }

    private double tieredPerHour(FleetPricing pool) {
        var counts = new TreeMap<Integer, Integer>();
        var perGroup = new HashMap<TopologyGroup, Integer>();
        var classes = new HashMap<Integer, PodClass>();
        for (var claim : pass.claims()) {
            if (claim.template() == pool.template()) {
                for (var pod : claim.pods()) {
                    var podClass = pass.podClass(pod);
                    counts.merge(podClass.number(), 1, Integer::sum);
                    classes.put(podClass.number(), podClass);
                    exclusiveGroups(podClass)
                            .forEach(group -> perGroup.merge(group, 1, Integer::sum));
                }
            }
        }
        var demands = new ArrayList<TieredBound.Demand>();
        counts.forEach(
                (number, count) -> {
                    var podClass = Objects.requireNonNull(classes.get(number));
                    var set =
                            pass.space().narrow(pool.template().requirements(), mustSet(podClass));
                    if (set != RequirementSpace.IMPOSSIBLE) {
                        demands.add(new TieredBound.Demand(podClass, set, count));
                    }
                });
        if (demands.isEmpty()) {
            return 0;
        }
        var nodes = perGroup.values().stream().mapToInt(Integer::intValue).max().orElse(1);
        return new TieredBound(pool, demands, pass.problem().resources().size()).perHour(nodes);
    }

    /// Groups whose pods keep each other off their hosts, so that each needs a node of its own.
    static List<TopologyGroup> exclusiveGroups(PodClass podClass) {
        return podClass.inverseOwned().stream()
                .filter(group -> group.isHostname() && podClass.labelClass().isSelectedBy(group))
                .toList();
    }

    private double perHour(FleetPricing pool) {
        var demand = new double[pass.problem().resources().size()];
        var perGroup = new HashMap<TopologyGroup, Integer>();
        var sets = new HashMap<Integer, double[]>();
        var isUsed = false;
        for (var claim : pass.claims()) {
            if (claim.template() != pool.template()) {
                continue;
            }
            isUsed = true;
            for (var pod : claim.pods()) {
                count(pass.podClass(pod), demand, perGroup, sets);
            }
        }
        if (!isUsed) {
            return 0;
        }
        var nodes = perGroup.values().stream().mapToInt(Integer::intValue).max().orElse(1);
        var all = bound(pool, RequirementSpace.none(), demand, Math.max(1, nodes));
        return Math.max(all, restricted(pool, sets));
    }

    private void count(
            PodClass podClass,
            double[] demand,
            Map<TopologyGroup, Integer> perGroup,
            Map<Integer, double[]> sets) {
        var requests = podClass.requests();
        var bySet = sets.computeIfAbsent(mustSet(podClass), _ -> new double[demand.length]);
        for (var resource = 0; resource < demand.length; resource++) {
            demand[resource] += requests[resource];
            bySet[resource] += requests[resource];
        }
        exclusiveGroups(podClass).forEach(group -> perGroup.merge(group, 1, Integer::sum));
    }

    /// What every pod of the class must have. Alternatives are not looked at, nor wishes: a bound
    /// may not rest on them.
    private int mustSet(PodClass podClass) {
        var placement = podClass.sample().placement();
        if (placement.nodeAffinity().required().size() > 1) {
            return RequirementSpace.none();
        }
        var vocabulary = pass.problem().problem().policy().vocabulary();
        var strict = PodRequirements.strict(placement, vocabulary);
        return pass.space().number(strict.without(LabelKeys.HOSTNAME));
    }

    /// Pods that may use only some of the machines cost at least what they would cost alone.
    private double restricted(FleetPricing pool, Map<Integer, double[]> sets) {
        var best = 0.0;
        for (var entry : sets.entrySet()) {
            if (entry.getKey() != RequirementSpace.none()) {
                best = Math.max(best, bound(pool, entry.getKey(), entry.getValue(), 1));
            }
        }
        return best;
    }

    /// What a unit of each resource, and last a node, is worth at best in the pool.
    static double[] worth(FleetPricing pool, double[] demand, int nodes) {
        var set = pool.template().requirements();
        var worth = new double[demand.length + 1];
        if (pool.size(set) == 0) {
            return worth;
        }
        var rows = new double[pool.size(set)][demand.length + 1];
        var prices = new double[rows.length];
        var gain = new double[demand.length + 1];
        for (var row = 0; row < rows.length; row++) {
            prices[row] = pool.price(set, row);
            for (var resource = 0; resource < demand.length; resource++) {
                rows[row][resource] =
                        demand[resource] > 0 ? pool.room(set, row)[resource] / demand[resource] : 0;
            }
            rows[row][demand.length] = 1.0 / nodes;
        }
        for (var resource = 0; resource < demand.length; resource++) {
            gain[resource] = demand[resource] > 0 ? 1 : 0;
        }
        gain[demand.length] = 1;
        var solved = Simplex.maximize(rows, prices, gain);
        for (var resource = 0; resource < demand.length; resource++) {
            worth[resource] = demand[resource] > 0 ? solved[resource] / demand[resource] : 0;
        }
        worth[demand.length] = solved[demand.length] / nodes;
        return worth;
    }

    private double bound(FleetPricing pool, int wish, double[] demand, int nodes) {
        var set = pass.problem().space().narrow(pool.template().requirements(), wish);
        if (set == RequirementSpace.IMPOSSIBLE || pool.size(set) == 0) {
            return 0;
        }
        var used = new ArrayList<Integer>();
        for (var resource = 0; resource < demand.length; resource++) {
            if (demand[resource] > 0) {
                used.add(resource);
            }
        }
        var rows = new double[pool.size(set)][used.size() + 1];
        var prices = new double[rows.length];
        for (var row = 0; row < rows.length; row++) {
            prices[row] = pool.price(set, row);
            for (var column = 0; column < used.size(); column++) {
                rows[row][column] =
                        pool.room(set, row)[used.get(column)] / demand[used.get(column)];
            }
            rows[row][used.size()] = 1.0 / nodes;
        }
        var gain = new double[used.size() + 1];
        Arrays.fill(gain, 1);
        return proven(rows, prices, Simplex.maximize(rows, prices, gain));
    }

    /// Rounding may have left the worth of some machine a hair above its price: scaled down it is a
    /// proof.
    static double proven(double[][] rows, double[] prices, double[] worth) {
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
        return scale * Arrays.stream(worth).sum();
    }
}
