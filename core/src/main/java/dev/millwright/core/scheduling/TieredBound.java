package dev.millwright.core.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A closer look at how cheap one pool's pods could be, which also sees that a pod fits a machine
/// whole or not at all.
///
/// Pods are put into tiers by what the cheapest machine for one of them costs. A unit of a resource
/// may be worth more to a higher tier, so long as no machine is cheaper than its room at the worth
/// of the highest tier it can hold: very small machines then no longer lend their cheap cpus to
/// large pods. Room that no set of whole pods could use does not count.
final class TieredBound {

    private static final int TIERS = 8;

    /// Pods of one class on new nodes of the pool.
    record Demand(PodClass podClass, int set, int count) {}

    /// A machine that pods of one requirement set may use: its price, what pods can use of it, the
    /// highest tier it holds.
    private record Machine(double price, double[] room, int tier) {}

    private final FleetPricing pool;
    private final List<Demand> demands;
    private final int resources;
    private final int[] tierOf;

    TieredBound(FleetPricing pool, List<Demand> demands, int resources) {
        this.pool = pool;
        this.demands = demands;
        this.resources = resources;
        this.tierOf = tiers();
    }

    private int[] tiers() {
        var alone = demands.stream().mapToDouble(this::priceAlone).toArray();
        var order = new Integer[alone.length];
        Arrays.setAll(order, index -> index);
        Arrays.sort(order, Comparator.comparingDouble(index -> alone[index]));
        var total = demands.stream().mapToLong(Demand::count).sum();
        var tiers = new int[order.length];
        var seen = 0L;
        for (var step = 0; step < order.length; step++) {
            var isSame = step > 0 && alone[order[step]] == alone[order[step - 1]];
            tiers[order[step]] =
                    isSame
                            ? tiers[order[step - 1]]
                            : (int) Math.min(TIERS - 1, seen * TIERS / total);
            seen += demands.get(order[step]).count();
        }
        return tiers;
    }

    private double priceAlone(Demand demand) {
        return pool.price(demand.set(), demand.podClass().requests());
    }

    /// @param nodes how many nodes there must be at least
    double perHour(int nodes) {
        var machines = machines();
        var columns = new ArrayList<int[]>();
        var amounts = new ArrayList<Double>();
        for (var tier = 0; tier < TIERS; tier++) {
            for (var resource = 0; resource < resources; resource++) {
                var amount = amountFrom(tier, resource);
                if (amount > 0) {
                    columns.add(new int[] {tier, resource});
                    amounts.add(amount);
                }
            }
        }
        var rows = new double[machines.size()][columns.size() + 1];
        var prices = new double[rows.length];
        for (var row = 0; row < rows.length; row++) {
            var machine = machines.get(row);
            prices[row] = machine.price();
            for (var column = 0; column < columns.size(); column++) {
                var tier = columns.get(column)[0];
                var room = machine.room()[columns.get(column)[1]];
                rows[row][column] = tier <= machine.tier() ? room / amounts.get(column) : 0;
            }
            rows[row][columns.size()] = 1.0 / nodes;
        }
        var gain = new double[columns.size() + 1];
        Arrays.fill(gain, 1);
        return LowerBound.proven(rows, prices, Simplex.maximize(rows, prices, gain));
    }

    /// What the pods of this tier and of all higher ones ask for.
    private double amountFrom(int tier, int resource) {
        var amount = 0.0;
        for (var index = 0; index < tierOf.length; index++) {
            if (tierOf[index] >= tier) {
                var demand = demands.get(index);
                amount += (double) demand.podClass().requests()[resource] * demand.count();
            }
        }
        return amount;
    }

    private List<Machine> machines() {
        Map<Integer, List<Integer>> bySet = new HashMap<>();
        for (var index = 0; index < tierOf.length; index++) {
            bySet.computeIfAbsent(demands.get(index).set(), _ -> new ArrayList<>()).add(index);
        }
        var machines = new ArrayList<Machine>();
        bySet.keySet().stream()
                .sorted()
                .forEach(
                        set -> {
                            for (var index = 0; index < pool.size(set); index++) {
                                var room = pool.room(set, index);
                                var tier = highestTier(room, bySet.getOrDefault(set, List.of()));
                                if (tier >= 0) {
                                    machines.add(
                                            new Machine(
                                                    pool.price(set, index), usable(room), tier));
                                }
                            }
                        });
        return machines;
    }

    private int highestTier(long[] room, List<Integer> ofSet) {
        var highest = -1;
        for (var index : ofSet) {
            if (tierOf[index] > highest && holds(room, demands.get(index).podClass().requests())) {
                highest = tierOf[index];
            }
        }
        return highest;
    }

    private boolean holds(long[] room, long[] requests) {
        for (var resource = 0; resource < resources; resource++) {
            if (requests[resource] > room[resource]) {
                return false;
            }
        }
        return true;
    }

    /// No more of a resource is used than the greatest number of pods that fit could ask for.
    private double[] usable(long[] room) {
        var least = new long[resources];
        var most = new long[resources];
        Arrays.fill(least, Long.MAX_VALUE);
        for (var demand : demands) {
            var requests = demand.podClass().requests();
            if (holds(room, requests)) {
                for (var resource = 0; resource < resources; resource++) {
                    least[resource] = Math.min(least[resource], requests[resource]);
                    most[resource] = Math.max(most[resource], requests[resource]);
                }
            }
        }
        var pods = Long.MAX_VALUE;
        for (var resource = 0; resource < resources; resource++) {
            if (least[resource] > 0 && least[resource] != Long.MAX_VALUE) {
                pods = Math.min(pods, room[resource] / least[resource]);
            }
        }
        var usable = new double[resources];
        for (var resource = 0; resource < resources; resource++) {
            usable[resource] = Math.min((double) room[resource], (double) pods * most[resource]);
        }
        return usable;
    }
}
