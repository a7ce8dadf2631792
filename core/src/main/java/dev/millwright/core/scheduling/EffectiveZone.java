package dev.millwright.core.scheduling;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The zone a waiting pod will end in, as far as its constraints already decide it.
public sealed interface EffectiveZone {

    record Zone(String name) implements EffectiveZone {}

    /// Several zones would do, or nothing is said of zones.
    record Flexible() implements EffectiveZone {}

    /// No zone would do.
    record None() implements EffectiveZone {}

    /// The value of the metric's label.
    default String label() {
        return switch (this) {
            case Zone(var name) -> name;
            case Flexible() -> "flexible";
            case None() -> "none";
        };
    }

    /// `required` is the pod's strict requirement on the zone, without wishes; each of
    /// `volumeZones` is an alternative its volumes leave, none where it has no volume; `validZones`
    /// are those its spread and affinities allow, null where none of them is over zones, and not
    /// `isSatisfiable` when they allow no node at all.
    static EffectiveZone of(
            Requirement required,
            List<Requirement> volumeZones,
            @Nullable Set<String> validZones,
            boolean isSatisfiable) {
        if (!isSatisfiable) {
            return new None();
        }
        var base =
                validZones == null
                        ? required
                        : required.intersection(
                                Requirement.of(LabelKeys.ZONE, Operator.IN, null, validZones));
        var alternatives =
                volumeZones.isEmpty() ? List.of(Requirement.exists(LabelKeys.ZONE)) : volumeZones;
        var zones = new TreeSet<String>();
        for (var alternative : alternatives) {
            var both = base.intersection(alternative);
            if (both.isComplement()) {
                return new Flexible();
            }
            zones.addAll(both.values());
        }
        return switch (zones.size()) {
            case 0 -> new None();
            case 1 -> new Zone(zones.getFirst());
            default -> new Flexible();
        };
    }
}
