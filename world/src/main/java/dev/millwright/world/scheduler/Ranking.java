package dev.millwright.world.scheduler;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.world.scheduler.PodClass.Near;
import dev.millwright.world.scheduler.PodClass.SpreadRule;

import java.util.Arrays;
import java.util.List;

/// Which of the nodes that would do is liked best: the sum of several scores of 0 to 100, each with
/// its weight.
final class Ranking {

    private static final int SCORE_MAX = 100;
    private static final int TAINTS_WEIGHT = 3;
    private static final int AFFINITY_WEIGHT = 2;
    private static final int SPREAD_WEIGHT = 2;
    private static final int PODS_WEIGHT = 2;

    private final Board board;
    private final PodClass kind;
    private final List<NodeSlot> nodes;

    Ranking(Board board, PodClass kind, List<NodeSlot> nodes) {
        this.board = board;
        this.kind = kind;
        this.nodes = nodes;
    }

    /// In the order of the nodes.
    long[] scores() {
        var totals = new long[nodes.size()];
        for (var i = 0; i < totals.length; i++) {
            totals[i] = leastAllocated(nodes.get(i)) + balanced(nodes.get(i));
        }
        add(totals, taints(), TAINTS_WEIGHT);
        if (!kind.wish().preferred().isEmpty()) {
            add(totals, nodeAffinity(), AFFINITY_WEIGHT);
        }
        if (!kind.softSpread().isEmpty()) {
            add(totals, spread(), SPREAD_WEIGHT);
        }
        if (!kind.preferences().isEmpty() || !kind.preferredBy().isEmpty()) {
            add(totals, pods(), PODS_WEIGHT);
        }
        return totals;
    }

    private static void add(long[] totals, long[] scores, int weight) {
        for (var i = 0; i < totals.length; i++) {
            totals[i] += weight * scores[i];
        }
    }

    private long leastAllocated(NodeSlot slot) {
        var wish = kind.wish();
        var cpu = slot.allocatable(ResourceIndex.CPU);
        var memory = slot.allocatable(ResourceIndex.MEMORY);
        var weight = (cpu > 0 ? 1 : 0) + (memory > 0 ? 1 : 0);
        return weight == 0
                ? 0
                : (free(cpu, slot.scoredMillis() + wish.scoredMillis())
                                + free(memory, slot.scoredBytes() + wish.scoredBytes()))
                        / weight;
    }

    private static long free(long capacity, long used) {
        return capacity == 0 || used > capacity ? 0 : (capacity - used) * SCORE_MAX / capacity;
    }

    /// A pod that asks for nothing keeps every balance.
    private long balanced(NodeSlot slot) {
        if (ResourceIndex.at(kind.requests(), ResourceIndex.CPU) == 0
                && ResourceIndex.at(kind.requests(), ResourceIndex.MEMORY) == 0) {
            return 0;
        }
        var cpu = share(slot, ResourceIndex.CPU);
        var memory = share(slot, ResourceIndex.MEMORY);
        return (long) ((1 - Math.abs(cpu - memory) / 2) * SCORE_MAX);
    }

    private double share(NodeSlot slot, int resource) {
        var capacity = slot.allocatable(resource);
        var used = slot.used(resource) + ResourceIndex.at(kind.requests(), resource);
        return capacity == 0 ? 0 : Math.min(1, (double) used / capacity);
    }

    /// Fewer taints that would rather not have the pod are better.
    private long[] taints() {
        var scores = new long[nodes.size()];
        for (var i = 0; i < scores.length; i++) {
            for (var taint : nodes.get(i).taints()) {
                if (taint.effect() == Effect.PREFER_NO_SCHEDULE
                        && kind.wish().tolerations().stream()
                                .noneMatch(toleration -> toleration.tolerates(taint))) {
                    scores[i]++;
                }
            }
        }
        var most = most(scores);
        for (var i = 0; i < scores.length; i++) {
            scores[i] = most == 0 ? SCORE_MAX : SCORE_MAX - scores[i] * SCORE_MAX / most;
        }
        return scores;
    }

    private long[] nodeAffinity() {
        var scores = new long[nodes.size()];
        for (var i = 0; i < scores.length; i++) {
            var slot = nodes.get(i);
            for (var wished : kind.wish().preferred()) {
                if (wished.term().matches(slot.name(), slot.labels())) {
                    scores[i] += wished.weight();
                }
            }
        }
        var most = most(scores);
        for (var i = 0; i < scores.length && most > 0; i++) {
            scores[i] = scores[i] * SCORE_MAX / most;
        }
        return scores;
    }

    private static long most(long[] scores) {
        var most = 0L;
        for (var score : scores) {
            most = Math.max(most, score);
        }
        return most;
    }

    /// Domains with fewer of the selected pods are better; keys with many values count more.
    private long[] spread() {
        var isIgnored = new boolean[nodes.size()];
        if (kind.wish().isSpreadByItself()) {
            for (var i = 0; i < isIgnored.length; i++) {
                isIgnored[i] = !hasAllKeys(nodes.get(i));
            }
        }
        var sums = new double[nodes.size()];
        for (var rule : kind.softSpread()) {
            addSpread(sums, rule, isIgnored);
        }
        var most = 0L;
        var least = Long.MAX_VALUE;
        var scores = new long[sums.length];
        for (var i = 0; i < sums.length; i++) {
            scores[i] = Math.round(sums[i]);
            if (!isIgnored[i]) {
                most = Math.max(most, scores[i]);
                least = Math.min(least, scores[i]);
            }
        }
        for (var i = 0; i < scores.length; i++) {
            if (isIgnored[i]) {
                scores[i] = 0;
            } else {
                scores[i] = most == 0 ? SCORE_MAX : SCORE_MAX * (most + least - scores[i]) / most;
            }
        }
        return scores;
    }

    private boolean hasAllKeys(NodeSlot slot) {
        for (var rule : kind.softSpread()) {
            if (rule.topology().domain(slot) == Topology.NONE) {
                return false;
            }
        }
        return true;
    }

    private void addSpread(double[] sums, SpreadRule rule, boolean[] isIgnored) {
        var topology = rule.topology();
        var isByNode = topology.key().equals(LabelKeys.HOSTNAME);
        var counts = isByNode ? new int[0] : counts(rule);
        var weight = Math.log(domains(topology, isIgnored, isByNode) + 2.0);
        for (var i = 0; i < sums.length; i++) {
            var slot = nodes.get(i);
            var domain = topology.domain(slot);
            if (!isIgnored[i] && domain != Topology.NONE) {
                var count = isByNode ? rule.pods().at(slot) : counts[domain];
                sums[i] += count * weight + (rule.spread().maxSkew() - 1);
            }
        }
    }

    private int domains(Topology topology, boolean[] isIgnored, boolean isByNode) {
        var seen = new boolean[isByNode ? 0 : topology.size()];
        var count = 0;
        for (var i = 0; i < isIgnored.length; i++) {
            var domain = topology.domain(nodes.get(i));
            if (isIgnored[i] || (!isByNode && (domain == Topology.NONE || seen[domain]))) {
                continue;
            }
            if (!isByNode) {
                seen[domain] = true;
            }
            count++;
        }
        return count;
    }

    private int[] counts(SpreadRule rule) {
        var topology = rule.topology();
        var counts = new int[topology.size()];
        var spread = rule.spread();
        for (var slot : board.nodes()) {
            var domain = topology.domain(slot);
            if (domain != Topology.NONE
                    && (!kind.wish().isSpreadByItself() || hasAllKeys(slot))
                    && (!spread.honorsAffinity() || NodeFit.matchesAffinity(kind.wish(), slot))
                    && (!spread.honorsTaints() || NodeFit.untolerated(kind.wish(), slot) == null)) {
                counts[domain] += rule.pods().at(slot);
            }
        }
        return counts;
    }

    /// Pods the pod likes or dislikes, and pods that like or dislike it.
    private long[] pods() {
        var scores = new long[nodes.size()];
        kind.preferences().forEach(near -> addPods(scores, near));
        kind.preferredBy().forEach(near -> addPods(scores, near));
        var most = Arrays.stream(scores).max().orElse(0);
        var least = Arrays.stream(scores).min().orElse(0);
        for (var i = 0; i < scores.length; i++) {
            scores[i] = most == least ? 0 : SCORE_MAX * (scores[i] - least) / (most - least);
        }
        return scores;
    }

    private void addPods(long[] scores, Near near) {
        if (near.pods().total() == 0) {
            return;
        }
        var topology = near.topology();
        var counts = new int[topology.size()];
        for (var slot : board.nodes()) {
            var domain = topology.domain(slot);
            if (domain != Topology.NONE) {
                counts[domain] += near.pods().at(slot);
            }
        }
        for (var i = 0; i < scores.length; i++) {
            var domain = topology.domain(nodes.get(i));
            if (domain != Topology.NONE) {
                scores[i] += (long) near.weight() * counts[domain];
            }
        }
    }
}
