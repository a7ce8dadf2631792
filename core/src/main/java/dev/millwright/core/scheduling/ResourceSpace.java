package dev.millwright.core.scheduling;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Turns the amounts of one pass into whole numbers. Each resource gets the coarsest unit in which
/// every amount of the pass is exact, so that comparing numbers is comparing quantities.
final class ResourceSpace {

    /// Stands for an amount too large to count. No request of that size fits anything.
    static final long TOO_MUCH = Long.MAX_VALUE / 4;

    private static final int[] NANOS_PER_STEP = {1_000_000_000, 1_000_000, 1_000, 1};

    private final List<String> names;
    private final int[] nanosPerStep;

    private ResourceSpace(List<String> names, int[] nanosPerStep) {
        this.names = names;
        this.nanosPerStep = nanosPerStep;
    }

    /// Covers the resources that `demands` name; the `supplies` only make the units finer.
    static ResourceSpace of(Iterable<Resources> demands, Iterable<Resources> supplies) {
        SequencedMap<String, Integer> fineness = new TreeMap<>();
        for (var demand : demands) {
            demand.amounts()
                    .forEach((name, amount) -> fineness.merge(name, fineness(amount), Math::max));
        }
        for (var supply : supplies) {
            supply.amounts()
                    .forEach(
                            (name, amount) ->
                                    fineness.computeIfPresent(
                                            name, (_, known) -> Math.max(known, fineness(amount))));
        }
        var names = List.copyOf(fineness.sequencedKeySet());
        var steps =
                names.stream()
                        .mapToInt(name -> NANOS_PER_STEP[fineness.getOrDefault(name, 0)])
                        .toArray();
        return new ResourceSpace(names, steps);
    }

    private static int fineness(Quantity amount) {
        for (var fineness = 0; fineness < NANOS_PER_STEP.length; fineness++) {
            if (amount.nanos() % NANOS_PER_STEP[fineness] == 0) {
                return fineness;
            }
        }
        throw new IllegalStateException("every amount is a whole number of nanos: " + amount);
    }

    int size() {
        return names.size();
    }

    List<String> names() {
        return names;
    }

    String name(int index) {
        return names.get(index);
    }

    int indexOf(String name) {
        return names.indexOf(name);
    }

    long[] count(Resources resources) {
        var counts = new long[names.size()];
        for (var index = 0; index < counts.length; index++) {
            counts[index] = count(index, resources.amount(names.get(index)));
        }
        return counts;
    }

    long count(int index, Quantity amount) {
        var stepsPerUnit = Quantity.NANOS_PER_UNIT / nanosPerStep[index];
        if (amount.units() >= TOO_MUCH / stepsPerUnit) {
            return TOO_MUCH;
        }
        if (amount.units() <= -(TOO_MUCH / stepsPerUnit)) {
            return -TOO_MUCH;
        }
        return amount.units() * stepsPerUnit + amount.nanos() / nanosPerStep[index];
    }

    Quantity quantity(int index, long count) {
        var stepsPerUnit = Quantity.NANOS_PER_UNIT / nanosPerStep[index];
        return new Quantity(
                Math.floorDiv(count, (long) stepsPerUnit),
                (int) Math.floorMod(count, (long) stepsPerUnit) * nanosPerStep[index]);
    }

    /// The resources with a non-zero count.
    Resources resources(long[] counts) {
        var amounts = new TreeMap<String, Quantity>();
        for (var index = 0; index < counts.length; index++) {
            if (counts[index] != 0) {
                amounts.put(names.get(index), quantity(index, counts[index]));
            }
        }
        return new Resources(amounts);
    }

    /// Sum that stays at [#TOO_MUCH] once it got there.
    static long sum(long one, long other) {
        return Math.min(one + other, TOO_MUCH);
    }

    static long[] sum(long[] one, long[] other) {
        var result = Arrays.copyOf(one, one.length);
        for (var index = 0; index < result.length; index++) {
            result[index] = sum(result[index], other[index]);
        }
        return result;
    }
}
