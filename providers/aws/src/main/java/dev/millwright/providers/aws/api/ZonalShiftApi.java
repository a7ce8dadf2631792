package dev.millwright.providers.aws.api;

import java.time.Instant;
import java.util.List;

/// What we ask of the application recovery controller.
public interface ZonalShiftApi {

    /// @param awayFrom the zone's id
    /// @param status e.g. `APPLIED`
    record Shift(String awayFrom, String status, Instant expiresAt) {}

    List<Shift> shifts(String clusterArn) throws AwsFault;
}
