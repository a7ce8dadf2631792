package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.store.ApiStore;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;

/// Whom a more important pod would drive out, and from where.
final class Preemption {

    /// Nodes looked at for one pod.
    private static final int NODES_MAX = 100;

    /// Added to priorities, so that each victim adds to a sum.
    private static final long PRIORITY_SHIFT = 1L << 31;

    record Plan(NodeSlot slot, List<PlacedPod> victims, int violations) {}

    private final Board board;
    private final ApiStore store;
    private final Function<ObjectName, Instant> startedAt;

    Preemption(Board board, ApiStore store, Function<ObjectName, Instant> startedAt) {
        this.board = board;
        this.store = store;
        this.startedAt = startedAt;
    }

    /// Null when nobody's going would help.
    @Nullable Plan plan(PodClass kind, VolumeTrial volumes) {
        if (!kind.wish().preempts() || !board.holdsBelow(kind.wish().priority())) {
            return null;
        }
        var trial = new Trial(board, kind, volumes);
        var places = new ArrayList<NodeSlot>();
        for (var slot : board.nodes()) {
            var reason = trial.obstacle(slot);
            if (reason != null && !reason.isFinal() && places.size() < NODES_MAX) {
                places.add(slot);
            }
        }
        var plans = new ArrayList<Plan>();
        for (var slot : places) {
            var plan = plan(kind, volumes, slot);
            if (plan != null) {
                plans.add(plan);
            }
        }
        return plans.stream().min(order()).orElse(null);
    }

    private Comparator<Plan> order() {
        return Comparator.comparingInt(Plan::violations)
                .thenComparingInt(Preemption::highest)
                .thenComparingLong(
                        plan ->
                                plan.victims().stream()
                                        .mapToLong(victim -> priority(victim) + PRIORITY_SHIFT)
                                        .sum())
                .thenComparingInt(plan -> plan.victims().size())
                .thenComparing(this::youngestStart, Comparator.reverseOrder());
    }

    private static int highest(Plan plan) {
        return plan.victims().stream()
                .mapToInt(Preemption::priority)
                .max()
                .orElse(Integer.MIN_VALUE);
    }

    /// The earliest start among the most important victims.
    private Instant youngestStart(Plan plan) {
        var highest = highest(plan);
        return plan.victims().stream()
                .filter(victim -> priority(victim) == highest)
                .map(victim -> startedAt.apply(victim.name()))
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    private static int priority(PlacedPod pod) {
        return pod.kind().wish().priority();
    }

    /// Takes all less important pods away, then gives back one after another what can stay, the
    /// most important first.
    private @Nullable Plan plan(PodClass kind, VolumeTrial volumes, NodeSlot slot) {
        var lower = new ArrayList<PlacedPod>();
        for (var pod : slot.pods().values()) {
            if (priority(pod) < kind.wish().priority()) {
                lower.add(pod);
            }
        }
        lower.forEach(board::lift);
        var victims = new ArrayList<PlacedPod>();
        var violations = 0;
        var fits = !lower.isEmpty() && new Trial(board, kind, volumes).obstacle(slot) == null;
        if (fits) {
            var guarded = guarded(lower);
            var order =
                    Comparator.comparing((PlacedPod pod) -> !guarded.contains(pod.name()))
                            .thenComparing(Preemption::priority, Comparator.reverseOrder())
                            .thenComparing(pod -> startedAt.apply(pod.name()))
                            .thenComparing(PlacedPod::name);
            for (var pod : lower.stream().sorted(order).toList()) {
                board.put(pod);
                if (new Trial(board, kind, volumes).obstacle(slot) != null) {
                    board.lift(pod);
                    victims.add(pod);
                    violations += guarded.contains(pod.name()) ? 1 : 0;
                }
            }
            victims.forEach(board::put);
        } else {
            lower.forEach(board::put);
        }
        return fits ? new Plan(slot, List.copyOf(victims), violations) : null;
    }

    /// Those whose going a budget does not allow.
    private List<ObjectName> guarded(List<PlacedPod> pods) {
        var guarded = new ArrayList<ObjectName>();
        var left = new HashMap<ObjectName, Integer>();
        for (var pod : pods) {
            for (var budget : store.all(ResourceType.POD_DISRUPTION_BUDGET)) {
                var name = Metadata.of(budget).name();
                var selector = Reading.selector(budget, "spec", "selector");
                if (!name.namespace().equals(pod.name().namespace())
                        || selector == null
                        || selector.isEmpty()
                        || !selector.matches(pod.kind().wish().labels())) {
                    continue;
                }
                var allowed =
                        left.computeIfAbsent(
                                name,
                                _ -> Reading.number(0, budget, "status", "disruptionsAllowed"));
                left.put(name, allowed - 1);
                if (allowed <= 0) {
                    guarded.add(pod.name());
                }
            }
        }
        return guarded;
    }
}
