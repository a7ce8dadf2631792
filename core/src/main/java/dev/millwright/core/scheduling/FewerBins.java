package dev.millwright.core.scheduling;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Empties bins of a packing into others where that costs next to nothing, the cheapest first.
final class FewerBins {

    /// Bins that are looked at for room. Only fleets of thousands of pods have more.
    private static final long LOOKS_MAX = 500_000;

    private final Fleet fleet;
    private long looks;

    /// A bin, and by how much its being emptied changes the price.
    private record Emptied(int bin, double rise) {}

    FewerBins(Fleet fleet) {
        this.fleet = fleet;
    }

    /// @param limit what the fleet may cost
    /// @return whether any bin was emptied
    boolean improve(double limit) {
        var isAny = false;
        var isBetter = true;
        while (isBetter && looks < LOOKS_MAX) {
            isBetter = false;
            for (var candidate : candidates(limit)) {
                isBetter |= empty(candidate.bin(), limit);
            }
            isAny |= isBetter;
        }
        return isAny;
    }

    private List<Emptied> candidates(double limit) {
        var candidates = new ArrayList<Emptied>();
        for (var bin = 0; bin < fleet.bins().size() && looks < LOOKS_MAX; bin++) {
            if (isFree(bin)) {
                var layout = List.copyOf(fleet.bins().get(bin).items());
                var before = fleet.price();
                if (move(bin)) {
                    candidates.add(new Emptied(bin, fleet.price() - before));
                }
                putBack(layout, bin);
            }
        }
        candidates.removeIf(each -> fleet.price() + each.rise() > limit);
        candidates.sort(Comparator.comparingDouble(Emptied::rise).thenComparingInt(Emptied::bin));
        return candidates;
    }

    private boolean isFree(int bin) {
        var items = fleet.bins().get(bin).items();
        return !items.isEmpty()
                && items.stream().noneMatch(item -> fleet.items().get(item).isFrozen());
    }

    private boolean empty(int bin, double limit) {
        var layout = List.copyOf(fleet.bins().get(bin).items());
        var inflexible = inflexible();
        if (!layout.isEmpty()
                && move(bin)
                && fleet.price() <= limit
                && inflexible() <= inflexible) {
            return true;
        }
        putBack(layout, bin);
        return false;
    }

    /// How many bins may be spot and have few types for it.
    private long inflexible() {
        return fleet.bins().stream().filter(this::isInflexible).count();
    }

    private boolean isInflexible(Fleet.Bin bin) {
        if (bin.items().isEmpty()) {
            return false;
        }
        var template = fleet.templates().get(bin.template());
        var set = bin.sets()[bin.template()];
        var shapes = template.meeting(set).clone();
        template.keepFitting(shapes, bin.load());
        return FleetChoice.isInflexible(template, set, shapes);
    }

    /// Moves each item to the bin that rises the least by it; tells whether all found one.
    private boolean move(int bin) {
        var items = new ArrayList<>(fleet.bins().get(bin).items());
        items.sort(
                Comparator.comparingLong(
                        item -> -fleet.items().get(item).podClass().requests()[0]));
        for (var item : items) {
            var target = leastRise(item, bin);
            if (target < 0) {
                return false;
            }
            fleet.take(item);
            fleet.put(item, target);
        }
        return true;
    }

    private int leastRise(int item, int from) {
        var best = -1;
        var least = Double.POSITIVE_INFINITY;
        for (var bin = 0; bin < fleet.bins().size(); bin++) {
            var target = fleet.bins().get(bin);
            if (bin == from || target.items().isEmpty()) {
                continue;
            }
            looks++;
            var sets = fleet.setsWith(item, bin);
            var rise =
                    sets == null
                            ? Double.POSITIVE_INFINITY
                            : fleet.priceWith(item, bin, sets) - target.price();
            if (rise < least) {
                least = rise;
                best = bin;
            }
        }
        return best;
    }

    private void putBack(List<Integer> items, int bin) {
        for (var item : items) {
            if (fleet.binOf(item) != bin) {
                fleet.take(item);
                fleet.put(item, bin);
            }
        }
    }
}
