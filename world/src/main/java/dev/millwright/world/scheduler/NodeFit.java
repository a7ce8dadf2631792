package dev.millwright.world.scheduler;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Whether a node by itself will do for a pod, whatever other nodes hold.
final class NodeFit {

    private static final Taint UNSCHEDULABLE =
            new Taint("node.kubernetes.io/unschedulable", "", Effect.NO_SCHEDULE);

    private NodeFit() {}

    /// Null when it will.
    static @Nullable Reason obstacle(PodClass kind, NodeSlot slot) {
        var traits = traits(kind, slot);
        if (traits != null) {
            return traits;
        }
        if (!portsAreFree(kind, slot)) {
            return Reason.PORTS;
        }
        return fits(kind, slot) ? null : Reason.RESOURCES;
    }

    private static @Nullable Reason traits(PodClass kind, NodeSlot slot) {
        if (!kind.knows(slot)) {
            kind.remember(slot, traits(kind.wish(), slot));
        }
        return kind.verdict(slot);
    }

    private static @Nullable Reason traits(PodWish wish, NodeSlot slot) {
        if (slot.isUnschedulable() && !tolerates(wish.tolerations(), UNSCHEDULABLE)) {
            return Reason.UNSCHEDULABLE;
        }
        if (untolerated(wish, slot) != null) {
            return Reason.TAINT;
        }
        return matchesAffinity(wish, slot) ? null : Reason.NODE_AFFINITY;
    }

    private static boolean tolerates(List<Toleration> tolerations, Taint taint) {
        for (var toleration : tolerations) {
            if (toleration.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }

    /// The first taint that keeps the pod away, or null.
    static @Nullable Taint untolerated(PodWish wish, NodeSlot slot) {
        for (var taint : slot.taints()) {
            if (taint.effect() != Effect.PREFER_NO_SCHEDULE
                    && !tolerates(wish.tolerations(), taint)) {
                return taint;
            }
        }
        return null;
    }

    static boolean matchesAffinity(PodWish wish, NodeSlot slot) {
        for (var entry : wish.nodeSelector().entrySet()) {
            if (!entry.getValue().equals(slot.labels().get(entry.getKey()))) {
                return false;
            }
        }
        var required = wish.required();
        return required == null || NodeTerm.anyMatches(required, slot.name(), slot.labels());
    }

    private static boolean portsAreFree(PodClass kind, NodeSlot slot) {
        var ports = kind.wish().ports();
        if (ports.isEmpty()) {
            return true;
        }
        for (var other : slot.podsWithPorts()) {
            for (var taken : other.kind().wish().ports()) {
                if (ports.stream().anyMatch(taken::clashesWith)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean fits(PodClass kind, NodeSlot slot) {
        var requests = kind.requests();
        for (var place = 0; place < requests.length; place++) {
            if (lacks(slot, requests, place)) {
                return false;
            }
        }
        return true;
    }

    private static boolean lacks(NodeSlot slot, long[] requests, int place) {
        return requests[place] > 0 && requests[place] > slot.allocatable(place) - slot.used(place);
    }

    /// What the node has too little of.
    static List<String> lacking(PodClass kind, NodeSlot slot, ResourceIndex index) {
        var names = new ArrayList<String>();
        var requests = kind.requests();
        for (var place = 0; place < requests.length; place++) {
            if (lacks(slot, requests, place)) {
                names.add(index.name(place));
            }
        }
        return names;
    }
}
