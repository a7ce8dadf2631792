package dev.millwright.cli;

import dev.millwright.core.explain.PoolRequirements;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Slips;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.WaitReason;
import dev.millwright.core.scheduling.WaitReason.PoolRefusal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The words for a reason, shorter than those of an event: what a table's reader needs to act.
/// Pools that refuse alike share a line.
final class WaitingWords {

    /// Values of a label that are named.
    private static final int VALUES_MAX = 8;

    private final SchedulingProblem problem;

    /// Pods that wait for one reason are many; what decides is looked for once.
    private final Map<PoolRefusal, String> known = new HashMap<>();

    WaitingWords(SchedulingProblem problem) {
        this.problem = problem;
    }

    List<String> lines(WaitReason reason) {
        return switch (reason) {
            case WaitReason.Refused(var pools) -> refused(pools);
            case WaitReason.NoNodePools _,
                    WaitReason.NodePoolsWithoutTypes _,
                    WaitReason.ReservationPending _,
                    WaitReason.ResourceClaimsUnsupported _,
                    WaitReason.Invalid _,
                    WaitReason.OptedOut _,
                    WaitReason.MinValuesLost _ ->
                    List.of(reason.explain());
        };
    }

    private List<String> refused(List<PoolRefusal> pools) {
        var poolsByWords = new LinkedHashMap<String, List<String>>();
        for (var pool : pools) {
            poolsByWords
                    .computeIfAbsent(
                            known.computeIfAbsent(pool, this::words), key -> new ArrayList<>())
                    .add(pool.nodePool());
        }
        var lines = new ArrayList<String>();
        poolsByWords.forEach(
                (words, names) ->
                        lines.add(
                                "NodePool%s %s: %s"
                                        .formatted(
                                                names.size() == 1 ? "" : "s",
                                                String.join(", ", names),
                                                words)));
        return lines;
    }

    private String words(PoolRefusal refused) {
        return switch (refused.refusal()) {
            case Refusal.NoInstanceType type -> words(refused.nodePool(), type);
            case Refusal.Untolerated _,
                    Refusal.Requirement _,
                    Refusal.Volume _,
                    Refusal.Topology _,
                    Refusal.HostPorts _,
                    Refusal.VolumeLimit _,
                    Refusal.Limit _,
                    Refusal.NodeLimit _,
                    Refusal.MinValues _,
                    Refusal.NoTypesLeft _ ->
                    refused.refusal().explain();
        };
    }

    private String words(String pool, Refusal.NoInstanceType type) {
        if (!type.missing().isEmpty()) {
            return "no instance type is large enough; it asks for %s, the nearest type lacks %s"
                    .formatted(withoutSlot(type.requested()), type.missing());
        }
        var decisive = decisive(pool, type.requirements());
        if (!decisive.isEmpty()) {
            return "no instance type it may buy has " + decisive;
        }
        if (!type.isRequirementMet()) {
            return "no instance type meets the requirements: " + told(type.requirements());
        }
        if (!type.isOfferingMet()) {
            return "no instance type is offered in a zone and capacity type that is wanted: "
                    + told(type.requirements());
        }
        return "no instance type meets requirements, size and offering together: "
                + told(type.requirements());
    }

    /// What alone leaves no type, each with the values that there are.
    private String decisive(String name, Requirements together) {
        return problem.nodePools().stream()
                .filter(pool -> pool.name().equals(name))
                .flatMap(pool -> new PoolRequirements(problem, pool).decisive(together).stream())
                .map(WaitingWords::told)
                .collect(Collectors.joining(", and none "));
    }

    private static String told(PoolRequirements.Decisive decisive) {
        var wanted = decisive.wanted();
        var offered = decisive.offered();
        if (offered.isEmpty()) {
            return wanted.toString();
        }
        if (offered.size() <= VALUES_MAX) {
            return "%s; there are %s".formatted(wanted, String.join(", ", offered));
        }
        var near =
                wanted.isComplement()
                        ? null
                        : wanted.values().stream()
                                .map(value -> Slips.nearest(value, offered))
                                .filter(Objects::nonNull)
                                .findFirst()
                                .orElse(null);
        return near == null
                ? "%s; there are %,d others".formatted(wanted, offered.size())
                : "%s; maybe \"%s\"?".formatted(wanted, near);
    }

    /// Without the labels that every node of the pool gets, which exclude no type.
    private static Requirements told(Requirements requirements) {
        var kept = requirements;
        for (var key : List.of(LabelKeys.NODE_POOL, LabelKeys.REGISTERED, LabelKeys.INITIALIZED)) {
            kept = kept.without(key);
        }
        return kept;
    }

    /// Every pod asks for the one slot it takes; nobody asks for less of that.
    private static Resources withoutSlot(Resources requested) {
        var amounts = new TreeMap<>(requested.amounts());
        amounts.remove(Resources.PODS);
        return new Resources(amounts);
    }
}
