package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Resources;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How much kube-scheduler likes a node for a pod, as far as it depends on what is there: much room
/// left, processors and memory used alike, and few pods of the same workload near.
final class Liking {

    private static final int SCORE_MAX = 100;
    private static final int SPREAD_WEIGHT = 2;

    /// kube-scheduler's own constraints for pods that have none.
    private static final int NODE_SKEW = 3;

    private static final int ZONE_SKEW = 5;

    private final List<OpenNode> nodes;
    private final int cpu;
    private final int memory;
    private final long[][] totals;
    private final int[] zones;
    private final int zoneCount;
    private final Map<String, Integer> places = new HashMap<>();

    /// Pods of each workload by node.
    private final Map<String, int[]> siblings = new HashMap<>();

    Liking(Pass pass, Snapshot snapshot) {
        this.nodes = pass.nodes();
        var resources = pass.problem().resources();
        this.cpu = resources.indexOf(Resources.CPU);
        this.memory = resources.indexOf(Resources.MEMORY);
        this.totals = new long[nodes.size()][];
        this.zones = new int[nodes.size()];
        var names = new HashMap<String, Integer>();
        for (var place = 0; place < zones.length; place++) {
            var node = nodes.get(place).room().node();
            totals[place] = resources.supply(node.allocatable());
            var zone = node.labels().get(LabelKeys.ZONE);
            zones[place] = zone == null ? -1 : names.computeIfAbsent(zone, _ -> names.size());
            places.put(node.name(), place);
        }
        this.zoneCount = names.size();
        for (var pod : snapshot.pods()) {
            var place = places.get(pod.state().nodeName());
            if (place != null && pod.state().isActive()) {
                placed(pod, place);
            }
        }
    }

    void placed(Pod pod, int place) {
        var workload = workload(pod);
        if (!workload.isEmpty()) {
            siblings.computeIfAbsent(workload, _ -> new int[nodes.size()])[place]++;
        }
    }

    /// Empty for a pod of its own.
    private static String workload(Pod pod) {
        var owner = pod.state().controller();
        return owner == null ? "" : owner.uid();
    }

    /// The first of those liked best.
    int best(Pod pod, PodClass podClass, List<Integer> takers) {
        var scores = new long[takers.size()];
        for (var index = 0; index < scores.length; index++) {
            scores[index] = room(takers.get(index), podClass.requests());
        }
        if (pod.placement().spread().isEmpty()) {
            var counts = siblings.get(workload(pod));
            if (counts != null) {
                addSpread(scores, takers, counts);
            }
        }
        var best = 0;
        for (var index = 1; index < scores.length; index++) {
            if (scores[index] > scores[best]) {
                best = index;
            }
        }
        return takers.get(best);
    }

    private long room(int place, long[] requests) {
        var ofCpu = used(place, cpu, requests);
        var ofMemory = used(place, memory, requests);
        var free = (free(ofCpu) + free(ofMemory)) / 2;
        var balance = (long) ((1 - Math.abs(ofCpu - ofMemory) / 2) * SCORE_MAX);
        return free + balance;
    }

    private double used(int place, int resource, long[] requests) {
        if (resource < 0 || totals[place][resource] <= 0) {
            return 0;
        }
        var total = totals[place][resource];
        var used = total - nodes.get(place).left(resource) + requests[resource];
        return Math.min(1, (double) used / total);
    }

    private static long free(double used) {
        return (long) ((1 - used) * SCORE_MAX);
    }

    private void addSpread(long[] scores, List<Integer> takers, int[] counts) {
        var byZone = new int[zoneCount];
        for (var place = 0; place < counts.length; place++) {
            if (zones[place] >= 0) {
                byZone[zones[place]] += counts[place];
            }
        }
        var nodeWeight = Math.log(takers.size() + 2.0);
        var zoneWeight = Math.log(zonesOf(takers) + 2.0);
        var sums = new long[scores.length];
        var most = 0L;
        var least = Long.MAX_VALUE;
        for (var index = 0; index < sums.length; index++) {
            var place = takers.get(index);
            var sum = counts[place] * nodeWeight + (NODE_SKEW - 1);
            if (zones[place] >= 0) {
                sum += byZone[zones[place]] * zoneWeight + (ZONE_SKEW - 1);
            }
            sums[index] = Math.round(sum);
            most = Math.max(most, sums[index]);
            least = Math.min(least, sums[index]);
        }
        for (var index = 0; index < sums.length && most > 0; index++) {
            scores[index] += SPREAD_WEIGHT * (SCORE_MAX * (most + least - sums[index]) / most);
        }
    }

    private long zonesOf(List<Integer> takers) {
        return takers.stream()
                .mapToInt(place -> zones[place])
                .filter(zone -> zone >= 0)
                .distinct()
                .count();
    }
}
