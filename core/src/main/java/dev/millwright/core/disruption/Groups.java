package dev.millwright.core.disruption;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// The sets of nodes for which a cheaper lot is looked for: each alone; and the first few by
/// several orders, of all, of each pool and of each instance type; and pairs of which one wants
/// cores and the other memory.
final class Groups {

    /// A larger group would have to wait for too many new nodes at once.
    static final int NODES_MAX = 32;

    /// Pairs that are tried at most of each kind.
    private static final int PAIRS_MAX = 64;

    private static final int[] SIZES = {2, 3, 4, 6, 8, 12, 16, 24, NODES_MAX};

    private final Picking picking;
    private final Waste waste;
    private final List<List<Candidate>> groups = new ArrayList<>();
    private final Set<List<String>> known = new HashSet<>();

    private Groups(Picking picking, Waste waste) {
        this.picking = picking;
        this.waste = waste;
    }

    /// Only the first few of all nodes.
    static List<List<Candidate>> few(List<Candidate> candidates, Picking picking, Waste waste) {
        var groups = new Groups(picking, waste);
        groups.addPrefixes(candidates.stream().sorted(waste.mostFirst()).toList());
        groups.addPrefixes(candidates.stream().sorted(Candidate.MOST_SAVED_FIRST).toList());
        return groups.groups;
    }

    /// Those of several nodes, then each alone; before all of them `unseen` ones alone.
    static List<List<Candidate>> of(
            List<Candidate> candidates, Picking picking, Waste waste, Set<String> unseen) {
        var groups = new Groups(picking, waste);
        var byWaste = candidates.stream().sorted(waste.mostFirst()).toList();
        groups.addSingles(byWaste.stream().filter(each -> unseen.contains(each.name())).toList());
        groups.addPrefixes(byWaste);
        groups.addPrefixes(candidates.stream().sorted(Candidate.MOST_SAVED_FIRST).toList());
        groups.addPrefixes(byWaste, Candidate::nodePool);
        groups.addPrefixes(byWaste, each -> each.machine().instanceType());
        groups.addPairs(byWaste);
        groups.addOpposites(candidates.stream().sorted(waste.coresFirst()).toList());
        groups.addSingles(byWaste);
        return groups.groups;
    }

    private void addPrefixes(List<Candidate> order) {
        for (var size : SIZES) {
            add(order, size);
            if (size >= order.size()) {
                return;
            }
        }
    }

    private void addPrefixes(List<Candidate> order, Function<Candidate, String> key) {
        var byKey = new TreeMap<String, List<Candidate>>();
        order.forEach(
                each -> byKey.computeIfAbsent(key.apply(each), _ -> new ArrayList<>()).add(each));
        byKey.values().forEach(this::addPrefixes);
    }

    private void addPairs(List<Candidate> order) {
        var most = Math.min(order.size() - 1, PAIRS_MAX);
        for (var index = 0; index < most; index++) {
            add(order.subList(index, index + 2), 2);
        }
    }

    private void addOpposites(List<Candidate> order) {
        var most = Math.min(order.size() / 2, PAIRS_MAX);
        for (var index = 0; index < most; index++) {
            add(List.of(order.get(index), order.get(order.size() - 1 - index)), 2);
        }
    }

    private void addSingles(List<Candidate> order) {
        order.forEach(each -> add(List.of(each), 1));
    }

    private void add(List<Candidate> order, int size) {
        var group = picking.first(order, size).stream().sorted(waste.mostFirst()).toList();
        var isWanted = size == 1 ? group.size() == 1 : group.size() > 1;
        if (isWanted && known.add(group.stream().map(Candidate::name).sorted().toList())) {
            groups.add(group);
        }
    }
}
