package dev.millwright.core.cluster;

import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Resources;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A pod as far as scheduling looks at it. `requests` are the effective ones, with the pod's own
/// slot ([Container#podRequests]).
public record Pod(
        ObjectName name,
        String uid,
        Instant createdAt,
        SequencedMap<String, String> labels,
        SequencedMap<String, String> annotations,
        Resources requests,
        PodPlacement placement,
        List<HostPort> hostPorts,
        List<PodVolume> volumes,
        boolean hasResourceClaims,
        PodState state) {

    public Pod {
        labels = Collections.unmodifiableSequencedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSequencedMap(new TreeMap<>(annotations));
        hostPorts = List.copyOf(hostPorts);
        volumes = List.copyOf(volumes);
    }

    public Pod withPlacement(PodPlacement other) {
        return new Pod(
                name,
                uid,
                createdAt,
                labels,
                annotations,
                requests,
                other,
                hostPorts,
                volumes,
                hasResourceClaims,
                state);
    }

    public Pod withAnnotations(SequencedMap<String, String> others) {
        return new Pod(
                name,
                uid,
                createdAt,
                labels,
                others,
                requests,
                placement,
                hostPorts,
                volumes,
                hasResourceClaims,
                state);
    }

    public Pod withRequests(Resources others) {
        return new Pod(
                name,
                uid,
                createdAt,
                labels,
                annotations,
                others,
                placement,
                hostPorts,
                volumes,
                hasResourceClaims,
                state);
    }

    public Pod withHostPorts(List<HostPort> others) {
        return new Pod(
                name,
                uid,
                createdAt,
                labels,
                annotations,
                requests,
                placement,
                others,
                volumes,
                hasResourceClaims,
                state);
    }

    public Pod withState(PodState other) {
        return new Pod(
                name,
                uid,
                createdAt,
                labels,
                annotations,
                requests,
                placement,
                hostPorts,
                volumes,
                hasResourceClaims,
                other);
    }

    /// Whether the pod asks to be left alone by drains: it will go down with its node.
    public boolean toleratesDisruption() {
        return placement.tolerations().stream()
                .anyMatch(toleration -> toleration.tolerates(Taint.DISRUPTED));
    }

    /// Whether an eviction of the pod makes sense, apart from annotations and budgets.
    public boolean isEvictable() {
        return state.isActive() && !state.isMirror() && !toleratesDisruption();
    }

    /// Whether an annotation guards the pod against being evicted now. One that has ended or is on
    /// its way out needs no guard.
    public boolean isGuarded(Instant now) {
        return annotations.containsKey(LabelKeys.DO_NOT_DISRUPT)
                && state.isActive()
                && DoNotDisrupt.of(this, now).isActive();
    }

    /// Whether its workload would rather make a copy than have it evicted.
    public boolean wantsCopyFirst() {
        return "true".equals(annotations.get(ControlKeys.MAKE_BEFORE_BREAK))
                && state.isOwnedBy("apps/v1", "ReplicaSet");
    }

    /// Whether the pod will come back elsewhere when its node goes, as far as can be said now:
    /// nothing keeps it from being evicted for longer than a budget that is merely used up.
    public boolean isReschedulable(DisruptionBudgets budgets, Instant now) {
        return state.isReschedulable()
                && !isGuarded(now)
                && (wantsCopyFirst() || budgets.atAll(this).isFree());
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
