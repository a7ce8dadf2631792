package dev.millwright.core.scheduling;

import java.util.List;
import java.util.stream.Collectors;

/// Why a pod is left waiting.
public sealed interface WaitReason {

    /// No pool is ready to buy nodes for pods.
    record NoNodePools() implements WaitReason {}

    /// Every pool's own requirements leave it without an instance type to buy.
    record NodePoolsWithoutTypes(List<String> nodePools) implements WaitReason {
        public NodePoolsWithoutTypes {
            nodePools = List.copyOf(nodePools);
        }
    }

    /// Every pool was tried and refused, the last time after all wishes were given up.
    record Refused(List<PoolRefusal> pools) implements WaitReason {
        public Refused {
            pools = List.copyOf(pools);
        }
    }

    /// Reserved capacity that would fit is held by other claims of this pass; a later pass decides.
    record ReservationPending(String nodePool) implements WaitReason {}

    /// The pod asks for devices by resource claims, which are not yet supported.
    record ResourceClaimsUnsupported() implements WaitReason {}

    /// The pod itself cannot be planned for; the text says what to mend.
    record Invalid(String problem) implements WaitReason {}

    /// The pod forbids nodes of any pool.
    record OptedOut() implements WaitReason {}

    /// After the types were cut to the number a launch may name, minValues no longer held.
    record MinValuesLost(String nodePool, String problem) implements WaitReason {}

    record PoolRefusal(String nodePool, Refusal refusal) {}

    /// A short constant name for tables and JSON.
    default String label() {
        return switch (this) {
            case NoNodePools() -> "NoNodePools";
            case NodePoolsWithoutTypes(_) -> "NodePoolsWithoutTypes";
            case Refused(_) -> "Refused";
            case ReservationPending(_) -> "ReservationPending";
            case ResourceClaimsUnsupported() -> "ResourceClaimsUnsupported";
            case Invalid(_) -> "Invalid";
            case OptedOut() -> "OptedOut";
            case MinValuesLost(_, _) -> "MinValuesLost";
        };
    }

    default String explain() {
        return switch (this) {
            case NoNodePools() ->
                    "no NodePool is ready to launch nodes for pods; make one, or see the Ready condition of those there are";
            case NodePoolsWithoutTypes(var nodePools) ->
                    "nodepool requirements filtered out all available instance types (%s)"
                            .formatted(String.join(", ", nodePools));
            case Refused(var pools) ->
                    pools.stream()
                            .map(
                                    pool ->
                                            "NodePool %s: %s"
                                                    .formatted(
                                                            pool.nodePool(),
                                                            pool.refusal().explain()))
                            .collect(Collectors.joining("; "));
            case ReservationPending(var nodePool) ->
                    "NodePool %s: compatible reserved capacity is held by other claims of this pass; it is tried again in the next"
                            .formatted(nodePool);
            case ResourceClaimsUnsupported() ->
                    "the pod has Dynamic Resource Allocation requirements, which are not yet supported";
            case Invalid(var problem) -> problem;
            case OptedOut() -> "the pod requires karpenter.sh/nodepool DoesNotExist";
            case MinValuesLost(var nodePool, var problem) ->
                    "NodePool %s cannot meet minValues: %s".formatted(nodePool, problem);
        };
    }
}
