package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.store.ApiStore;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Finds the best node for a pod among those that will do.
final class Search {

    /// Below this many nodes all are looked at; above, a share of them that falls with their
    /// number.
    private static final int NODES_LOOKED_AT_MIN = 100;

    private static final int SHARE_MAX = 50;
    private static final int SHARE_MIN = 5;
    private static final int NODES_PER_SHARE = 125;
    private static final int PERCENT = 100;

    sealed interface Result {}

    /// With the claims that still need a volume there.
    record Found(NodeSlot slot, List<ObjectName> unbound) implements Result {}

    /// There is no place yet, but there would be without these.
    record Behind(Preemption.Plan plan, String message) implements Result {}

    record Nowhere(String message) implements Result {}

    private final Board board;
    private final ApiStore store;
    private final Preemption preemption;
    private final Nominations nominations;
    private long freed = 1;
    private long placed = 1;
    private int start;

    Search(Board board, ApiStore store, Preemption preemption, Nominations nominations) {
        this.board = board;
        this.store = store;
        this.preemption = preemption;
        this.nominations = nominations;
    }

    /// Pods that found no place may find one now.
    void somethingFreed() {
        freed++;
    }

    /// Pods that wait for others may find a place now.
    void somethingPlaced() {
        placed++;
    }

    /// `mayPreempt` says whether others may be driven out for it.
    Result find(ObjectName pod, PodClass kind, boolean mayPreempt, Chance chance) {
        var guests = nominations.place(board, pod, kind.wish().priority());
        var result = find(kind, mayPreempt, chance);
        guests.forEach(board::lift);
        return result;
    }

    private Result find(PodClass kind, boolean mayPreempt, Chance chance) {
        var known = kind.failure(freed, kind.wish().isHelpedByOthers() ? placed : 0);
        if (known != null) {
            return new Nowhere(known);
        }
        var volumes = VolumeTrial.of(store, kind.wish().claims());
        var fault = volumes.fault();
        if (fault != null) {
            return nowhere(kind, "0/%d nodes are available: %s".formatted(count(), fault));
        }
        var trial = new Trial(board, kind, volumes);
        var feasible = feasible(trial);
        if (feasible.isEmpty()) {
            var message = explain(kind, trial);
            var plan = mayPreempt ? preemption.plan(kind, volumes) : null;
            return plan == null ? nowhere(kind, message) : new Behind(plan, message);
        }
        return new Found(chance.pick(best(kind, feasible)), volumes.unbound());
    }

    private int count() {
        return board.nodes().size();
    }

    private Nowhere nowhere(PodClass kind, String message) {
        kind.failed(freed, kind.wish().isHelpedByOthers() ? placed : 0, message);
        return new Nowhere(message);
    }

    private List<NodeSlot> feasible(Trial trial) {
        var found = new ArrayList<NodeSlot>();
        var named = trial.named();
        if (named != null) {
            for (var slot : named) {
                if (trial.obstacle(slot) == null) {
                    found.add(slot);
                }
            }
            return found;
        }
        var nodes = board.nodes();
        var wanted = wanted(nodes.size());
        var looked = 0;
        while (looked < nodes.size() && found.size() < wanted) {
            var slot = nodes.get((start + looked) % nodes.size());
            if (trial.obstacle(slot) == null) {
                found.add(slot);
            }
            looked++;
        }
        start = nodes.isEmpty() ? 0 : (start + looked) % nodes.size();
        return found;
    }

    private static int wanted(int nodes) {
        if (nodes < NODES_LOOKED_AT_MIN) {
            return nodes;
        }
        var share = Math.max(SHARE_MIN, SHARE_MAX - nodes / NODES_PER_SHARE);
        return Math.max(NODES_LOOKED_AT_MIN, nodes * share / PERCENT);
    }

    private List<NodeSlot> best(PodClass kind, List<NodeSlot> feasible) {
        if (feasible.size() == 1) {
            return feasible;
        }
        var scores = new Ranking(board, kind, feasible).scores();
        var best = new ArrayList<NodeSlot>();
        var most = Long.MIN_VALUE;
        for (var i = 0; i < scores.length; i++) {
            if (scores[i] > most) {
                most = scores[i];
                best.clear();
            }
            if (scores[i] == most) {
                best.add(feasible.get(i));
            }
        }
        return best;
    }

    /// Looks at all nodes, and changes nothing.
    KubeScheduler.Verdict judge(PodClass kind) {
        var volumes = VolumeTrial.of(store, kind.wish().claims());
        var fault = volumes.fault();
        if (fault != null) {
            return new KubeScheduler.Verdict(List.of(), List.of(), fault);
        }
        var trial = new Trial(board, kind, volumes);
        var feasible = board.nodes().stream().filter(slot -> trial.obstacle(slot) == null).toList();
        return feasible.isEmpty()
                ? new KubeScheduler.Verdict(List.of(), List.of(), explain(kind, trial))
                : new KubeScheduler.Verdict(names(feasible), names(best(kind, feasible)), "");
    }

    private static List<String> names(List<NodeSlot> slots) {
        return slots.stream().map(NodeSlot::name).sorted().toList();
    }

    private String explain(PodClass kind, Trial trial) {
        var counts = new TreeMap<String, Integer>();
        for (var slot : board.nodes()) {
            var reason = trial.obstacle(slot);
            for (var text : texts(reason, kind, slot)) {
                counts.merge(text, 1, Integer::sum);
            }
        }
        var parts = new ArrayList<String>();
        counts.forEach((text, number) -> parts.add(number + " " + text));
        var nodes = count();
        return nodes == 0
                ? "no nodes available to schedule pods"
                : "0/%d nodes are available: %s.".formatted(nodes, String.join(", ", parts));
    }

    private List<String> texts(@Nullable Reason reason, PodClass kind, NodeSlot slot) {
        if (reason == null) {
            return List.of();
        }
        return reason == Reason.RESOURCES
                ? NodeFit.lacking(kind, slot, board.resources()).stream()
                        .map(name -> reason.text() + " " + name)
                        .toList()
                : List.of(reason.text());
    }
}
