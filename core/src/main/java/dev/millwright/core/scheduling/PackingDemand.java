package dev.millwright.core.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/// Kinds of pods in great numbers and the machines that could hold them, for [PatternProgram].
///
/// Rules by which pods keep off each other's hosts are resources: each pod under the rule asks for
/// one, and a machine has as many as may share it.
///
/// @param requests for each kind what one pod asks for, the rules' resources last
/// @param counts how many pods there are of each kind
/// @param machines those for sale first, then the nodes that exist
record PackingDemand(int resources, long[][] requests, int[] counts, List<Machine> machines) {

    /// Sets of requirements for a pool beyond which machines are looked at less closely.
    private static final int SETS_MAX = 48;

    private static final int MACHINES_MAX = 4_000;

    /// A machine for sale, or nodes that are there.
    ///
    /// @param available how many there are; 0 says that it is for sale, in any number
    /// @param kinds which kinds of pods it takes
    record Machine(
            int template,
            int set,
            int index,
            double price,
            int available,
            long[] room,
            int[] kinds) {

        boolean isForSale() {
            return available == 0;
        }
    }

    int kinds() {
        return counts.length;
    }

    boolean isTooLarge() {
        return machines.size() > MACHINES_MAX;
    }

    /// What the pools sell to pods that ask for these sets.
    ///
    /// A machine with several pods must be what all of them ask for. All such sets are looked at;
    /// where they are too many, only what one pod asks for, and the others must merely agree with
    /// it: that can only make machines cheaper.
    ///
    /// @param sets for each kind what a machine of each pool must be with one of its pods
    /// @param sharing how many pods may share a host, for each rule
    static List<Machine> forSale(
            List<PoolTemplate> templates, RequirementSpace space, int[][] sets, long[] sharing) {
        var machines = new ArrayList<Machine>();
        for (var template = 0; template < templates.size(); template++) {
            var own = new int[sets.length];
            var singles = new TreeSet<Integer>();
            for (var kind = 0; kind < own.length; kind++) {
                own[kind] = sets[kind][template];
                if (own[kind] != RequirementSpace.IMPOSSIBLE) {
                    singles.add(own[kind]);
                }
            }
            var all = together(space, singles);
            for (var set : all.isEmpty() ? singles : all) {
                var kinds = taken(templates.get(template), space, own, set, all.isEmpty());
                addAll(machines, templates.get(template), template, set, kinds, sharing);
            }
        }
        return machines;
    }

    /// All sets that pods on one machine may ask for together; empty if they are too many.
    private static TreeSet<Integer> together(RequirementSpace space, TreeSet<Integer> singles) {
        var all = new TreeSet<>(singles);
        var next = new ArrayList<>(singles);
        for (var index = 0; index < next.size(); index++) {
            for (var single : singles) {
                var both = space.narrow(next.get(index), single);
                if (both != RequirementSpace.IMPOSSIBLE && all.add(both)) {
                    next.add(both);
                }
            }
            if (all.size() > SETS_MAX) {
                return new TreeSet<>();
            }
        }
        return all;
    }

    /// The kinds that a machine of the set takes, without being any dearer.
    private static int[] taken(
            PoolTemplate pool, RequirementSpace space, int[] own, int set, boolean isLoose) {
        var kinds = new ArrayList<Integer>();
        for (var kind = 0; kind < own.length; kind++) {
            if (own[kind] != RequirementSpace.IMPOSSIBLE) {
                var both = space.narrow(set, own[kind]);
                if (both != RequirementSpace.IMPOSSIBLE
                        && (isLoose || both == set || pool.pricing().sellsTheSame(set, both))) {
                    kinds.add(kind);
                }
            }
        }
        return kinds.stream().mapToInt(Integer::intValue).toArray();
    }

    private static void addAll(
            List<Machine> machines,
            PoolTemplate pool,
            int template,
            int set,
            int[] kinds,
            long[] sharing) {
        for (var index = 0; index < pool.pricing().size(set); index++) {
            machines.add(
                    new Machine(
                            template,
                            set,
                            index,
                            pool.pricing().price(set, index),
                            0,
                            withRules(pool.pricing().room(set, index), sharing),
                            kinds));
        }
    }

    /// The amounts with those of the rules behind them.
    static long[] withRules(long[] amounts, long[] rules) {
        var all = Arrays.copyOf(amounts, amounts.length + rules.length);
        System.arraycopy(rules, 0, all, amounts.length, rules.length);
        return all;
    }
}
