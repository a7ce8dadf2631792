package dev.millwright.core.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/// How cheap pods could be, by what a unit of each resource is worth: a look at large models, in
/// which pods may be cut in pieces.
///
/// Pods are put into tiers by what the cheapest machine for one of them costs. A unit of a resource
/// may be worth more to a higher tier, so long as no machine is cheaper than its room at the worth
/// of the highest tier it can hold: very small machines then do not lend their cheap cpus to large
/// pods. Room that no set of whole pods could use does not count, and what the nodes that are there
/// could hold is taken off.
final class TieredBound {

    private static final int TIERS = 8;

    /// A machine that pods of one requirement set may use: its price, what pods can use of it, the
    /// highest tier it holds.
    private record Machine(double price, double[] room, int tier) {}

    private final FleetModel model;
    private final List<FleetModel.Kind> kinds;
    private final List<Integer> counted;
    private final int resources;
    private final int[] tierOf;

    /// @param isCounted which kinds of the model to look at
    TieredBound(FleetModel model, boolean[] isCounted) {
        this.model = model;
        this.kinds = new ArrayList<>();
        this.counted = new ArrayList<>();
        for (var kind = 0; kind < isCounted.length; kind++) {
            if (isCounted[kind]) {
                kinds.add(model.kinds().get(kind));
                counted.add(kind);
            }
        }
        this.resources = model.resources();
        this.tierOf = tiers();
    }

    private int[] tiers() {
        var alone = kinds.stream().mapToDouble(this::priceAlone).toArray();
        var order = new Integer[alone.length];
        Arrays.setAll(order, index -> index);
        Arrays.sort(order, Comparator.comparingDouble(index -> alone[index]));
        var total = kinds.stream().mapToLong(FleetModel.Kind::count).sum();
        var tiers = new int[order.length];
        var seen = 0L;
        for (var step = 0; step < order.length; step++) {
            var isSame = step > 0 && alone[order[step]] == alone[order[step - 1]];
            tiers[order[step]] =
                    isSame
                            ? tiers[order[step - 1]]
                            : (int) Math.min(TIERS - 1, seen * TIERS / total);
            seen += kinds.get(order[step]).count();
        }
        return tiers;
    }

    private double priceAlone(FleetModel.Kind kind) {
        var least = Double.POSITIVE_INFINITY;
        for (var template = 0; template < kind.sets().length; template++) {
            if (kind.sets()[template] != RequirementSpace.IMPOSSIBLE) {
                least =
                        Math.min(
                                least,
                                model.templates()
                                        .get(template)
                                        .pricing()
                                        .price(kind.sets()[template], kind.requests()));
            }
        }
        return least;
    }

    /// @param machinesMin how many machines must be bought at least
    double perHour(int machinesMin) {
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
            rows[row][columns.size()] = machinesMin > 0 ? 1.0 / machinesMin : 0;
        }
        var gain = new double[columns.size() + 1];
        Arrays.fill(gain, 1);
        gain[columns.size()] = machinesMin > 0 ? 1 : 0;
        return LowerBound.proven(rows, prices, Simplex.maximize(rows, prices, gain), gain);
    }

    /// What the pods of this tier and of all higher ones ask for, less what nodes that are there
    /// could give them.
    private double amountFrom(int tier, int resource) {
        var amount = 0.0;
        for (var index = 0; index < tierOf.length; index++) {
            if (tierOf[index] >= tier) {
                var kind = kinds.get(index);
                amount += (double) kind.requests()[resource] * kind.count();
            }
        }
        for (var node : model.nodes()) {
            var highest = -1;
            for (var index = 0; index < tierOf.length; index++) {
                if (node.takes()[counted.get(index)]) {
                    highest = Math.max(highest, tierOf[index]);
                }
            }
            amount -= highest >= tier ? node.room()[resource] : 0;
        }
        return amount;
    }

    private List<Machine> machines() {
        var machines = new ArrayList<Machine>();
        for (var template = 0; template < model.templates().size(); template++) {
            var sets = new TreeSet<Integer>();
            for (var kind : kinds) {
                sets.add(kind.sets()[template]);
            }
            sets.remove(RequirementSpace.IMPOSSIBLE);
            for (var set : sets) {
                var pool = model.templates().get(template).pricing();
                for (var index = 0; index < pool.size(set); index++) {
                    var room = pool.room(set, index);
                    var tier = highestTier(template, set, room);
                    if (tier >= 0) {
                        machines.add(
                                new Machine(pool.price(set, index), usable(template, room), tier));
                    }
                }
            }
        }
        return machines;
    }

    private int highestTier(int template, int set, long[] room) {
        var highest = -1;
        for (var index = 0; index < tierOf.length; index++) {
            if (tierOf[index] > highest
                    && kinds.get(index).sets()[template] == set
                    && holds(room, kinds.get(index).requests())) {
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
    private double[] usable(int template, long[] room) {
        var least = new long[resources];
        var most = new long[resources];
        Arrays.fill(least, Long.MAX_VALUE);
        for (var kind : kinds) {
            var requests = kind.requests();
            if (kind.sets()[template] != RequirementSpace.IMPOSSIBLE && holds(room, requests)) {
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
