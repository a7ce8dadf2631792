package dev.millwright.providers.aws.api;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// How a running instance is, in EC2's eyes.
///
/// @param eventCodes of what is scheduled for it and not done, e.g. `instance-retirement`
public record InstanceStatusInfo(
        String id, List<Detail> instance, List<Detail> system, List<String> eventCodes) {

    public InstanceStatusInfo {
        instance = List.copyOf(instance);
        system = List.copyOf(system);
        eventCodes = List.copyOf(eventCodes);
    }

    /// @param status e.g. `passed`, `failed`, `insufficient-data`
    public record Detail(String name, String status, @Nullable Instant impairedSince) {}
}
