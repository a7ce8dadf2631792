package dev.millwright.cli;

import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.WaitReason;

import java.util.stream.Collectors;

/// What a person can do about a pod that waits. Empty where the reason says it already.
final class Advice {

    private Advice() {}

    static String of(WaitReason reason) {
        return switch (reason) {
            case WaitReason.Refused(var pools) ->
                    pools.stream()
                            .map(pool -> of(pool.refusal()))
                            .filter(advice -> !advice.isEmpty())
                            .distinct()
                            .collect(Collectors.joining("; or "));
            case WaitReason.NoNodePools _ -> "";
            case WaitReason.NodePoolsWithoutTypes _ ->
                    "loosen the requirements of these NodePools, or see whether they contradict one another";
            case WaitReason.ReservationPending _ -> "";
            case WaitReason.ResourceClaimsUnsupported _ ->
                    "ask for the devices as extended resources";
            case WaitReason.Invalid _ -> "";
            case WaitReason.OptedOut _ ->
                    "take the requirement away if the pod may run on nodes of a NodePool";
            case WaitReason.MinValuesLost _ -> "lower minValues, or allow more types";
        };
    }

    private static String of(Refusal refusal) {
        return switch (refusal) {
            case Refusal.Untolerated(var taint) ->
                    "add a toleration for %s to the pod".formatted(taint);
            case Refusal.Requirement _ ->
                    "change what the pod selects, or allow it in the NodePool's requirements or labels";
            case Refusal.Volume _ -> "allow the volume's zone in the NodePool's requirements";
            case Refusal.Topology _ ->
                    "allow more domains in the NodePool, or make the rule a preference";
            case Refusal.NoInstanceType type ->
                    type.missing().isEmpty()
                            ? "allow more instance types, zones or capacity types in the NodePool"
                            : "ask for less, or allow larger instance types in the NodePool";
            case Refusal.HostPorts _ -> "take another host port, or none";
            case Refusal.VolumeLimit _ -> "spread the volumes over more pods";
            case Refusal.Limit _, Refusal.NodeLimit _ -> "raise the NodePool's limits";
            case Refusal.MinValues _ -> "lower minValues, or allow more types";
            case Refusal.Reserved _ -> "";
        };
    }
}
