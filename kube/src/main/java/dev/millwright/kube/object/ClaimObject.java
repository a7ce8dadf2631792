package dev.millwright.kube.object;

import dev.millwright.core.cluster.NodeClaim;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A NodeClaim.
public record ClaimObject(Meta meta, Spec spec, Status status) implements KubeObject {

    public static final String READY = "Ready";
    public static final String LAUNCHED = "Launched";
    public static final String REGISTERED = "Registered";
    public static final String INITIALIZED = "Initialized";
    public static final String CONSOLIDATABLE = "Consolidatable";
    public static final String DRIFTED = "Drifted";
    public static final String DRAINED = "Drained";
    public static final String VOLUMES_DETACHED = "VolumesDetached";
    public static final String INSTANCE_TERMINATING = "InstanceTerminating";
    public static final String CONSISTENT_STATE_FOUND = "ConsistentStateFound";
    public static final String DISRUPTION_REASON = "DisruptionReason";
    public static final String REBOOTING = "Rebooting";

    private static final Conditions.Family FAMILY =
            new Conditions.Family(READY, List.of(LAUNCHED, REGISTERED, INITIALIZED));

    /// No `expireAfter` means `Never`.
    public record Spec(
            List<Taint> taints,
            List<Taint> startupTaints,
            List<SelectorRequirement> requirements,
            Resources requests,
            NodeClassRef nodeClassRef,
            @Nullable Duration terminationGracePeriod,
            @Nullable Duration expireAfter) {
        public Spec {
            taints = List.copyOf(taints);
            startupTaints = List.copyOf(startupTaints);
            requirements = List.copyOf(requirements);
        }
    }

    public record Status(
            String nodeName,
            String providerId,
            String imageId,
            Resources capacity,
            Resources allocatable,
            @Nullable Instant lastPodEventAt,
            List<Condition> conditions) {
        public Status {
            conditions = List.copyOf(conditions);
        }
    }

    public Conditions conditions() {
        return Conditions.of(FAMILY, meta, status.conditions());
    }

    public String providerId() {
        return status.providerId();
    }

    public boolean isDeleting() {
        return meta.isDeleting();
    }

    /// The pool the claim was made for; empty for one that stands alone.
    public String nodePool() {
        return meta.label(LabelKeys.NODE_POOL);
    }

    public NodeClaim claim() {
        return new NodeClaim(
                meta.name().name(),
                status.providerId(),
                meta.labels(),
                meta.annotations(),
                spec.taints(),
                spec.startupTaints(),
                status.capacity(),
                status.allocatable(),
                isDeleting());
    }
}
