package dev.millwright.spi;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.SchedulingPolicy.UnsupportedStorage;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// What is fixed about a cloud for the life of the process.
///
/// `terminationGracePeriodDefault` is given to claims whose pool has none. The first class kind is
/// the default one.
public record CloudTraits(
        String name,
        List<NodeClassKind> nodeClassKinds,
        LabelVocabulary vocabulary,
        UnsupportedStorage unsupportedStorage,
        List<RepairPolicy> repairPolicies,
        Duration launchTimeout,
        @Nullable Duration terminationGracePeriodDefault) {

    public static final Duration LAUNCH_TIMEOUT_DEFAULT = Duration.ofMinutes(5);

    public CloudTraits {
        nodeClassKinds = List.copyOf(nodeClassKinds);
        repairPolicies = List.copyOf(repairPolicies);
        if (nodeClassKinds.isEmpty()) {
            throw new IllegalArgumentException(
                    "provider %s must name at least one kind of NodeClass".formatted(name));
        }
    }
}
