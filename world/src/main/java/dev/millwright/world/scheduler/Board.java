package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Selector;
import dev.millwright.world.cluster.NodeFacts;
import dev.millwright.world.scheduler.PodClass.Near;
import dev.millwright.world.scheduler.PodClass.SpreadRule;
import dev.millwright.world.scheduler.PodWish.PodTerm;
import dev.millwright.world.scheduler.PodWish.Spread;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// All nodes with the pods on them, counted in every way that a waiting pod may ask for. Counts are
/// kept as pods come and go, so that no decision looks at single pods.
final class Board {

    /// How pods that do not say are spread: a wish only.
    private static final List<Spread> USUAL =
            List.of(usual(LabelKeys.HOSTNAME, 3), usual(LabelKeys.ZONE, 5));

    /// What a required affinity of pods on a node is worth to the pod they want.
    private static final int REQUIRED_WEIGHT = 1;

    private static Spread usual(String key, int maxSkew) {
        return new Spread(key, maxSkew, false, null, 1, true, false);
    }

    /// Pods that match all of the filters.
    private record Selected(List<PodFilter> all, boolean countsLeaving) {}

    private enum Role {
        SHUNS,
        PREFERS
    }

    /// Pods that carry this term.
    private record Carried(Role role, PodTerm term, int weight) {}

    private final Function<String, Map<String, String>> namespaceLabels;
    private final Function<PodWish, @Nullable Selector> workloadSelector;
    private final ResourceIndex resources = new ResourceIndex();
    private final ArrayDeque<Integer> freePlaces = new ArrayDeque<>();
    private final List<NodeSlot> present = new ArrayList<>();
    private final Map<String, NodeSlot> byName = new HashMap<>();
    private final Map<ObjectName, PlacedPod> placed = new HashMap<>();
    private final Map<String, Topology> topologies = new LinkedHashMap<>();
    private final Map<PodWish, PodClass> classes = new LinkedHashMap<>();
    private final Map<Selected, Tally> selected = new LinkedHashMap<>();
    private final Map<Carried, Tally> carried = new LinkedHashMap<>();
    private long traits;
    private int places;

    Board(
            Function<String, Map<String, String>> namespaceLabels,
            Function<PodWish, @Nullable Selector> workloadSelector) {
        this.namespaceLabels = namespaceLabels;
        this.workloadSelector = workloadSelector;
    }

    ResourceIndex resources() {
        return resources;
    }

    /// The nodes that are there, in the order of their coming.
    List<NodeSlot> nodes() {
        return present;
    }

    @Nullable NodeSlot node(String name) {
        var slot = byName.get(name);
        return slot != null && slot.isPresent() ? slot : null;
    }

    /// The slot of the name, whether or not its node is there.
    private NodeSlot slot(String name) {
        return byName.computeIfAbsent(
                name,
                _ -> {
                    var free = freePlaces.poll();
                    return new NodeSlot(free == null ? places++ : free, name);
                });
    }

    /// Whether something changed that a waiting pod looks at.
    boolean learn(NodeFacts node) {
        var slot = slot(node.name());
        var wasPresent = slot.isPresent();
        traits++;
        var isNews = slot.learn(node, resources, traits);
        if (!wasPresent) {
            present.add(slot);
        }
        topologies.values().forEach(topology -> topology.learn(slot));
        return isNews;
    }

    void limit(String node, Map<String, Integer> volumeLimits) {
        slot(node).limit(volumeLimits);
    }

    void forget(String node) {
        var slot = byName.get(node);
        if (slot != null && slot.isPresent()) {
            slot.vanish();
            present.remove(slot);
            topologies.values().forEach(topology -> topology.learn(slot));
            drop(slot);
        }
    }

    /// All counts of a place without pods are zero, so that another node may have it.
    private void drop(NodeSlot slot) {
        if (!slot.isPresent() && slot.pods().isEmpty() && byName.remove(slot.name(), slot)) {
            freePlaces.add(slot.place());
        }
    }

    @Nullable PlacedPod placed(ObjectName pod) {
        return placed.get(pod);
    }

    PlacedPod place(ObjectName name, String uid, PodClass kind, String node, boolean isLeaving) {
        var pod = new PlacedPod(name, uid, kind, slot(node), isLeaving);
        put(pod);
        return pod;
    }

    /// Puts a pod where it was before it was lifted.
    void put(PlacedPod pod) {
        placed.put(pod.name(), pod);
        pod.slot().put(pod);
        count(pod, 1);
    }

    /// Whether there are pods of a lower priority.
    boolean holdsBelow(int priority) {
        for (var kind : classes.values()) {
            if (kind.wish().priority() < priority) {
                return true;
            }
        }
        return false;
    }

    void lift(PlacedPod pod) {
        placed.remove(pod.name());
        pod.slot().remove(pod);
        count(pod, -1);
        drop(pod.slot());
    }

    private static void count(PlacedPod pod, int change) {
        var kind = pod.kind();
        var slot = pod.slot();
        kind.selectedBy().forEach(tally -> tally.add(slot, change));
        kind.carries().forEach(tally -> tally.add(slot, change));
        if (!pod.isLeaving()) {
            kind.selectedWhileStaying().forEach(tally -> tally.add(slot, change));
        }
    }

    /// The pod has been asked to leave.
    void leaving(PlacedPod pod) {
        var leaving = pod.leaving();
        pod.slot().pods().put(pod.name(), leaving);
        placed.put(pod.name(), leaving);
        pod.kind().selectedWhileStaying().forEach(tally -> tally.add(pod.slot(), -1));
    }

    Topology topology(String key) {
        return topologies.computeIfAbsent(
                key,
                _ -> {
                    var topology = new Topology(key);
                    present.forEach(topology::learn);
                    return topology;
                });
    }

    /// The class of a pod, which is one more member of it until [#leave].
    PodClass join(PodWish wish) {
        var kind = classes.get(wish);
        if (kind == null) {
            kind = new PodClass(wish, resources.amounts(wish.requests()));
            classes.put(wish, kind);
            introduce(kind);
        }
        kind.join();
        return kind;
    }

    void leave(PodClass kind) {
        if (kind.leave()) {
            classes.remove(kind.wish());
            retire(kind);
        }
    }

    private void introduce(PodClass kind) {
        selected.forEach((key, tally) -> select(key, tally, kind));
        carried.forEach((key, tally) -> concern(key, tally, kind));
        carry(kind);
        spread(kind);
        attract(kind);
    }

    private void carry(PodClass kind) {
        for (var key : carriedBy(kind.wish())) {
            var tally = carried.get(key);
            if (tally == null) {
                tally = new Tally();
                carried.put(key, tally);
                for (var other : classes.values()) {
                    concern(key, tally, other);
                }
            }
            tally.use();
            kind.carries().add(tally);
        }
    }

    private static List<Carried> carriedBy(PodWish wish) {
        var keys = new ArrayList<Carried>();
        wish.away().required().forEach(term -> keys.add(new Carried(Role.SHUNS, term, 0)));
        wish.near()
                .required()
                .forEach(term -> keys.add(new Carried(Role.PREFERS, term, REQUIRED_WEIGHT)));
        wish.near()
                .preferred()
                .forEach(each -> keys.add(new Carried(Role.PREFERS, each.term(), each.weight())));
        wish.away()
                .preferred()
                .forEach(each -> keys.add(new Carried(Role.PREFERS, each.term(), -each.weight())));
        return keys;
    }

    /// Notes with the class that pods with this term care for it.
    private void concern(Carried key, Tally tally, PodClass kind) {
        if (PodFilter.of(key.term()).matches(kind.wish(), namespaceLabels)) {
            var near = new Near(topology(key.term().topologyKey()), tally, key.weight());
            switch (key.role()) {
                case SHUNS -> kind.shunnedBy().add(near);
                case PREFERS -> kind.preferredBy().add(near);
            }
        }
    }

    private void select(Selected key, Tally tally, PodClass kind) {
        if (key.all().stream().allMatch(filter -> filter.matches(kind.wish(), namespaceLabels))) {
            (key.countsLeaving() ? kind.selectedBy() : kind.selectedWhileStaying()).add(tally);
        }
    }

    private Tally tally(List<PodFilter> filters, boolean countsLeaving) {
        var key = new Selected(filters, countsLeaving);
        var tally = selected.get(key);
        if (tally == null) {
            tally = new Tally();
            selected.put(key, tally);
            for (var kind : classes.values()) {
                select(key, tally, kind);
            }
            for (var pod : placed.values()) {
                var counted =
                        countsLeaving
                                ? pod.kind().selectedBy()
                                : pod.isLeaving()
                                        ? List.<Tally>of()
                                        : pod.kind().selectedWhileStaying();
                if (counted.contains(tally)) {
                    tally.add(pod.slot(), 1);
                }
            }
        }
        tally.use();
        return tally;
    }

    private void spread(PodClass kind) {
        var wish = kind.wish();
        var selector = wish.isSpreadByItself() ? null : workloadSelector.apply(wish);
        var constraints = wish.isSpreadByItself() || selector == null ? wish.spread() : USUAL;
        var hard = new ArrayList<SpreadRule>();
        var soft = new ArrayList<SpreadRule>();
        for (var constraint : constraints) {
            var filter = filter(wish, constraint, selector);
            var rule =
                    new SpreadRule(
                            constraint,
                            topology(constraint.topologyKey()),
                            tally(List.of(filter), false),
                            filter.matches(wish, namespaceLabels));
            (constraint.isHard() ? hard : soft).add(rule);
        }
        kind.spread(hard, soft);
    }

    private static PodFilter filter(PodWish wish, Spread constraint, @Nullable Selector selector) {
        return new PodFilter(
                List.of(wish.namespace()),
                null,
                wish.isSpreadByItself() ? constraint.selector() : selector);
    }

    private void attract(PodClass kind) {
        var wish = kind.wish();
        var near = wish.near().required();
        if (!near.isEmpty()) {
            var filters = near.stream().map(PodFilter::of).toList();
            kind.want(
                    tally(filters, true),
                    filters.stream().allMatch(filter -> filter.matches(wish, namespaceLabels)),
                    near.stream().map(term -> topology(term.topologyKey())).toList());
        }
        kind.shun(wish.away().required().stream().map(term -> near(term, 0)).toList());
        wish.near()
                .preferred()
                .forEach(each -> kind.preferences().add(near(each.term(), each.weight())));
        wish.away()
                .preferred()
                .forEach(each -> kind.preferences().add(near(each.term(), -each.weight())));
    }

    private Near near(PodTerm term, int weight) {
        return new Near(
                topology(term.topologyKey()), tally(List.of(PodFilter.of(term)), true), weight);
    }

    private void retire(PodClass kind) {
        for (var tally : List.copyOf(kind.carries())) {
            if (tally.isLeft()) {
                carried.values().remove(tally);
                for (var other : classes.values()) {
                    other.shunnedBy().removeIf(near -> near.pods() == tally);
                    other.preferredBy().removeIf(near -> near.pods() == tally);
                }
            }
        }
        for (var tally : own(kind)) {
            if (tally.isLeft()) {
                selected.values().remove(tally);
                for (var other : classes.values()) {
                    other.selectedBy().remove(tally);
                    other.selectedWhileStaying().remove(tally);
                }
            }
        }
    }

    private static List<Tally> own(PodClass kind) {
        var tallies = new ArrayList<Tally>();
        kind.hardSpread().forEach(rule -> tallies.add(rule.pods()));
        kind.softSpread().forEach(rule -> tallies.add(rule.pods()));
        kind.shunned().forEach(near -> tallies.add(near.pods()));
        kind.preferences().forEach(near -> tallies.add(near.pods()));
        var wanted = kind.wanted();
        if (wanted != null) {
            tallies.add(wanted);
        }
        return tallies;
    }
}
