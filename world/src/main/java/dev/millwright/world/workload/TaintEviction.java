package dev.millwright.world.workload;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.DirtyKeys;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.NodeFacts;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Deletes pods from nodes whose `NoExecute` taints they do not tolerate, or not for ever.
final class TaintEviction {

    private final Ledger ledger;
    private final Agenda agenda;
    private final Writes writes;
    private final DirtyKeys<ObjectName> dirty;

    /// Since when a pod is on a node with such taints, by uid.
    private final Map<String, Instant> since = new HashMap<>();

    TaintEviction(Ledger ledger, Agenda agenda, WorkloadSettings settings) {
        this.ledger = ledger;
        this.agenda = agenda;
        this.writes = new Writes(ledger.store(), "taint-eviction-controller");
        this.dirty = new DirtyKeys<>(agenda, settings.latency(), this::sync);
        ledger.watchNodes(this::nodeChanged);
        ledger.watchPods(this::podChanged);
    }

    private void nodeChanged(@Nullable NodeFacts before, @Nullable NodeFacts after) {
        if (after != null
                && (hasNoExecute(after) || (before != null && hasNoExecute(before)))
                && (before == null || !before.taints().equals(after.taints()))) {
            ledger.podsOn(after.name()).forEach(pod -> dirty.mark(pod.name()));
        }
    }

    private void podChanged(@Nullable PodFacts before, @Nullable PodFacts after) {
        if (after == null && before != null) {
            since.remove(before.uid());
        }
        if (after != null && after.isBound() && (before == null || !before.isBound())) {
            var node = ledger.node(after.nodeName());
            if (node != null && hasNoExecute(node)) {
                dirty.mark(after.name());
            }
        }
    }

    private static boolean hasNoExecute(NodeFacts node) {
        return node.taints().stream().anyMatch(taint -> taint.effect() == Effect.NO_EXECUTE);
    }

    private void sync(ObjectName name) {
        var pod = ledger.pod(name);
        var node = pod == null ? null : ledger.node(pod.nodeName());
        if (pod == null || node == null || !pod.isActive()) {
            return;
        }
        var deadline = deadline(pod, node);
        if (deadline == null) {
            since.remove(pod.uid());
            return;
        }
        if (deadline.isAfter(agenda.instant())) {
            dirty.markAt(name, deadline);
        } else {
            writes.delete(ResourceType.POD, name, pod.uid());
        }
    }

    /// When the pod must go; null when it may stay.
    private @Nullable Instant deadline(PodFacts pod, NodeFacts node) {
        Instant deadline = null;
        for (var value : Reading.list(node.object(), "spec", "taints")) {
            var read = Reading.taints(Tree.list(List.of(value)));
            if (!read.isEmpty() && read.getFirst().effect() == Effect.NO_EXECUTE) {
                var end = end(pod, read.getFirst(), value);
                if (end != null && (deadline == null || end.isBefore(deadline))) {
                    deadline = end;
                }
            }
        }
        return deadline;
    }

    private @Nullable Instant end(PodFacts pod, Taint taint, Value value) {
        var added = Reading.instant(value, "timeAdded");
        var start = added == null ? since.computeIfAbsent(pod.uid(), _ -> agenda.instant()) : added;
        for (var toleration : Reading.list(pod.object(), "spec", "tolerations")) {
            var read = Reading.tolerations(Tree.list(List.of(toleration)));
            if (!read.isEmpty() && read.getFirst().tolerates(taint)) {
                var seconds = Reading.number(toleration, "tolerationSeconds");
                return seconds == null ? null : start.plusSeconds(Math.max(0, seconds));
            }
        }
        return Instant.MIN;
    }
}
