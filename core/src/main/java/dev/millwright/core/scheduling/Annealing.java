package dev.millwright.core.scheduling;

/// Improves a packing by small changes: moves a pod to another bin, or exchanges two. A change that
/// costs more is taken now and then, ever more rarely, so that the search leaves hollows. The steps
/// follow a fixed sequence of numbers: the same packing is improved in the same way everywhere.
final class Annealing {

    /// Share of a bin's mean price that a change may cost at the beginning and at the end.
    private static final double HEAT_FIRST = 0.12;

    private static final double HEAT_LAST = 0.002;

    /// Every so many moves a pod is tried in a bin of its own.
    private static final int OPENING_INTERVAL = 64;

    private final Fleet fleet;
    private long state = 0x5deece66dL;

    Annealing(Fleet fleet) {
        this.fleet = fleet;
    }

    /// Works for so many steps and leaves the cheapest packing it saw.
    void improve(long steps) {
        var items = fleet.items().size();
        if (items < 2 || fleet.bins().isEmpty()) {
            return;
        }
        var mean = fleet.price() / Math.max(1, usedBins());
        var best = fleet.layout();
        var bestPrice = fleet.price();
        var cooling = StrictMath.pow(HEAT_LAST / HEAT_FIRST, 1.0 / Math.max(1, steps / items));
        var heat = HEAT_FIRST * mean;
        for (long step = 0; step < steps; step++) {
            if (step % items == items - 1) {
                heat *= cooling;
                if (fleet.price() < bestPrice - 1e-9) {
                    bestPrice = fleet.price();
                    best = fleet.layout();
                }
            }
            var item = below(items);
            if (!fleet.items().get(item).isFrozen()) {
                change(step, item, heat);
            }
        }
        if (fleet.price() > bestPrice) {
            fleet.restore(best);
        }
    }

    private int usedBins() {
        var used = 0;
        for (var bin : fleet.bins()) {
            used += bin.items().isEmpty() ? 0 : 1;
        }
        return used;
    }

    private void change(long step, int item, double heat) {
        if (step % OPENING_INTERVAL == 0) {
            move(item, emptyBin(), heat);
        } else if ((step & 1) == 0) {
            move(item, below(fleet.bins().size()), heat);
        } else {
            swap(item, below(fleet.items().size()), heat);
        }
    }

    private int emptyBin() {
        for (var bin = 0; bin < fleet.bins().size(); bin++) {
            if (fleet.bins().get(bin).items().isEmpty()) {
                return bin;
            }
        }
        return fleet.openBin();
    }

    private void move(int item, int bin, double heat) {
        var from = fleet.binOf(item);
        if (from == bin
                || (fleet.bins().get(bin).items().isEmpty()
                        && fleet.bins().get(from).items().size() == 1)) {
            return;
        }
        var sets = fleet.setsWith(item, bin);
        if (sets == null) {
            return;
        }
        var before = fleet.bins().get(from).price() + fleet.bins().get(bin).price();
        var after = fleet.priceWithout(item) + fleet.priceWith(item, bin, sets);
        if (isTaken(after - before, heat)) {
            fleet.take(item);
            fleet.put(item, bin);
        }
    }

    private void swap(int item, int other, double heat) {
        var from = fleet.binOf(item);
        var to = fleet.binOf(other);
        if (from == to
                || fleet.items().get(other).isFrozen()
                || fleet.items().get(item).podClass() == fleet.items().get(other).podClass()) {
            return;
        }
        var before = fleet.bins().get(from).price() + fleet.bins().get(to).price();
        // A quick look at the loads alone, before the rules are asked.
        var guess =
                fleet.priceSwapped(item, other, fleet.bins().get(from).sets())
                        + fleet.priceSwapped(other, item, fleet.bins().get(to).sets());
        if (!isTaken(guess - before, heat)) {
            return;
        }
        fleet.take(item);
        fleet.take(other);
        var setsTo = fleet.setsWith(item, to);
        var setsFrom = fleet.setsWith(other, from);
        if (setsTo != null
                && setsFrom != null
                && fleet.priceWith(item, to, setsTo) + fleet.priceWith(other, from, setsFrom)
                        <= guess + 1e-9) {
            fleet.put(item, to);
            fleet.put(other, from);
        } else {
            fleet.put(item, from);
            fleet.put(other, to);
        }
    }

    private boolean isTaken(double cost, double heat) {
        if (cost <= 0) {
            return true;
        }
        return cost < 20 * heat && fraction() < StrictMath.exp(-cost / heat);
    }

    private long next() {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return state;
    }

    private int below(int bound) {
        return (int) ((next() >>> 33) % bound);
    }

    private double fraction() {
        return (next() >>> 11) * 0x1.0p-53;
    }
}
