package dev.millwright.controllers.pod;

import dev.millwright.kube.object.PodObject;

import java.time.Duration;
import java.time.Instant;

/// What draining asks about a pod. Each rule is a function of the pod and the time.
public final class PodRules {

    /// A kubelet that has not stopped a pod this long after its time is taken for dead.
    public static final Duration STUCK_AFTER = Duration.ofMinutes(1);

    private PodRules() {}

    /// Whether a drain makes the pod leave at all. Others go down with their node: those that
    /// tolerate the taint, those the kubelet runs by itself, and those it fails to stop.
    public static boolean isDrainable(PodObject pod, Instant now) {
        return !pod.pod().toleratesDisruption()
                && !isStuckTerminating(pod, now)
                && !pod.pod().state().isMirror();
    }

    /// Whether a drain is not over while the pod is there. A pod that is guarded by an annotation
    /// is waited for.
    public static boolean isWaitingEviction(PodObject pod, Instant now) {
        return !pod.isTerminal() && isDrainable(pod, now);
    }

    /// Whether to ask for the pod's eviction now. Budgets are the API server's to judge.
    public static boolean isEvictable(PodObject pod, Instant now) {
        return pod.pod().isEvictable() && isDisruptable(pod, now);
    }

    /// Whether no annotation guards the pod. One that is not active needs no guard.
    public static boolean isDisruptable(PodObject pod, Instant now) {
        return !pod.pod().isGuarded(now);
    }

    /// Whether the pod would come back elsewhere when its node goes.
    public static boolean isReschedulable(PodObject pod) {
        return pod.pod().state().isReschedulable();
    }

    /// A pod's deletion timestamp is the end of its grace, not its beginning.
    static boolean isStuckTerminating(PodObject pod, Instant now) {
        var end = pod.meta().deletedAt();
        return end != null && now.isAfter(end.plus(STUCK_AFTER));
    }
}
