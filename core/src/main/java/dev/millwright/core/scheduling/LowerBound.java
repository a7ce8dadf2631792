package dev.millwright.core.scheduling;

import dev.millwright.core.label.LabelKeys;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
            sum += perHour(template.pricing(), poolPods(template));
        }
        return sum;
    }

    /// Takes more time for a closer bound.
    double closePerHour() {
        var sum = 0.0;
        for (var template : pass.templates()) {
            var pods = poolPods(template);
            sum +=
                    Math.max(
                            perHour(template.pricing(), pods),
                            tieredPerHour(template.pricing(), pods));
        }
        return sum;
    }

    /// A pool's pods on new nodes, by class, and how many nodes they need at least.
    private record PoolPods(List<ClassPods> classes, int nodes) {}

    /// So many pods of one class; `must` is what each of them must have.
    private record ClassPods(PodClass podClass, int must, int count) {}

    private PoolPods poolPods(PoolTemplate template) {
        var counts = new TreeMap<Integer, Integer>();
        for (var claim : pass.claims()) {
            if (claim.template() == template) {
                for (var pod : claim.pods()) {
                    counts.merge(pass.problem().classOf(pod), 1, Integer::sum);
                }
            }
        }
        var classes = new ArrayList<ClassPods>();
        var perGroup = new HashMap<TopologyGroup, Integer>();
        counts.forEach(
                (number, count) -> {
                    var podClass = pass.podClassAt(number);
                    classes.add(new ClassPods(podClass, mustSet(podClass), count));
                    exclusiveGroups(podClass)
                            .forEach(group -> perGroup.merge(group, count, Integer::sum));
                });
        var nodes = perGroup.values().stream().mapToInt(Integer::intValue).max().orElse(1);
        return new PoolPods(classes, nodes);
    }

    private double tieredPerHour(FleetPricing pool, PoolPods pods) {
        var demands = new ArrayList<TieredBound.Demand>();
        for (var some : pods.classes()) {
            var set = pass.space().narrow(pool.template().requirements(), some.must());
            if (set != RequirementSpace.IMPOSSIBLE) {
                demands.add(new TieredBound.Demand(some.podClass(), set, some.count()));
            }
        }
        return demands.isEmpty()
                ? 0
                : new TieredBound(pool, demands, pass.problem().resources().size())
                        .perHour(pods.nodes());
    }

    /// Groups whose pods keep each other off their hosts, so that each needs a node of its own.
    static List<TopologyGroup> exclusiveGroups(PodClass podClass) {
        return podClass.inverseOwned().stream()
                .filter(group -> group.isHostname() && podClass.labelClass().isSelectedBy(group))
                .toList();
    }

    private double perHour(FleetPricing pool, PoolPods pods) {
        if (pods.classes().isEmpty()) {
            return 0;
        }
        var demand = new double[pass.problem().resources().size()];
        var sets = new HashMap<Integer, double[]>();
        for (var some : pods.classes()) {
            var bySet = sets.computeIfAbsent(some.must(), _ -> new double[demand.length]);
            for (var resource = 0; resource < demand.length; resource++) {
                var asked = (double) some.podClass().requests()[resource] * some.count();
                demand[resource] += asked;
                bySet[resource] += asked;
            }
        }
        var all = bound(pool, RequirementSpace.none(), demand, pods.nodes());
        return Math.max(all, restricted(pool, sets));
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

    /// The linear program of a pool and its answer: a column for each resource, scaled by what is
    /// asked for, and last one for being a node.
    private record Dual(double[][] rows, double[] prices, double[] solved) {}

    private static Dual dual(FleetPricing pool, int set, double[] demand, int nodes) {
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
        return new Dual(rows, prices, Simplex.maximize(rows, prices, gain));
    }

    /// What a unit of each resource, and last a node, is worth at best in the pool.
    static double[] worth(FleetPricing pool, double[] demand, int nodes) {
        var worth = dual(pool, pool.template().requirements(), demand, nodes).solved();
        for (var resource = 0; resource < demand.length; resource++) {
            worth[resource] = demand[resource] > 0 ? worth[resource] / demand[resource] : 0;
        }
        worth[demand.length] /= nodes;
        return worth;
    }

    private double bound(FleetPricing pool, int must, double[] demand, int nodes) {
        var set = pass.space().narrow(pool.template().requirements(), must);
        if (set == RequirementSpace.IMPOSSIBLE) {
            return 0;
        }
        var dual = dual(pool, set, demand, nodes);
        return proven(dual.rows(), dual.prices(), dual.solved());
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
