package dev.millwright.core.policy;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.OverlayEvaluation.Contested;
import dev.millwright.core.policy.OverlayEvaluation.Outcome;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// An instance type of one pool while overlays are laid on it, the heaviest first. Offerings are
/// named by their place in the type's list.
final class OverlaidType {

    private final String nodePool;
    private final InstanceType type;
    private final Requirements promises;
    private final TreeMap<Integer, Double> prices = new TreeMap<>();
    private final TreeMap<Integer, NodeOverlay> lastPriced = new TreeMap<>();
    private final TreeMap<String, NodeOverlay> lastSized = new TreeMap<>();
    private Resources capacity = Resources.NONE;

    OverlaidType(NodePool nodePool, InstanceType type, LabelVocabulary vocabulary) {
        this.nodePool = nodePool.name();
        this.type = type;
        this.promises =
                vocabulary
                        .labels(nodePool.template().labels())
                        .and(Requirement.in(LabelKeys.NODE_POOL, nodePool.name()))
                        .and(type.requirements());
    }

    /// The offerings an overlay with these requirements means. The type must promise every key
    /// asked for; an offering need only not contradict.
    List<Integer> matches(Requirements wanted, Set<String> wellKnown) {
        if (!promises.isCompatible(wanted, Set.of())) {
            return List.of();
        }
        return IntStream.range(0, type.offerings().size())
                .filter(
                        index ->
                                wanted.isCompatible(
                                        type.offerings().get(index).requirements(), wellKnown))
                .boxed()
                .toList();
    }

    /// The overlay of the same weight that already said something about the same, or null. Equal
    /// words still conflict: a later edit of either would otherwise win by the alphabet.
    Outcome.@Nullable Conflict conflict(NodeOverlay overlay, List<Integer> offerings) {
        if (overlay.changesPrices()) {
            for (var index : offerings) {
                var earlier = lastPriced.get(index);
                if (earlier != null && earlier.weight() == overlay.weight()) {
                    var offering = type.offerings().get(index);
                    return new Outcome.Conflict(
                            earlier.name(),
                            new Contested.Price(
                                    nodePool,
                                    type.name(),
                                    offering.zone(),
                                    offering.capacityType()));
                }
            }
        }
        for (var resource : overlay.capacity().amounts().keySet()) {
            var earlier = lastSized.get(resource);
            if (earlier != null && earlier.weight() == overlay.weight()) {
                return new Outcome.Conflict(
                        earlier.name(), new Contested.Capacity(nodePool, type.name(), resource));
            }
        }
        return null;
    }

    /// Lays the overlay where no heavier one lies already. Its capacity is the whole machine's,
    /// even when only one way to buy it was meant.
    void lay(NodeOverlay overlay, List<Integer> offerings) {
        var change = overlay.priceChange();
        if (change != null) {
            for (var index : offerings) {
                prices.putIfAbsent(index, change.apply(type.offerings().get(index).pricePerHour()));
                lastPriced.put(index, overlay);
            }
        }
        overlay.capacity().amounts().keySet().forEach(name -> lastSized.put(name, overlay));
        capacity = overlay.capacity().overriddenBy(capacity);
    }

    /// The type as overlaid; the very same where nothing was.
    InstanceType type() {
        var result = type;
        if (!prices.isEmpty()) {
            var offerings = new ArrayList<>(type.offerings());
            prices.forEach(
                    (index, price) ->
                            offerings.set(index, offerings.get(index).withOverlaidPrice(price)));
            result = result.withOfferings(offerings);
        }
        return capacity.isEmpty() ? result : result.withOverlaidCapacity(capacity);
    }
}
