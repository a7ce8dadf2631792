package dev.millwright.core.disruption;

import java.util.Collection;

/// Numbers by which fleets are told apart: those of their machines are added up, so that neither
/// names nor order matter, and how often something is there does. Two fleets that differ have the
/// same number once in 2^64.
public final class FleetNumber {

    private FleetNumber() {}

    public static long of(String text) {
        var hash = 0xcbf29ce484222325L;
        for (var index = 0; index < text.length(); index++) {
            hash = (hash ^ text.charAt(index)) * 0x100000001b3L;
        }
        return spread(hash);
    }

    /// A machine, by what it is and whose pods run on it.
    public static long ofMachine(String kind, Collection<String> workloads) {
        var sum = of(kind);
        for (var workload : workloads) {
            sum += of(workload);
        }
        return spread(sum);
    }

    /// A fleet that a machine is taken from. Both are not just added up: a fleet of one a and two b
    /// that an a leaves is not one of two a and one b that a b leaves.
    public static long ofLeaving(long fleet, long machine) {
        return spread(spread(fleet) + machine);
    }

    /// Over all numbers, so that sums of many do not meet by small differences.
    private static long spread(long number) {
        var high = (number ^ (number >>> 32)) * 0x9E3779B97F4A7C15L;
        return high ^ (high >>> 29);
    }
}
