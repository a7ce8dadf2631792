package dev.millwright.core.policy;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A CapacityBuffer: room that is kept ready for pods which do not exist yet, by planning for
/// virtual ones in their place.
///
/// Absent `limits` and empty ones mean the same: no bound, and no size of their own.
public record CapacityBuffer(
        ObjectName name,
        String uid,
        @Nullable Integer replicas,
        @Nullable Integer percentage,
        Resources limits,
        Resolution resolution) {

    /// Most virtual pods of one buffer: as many pods as Kubernetes supports in a cluster. Limits
    /// alone could otherwise ask for billions.
    public static final int PODS_MAX = 150_000;

    /// Where a virtual pod is in its life: nowhere, but in want of a node.
    private static final PodState VIRTUAL =
            new PodState(PodState.Phase.NONE, null, null, false, true, false, null, List.of());

    /// What came of looking up the pod template or the workload that a buffer refers to.
    public sealed interface Resolution {

        /// Found. `workloadReplicas` is null when a pod template is referred to; a workload that
        /// does not say how many it wants counts as one.
        record Resolved(Pod template, @Nullable Integer workloadReplicas) implements Resolution {}

        record PodTemplateNotFound(String podTemplate) implements Resolution {}

        record ScalableNotFound(String kind, String scalable) implements Resolution {}

        /// The reference is of a kind that cannot have a buffer, or the lookup failed.
        record Failed(String problem) implements Resolution {}

        /// The reason of the condition ReadyForProvisioning.
        default String reason() {
            return switch (this) {
                case Resolved(_, _) -> "Resolved";
                case PodTemplateNotFound(_) -> "PodTemplateNotFound";
                case ScalableNotFound(_, _) -> "ScalableRefNotFound";
                case Failed(_) -> "ResolutionFailed";
            };
        }
    }

    /// Whether virtual pods can be made at all.
    public boolean isReady() {
        return resolution instanceof Resolution.Resolved;
    }

    /// How many virtual pods the buffer is to have; none while it is not ready.
    public int size() {
        return switch (resolution) {
            case Resolution.Resolved(var template, var workloadReplicas) ->
                    size(template.requests(), workloadReplicas);
            case Resolution.PodTemplateNotFound(_) -> 0;
            case Resolution.ScalableNotFound(_, _) -> 0;
            case Resolution.Failed(_) -> 0;
        };
    }

    /// The larger of count and share, within the limits; the limits alone where neither is given.
    private int size(Resources requests, @Nullable Integer workloadReplicas) {
        var share = share(workloadReplicas);
        var most = most(requests);
        if (replicas == null && share == null) {
            return most == null ? 0 : most;
        }
        var wanted = Math.max(replicas == null ? 0 : replicas, share == null ? 0 : share);
        return most == null ? wanted : Math.min(wanted, most);
    }

    /// The percentage of the workload, rounded up. Null, as if none were given, where there is
    /// nothing to take a share of.
    private @Nullable Integer share(@Nullable Integer workloadReplicas) {
        if (percentage == null || workloadReplicas == null || workloadReplicas == 0) {
            return null;
        }
        return (int)
                Math.min(
                        Math.ceilDiv((long) workloadReplicas * percentage, 100L),
                        Integer.MAX_VALUE);
    }

    /// How often the requests fit into the limits, or null where the two share no resource.
    private @Nullable Integer most(Resources requests) {
        BigInteger least = null;
        for (var limit : limits.amounts().entrySet()) {
            var request = millis(requests.amount(limit.getKey()));
            if (request.signum() > 0) {
                var times = millis(limit.getValue()).max(BigInteger.ZERO).divide(request);
                least = least == null ? times : least.min(times);
            }
        }
        return least == null
                ? null
                : Integer.valueOf(least.min(BigInteger.valueOf(Integer.MAX_VALUE)).intValue());
    }

    /// Thousandths, rounded up as Kubernetes does.
    private static BigInteger millis(Quantity quantity) {
        var exact = quantity.toBigDecimal().scaleByPowerOfTen(3);
        return exact.setScale(0, RoundingMode.CEILING).toBigInteger();
    }

    /// The pods that stand for the buffer in a plan, at most [#PODS_MAX]. They bear the moment the
    /// plan is made, so that of pods alike the real ones are placed first.
    public List<Pod> virtualPods(Instant plannedAt) {
        return switch (resolution) {
            case Resolution.Resolved(var template, _) -> virtualPods(template, plannedAt);
            case Resolution.PodTemplateNotFound(_) -> List.of();
            case Resolution.ScalableNotFound(_, _) -> List.of();
            case Resolution.Failed(_) -> List.of();
        };
    }

    /// Volumes are left out: their claims are a real pod's to make.
    private List<Pod> virtualPods(Pod template, Instant plannedAt) {
        var marks =
                new TreeMap<>(
                        Map.of(
                                AnnotationKeys.BUFFER_POD, "true",
                                AnnotationKeys.BUFFER_NAME, name.name(),
                                AnnotationKeys.BUFFER_NAMESPACE, name.namespace()));
        var pods = new ArrayList<Pod>();
        var count = podCount();
        for (var number = 1; number <= count; number++) {
            pods.add(
                    new Pod(
                            podName(number),
                            uid + "-" + number,
                            plannedAt,
                            template.labels(),
                            marks,
                            template.requests(),
                            template.placement(),
                            template.hostPorts(),
                            List.of(),
                            template.hasResourceClaims(),
                            VIRTUAL));
        }
        return pods;
    }

    /// How many virtual pods stand for the buffer in a plan.
    public int podCount() {
        return Math.min(size(), PODS_MAX);
    }

    /// The name of the virtual pod of this number, from 1 up.
    public ObjectName podName(int number) {
        return new ObjectName(
                name.namespace(), "capacity-buffer-%s-%d".formatted(name.name(), number));
    }

    /// The buffer a virtual pod stands for, or null when the pod is real.
    public static @Nullable ObjectName bufferOf(Pod pod) {
        var namespace = pod.annotations().get(AnnotationKeys.BUFFER_NAMESPACE);
        var name = pod.annotations().get(AnnotationKeys.BUFFER_NAME);
        return isVirtual(pod) && namespace != null && name != null
                ? new ObjectName(namespace, name)
                : null;
    }

    public static boolean isVirtual(Pod pod) {
        return "true".equals(pod.annotations().get(AnnotationKeys.BUFFER_POD));
    }
}
