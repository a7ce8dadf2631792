package dev.millwright.providers.aws.api;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// An instance as EC2 describes it. What it does not have is empty or zero.
///
/// @param state e.g. `pending`, `running`, `shutting-down`
/// @param lifecycle `spot`, `capacity-block`, `interruptible-capacity-reservation`, or empty
/// @param efaInterfaces of kind efa and efa-only
public record InstanceInfo(
        String id,
        String type,
        String imageId,
        String zone,
        String subnetId,
        List<String> securityGroupIds,
        String state,
        Instant launchedAt,
        String lifecycle,
        String spotRequestId,
        String reservationId,
        String reservationPreference,
        int efaInterfaces,
        String tenancy,
        String placementGroupId,
        int partition,
        SequencedMap<String, String> tags) {

    public InstanceInfo {
        securityGroupIds = List.copyOf(securityGroupIds);
        tags = Collections.unmodifiableSequencedMap(new TreeMap<>(tags));
    }

    public boolean isGoing() {
        return state.equals("shutting-down") || state.equals("terminated");
    }
}
