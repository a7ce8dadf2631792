package dev.millwright.testing.kit;

import dev.millwright.core.policy.SchedulingPolicy.Packing;

import java.util.Map;

/// Whole suites run under one packing by `-Dmillwright.packing=FIRST_FIT` or `CHEAPEST`.
public final class PackingOfRun {

    private static final String PROPERTY = "millwright.packing";

    private PackingOfRun() {}

    /// What processes of the operator are told by it: nothing unless the run was told.
    public static Map<String, String> variables() {
        var told = System.getProperty(PROPERTY);
        return told == null ? Map.of() : Map.of("MILLWRIGHT_PACKING", Packing.valueOf(told).text());
    }

    /// What the run was told, else `usual`.
    public static Packing or(Packing usual) {
        return Packing.valueOf(System.getProperty(PROPERTY, usual.name()));
    }
}
