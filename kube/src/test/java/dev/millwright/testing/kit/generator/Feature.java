package dev.millwright.testing.kit.generator;

import java.util.EnumSet;
import java.util.Set;

/// What a world may hold. Each seed turns on only some of them: a world of everything at once hides
/// faults as well as it finds them.
public enum Feature {
    SELECTORS,
    NODE_AFFINITY,
    PREFERRED_NODE_AFFINITY,
    TAINTS,
    PREFER_NO_SCHEDULE,
    CUSTOM_LABELS,
    WEIGHTS,
    LIMITS,
    MIN_VALUES,
    ZONE_SPREAD,
    HOSTNAME_SPREAD,
    CAPACITY_SPREAD,
    SOFT_SPREAD,
    SPREAD_DETAILS,
    AFFINITY,
    ANTI_AFFINITY,
    PREFERRED_POD_AFFINITY,
    NAMESPACES,
    DAEMON_SETS,
    HOST_PORTS,
    NODES,
    IN_FLIGHT_NODES,
    UNMANAGED_NODES,
    DELETING_NODES,
    VOLUMES,
    RESERVATIONS,
    EXTENDED_RESOURCES,
    UNAVAILABLE_OFFERINGS,
    IGNORED_PREFERENCES,
    BEST_EFFORT_MIN_VALUES;

    /// Features in use, each with the same chance; about one seed in eight has them all.
    static Set<Feature> drawn(Dice dice) {
        if (dice.chance(12)) {
            var all = EnumSet.allOf(Feature.class);
            all.remove(dice.chance(70) ? IGNORED_PREFERENCES : WEIGHTS);
            return all;
        }
        var percent = dice.between(15, 60);
        var drawn = EnumSet.noneOf(Feature.class);
        for (var feature : values()) {
            if (dice.chance(percent)) {
                drawn.add(feature);
            }
        }
        return drawn;
    }
}
