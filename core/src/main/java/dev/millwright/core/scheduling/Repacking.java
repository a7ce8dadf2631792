package dev.millwright.core.scheduling;

import dev.millwright.core.scheduling.FleetModel.Kind;
import dev.millwright.core.scheduling.PatternSearch.Chosen;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Improves a packing by taking a few bins apart and solving what was in them to the end. A fleet
/// that it leaves alone has no few bins that could be cheaper, or fewer, by themselves.
final class Repacking {

    /// Patterns of the problem that a few bins are: they are many, and each is solved in about a
    /// millisecond.
    private static final int PATTERNS_MAX = 1 << 10;

    private static final int BINS_MAX = 4;

    /// Bins that are drawn to join the first before it is left alone.
    private static final int DRAWS_MAX = 12;

    /// Bins that are looked at for room. Only fleets of thousands of pods have more.
    private static final long LOOKS_MAX = 300_000;

    private static final double SAME_PRICE = 1e-9;

    private final Fleet fleet;
    private final RequirementSpace space;
    private final int resources;
    private final int[] kindOf;
    private final int kinds;
    private long state = 0x2545f491L;
    private long looks;

    Repacking(Fleet fleet, RequirementSpace space, int resources) {
        this.fleet = fleet;
        this.space = space;
        this.resources = resources;
        this.kindOf = new int[fleet.items().size()];
        var numbers = new HashMap<List<Object>, Integer>();
        for (var item = 0; item < kindOf.length; item++) {
            var entry = fleet.items().get(item);
            kindOf[item] =
                    numbers.computeIfAbsent(
                            List.of(entry.wish(), Arrays.stream(entry.sets()).boxed().toList()),
                            _ -> numbers.size());
        }
        this.kinds = numbers.size();
    }

    /// Empties each bin into the room that others have at no price, as consolidation would do with
    /// the nodes that were bought: what it cannot move must then cost less by itself.
    ///
    /// @return whether anything is better
    boolean drain() {
        var isBetter = false;
        for (var bin = 0; bin < fleet.bins().size() && looks < LOOKS_MAX; bin++) {
            isBetter |= isFree(bin) && drain(bin);
        }
        return isBetter;
    }

    private boolean drain(int bin) {
        var price = fleet.bins().get(bin).price();
        var moved = new ArrayList<Integer>();
        var items = new ArrayList<>(fleet.bins().get(bin).items());
        items.sort(Comparator.comparingLong(item -> -requests(item)[0]));
        for (var item : items) {
            var other = roomFor(item, bin);
            if (other >= 0) {
                fleet.take(item);
                fleet.put(item, other);
                moved.add(item);
            }
        }
        if (moved.isEmpty() || fleet.bins().get(bin).price() < price - SAME_PRICE) {
            return !moved.isEmpty();
        }
        for (var item : moved) {
            fleet.take(item);
            fleet.put(item, bin);
        }
        return false;
    }

    private long[] requests(int item) {
        return fleet.items().get(item).podClass().requests();
    }

    /// The first other bin that takes the item and costs no more with it, or -1.
    private int roomFor(int item, int from) {
        for (var bin = 0; bin < fleet.bins().size(); bin++) {
            var target = fleet.bins().get(bin);
            if (bin != from && !target.items().isEmpty()) {
                looks++;
                var sets = fleet.setsWith(item, bin);
                if (sets != null
                        && fleet.priceWith(item, bin, sets) <= target.price() + SAME_PRICE) {
                    return bin;
                }
            }
        }
        return -1;
    }

    /// Tries so many times, each used bin in turn.
    ///
    /// @return whether anything is better
    boolean improve(int tries) {
        var isBetter = false;
        var tried = 0;
        for (var bin = 0; tried < tries; bin = (bin + 1) % fleet.bins().size()) {
            var some = drawn(bin);
            isBetter |= some.size() > 1 && repack(some);
            tried++;
        }
        return isBetter;
    }

    /// The bin and a few others, as far as their pods are a small problem together.
    private List<Integer> drawn(int first) {
        var some = new ArrayList<Integer>();
        if (!isFree(first)) {
            return some;
        }
        some.add(first);
        var counts = new int[kinds];
        if (patterns(counts, first) > PATTERNS_MAX) {
            return List.of();
        }
        count(counts, first);
        for (var draw = 0; draw < DRAWS_MAX && some.size() < BINS_MAX; draw++) {
            var other = below(fleet.bins().size());
            if (!some.contains(other) && isFree(other) && patterns(counts, other) <= PATTERNS_MAX) {
                some.add(other);
                count(counts, other);
            }
        }
        return some;
    }

    private boolean isFree(int bin) {
        var items = fleet.bins().get(bin).items();
        return !items.isEmpty()
                && items.stream().noneMatch(item -> fleet.items().get(item).isFrozen());
    }

    /// How many patterns there would be with the bin's items; more than allowed is not counted out.
    private long patterns(int[] counts, int bin) {
        var with = counts.clone();
        count(with, bin);
        var patterns = 1L;
        for (var count : with) {
            patterns = Math.min(patterns * (count + 1), PATTERNS_MAX + 1L);
        }
        return patterns;
    }

    private void count(int[] counts, int bin) {
        for (var item : fleet.bins().get(bin).items()) {
            counts[kindOf[item]]++;
        }
    }

    private boolean repack(List<Integer> bins) {
        var byKind = new HashMap<Integer, List<Integer>>();
        var order = new ArrayList<Integer>();
        var before = new HashMap<Integer, Integer>();
        var price = 0.0;
        for (var bin : bins) {
            price += fleet.bins().get(bin).price();
            for (var item : fleet.bins().get(bin).items()) {
                before.put(item, bin);
                byKind.computeIfAbsent(
                                kindOf[item],
                                kind -> {
                                    order.add(kind);
                                    return new ArrayList<>();
                                })
                        .add(item);
            }
        }
        order.sort(null);
        var made = new ArrayList<Kind>();
        for (var kind : order) {
            var items = byKind.getOrDefault(kind, List.of()).stream().sorted().toList();
            var entry = fleet.items().get(items.getFirst());
            made.add(new Kind(items, entry.podClass().requests(), entry.sets()));
        }
        var model =
                new FleetModel(
                        made,
                        fleet.templates(),
                        List.of(),
                        fleet.hostRules(made.stream().map(kind -> kind.pods().getFirst()).toList()),
                        List.of(),
                        List.of(RequirementSpace.none()),
                        new long[fleet.templates().size()][],
                        space,
                        resources);
        var found = PatternSearch.search(model, price, bins.size(), PATTERNS_MAX, 0);
        var better = found == null ? null : found.fewer() == null ? found.fleet() : found.fewer();
        return better != null && isCarriedOut(model, better, bins, before, price);
    }

    private boolean isCarriedOut(
            FleetModel model,
            List<Chosen> better,
            List<Integer> bins,
            Map<Integer, Integer> before,
            double price) {
        before.keySet().stream().sorted().forEach(fleet::take);
        var after = put(model, better, bins);
        var isBetter =
                after != null
                        && (after < price - SAME_PRICE
                                || (after <= price + SAME_PRICE && better.size() < bins.size()));
        if (!isBetter) {
            before.keySet().stream()
                    .sorted()
                    .filter(item -> fleet.binOf(item) >= 0)
                    .forEach(fleet::take);
            before.keySet().stream()
                    .sorted()
                    .forEach(item -> fleet.put(item, before.getOrDefault(item, -1)));
        }
        return isBetter;
    }

    /// The price of the bins, or null when the fleet's rules refuse an item.
    private @Nullable Double put(FleetModel model, List<Chosen> better, List<Integer> bins) {
        var left = new ArrayList<Deque<Integer>>();
        model.kinds().forEach(kind -> left.add(new ArrayDeque<>(kind.pods())));
        var price = 0.0;
        for (var index = 0; index < better.size(); index++) {
            var bin = index < bins.size() ? bins.get(index) : fleet.openBin();
            var counts = better.get(index).counts();
            for (var kind = 0; kind < counts.length; kind++) {
                for (var count = 0; count < counts[kind]; count++) {
                    var item = left.get(kind).removeFirst();
                    if (fleet.setsWith(item, bin) == null) {
                        return null;
                    }
                    fleet.put(item, bin);
                }
            }
            price += fleet.bins().get(bin).price();
        }
        return price;
    }

    private int below(int bound) {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return (int) ((state >>> 33) % bound);
    }
}
