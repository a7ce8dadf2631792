package dev.millwright.testing.kit.aws;

import dev.millwright.kube.document.Tree;

/// Pools from which nothing is launched, by patterns in which `*` stands for anything.
///
/// @param remaining how many instances are still to be had before the refusals begin
/// @param times how many launches are refused; below zero for all
public record LaunchFault(
        String type,
        String zone,
        String capacity,
        String subnet,
        String code,
        String message,
        int remaining,
        int times) {

    private static final String ANY = "*";

    /// Nothing is to be had of this type.
    public static LaunchFault noCapacity(String type) {
        return new LaunchFault(type, ANY, ANY, ANY, "InsufficientInstanceCapacity", "", 0, -1);
    }

    public LaunchFault in(String zonePattern) {
        return new LaunchFault(
                type, zonePattern, capacity, subnet, code, message, remaining, times);
    }

    /// @param capacityPattern `spot` or `on-demand`
    public LaunchFault as(String capacityPattern) {
        return new LaunchFault(
                type, zone, capacityPattern, subnet, code, message, remaining, times);
    }

    public LaunchFault of(String subnetPattern) {
        return new LaunchFault(
                type, zone, capacity, subnetPattern, code, message, remaining, times);
    }

    public LaunchFault saying(String otherCode, String words) {
        return new LaunchFault(type, zone, capacity, subnet, otherCode, words, remaining, times);
    }

    /// The pool is deep enough for this many, then empty.
    public LaunchFault butFor(int instances) {
        return new LaunchFault(type, zone, capacity, subnet, code, message, instances, times);
    }

    public LaunchFault times(int count) {
        return new LaunchFault(type, zone, capacity, subnet, code, message, remaining, count);
    }

    Tree tree() {
        return Tree.of("type", type)
                .put("zone", zone)
                .put("capacity", capacity)
                .put("subnet", subnet)
                .put("code", code)
                .put("message", message)
                .put("remaining", remaining)
                .put("times", times);
    }
}
