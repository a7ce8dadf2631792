package dev.millwright.core.forecast;

/// A node, and as what it is paid for. The price is 0 where the catalogue does not know it; a node
/// that is not there yet has a name of the forecast's own.
public record Purchase(
        String node,
        String nodePool,
        String instanceType,
        String zone,
        String capacityType,
        double pricePerHour) {}
