package dev.millwright.spi;

/// Whether a machine still is what its class describes.
public sealed interface DriftAnswer {

    /// The reason of a machine that is on-demand for want of spot, which is to be had again. It is
    /// replaced by spot that costs less or stays.
    String SPOT_AVAILABLE = "SpotAvailable";

    record InPlace() implements DriftAnswer {}

    record Drifted(String reason) implements DriftAnswer {}

    record Gone() implements DriftAnswer {}

    record Failed(String message) implements DriftAnswer {}
}
