package dev.millwright.world.scheduler;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Places of resources in arrays of amounts, so that a fit is a few comparisons. CPU is counted in
/// thousandths, everything else in whole units, both rounded up.
final class ResourceIndex {

    static final int CPU = 0;
    static final int MEMORY = 1;
    static final int PODS = 2;

    private static final int MILLIS = 1000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private final List<String> names =
            new ArrayList<>(List.of(Resources.CPU, Resources.MEMORY, Resources.PODS));
    private final Map<String, Integer> places = new HashMap<>();

    ResourceIndex() {
        for (var place = 0; place < names.size(); place++) {
            places.put(names.get(place), place);
        }
    }

    String name(int place) {
        return names.get(place);
    }

    private int place(String name) {
        return places.computeIfAbsent(
                name,
                _ -> {
                    names.add(name);
                    return names.size() - 1;
                });
    }

    long[] amounts(Map<String, Quantity> quantities) {
        quantities.keySet().forEach(this::place);
        var amounts = new long[names.size()];
        quantities.forEach(
                (name, quantity) -> {
                    var place = place(name);
                    amounts[place] = place == CPU ? millis(quantity) : units(quantity);
                });
        return amounts;
    }

    private static long millis(Quantity quantity) {
        return quantity.units() * MILLIS + Math.ceilDiv(quantity.nanos(), NANOS_PER_MILLI);
    }

    private static long units(Quantity quantity) {
        return quantity.units() + (quantity.nanos() > 0 ? 1 : 0);
    }

    static long at(long[] amounts, int place) {
        return place < amounts.length ? amounts[place] : 0;
    }

    /// The sum, in the first array where that is long enough.
    static long[] plus(long[] to, long[] more, int sign) {
        var sum = more.length > to.length ? Arrays.copyOf(to, more.length) : to;
        for (var place = 0; place < more.length; place++) {
            sum[place] += sign * more[place];
        }
        return sum;
    }
}
