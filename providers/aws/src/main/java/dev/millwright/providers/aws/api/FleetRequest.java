package dev.millwright.providers.aws.api;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// An instant fleet to be made.
///
/// @param defaultType what an instance is bought as: `spot`, `on-demand`, `capacity-block` or
///   `reserved-capacity`
/// @param spotAllocation null to say nothing of spot
/// @param onDemandAllocation null to say nothing of on-demand
/// @param reservationTypes empty to say nothing of reserved capacity
/// @param tags of instances, volumes and the fleet
/// @param token makes EC2 answer a repeated request with the fleet it made first; null to leave it
///   to the SDK
public record FleetRequest(
        int instances,
        String defaultType,
        @Nullable String spotAllocation,
        @Nullable String onDemandAllocation,
        List<String> reservationTypes,
        @Nullable String context,
        SequencedMap<String, String> tags,
        List<Config> configs,
        @Nullable String token) {

    public FleetRequest {
        reservationTypes = List.copyOf(reservationTypes);
        tags = Collections.unmodifiableSequencedMap(new TreeMap<>(tags));
        configs = List.copyOf(configs);
    }

    /// One launch template, at its latest version, and what it may be launched as.
    public record Config(String templateName, List<Override> overrides) {

        public Config {
            overrides = List.copyOf(overrides);
        }
    }

    /// @param subnetId null where the template names the interfaces' network itself
    @SuppressWarnings("AvoidCommonTypeNames") // EC2's own word for it.
    public record Override(
            String instanceType,
            @Nullable String subnetId,
            String imageId,
            String zone,
            double priority) {}

    public FleetRequest withInstances(int wanted) {
        return new FleetRequest(
                wanted,
                defaultType,
                spotAllocation,
                onDemandAllocation,
                reservationTypes,
                context,
                tags,
                configs,
                token);
    }
}
