package dev.millwright.spi;

/// Whether a machine still is what its class describes.
public sealed interface DriftAnswer {

    record InPlace() implements DriftAnswer {}

    record Drifted(String reason) implements DriftAnswer {}

    record Gone() implements DriftAnswer {}

    record Failed(String message) implements DriftAnswer {}
}
