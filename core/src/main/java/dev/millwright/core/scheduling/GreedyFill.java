package dev.millwright.core.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/// Packs bin by bin: for the pod of most worth that is left, several machines are filled as well as
/// can be, and the one that gives most worth for its price is kept.
final class GreedyFill {

    /// How many machines are filled for each bin.
    private static final int MACHINES_TRIED = 10;

    private final Fleet fleet;
    private final double[] worth;
    private final int resources;
    private final List<Kind> kinds;
    private final Kind[] kindOf;
    private final double[] values;

    /// Items of one kind. Those not packed yet are the first `left` of them; the last of these goes
    /// next.
    private static final class Kind {
        private final List<Integer> items = new ArrayList<>();
        private long[] requests = {};
        private double value;
        private int left;

        int next() {
            return items.get(left - 1);
        }
    }

    /// A machine of a pool, by its place in the pool's list for a requirement set.
    private record Machine(int template, int set, int index) {}

    /// @param worth what a unit of each resource is worth, and last a node
    /// @param isExclusive for each item whether it is one of those that need a node each
    /// @param isMovable which items are to be packed
    GreedyFill(Fleet fleet, double[] worth, boolean[] isExclusive, boolean[] isMovable) {
        this.fleet = fleet;
        this.worth = worth;
        this.resources = worth.length - 1;
        this.values = new double[fleet.items().size()];
        this.kindOf = new Kind[values.length];
        var byKey = new LinkedHashMap<List<Object>, Kind>();
        for (var item = 0; item < values.length; item++) {
            if (!isMovable[item]) {
                continue;
            }
            var entry = fleet.items().get(item);
            values[item] =
                    value(entry.podClass().requests()) + (isExclusive[item] ? worth[resources] : 0);
            var kind =
                    byKey.computeIfAbsent(
                            List.of(entry.wish(), Arrays.stream(entry.sets()).boxed().toList()),
                            _ -> new Kind());
            kind.requests = entry.podClass().requests();
            kind.value = values[item];
            kind.items.add(item);
            kind.left++;
            kindOf[item] = kind;
        }
        this.kinds =
                byKey.values().stream()
                        .sorted(Comparator.comparingDouble((Kind kind) -> kind.value).reversed())
                        .toList();
    }

    /// How many comparisons [#pack] makes at the most, about.
    static long effort(long items, long kinds) {
        return items * kinds * MACHINES_TRIED;
    }

    int kindCount() {
        return kinds.size();
    }

    private double value(long[] requests) {
        var value = 0.0;
        for (var resource = 0; resource < resources; resource++) {
            value += worth[resource] * requests[resource];
        }
        return value;
    }

    /// Puts every item into a bin of its own making. None of them may be in one.
    ///
    /// @return whether all items found one
    boolean pack() {
        for (var kind : kinds) {
            while (kind.left > 0) {
                if (!packBin(kind.next())) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean packBin(int seed) {
        var bin = fleet.openBin();
        var sets = fleet.setsWith(seed, bin);
        if (sets == null) {
            return false;
        }
        List<Integer> best = List.of();
        var bestRate = Double.POSITIVE_INFINITY;
        for (var machine : machines(sets, seed)) {
            var filled = fill(bin, seed, machine);
            var rate = rate(bin, filled);
            if (rate < bestRate - 1e-12) {
                bestRate = rate;
                best = filled;
            }
            for (var item : filled.reversed()) {
                fleet.take(item);
                kindOf[item].left++;
            }
        }
        for (var item : best) {
            kindOf[item].left--;
            fleet.put(item, bin);
        }
        return !best.isEmpty();
    }

    /// Machines that hold the seed, by what they cost for the worth of their room.
    private List<Machine> machines(int[] sets, int seed) {
        var requests = fleet.items().get(seed).podClass().requests();
        var candidates = new ArrayList<Machine>();
        for (var template = 0; template < sets.length; template++) {
            var set = sets[template];
            var pricing = fleet.templates().get(template).pricing();
            for (var index = 0;
                    set != RequirementSpace.IMPOSSIBLE && index < pricing.size(set);
                    index++) {
                if (score(requests, pricing.room(set, index), pricing.room(set, index)) >= 0) {
                    candidates.add(new Machine(template, set, index));
                }
            }
        }
        candidates.sort(
                Comparator.comparingDouble(this::priceForWorth)
                        .thenComparingInt(Machine::template)
                        .thenComparingInt(Machine::index));
        return candidates.size() <= MACHINES_TRIED
                ? candidates
                : candidates.subList(0, MACHINES_TRIED);
    }

    private double priceForWorth(Machine machine) {
        var pricing = fleet.templates().get(machine.template()).pricing();
        return pricing.price(machine.set(), machine.index())
                / (value(pricing.room(machine.set(), machine.index())) + worth[resources]);
    }

    private double rate(int bin, List<Integer> filled) {
        var value = filled.stream().mapToDouble(item -> values[item]).sum();
        return fleet.bins().get(bin).price() / value;
    }

    /// Fills the bin up to the room, always with the pod that best matches the shape of what is
    /// left.
    private List<Integer> fill(int bin, int seed, Machine machine) {
        var pricing = fleet.templates().get(machine.template()).pricing();
        var room = pricing.room(machine.set(), machine.index());
        var filled = new ArrayList<Integer>();
        var left = Arrays.copyOf(room, room.length);
        for (var next = seed; next >= 0; next = bestMatch(bin, machine.template(), left, room)) {
            var kind = kindOf[next];
            kind.left--;
            fleet.put(next, bin);
            filled.add(next);
            for (var resource = 0; resource < resources; resource++) {
                left[resource] -= kind.requests[resource];
            }
        }
        return filled;
    }

    private int bestMatch(int bin, int template, long[] left, long[] room) {
        var best = -1;
        var bestScore = -1.0;
        for (var kind : kinds) {
            if (kind.left > 0) {
                var score = score(kind.requests, left, room);
                var sets = score > bestScore ? fleet.setsWith(kind.next(), bin) : null;
                if (sets != null && sets[template] != RequirementSpace.IMPOSSIBLE) {
                    bestScore = score;
                    best = kind.next();
                }
            }
        }
        return best;
    }

    /// Large where the request points the same way as what is left; negative when it does not fit.
    private double score(long[] requests, long[] left, long[] room) {
        var score = 0.0;
        for (var resource = 0; resource < resources; resource++) {
            if (requests[resource] > left[resource]) {
                return -1;
            }
            if (room[resource] > 0) {
                var share = (double) left[resource] / room[resource];
                score += worth[resource] * requests[resource] * share;
            }
        }
        return score;
    }
}
