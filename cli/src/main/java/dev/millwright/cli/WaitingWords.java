package dev.millwright.cli;

import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.WaitReason;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;

/// The words for a reason, shorter than those of an event: what a table's reader needs to act.
/// Pools that refuse alike share a line.
final class WaitingWords {

    private WaitingWords() {}

    static List<String> lines(WaitReason reason) {
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

    private static List<String> refused(List<WaitReason.PoolRefusal> pools) {
        var poolsByWords = new LinkedHashMap<String, List<String>>();
        for (var pool : pools) {
            poolsByWords
                    .computeIfAbsent(words(pool.refusal()), key -> new ArrayList<>())
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

    private static String words(Refusal refusal) {
        return switch (refusal) {
            case Refusal.NoInstanceType type -> words(type);
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
                    refusal.explain();
        };
    }

    private static String words(Refusal.NoInstanceType type) {
        if (!type.missing().isEmpty()) {
            return "no instance type is large enough; it asks for %s, the nearest type lacks %s"
                    .formatted(withoutSlot(type.requested()), type.missing());
        }
        if (!type.isRequirementMet()) {
            return "no instance type meets the requirements: " + type.requirements();
        }
        if (!type.isOfferingMet()) {
            return "no instance type is offered in a zone and capacity type that is wanted: "
                    + type.requirements();
        }
        return "no instance type meets requirements, size and offering together: "
                + type.requirements();
    }

    /// Every pod asks for the one slot it takes; nobody asks for less of that.
    private static Resources withoutSlot(Resources requested) {
        var amounts = new TreeMap<>(requested.amounts());
        amounts.remove(Resources.PODS);
        return new Resources(amounts);
    }
}
