package dev.millwright.core.scheduling;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Answers what the cheapest machine for a load costs, for one pool. Shapes that are dearer and no
/// larger than another are left out. Asked millions of times by the search (`CheapestBenchmark`).
final class FleetPricing {

    /// Shapes that one requirement set allows, by price. `largest[r][i]` is the most room for r
    /// among the first i+1.
    private record PriceList(double[] prices, long[][] rooms, long[][] largest) {}

    private final PoolTemplate template;
    private final int resources;
    private final List<@Nullable PriceList> lists = new ArrayList<>();

    FleetPricing(PoolTemplate template, int resources) {
        this.template = template;
        this.resources = resources;
    }

    PoolTemplate template() {
        return template;
    }

    /// Price per hour of the cheapest shape that the set allows and that holds the load; infinite
    /// when there is none.
    double price(int set, long[] load) {
        var list = list(set);
        var index = 0;
        for (var resource = 0; resource < resources; resource++) {
            var largest = list.largest()[resource];
            // Most often the shape that another resource asked for has room enough.
            if (index < largest.length && largest[index] < load[resource]) {
                index = first(largest, load[resource], index + 1);
            }
        }
        for (; index < list.prices().length; index++) {
            if (holds(list.rooms()[index], load)) {
                return list.prices()[index];
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private boolean isHeldByAny(List<long[]> rooms, long[] room) {
        for (var larger : rooms) {
            if (holds(larger, room)) {
                return true;
            }
        }
        return false;
    }

    private boolean holds(long[] room, long[] load) {
        for (var resource = 0; resource < resources; resource++) {
            if (load[resource] > room[resource]) {
                return false;
            }
        }
        return true;
    }

    /// The first from `start` on that is no less.
    private static int first(long[] ascending, long wanted, int start) {
        var low = start;
        var high = ascending.length;
        while (low < high) {
            var middle = (low + high) >>> 1;
            if (ascending[middle] >= wanted) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /// Whether both sets allow the same machines at the same prices.
    boolean sellsTheSame(int set, int other) {
        var one = list(set);
        var two = list(other);
        return Arrays.equals(one.prices(), two.prices())
                && Arrays.deepEquals(one.rooms(), two.rooms());
    }

    int size(int set) {
        return list(set).prices().length;
    }

    double price(int set, int index) {
        return list(set).prices()[index];
    }

    /// Callers do not change it.
    long[] room(int set, int index) {
        return list(set).rooms()[index];
    }

    private PriceList list(int set) {
        while (lists.size() <= set) {
            lists.add(null);
        }
        var known = lists.get(set);
        if (known == null) {
            known = compute(set);
            lists.set(set, known);
        }
        return known;
    }

    private PriceList compute(int set) {
        var prices = template.prices(set);
        var meeting = template.meeting(set);
        var shapes = new ArrayList<Integer>();
        for (var shape = Bits.next(meeting, 0); shape >= 0; shape = Bits.next(meeting, shape + 1)) {
            if (prices[shape] < Double.POSITIVE_INFINITY) {
                shapes.add(shape);
            }
        }
        shapes.sort(
                Comparator.comparingDouble((Integer shape) -> prices[shape])
                        .thenComparing(shape -> shape));
        var kept = new ArrayList<Integer>();
        var rooms = new ArrayList<long[]>();
        for (var shape : shapes) {
            var room = new long[resources];
            Arrays.setAll(room, resource -> template.room(shape, resource));
            if (!isHeldByAny(rooms, room)) {
                kept.add(shape);
                rooms.add(room);
            }
        }
        var largest = new long[resources][kept.size()];
        for (var resource = 0; resource < resources; resource++) {
            var most = Long.MIN_VALUE;
            for (var index = 0; index < kept.size(); index++) {
                most = Math.max(most, rooms.get(index)[resource]);
                largest[resource][index] = most;
            }
        }
        return new PriceList(
                kept.stream().mapToDouble(shape -> prices[shape]).toArray(),
                rooms.toArray(long[][]::new),
                largest);
    }
}
