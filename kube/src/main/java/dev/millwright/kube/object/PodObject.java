package dev.millwright.kube.object;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A pod, with what draining and measuring ask besides scheduling.
public record PodObject(
        Meta meta,
        Pod pod,
        Resources limits,
        int priority,
        String priorityClassName,
        @Nullable Long graceSeconds,
        @Nullable Instant scheduledAt,
        @Nullable Instant readyAt,
        boolean isReady)
        implements KubeObject {

    /// Where the pod runs; empty while it waits.
    public String nodeName() {
        var node = pod.state().nodeName();
        return node == null ? "" : node;
    }

    public boolean isTerminal() {
        return pod.state().isTerminal();
    }

    public boolean isDeleting() {
        return meta.isDeleting();
    }

    /// Still running or about to: neither ended nor on its way out.
    public boolean isActive() {
        return !isTerminal() && !isDeleting();
    }

    public boolean isCritical() {
        return priorityClassName.equals("system-cluster-critical")
                || priorityClassName.equals("system-node-critical");
    }
}
