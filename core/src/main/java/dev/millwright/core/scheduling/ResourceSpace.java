package dev.millwright.core.scheduling;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Turns the amounts of one pass into whole numbers. A resource is counted in whole units where all
/// its amounts are whole, else in thousandths; what is finer is rounded against the pod, as
/// kube-scheduler does: requests up, room down.
final class ResourceSpace {

    /// Stands for an amount too large to count. No request of that size fits anything.
    static final long TOO_MUCH = Long.MAX_VALUE / 4;

    private static final int MILLIS_PER_UNIT = 1_000;

    private final List<String> names;
    private final int[] stepsPerUnit;

    private ResourceSpace(List<String> names, int[] stepsPerUnit) {
        this.names = names;
        this.stepsPerUnit = stepsPerUnit;
    }

    /// Covers the resources that `demands` name; the `supplies` only make the units finer.
    static ResourceSpace of(Iterable<Resources> demands, Iterable<Resources> supplies) {
        SequencedMap<String, Integer> steps = new TreeMap<>();
        for (var demand : demands) {
            for (var name : demand.names()) {
                steps.merge(name, steps(demand.amount(name)), Math::max);
            }
        }
        for (var supply : supplies) {
            for (var known : steps.entrySet()) {
                if (known.getValue() < steps(supply.amount(known.getKey()))) {
                    known.setValue(MILLIS_PER_UNIT);
                }
            }
        }
        return new ResourceSpace(
                List.copyOf(steps.sequencedKeySet()),
                steps.sequencedValues().stream().mapToInt(Integer::intValue).toArray());
    }

    private static int steps(Quantity amount) {
        return amount.nanos() == 0 ? 1 : MILLIS_PER_UNIT;
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

    /// What is asked for, rounded up. Nobody gives room by asking for less than nothing.
    long[] demand(Resources resources) {
        var counts = new long[names.size()];
        for (var index = 0; index < counts.length; index++) {
            counts[index] = Math.max(0, count(index, resources.amount(names.get(index)), true));
        }
        return counts;
    }

    /// What there is, rounded down, and always less than [#TOO_MUCH].
    long[] supply(Resources resources) {
        var counts = new long[names.size()];
        for (var index = 0; index < counts.length; index++) {
            var count = count(index, resources.amount(names.get(index)), false);
            counts[index] = Math.min(count, TOO_MUCH - 1);
        }
        return counts;
    }

    private long count(int index, Quantity amount, boolean isRoundedUp) {
        var steps = stepsPerUnit[index];
        if (amount.units() >= TOO_MUCH / steps) {
            return TOO_MUCH;
        }
        if (amount.units() <= -(TOO_MUCH / steps)) {
            return -TOO_MUCH;
        }
        var nanosPerStep = Quantity.NANOS_PER_UNIT / steps;
        var part = amount.nanos() / nanosPerStep;
        var isCut = amount.nanos() % nanosPerStep != 0;
        return amount.units() * steps + part + (isCut && isRoundedUp ? 1 : 0);
    }

    Quantity quantity(int index, long count) {
        long steps = stepsPerUnit[index];
        return new Quantity(
                Math.floorDiv(count, steps),
                (int) (Math.floorMod(count, steps) * (Quantity.NANOS_PER_UNIT / steps)));
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
