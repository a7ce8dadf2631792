package dev.millwright.controllers.shadow;

import java.util.List;

/// What a decision does to the hourly price, and how many pods it makes move.
public record Bill(double launchedPerHour, double removedPerHour, int evictions) {

    public static final Bill NONE = new Bill(0, 0, 0);

    static Bill launched(List<ShadowMachine> machines) {
        return new Bill(machines.stream().mapToDouble(ShadowMachine::pricePerHour).sum(), 0, 0);
    }

    Bill plus(Bill other) {
        return new Bill(
                launchedPerHour + other.launchedPerHour,
                removedPerHour + other.removedPerHour,
                evictions + other.evictions);
    }

    /// By how much the hourly price rises; below zero where it falls.
    public double risePerHour() {
        return launchedPerHour - removedPerHour;
    }
}
