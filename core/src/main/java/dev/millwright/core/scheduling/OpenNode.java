package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.scheduling.PodClass.Wish;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A node that is there or on its way, as it fills up.
final class OpenNode {

    private final NodeRoom room;
    private final long[] available;
    private final boolean isUsable;
    private final List<HostPort> hostPorts;
    private SequencedMap<String, SequencedSet<ObjectName>> attachments;
    private final List<Integer> pods = new ArrayList<>();

    OpenNode(Ground.Place place) {
        this.room = place.room();
        this.available = place.supply().clone();
        this.isUsable = place.isUsable();
        this.hostPorts = new ArrayList<>(room.hostPorts());
        this.attachments = room.attachments();
    }

    NodeRoom room() {
        return room;
    }

    String name() {
        return room.node().name();
    }

    String hostName() {
        return room.node().hostName();
    }

    Requirements labels() {
        return room.labels();
    }

    List<Taint> taints() {
        return room.taints();
    }

    /// Pods placed in this pass, in order.
    List<Integer> pods() {
        return pods;
    }

    /// Whether taints, labels, ports and room allow the pod. A refusal holds for the rest of the
    /// pass: none of them changes for the better.
    boolean isOpenTo(PodClass podClass, Wish wish) {
        if (room.node().isInsideConsolidateAfter() && !podClass.isFreeToMove()) {
            return false;
        }
        return isUsable
                && fits(podClass.requests())
                && Taint.firstUntolerated(room.taints(), wish.placement().tolerations()) == null
                && !OpenClaim.clash(hostPorts, podClass.hostPorts())
                && (wish.wanted().isEmpty() || room.labels().isCompatible(wish.wanted(), Set.of()));
    }

    /// What is left of the resource, counted.
    long left(int resource) {
        return available[resource];
    }

    private boolean fits(long[] requests) {
        for (var index = 0; index < requests.length; index++) {
            if (requests[index] > available[index]) {
                return false;
            }
        }
        return true;
    }

    /// Whether the pod's volumes can be attached. Limits of all drivers are looked at, so that a
    /// node over one limit takes no pod.
    boolean attaches(PodVolumes volumes) {
        for (var limit : room.node().volumeLimits().entrySet()) {
            var attached = new TreeSet<>(attachments.getOrDefault(limit.getKey(), new TreeSet<>()));
            attached.addAll(volumes.attachments().getOrDefault(limit.getKey(), new TreeSet<>()));
            if (attached.size() > limit.getValue()) {
                return false;
            }
        }
        return true;
    }

    void add(int pod, PodClass podClass) {
        var requests = podClass.requests();
        for (var index = 0; index < requests.length; index++) {
            available[index] -= requests[index];
        }
        pods.add(pod);
        hostPorts.addAll(podClass.hostPorts());
        if (!podClass.volumes().attachments().isEmpty()) {
            attach(podClass.volumes());
        }
    }

    /// The room's own is shared with other passes.
    private void attach(PodVolumes more) {
        var all = new TreeMap<String, SequencedSet<ObjectName>>();
        attachments.forEach((driver, volumes) -> all.put(driver, new TreeSet<>(volumes)));
        more.attachments()
                .forEach(
                        (driver, volumes) ->
                                all.computeIfAbsent(driver, _ -> new TreeSet<>()).addAll(volumes));
        attachments = all;
    }
}
