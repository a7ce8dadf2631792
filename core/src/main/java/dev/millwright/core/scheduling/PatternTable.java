package dev.millwright.core.scheduling;

import java.util.Arrays;

/// The price of every *pattern*, a set of pods on one machine, of a small model. Patterns are
/// numbered in mixed radix, a digit for each kind of pod: the number of a union is the sum.
final class PatternTable {

    private final FleetModel model;
    private final int kinds;
    private final int size;
    private final int[] strides;
    private final int[] lastKind;
    private final int[] lowestKind;
    private final long[] packed;
    private final long full;
    private final long guards;
    private final double[] prices;
    private final boolean[] isPossible;
    private final long[] load;
    private final int[] sets;

    /// @param size how many patterns the model has
    PatternTable(FleetModel model, int size) {
        this.model = model;
        this.kinds = model.kinds().size();
        this.size = size;
        this.strides = new int[kinds];
        this.lastKind = new int[size];
        this.lowestKind = new int[size];
        this.packed = new long[size];
        this.prices = new double[size * model.zones().size()];
        this.isPossible = new boolean[size];
        this.load = new long[size * model.resources()];
        this.sets = new int[size * model.templates().size()];
        var shifts = new int[kinds + 1];
        var stride = 1;
        var allGuards = 0L;
        var all = 0L;
        for (var kind = 0; kind < kinds; kind++) {
            var count = model.kinds().get(kind).count();
            strides[kind] = stride;
            stride *= count + 1;
            var bits = Integer.SIZE - Integer.numberOfLeadingZeros(count);
            shifts[kind + 1] = shifts[kind] + bits + 1;
            all |= (long) count << shifts[kind];
            allGuards |= 1L << (shifts[kind] + bits);
        }
        this.full = all;
        this.guards = allGuards;
        fill(shifts);
    }

    /// Whether the counts of all kinds can be packed into one long.
    static boolean isPackable(FleetModel model) {
        var bits = 0;
        for (var kind : model.kinds()) {
            bits += Integer.SIZE - Integer.numberOfLeadingZeros(kind.count()) + 1;
        }
        return bits < Long.SIZE;
    }

    private void fill(int[] shifts) {
        var templates = model.templates().size();
        var counts = new int[kinds];
        for (var template = 0; template < templates; template++) {
            sets[template] = model.templates().get(template).requirements();
        }
        isPossible[0] = true;
        Arrays.fill(prices, 0, model.zones().size(), 0);
        for (var pattern = 1; pattern < size; pattern++) {
            var last = kinds - 1;
            while (strides[last] > pattern) {
                last--;
            }
            var before = pattern - strides[last];
            lastKind[pattern] = last;
            lowestKind[pattern] = before == 0 ? last : lowestKind[before];
            packed[pattern] = packed[before] + (1L << shifts[last]);
            if (isPossible[before]) {
                add(pattern, before, last, counts);
            }
            if (!isPossible[pattern]) {
                Arrays.fill(
                        prices,
                        pattern * model.zones().size(),
                        (pattern + 1) * model.zones().size(),
                        Double.POSITIVE_INFINITY);
            }
        }
    }

    private void add(int pattern, int before, int kind, int[] counts) {
        var resources = model.resources();
        var requests = model.kinds().get(kind).requests();
        for (var resource = 0; resource < resources; resource++) {
            load[pattern * resources + resource] =
                    load[before * resources + resource] + requests[resource];
        }
        var templates = model.templates().size();
        for (var template = 0; template < templates; template++) {
            var set = sets[before * templates + template];
            var more = model.kinds().get(kind).sets()[template];
            sets[pattern * templates + template] =
                    set == RequirementSpace.IMPOSSIBLE || more == RequirementSpace.IMPOSSIBLE
                            ? RequirementSpace.IMPOSSIBLE
                            : model.space().narrow(set, more);
        }
        isPossible[pattern] = isHostMet(pattern, counts) && isHeldAnywhere(pattern);
    }

    private boolean isHostMet(int pattern, int[] counts) {
        if (model.hostRules().isEmpty()) {
            return true;
        }
        counts(pattern, counts);
        for (var rule : model.hostRules()) {
            if (!rule.isMet(counts)) {
                return false;
            }
        }
        return true;
    }

    /// Whether any machine or node holds the pattern.
    private boolean isHeldAnywhere(int pattern) {
        var total = loadOf(pattern);
        var templates = model.templates().size();
        var zones = model.zones().size();
        var isBuyable = false;
        for (var zone = 0; zone < zones; zone++) {
            var least = Double.POSITIVE_INFINITY;
            for (var template = 0; template < templates; template++) {
                least = Math.min(least, price(template, setOf(pattern, template, zone), total));
            }
            prices[pattern * zones + zone] = least;
            isBuyable |= least < Double.POSITIVE_INFINITY;
        }
        if (isBuyable) {
            return true;
        }
        for (var node : model.nodes()) {
            if (isHeldBy(node, pattern)) {
                return true;
            }
        }
        return false;
    }

    private double price(int template, int set, long[] total) {
        return set == RequirementSpace.IMPOSSIBLE
                ? Double.POSITIVE_INFINITY
                : model.templates().get(template).pricing().price(set, total);
    }

    /// What a machine of the pool must be for the pattern in the zone.
    int setOf(int pattern, int template, int zone) {
        var set = sets[pattern * model.templates().size() + template];
        return set == RequirementSpace.IMPOSSIBLE
                ? set
                : model.space().narrow(set, model.zones().get(zone));
    }

    long[] loadOf(int pattern) {
        return Arrays.copyOfRange(
                load, pattern * model.resources(), (pattern + 1) * model.resources());
    }

    /// Whether the node holds the pattern, if nothing else comes to it.
    boolean isHeldBy(FleetModel.ExistingNode node, int pattern) {
        for (var resource = 0; resource < model.resources(); resource++) {
            if (load[pattern * model.resources() + resource] > node.room()[resource]) {
                return false;
            }
        }
        for (var rest = pattern; rest > 0; rest -= strides[lastKind[rest]]) {
            if (!node.takes()[lastKind[rest]]) {
                return false;
            }
        }
        return true;
    }

    int size() {
        return size;
    }

    int lastKind(int pattern) {
        return lastKind[pattern];
    }

    int lowestKind(int pattern) {
        return lowestKind[pattern];
    }

    /// The pattern without one pod of its last kind.
    int before(int pattern) {
        return pattern - strides[lastKind[pattern]];
    }

    /// The pattern of one pod.
    int single(int kind) {
        return strides[kind];
    }

    boolean isPossible(int pattern) {
        return isPossible[pattern];
    }

    double price(int pattern, int zone) {
        return prices[pattern * model.zones().size() + zone];
    }

    double price(int pattern) {
        var zones = model.zones().size();
        var least = prices[pattern * zones];
        for (var zone = 1; zone < zones; zone++) {
            least = Math.min(least, prices[pattern * zones + zone]);
        }
        return least;
    }

    /// Whether both together are no more than all pods.
    boolean isDisjoint(int covered, int pattern) {
        return (((full | guards) - packed[covered] - packed[pattern]) & guards) == guards;
    }

    /// The first kind of which some pods are not covered.
    int firstLeft(int covered) {
        for (var kind = 0; kind < kinds; kind++) {
            if (digit(covered, kind) < model.kinds().get(kind).count()) {
                return kind;
            }
        }
        return kinds;
    }

    int digit(int pattern, int kind) {
        return pattern / strides[kind] % (model.kinds().get(kind).count() + 1);
    }

    void counts(int pattern, int[] into) {
        Arrays.fill(into, 0);
        for (var rest = pattern; rest > 0; rest -= strides[lastKind[rest]]) {
            into[lastKind[rest]]++;
        }
    }
}
