package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Taint;
import dev.millwright.world.cluster.NodeFacts;
import dev.millwright.world.cluster.Reading;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// A node and the pods on it. It outlives the Node object while pods name it.
final class NodeSlot {

    private final int place;
    private final String name;
    private final TreeMap<ObjectName, PlacedPod> pods = new TreeMap<>();
    private boolean isPresent;
    private Map<String, String> labels = Map.of();
    private List<Taint> taints = List.of();
    private boolean isUnschedulable;
    private long[] allocatable = new long[0];
    private long[] used = new long[0];
    private long scoredMillis;
    private long scoredBytes;
    private Map<String, Integer> volumeLimits = Map.of();
    private long traits;

    NodeSlot(int place, String name) {
        this.place = place;
        this.name = name;
    }

    int place() {
        return place;
    }

    String name() {
        return name;
    }

    boolean isPresent() {
        return isPresent;
    }

    Map<String, String> labels() {
        return labels;
    }

    List<Taint> taints() {
        return taints;
    }

    boolean isUnschedulable() {
        return isUnschedulable;
    }

    long allocatable(int resource) {
        return ResourceIndex.at(allocatable, resource);
    }

    long used(int resource) {
        return ResourceIndex.at(used, resource);
    }

    long scoredMillis() {
        return scoredMillis;
    }

    long scoredBytes() {
        return scoredBytes;
    }

    Map<String, Integer> volumeLimits() {
        return volumeLimits;
    }

    /// Changes with labels, taints and being cordoned: what was found of these holds for one
    /// number.
    long traits() {
        return traits;
    }

    /// In the order of their names.
    SortedMap<ObjectName, PlacedPod> pods() {
        return pods;
    }

    /// Whether anything changed that a pod looks at.
    boolean learn(NodeFacts node, ResourceIndex index, long nextTraits) {
        var amounts =
                index.amounts(Reading.resources(node.object(), "status", "allocatable").amounts());
        var isSameTraits =
                isPresent
                        && labels.equals(node.labels())
                        && taints.equals(node.taints())
                        && isUnschedulable == node.isUnschedulable();
        var isSame = isSameTraits && Arrays.equals(allocatable, amounts);
        isPresent = true;
        labels = node.labels();
        taints = node.taints();
        isUnschedulable = node.isUnschedulable();
        allocatable = amounts;
        if (!isSameTraits) {
            traits = nextTraits;
        }
        return !isSame;
    }

    void limit(Map<String, Integer> limits) {
        volumeLimits = limits;
    }

    void vanish() {
        isPresent = false;
        labels = Map.of();
        volumeLimits = Map.of();
    }

    void put(PlacedPod pod) {
        pods.put(pod.name(), pod);
        count(pod.kind(), 1);
    }

    void remove(PlacedPod pod) {
        pods.remove(pod.name());
        count(pod.kind(), -1);
    }

    private void count(PodClass kind, int sign) {
        used = ResourceIndex.plus(used, kind.requests(), sign);
        scoredMillis += sign * kind.wish().scoredMillis();
        scoredBytes += sign * kind.wish().scoredBytes();
    }

    List<PlacedPod> podsWithClaims() {
        var found = new ArrayList<PlacedPod>();
        for (var pod : pods.values()) {
            if (!pod.kind().wish().claims().isEmpty()) {
                found.add(pod);
            }
        }
        return found;
    }

    List<PlacedPod> podsWithPorts() {
        var found = new ArrayList<PlacedPod>();
        for (var pod : pods.values()) {
            if (!pod.kind().wish().ports().isEmpty()) {
                found.add(pod);
            }
        }
        return found;
    }
}
