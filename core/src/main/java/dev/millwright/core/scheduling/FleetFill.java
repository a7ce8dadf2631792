package dev.millwright.core.scheduling;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Packs a fleet anew, greedily, and keeps the cheapest of several tries.
///
/// The tries differ in what resources are worth. The linear program prices only what is scarce over
/// all; a fill that looks at that alone leaves pods behind which need much of something else. So
/// part of the worth is spread evenly over all resources.
final class FleetFill {

    /// Share of the worth that is spread evenly.
    private static final List<Double> EVEN_SHARES = List.of(0.0, 0.5, 1.0);

    /// Comparisons of the greedy fill that count as one step of search.
    private static final long COMPARISONS_PER_STEP = 40;

    private final Fleet fleet;
    private final int resources;

    FleetFill(Fleet fleet, int resources) {
        this.fleet = fleet;
        this.resources = resources;
    }

    /// Leaves the cheapest packing found, which may be the one that was there. Bins with frozen
    /// items stay as they are.
    ///
    /// @return the steps it took, at most `effort`
    long fill(long effort) {
        var items = fleet.items();
        var isMovable = movable();
        var perGroup = new HashMap<TopologyGroup, Integer>();
        for (var index = 0; index < items.size(); index++) {
            if (!isMovable[index]) {
                continue;
            }
            LowerBound.exclusiveGroups(items.get(index).podClass())
                    .forEach(group -> perGroup.merge(group, 1, Integer::sum));
        }
        var largest = largest(perGroup);
        var isExclusive = new boolean[items.size()];
        for (var index = 0; index < isExclusive.length; index++) {
            isExclusive[index] =
                    largest != null
                            && LowerBound.exclusiveGroups(items.get(index).podClass())
                                    .contains(largest);
        }
        var demand = demand(isMovable);
        var nodes = largest == null ? 1 : perGroup.getOrDefault(largest, 1);
        var worth = LowerBound.worth(fleet.templates(), demand, nodes);
        var spent = 0L;
        for (var share : EVEN_SHARES) {
            var greedy =
                    new GreedyFill(fleet, evened(worth, demand, share), isExclusive, isMovable);
            var steps = GreedyFill.effort(items.size(), greedy.kindCount()) / COMPARISONS_PER_STEP;
            if (spent + steps > effort) {
                return spent;
            }
            spent += steps;
            tryOut(greedy, isMovable);
        }
        return spent;
    }

    /// Which items share no bin with a frozen one.
    private boolean[] movable() {
        var movable = new boolean[fleet.items().size()];
        for (var item = 0; item < movable.length; item++) {
            movable[item] =
                    fleet.bin(item).items().stream()
                            .noneMatch(other -> fleet.items().get(other).isFrozen());
        }
        return movable;
    }

    private void tryOut(GreedyFill greedy, boolean[] isMovable) {
        var before = fleet.layout();
        var priceBefore = fleet.price();
        for (var item = 0; item < fleet.items().size(); item++) {
            if (isMovable[item]) {
                fleet.take(item);
            }
        }
        if (!greedy.pack() || fleet.price() >= priceBefore) {
            fleet.restore(before);
        }
    }

    private static @Nullable TopologyGroup largest(Map<TopologyGroup, Integer> perGroup) {
        TopologyGroup largest = null;
        var most = 0;
        for (var entry : perGroup.entrySet()) {
            var isMore = entry.getValue() > most;
            var isSame = entry.getValue() == most;
            if (isMore
                    || (isSame && largest != null && entry.getKey().number() < largest.number())) {
                largest = entry.getKey();
                most = entry.getValue();
            }
        }
        return largest;
    }

    private double[] demand(boolean[] isMovable) {
        var demand = new double[resources];
        for (var item = 0; item < isMovable.length; item++) {
            var requests = fleet.items().get(item).podClass().requests();
            for (var resource = 0; isMovable[item] && resource < resources; resource++) {
                demand[resource] += requests[resource];
            }
        }
        return demand;
    }

    /// The same worth in all, a share of it spread so that all that is asked for of each resource
    /// is worth the same.
    private double[] evened(double[] worth, double[] demand, double share) {
        var total = 0.0;
        var asked = 0;
        for (var resource = 0; resource < resources; resource++) {
            total += worth[resource] * demand[resource];
            asked += demand[resource] > 0 ? 1 : 0;
        }
        var result = worth.clone();
        for (var resource = 0; resource < resources; resource++) {
            if (demand[resource] > 0) {
                result[resource] =
                        (1 - share) * worth[resource] + share * total / asked / demand[resource];
            }
        }
        return result;
    }
}
