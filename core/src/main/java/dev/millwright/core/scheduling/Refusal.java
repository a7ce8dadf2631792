package dev.millwright.core.scheduling;

import dev.millwright.core.label.Mismatch;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Why a pool cannot give a pod a new node: what was tried, and by how much it failed.
public sealed interface Refusal {

    record Untolerated(Taint taint) implements Refusal {}

    record Requirement(Mismatch mismatch) implements Refusal {}

    /// No alternative of the pod's volumes can be reached by the pool.
    record Volume(Mismatch mismatch) implements Refusal {}

    /// A spread or (anti-)affinity leaves no domain. The counts are of pods by domain, at most 25
    /// of them.
    record Topology(
            String kind,
            String key,
            SequencedMap<String, Integer> counts,
            dev.millwright.core.label.Requirement podDomains,
            dev.millwright.core.label.Requirement nodeDomains)
            implements Refusal {
        public Topology {
            counts = Collections.unmodifiableSequencedMap(new TreeMap<>(counts));
        }
    }

    /// No instance type meets requirements, resources and offering at once.
    ///
    /// The flags say which of the three some type met; `missing` is how much the nearest type lacks
    /// of each resource.
    record NoInstanceType(
            boolean isRequirementMet,
            boolean isResourceMet,
            boolean isOfferingMet,
            Requirements requirements,
            Resources requested,
            Resources daemonRequests,
            Resources missing)
            implements Refusal {}

    /// Daemons or pods of the claim already take a host port on every type.
    record HostPorts(List<String> ports) implements Refusal {
        public HostPorts {
            ports = List.copyOf(ports);
        }
    }

    /// The pod's volumes are more than any type can attach.
    record VolumeLimit(String driver, int wanted, int limit) implements Refusal {}

    /// The pool's limit leaves less of a resource than any type brings.
    record Limit(Resources remaining) implements Refusal {}

    /// The pool may have no further node.
    record NodeLimit() implements Refusal {}

    /// Too few distinct values of a key remain.
    record MinValues(String key, int wanted, int found) implements Refusal {}

    /// The pool's own requirements leave it nothing to buy.
    record NoTypesLeft() implements Refusal {}

    /// From how many cpus on a request is suspected to be a typing error.
    Quantity SUSPICIOUS_CPU = Quantity.ofUnits(1_000_000);

    default String explain() {
        return switch (this) {
            case Untolerated(var taint) -> "does not tolerate taint %s".formatted(taint);
            case Requirement(var mismatch) -> "incompatible requirements, " + mismatch.explain();
            case Volume(var mismatch) -> "incompatible volume requirements, " + mismatch.explain();
            case Topology(var kind, var key, var counts, var podDomains, var nodeDomains) ->
                    "unsatisfiable %s over %s (pods by domain: %s; the pod allows %s; the node offers %s)"
                            .formatted(kind, key, render(counts), podDomains, nodeDomains);
            case NoInstanceType type -> explain(type);
            case HostPorts(var ports) ->
                    "host ports %s are taken on every instance type".formatted(ports);
            case VolumeLimit(var driver, var wanted, var limit) ->
                    "%d volumes of driver %s are more than any instance type attaches (%d)"
                            .formatted(wanted, driver, limit);
            case Limit(var remaining) ->
                    "all available instance types exceed limits for nodepool; left: %s"
                            .formatted(remaining);
            case NodeLimit() -> "node limits have been exhausted for nodepool";
            case MinValues(var key, var wanted, var found) ->
                    "minValues of \"%s\" is %d, but the instance types left have only %d"
                            .formatted(key, wanted, found);
            case NoTypesLeft() -> "nodepool requirements filtered out all available instance types";
        };
    }

    private static String render(SequencedMap<String, Integer> counts) {
        return counts.isEmpty()
                ? "none"
                : counts.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(", "));
    }

    private static String explain(NoInstanceType type) {
        var text = new StringBuilder(cause(type));
        text.append(", requirements: ").append(type.requirements());
        text.append(", requested: ").append(type.requested());
        if (!type.daemonRequests().isEmpty()) {
            text.append(", daemons take: ").append(type.daemonRequests());
        }
        if (!type.missing().isEmpty()) {
            text.append(", the nearest type lacks: ").append(type.missing());
        }
        if (type.requested().amount(Resources.CPU).compareTo(SUSPICIOUS_CPU) >= 0) {
            text.append(" (a million cpus or more: was m meant instead of M?)");
        }
        return text.toString();
    }

    private static String cause(NoInstanceType type) {
        var unmet = new java.util.ArrayList<String>();
        if (!type.isRequirementMet()) {
            unmet.add("met the scheduling requirements");
        }
        if (!type.isResourceMet()) {
            unmet.add("had enough resources");
        }
        if (!type.isOfferingMet()) {
            unmet.add("had a required offering");
        }
        return unmet.isEmpty()
                ? "no instance type met requirements, resources and offering together"
                : "no instance type " + String.join(" or ", unmet);
    }
}
