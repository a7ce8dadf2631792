package dev.millwright.providers.sim.cloud;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// The catalogue as its buyer knows it: offerings that were refused are shown as unavailable for a
/// while, so that the next plan chooses others.
///
/// The same list until an offering comes or goes; a type that is not concerned stays the same
/// object.
final class KnownCatalogue {

    private final List<InstanceType> whole;
    private final Duration remembered;
    private final TreeMap<OfferingKey, Instant> refusedUntil = new TreeMap<>();
    private List<InstanceType> known;

    KnownCatalogue(List<InstanceType> types, Duration remembered) {
        this.whole = List.copyOf(types);
        this.remembered = remembered;
        this.known = whole;
    }

    List<InstanceType> types(Instant now) {
        if (refusedUntil.values().removeIf(until -> !until.isAfter(now))) {
            rebuild();
        }
        return known;
    }

    void refuse(List<OfferingKey> keys, Instant now) {
        if (keys.isEmpty() || remembered.isZero()) {
            return;
        }
        refusedUntil.values().removeIf(until -> !until.isAfter(now));
        keys.forEach(key -> refusedUntil.put(key, now.plus(remembered)));
        rebuild();
    }

    private void rebuild() {
        var concerned = new HashSet<String>();
        refusedUntil.keySet().forEach(key -> concerned.add(key.type()));
        // A copy, since only such a list stays the same object inside an answer.
        known = List.copyOf(whole.stream().map(type -> withoutRefused(type, concerned)).toList());
    }

    private InstanceType withoutRefused(InstanceType type, Set<String> concerned) {
        return concerned.contains(type.name())
                ? type.withOfferings(
                        type.offerings().stream()
                                .map(
                                        offering ->
                                                isRefused(type, offering)
                                                        ? offering.unavailable()
                                                        : offering)
                                .toList())
                : type;
    }

    private boolean isRefused(InstanceType type, Offering offering) {
        return refusedUntil.containsKey(OfferingKey.of(type, offering));
    }
}
