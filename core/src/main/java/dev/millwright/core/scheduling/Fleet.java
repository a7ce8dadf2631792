package dev.millwright.core.scheduling;

import dev.millwright.core.scheduling.FleetModel.HostRule;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A packing that can be changed quickly: which pod is in which bin, what each bin costs, and
/// whether a pod may enter it.
///
/// It knows a narrower form of the rules, in which the order of pods does not matter: pods that
/// topology ties to a domain stay in the domain they had, and pods tied to other pods' hosts stay
/// where they are. What it finds is carried out by a [Pass], which knows them all.
final class Fleet {

    /// When a pod is placed as the packing is carried out. Those bound by host come first, while
    /// their nodes have no zone yet and nobody else is on them; then those bound by a shared
    /// domain, in the order their domains were found.
    enum Phase {
        BY_HOST,
        BY_DOMAIN,
        FREE
    }

    /// What tells pods of the search apart.
    ///
    /// @param sets for each pool what a machine with the pod must be, narrowed by the domain it is
    ///   tied to; [RequirementSpace#IMPOSSIBLE] where it may not have the pool
    /// @param pin that domain alone, or no requirement
    /// @param isFrozen whether it must stay in its bin
    record Item(
            int pod,
            PodClass podClass,
            PodClass.Wish wish,
            int[] sets,
            int pin,
            Phase phase,
            boolean isFrozen) {}

    private static final int COUNTERS = 4;
    private static final int OWNERS_EARLY = 0;
    private static final int OWNERS_LATE = 1;
    private static final int SELECTED_EARLY = 2;
    private static final int SELECTED_LATE = 3;

    private final List<PoolTemplate> templates;
    private final RequirementSpace space;
    private final List<Item> items;
    private final int resources;
    private final int[] binOf;
    private final Map<Integer, Integer> itemOf = new HashMap<>();
    private final List<Bin> bins = new ArrayList<>();
    private final List<TopologyGroup> hostGroups = new ArrayList<>();
    private final int[][] ownedBy;
    private final int[][] selectedBy;
    private final int[][] awayFrom;
    private double price;

    /// A machine to be: the items on it and their sum.
    static final class Bin {
        private final long[] load;
        private final int[] counters;
        private final List<Integer> items = new ArrayList<>();
        private final int[] sets;
        private double price;
        private int template = -1;

        Bin(int resources, int groups, int pools) {
            this.load = new long[resources];
            this.counters = new int[groups * COUNTERS];
            this.sets = new int[pools];
        }

        List<Integer> items() {
            return items;
        }

        /// For each pool what the machine must be. Callers do not change it.
        int[] sets() {
            return sets;
        }

        /// The pool whose machine is the cheapest for the items.
        int template() {
            return template;
        }

        double price() {
            return price;
        }

        /// Callers do not change it.
        long[] load() {
            return load;
        }
    }

    Fleet(List<PoolTemplate> templates, RequirementSpace space, List<Item> items, int resources) {
        this.templates = templates;
        this.space = space;
        this.items = items;
        this.resources = resources;
        this.binOf = new int[items.size()];
        for (var item = 0; item < binOf.length; item++) {
            itemOf.put(items.get(item).pod(), item);
        }
        Arrays.fill(binOf, -1);
        this.ownedBy = new int[items.size()][];
        this.selectedBy = new int[items.size()][];
        this.awayFrom = new int[items.size()][];
        indexHostGroups();
    }

    private void indexHostGroups() {
        var numbers = new HashMap<TopologyGroup, Integer>();
        for (var item : items) {
            for (var group : item.wish().owned()) {
                if (group.isHostname()) {
                    number(group, numbers);
                }
            }
            for (var group : item.podClass().inverseOwned()) {
                if (group.isHostname()) {
                    number(group, numbers);
                }
            }
        }
        var known = new HashMap<PodClass.Wish, Integer>();
        for (var index = 0; index < items.size(); index++) {
            var twin = known.putIfAbsent(items.get(index).wish(), index);
            if (twin != null) {
                ownedBy[index] = ownedBy[twin];
                selectedBy[index] = selectedBy[twin];
                awayFrom[index] = awayFrom[twin];
            } else {
                indexHostGroups(index, items.get(index), numbers);
            }
        }
    }

    private void number(TopologyGroup group, Map<TopologyGroup, Integer> numbers) {
        if (numbers.putIfAbsent(group, hostGroups.size()) == null) {
            hostGroups.add(group);
        }
    }

    private void indexHostGroups(int index, Item item, Map<TopologyGroup, Integer> numbers) {
        var podClass = item.podClass();
        var owned = new ArrayList<Integer>();
        for (var group : item.wish().owned()) {
            if (group.isHostname()) {
                owned.add(numbers.getOrDefault(group, -1));
            }
        }
        var away = new ArrayList<Integer>();
        for (var group : podClass.inverseOwned()) {
            if (group.isHostname()) {
                away.add(numbers.getOrDefault(group, -1));
            }
        }
        var selected = new ArrayList<Integer>();
        for (var number = 0; number < hostGroups.size(); number++) {
            if (podClass.labelClass().isSelectedBy(hostGroups.get(number))) {
                selected.add(number);
            }
        }
        ownedBy[index] = owned.stream().mapToInt(Integer::intValue).toArray();
        awayFrom[index] = away.stream().mapToInt(Integer::intValue).toArray();
        selectedBy[index] = selected.stream().mapToInt(Integer::intValue).toArray();
    }

    List<Item> items() {
        return items;
    }

    List<Bin> bins() {
        return bins;
    }

    /// The pod's item, or -1 when it is not of this fleet.
    int itemOf(int pod) {
        return itemOf.getOrDefault(pod, -1);
    }

    Bin bin(int item) {
        return bins.get(binOf[item]);
    }

    int binOf(int item) {
        return binOf[item];
    }

    /// Price per hour of all bins.
    double price() {
        return price;
    }

    List<PoolTemplate> templates() {
        return templates;
    }

    int hostGroupCount() {
        return hostGroups.size();
    }

    /// The rules about hosts, for a model in which each of these items stands for a kind.
    List<HostRule> hostRules(List<Integer> kinds) {
        var rules = new ArrayList<HostRule>();
        for (var number = 0; number < hostGroups.size(); number++) {
            var isOwner = new boolean[kinds.size()];
            var isSelected = new boolean[kinds.size()];
            var isAny = false;
            for (var kind = 0; kind < isOwner.length; kind++) {
                var item = kinds.get(kind);
                isOwner[kind] = isIn(ownedBy[item], number) || isIn(awayFrom[item], number);
                isSelected[kind] = isIn(selectedBy[item], number);
                isAny |= isOwner[kind];
            }
            var group = hostGroups.get(number);
            if (isAny && group.kind() != TopologyGroup.Kind.AFFINITY) {
                var isSpread = group.kind() == TopologyGroup.Kind.SPREAD;
                var most = isSpread ? group.identity().maxSkew() : 0;
                rules.add(new HostRule(isOwner, isSelected, most));
            }
        }
        return rules;
    }

    /// Opens a bin without items and gives its number.
    int openBin() {
        var bin = new Bin(resources, hostGroups.size(), templates.size());
        clear(bin);
        bins.add(bin);
        return bins.size() - 1;
    }

    private void clear(Bin bin) {
        for (var template = 0; template < bin.sets.length; template++) {
            bin.sets[template] = templates.get(template).requirements();
        }
    }

    /// What the machine would have to be with the item, for each pool, or null when the rules
    /// forbid it.
    int @Nullable [] setsWith(int item, int bin) {
        var target = bins.get(bin);
        var sets = target.sets.clone();
        return narrow(sets, items.get(item).sets())
                        && (target.items.isEmpty() || isHostMet(item, target))
                ? sets
                : null;
    }

    /// Narrows each of the sets; tells whether any is left.
    private boolean narrow(int[] sets, int[] by) {
        var isAny = false;
        for (var template = 0; template < sets.length; template++) {
            if (sets[template] != RequirementSpace.IMPOSSIBLE) {
                sets[template] =
                        by[template] == RequirementSpace.IMPOSSIBLE
                                ? RequirementSpace.IMPOSSIBLE
                                : space.narrow(sets[template], by[template]);
                isAny |= sets[template] != RequirementSpace.IMPOSSIBLE;
            }
        }
        return isAny;
    }

    private int cheapest(int[] sets, long[] load) {
        var cheapest = -1;
        var least = Double.POSITIVE_INFINITY;
        for (var template = 0; template < sets.length; template++) {
            if (sets[template] != RequirementSpace.IMPOSSIBLE) {
                var own = templates.get(template).pricing().price(sets[template], load);
                if (own < least) {
                    least = own;
                    cheapest = template;
                }
            }
        }
        return cheapest;
    }

    private double price(int[] sets, long[] load) {
        var least = Double.POSITIVE_INFINITY;
        for (var template = 0; template < sets.length; template++) {
            if (sets[template] != RequirementSpace.IMPOSSIBLE) {
                least =
                        Math.min(
                                least,
                                templates.get(template).pricing().price(sets[template], load));
            }
        }
        return least;
    }

    private boolean isHostMet(int item, Bin bin) {
        var phase = items.get(item).phase();
        for (var group : ownedBy[item]) {
            if (!admitsOwner(
                    hostGroups.get(group), group, bin, phase, isIn(selectedBy[item], group))) {
                return false;
            }
        }
        for (var group : selectedBy[item]) {
            if (!admitsSelected(hostGroups.get(group), group, bin, phase)) {
                return false;
            }
        }
        for (var group : awayFrom[item]) {
            if (selected(bin, group) > 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean admitsOwner(
            TopologyGroup group, int number, Bin bin, Phase phase, boolean isSelected) {
        var counters = bin.counters;
        return switch (group.kind()) {
            case ANTI_AFFINITY -> selected(bin, number) == 0;
            case AFFINITY -> true;
            case SPREAD -> {
                var before = counters[number * COUNTERS + SELECTED_EARLY];
                if (phase != Phase.BY_HOST) {
                    before += counters[number * COUNTERS + SELECTED_LATE];
                }
                yield before + (isSelected ? 1 : 0) <= group.identity().maxSkew();
            }
        };
    }

    /// A pod that comes before owners of a spread, or along with them, takes one of their places.
    private static boolean admitsSelected(TopologyGroup group, int number, Bin bin, Phase phase) {
        var counters = bin.counters;
        var early = counters[number * COUNTERS + OWNERS_EARLY];
        var late = counters[number * COUNTERS + OWNERS_LATE];
        return switch (group.kind()) {
            case ANTI_AFFINITY -> early + late == 0;
            case AFFINITY -> true;
            case SPREAD -> {
                var places = group.identity().maxSkew();
                var isEarly = phase == Phase.BY_HOST;
                var isLate = phase == Phase.BY_DOMAIN;
                var isFitting =
                        !(isEarly && early > 0)
                                || counters[number * COUNTERS + SELECTED_EARLY] + 1 <= places;
                var isLateFitting =
                        !((isEarly || isLate) && late > 0) || selected(bin, number) + 1 <= places;
                yield isFitting && isLateFitting;
            }
        };
    }

    private static int selected(Bin bin, int group) {
        return bin.counters[group * COUNTERS + SELECTED_EARLY]
                + bin.counters[group * COUNTERS + SELECTED_LATE];
    }

    private static boolean isIn(int[] numbers, int number) {
        for (var candidate : numbers) {
            if (candidate == number) {
                return true;
            }
        }
        return false;
    }

    /// Price of the bin if the item came, given the sets it would then have.
    double priceWith(int item, int bin, int[] sets) {
        var target = bins.get(bin);
        var load = new long[resources];
        var requests = items.get(item).podClass().requests();
        for (var index = 0; index < resources; index++) {
            load[index] = target.load[index] + requests[index];
        }
        return price(sets, load);
    }

    /// Price of the item's bin if it left.
    double priceWithout(int item) {
        var source = bins.get(binOf[item]);
        if (source.items.size() == 1) {
            return 0;
        }
        var load = new long[resources];
        var requests = items.get(item).podClass().requests();
        for (var index = 0; index < resources; index++) {
            load[index] = source.load[index] - requests[index];
        }
        return price(source.sets, load);
    }

    /// Price of the item's bin if the item left and `incoming` came instead, given the sets it
    /// would then have.
    double priceSwapped(int item, int incoming, int[] sets) {
        var source = bins.get(binOf[item]);
        var load = new long[resources];
        var requests = items.get(item).podClass().requests();
        var others = items.get(incoming).podClass().requests();
        for (var index = 0; index < resources; index++) {
            load[index] = source.load[index] - requests[index] + others[index];
        }
        return price(sets, load);
    }

    void put(int item, int bin) {
        var target = bins.get(bin);
        narrow(target.sets, items.get(item).sets());
        change(item, target, 1);
        target.items.add(item);
        binOf[item] = bin;
        reprice(target);
    }

    void take(int item) {
        var source = bins.get(binOf[item]);
        change(item, source, -1);
        source.items.remove(Integer.valueOf(item));
        binOf[item] = -1;
        clear(source);
        for (var other : source.items) {
            narrow(source.sets, items.get(other).sets());
        }
        reprice(source);
    }

    private void reprice(Bin bin) {
        price -= bin.price;
        bin.template = bin.items.isEmpty() ? -1 : cheapest(bin.sets, bin.load);
        bin.price = bin.items.isEmpty() ? 0 : price(bin.sets, bin.load);
        price += bin.price;
    }

    private void change(int item, Bin bin, int by) {
        var requests = items.get(item).podClass().requests();
        for (var index = 0; index < resources; index++) {
            bin.load[index] += by * requests[index];
        }
        var isEarly = items.get(item).phase() == Phase.BY_HOST;
        for (var group : ownedBy[item]) {
            bin.counters[group * COUNTERS + (isEarly ? OWNERS_EARLY : OWNERS_LATE)] += by;
        }
        for (var group : awayFrom[item]) {
            bin.counters[group * COUNTERS + (isEarly ? OWNERS_EARLY : OWNERS_LATE)] += by;
        }
        var isCounted = items.get(item).phase() != Phase.FREE;
        for (var group : selectedBy[item]) {
            if (isCounted || hostGroups.get(group).kind() != TopologyGroup.Kind.SPREAD) {
                bin.counters[group * COUNTERS + (isEarly ? SELECTED_EARLY : SELECTED_LATE)] += by;
            }
        }
    }

    /// Which bin each item is in.
    int[] layout() {
        return binOf.clone();
    }

    /// Puts every item where the layout says.
    void restore(int[] layout) {
        for (var item = 0; item < binOf.length; item++) {
            if (binOf[item] >= 0) {
                take(item);
            }
        }
        for (var item = 0; item < layout.length; item++) {
            while (bins.size() <= layout[item]) {
                openBin();
            }
            put(item, layout[item]);
        }
    }
}
