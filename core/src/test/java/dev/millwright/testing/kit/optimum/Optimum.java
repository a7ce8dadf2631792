package dev.millwright.testing.kit.optimum;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.Arrays;
import java.util.List;

/// The cheapest fleet for all pods that wait, by branch and bound over what each node holds: nodes
/// that are there, and every machine of every pool, zone and capacity type.
///
/// It knows what [SmallProblems] makes: selectors, taints, limits, weights; spread, affinity and
/// anti-affinity whose selector is the label `app` that the pods themselves have. What a problem
/// holds besides (daemons, volumes, ports, wishes) it does not look at.
public final class Optimum {

    /// Which pools a pod may have.
    public enum Choice {
        /// Any pool that can take it.
        ANY_POOL,
        /// Only the heaviest of the pools that can take it.
        HEAVIEST_POOL
    }

    private static final double TOLERANCE = 1e-9;

    private final List<Pod> pods;
    private final Blocks blocks;
    private final ZoneRules zoneRules;
    private final int[] masksByZone;

    /// What each set of pods costs at least: the optimum without limits and zone rules.
    private final double[] atLeast;

    private double best = Double.POSITIVE_INFINITY;

    private Optimum(SchedulingProblem problem, Choice choice) {
        this.pods =
                problem.snapshot().pods().stream()
                        .filter(pod -> pod.state().isProvisionable())
                        .toList();
        this.blocks = new Blocks(problem, pods, choice);
        this.zoneRules = new ZoneRules(pods, blocks);
        this.masksByZone = new int[blocks.zones().size() + 1];
        this.atLeast = atLeast();
    }

    /// Dollars per hour; infinite when no fleet holds all the pods.
    public static double pricePerHour(SchedulingProblem problem, Choice choice) {
        var optimum = new Optimum(problem, choice);
        var all = (1 << optimum.pods.size()) - 1;
        if (optimum.zoneRules.isEmpty()
                && Arrays.stream(optimum.blocks.limits())
                        .allMatch(left -> left == Long.MAX_VALUE)) {
            return optimum.atLeast[all];
        }
        optimum.branch(all, 0, optimum.blocks.limits(), 0);
        return optimum.best;
    }

    private double[] atLeast() {
        var bought = new double[1 << pods.size()];
        var cheapest = new double[bought.length];
        for (var mask = 1; mask < bought.length; mask++) {
            cheapest[mask] = Double.POSITIVE_INFINITY;
            for (var zone = 0; zone < blocks.zones().size(); zone++) {
                var options = blocks.options(zone, mask);
                if (!options.isEmpty()) {
                    cheapest[mask] = Math.min(cheapest[mask], options.getFirst().price());
                }
            }
            var first = Integer.lowestOneBit(mask);
            bought[mask] = cheapest[mask];
            for (var part = (mask - 1) & mask; part > 0; part = (part - 1) & mask) {
                if ((part & first) != 0 && cheapest[part] < bought[mask]) {
                    bought[mask] = Math.min(bought[mask], cheapest[part] + bought[mask & ~part]);
                }
            }
        }
        return withNodes(bought);
    }

    /// Pods on nodes that are there cost nothing.
    private double[] withNodes(double[] bought) {
        var before = bought;
        for (var node = 0; node < blocks.nodes(); node++) {
            var after = before.clone();
            for (var mask = 1; mask < after.length; mask++) {
                for (var part = mask; part > 0; part = (part - 1) & mask) {
                    if (before[mask & ~part] < after[mask] && blocks.holds(node, part)) {
                        after[mask] = before[mask & ~part];
                    }
                }
            }
            before = after;
        }
        return before;
    }

    /// Looks for the node of the first pod that is left, and for all that is with it.
    private void branch(int left, int usedNodes, long[] limits, double price) {
        if (left == 0) {
            best = Math.min(best, price);
            return;
        }
        var first = Integer.lowestOneBit(left);
        for (var part = left; part > 0; part = (part - 1) & left) {
            if ((part & first) != 0 && price + atLeast[left & ~part] < best - TOLERANCE) {
                onNodes(part, left, usedNodes, limits, price);
                onMachines(part, left, usedNodes, limits, price);
            }
        }
    }

    private void onNodes(int part, int left, int usedNodes, long[] limits, double price) {
        for (var node = 0; node < blocks.nodes(); node++) {
            if ((usedNodes >> node & 1) == 0 && blocks.holds(node, part)) {
                var zone = blocks.zones().indexOf(blocks.zoneOf(node));
                masksByZone[zone < 0 ? blocks.zones().size() : zone] |= part;
                if (zoneRules.canBeMet(masksByZone)) {
                    branch(left & ~part, usedNodes | 1 << node, limits, price);
                }
                masksByZone[zone < 0 ? blocks.zones().size() : zone] &= ~part;
            }
        }
    }

    private void onMachines(int part, int left, int usedNodes, long[] limits, double price) {
        for (var zone = 0; zone < blocks.zones().size(); zone++) {
            masksByZone[zone] |= part;
            if (zoneRules.canBeMet(masksByZone)) {
                for (var option : blocks.options(zone, part)) {
                    var total = price + option.price();
                    if (total + atLeast[left & ~part] < best - TOLERANCE
                            && option.limited() <= limits[option.pool()]) {
                        var rest = limits.clone();
                        rest[option.pool()] -= option.limited();
                        branch(left & ~part, usedNodes, rest, total);
                    }
                }
            }
            masksByZone[zone] &= ~part;
        }
    }
}
