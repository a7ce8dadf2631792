package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Which instance types serve a requirement set, and whether they leave enough choice.
public final class PoolTypes {

    private PoolTypes() {}

    /// Whether the type meets the requirements and can be bought for them at all.
    public static boolean isUsable(InstanceType type, Requirements wanted, Set<String> wellKnown) {
        return type.requirements().intersects(wanted)
                && type.allocatableGroups().stream()
                        .anyMatch(
                                group ->
                                        !group.allocatable().hasNegative()
                                                && group.offerings().stream()
                                                        .anyMatch(
                                                                offering ->
                                                                        wanted.isCompatible(
                                                                                offering
                                                                                        .requirements(),
                                                                                wellKnown)));
    }

    /// The first key, by name, whose minValues the types do not reach, or null. No types at all
    /// violate nothing: that failure has its own name.
    public static Refusal.@Nullable MinValues unmetMinValues(
            List<InstanceType> types, Requirements wanted) {
        if (types.isEmpty()) {
            return null;
        }
        for (var requirement : wanted.all()) {
            var wantedCount = requirement.minValues();
            if (wantedCount == null) {
                continue;
            }
            var found = distinctValues(types, requirement);
            if (found < wantedCount) {
                return new Refusal.MinValues(requirement.key(), wantedCount, found);
            }
        }
        return null;
    }

    private static int distinctValues(List<InstanceType> types, Requirement requirement) {
        var values = new HashSet<String>();
        for (var type : types) {
            for (var value : type.requirements().on(requirement.key()).values()) {
                if (requirement.has(value)) {
                    values.add(value);
                }
            }
        }
        return values.size();
    }

    /// The requirements with every minValues that cannot be reached lowered to what there is.
    static Requirements withReachableMinValues(List<InstanceType> types, Requirements wanted) {
        var relaxed = wanted;
        for (var unmet = unmetMinValues(types, relaxed);
                unmet != null;
                unmet = unmetMinValues(types, relaxed)) {
            relaxed = relaxed.replace(relaxed.on(unmet.key()).withMinValues(unmet.found()));
        }
        return relaxed;
    }
}
