package dev.millwright.providers.aws.api;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.SequencedMap;

/// A capacity reservation.
///
/// @param matchCriteria `open` or `targeted`
/// @param reservationType `default` or `capacity-block`
/// @param endsAt null when it has no end
public record ReservationInfo(
        String id,
        String ownerId,
        String instanceType,
        String zone,
        String matchCriteria,
        String reservationType,
        boolean isInterruptible,
        String state,
        int available,
        int total,
        @Nullable Instant endsAt,
        SequencedMap<String, String> tags) {}
