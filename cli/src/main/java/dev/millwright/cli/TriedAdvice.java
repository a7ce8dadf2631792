package dev.millwright.cli;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.PodExplainer;
import dev.millwright.core.explain.PodExplanation;
import dev.millwright.core.explain.PodExplanation.Fix;
import dev.millwright.core.explain.PoolChange;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.Simulator;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/// Says beside a plan what would give a pod that waits a place: a change that was planned again
/// with, or nothing.
///
/// A table must not take minutes for it: only the first groups are asked about, with as many plans
/// as [#TIME_MAX] allows, and none after that. `explain pod` searches for longer.
final class TriedAdvice {

    private static final int GROUPS_MAX = 10;
    private static final int PLANS_MAX = 40;

    /// Even where a plan takes long: less would find nothing.
    private static final int PLANS_MIN = 10;

    private static final Duration TIME_MAX = Duration.ofSeconds(3);

    private final SchedulingProblem problem;
    private final LongSupplier nanos;
    private int asked;
    private long spentNanos;
    private long planNanos;

    TriedAdvice(SchedulingProblem problem, LongSupplier nanos) {
        this.problem = problem;
        this.nanos = nanos;
    }

    /// A line for pods that wait for one reason; none where no change is known. What helps the
    /// first of them is tried for all; where that is not enough, what helps the last.
    List<String> of(List<Pod> members) {
        if (members.isEmpty() || asked >= GROUPS_MAX || spentNanos > TIME_MAX.toNanos()) {
            return List.of();
        }
        asked++;
        var begin = nanos.getAsLong();
        var advice = best(members);
        spentNanos += nanos.getAsLong() - begin;
        return advice == null ? List.of() : List.of("=> " + words(advice, members));
    }

    /// A way, and how many of the pods get a place by it.
    private record Advice(PodExplanation.Way way, Pod pod, int placed) {}

    private @Nullable Advice best(List<Pod> members) {
        var first = advice(members.getFirst(), members);
        if (first == null || first.placed() == members.size()) {
            return first;
        }
        var last = advice(members.getLast(), members);
        return last != null && last.placed() > first.placed() ? last : first;
    }

    private @Nullable Advice advice(Pod pod, List<Pod> members) {
        return new PodExplainer(problem, plans()).advise(pod.name()) instanceof Fix.Found found
                ? new Advice(found.first(), pod, placed(found.first(), members))
                : null;
    }

    /// Pods of one workload are changed in its template, thus together; a pool is changed once.
    private int placed(PodExplanation.Way way, List<Pod> members) {
        var changed = problem;
        for (var change : way.changes()) {
            if (change instanceof PoolChange) {
                changed = change.applied(changed, members.getFirst());
            } else {
                for (var member : members) {
                    changed = change.applied(changed, member);
                }
            }
        }
        var waiting =
                new Simulator(changed)
                        .without(List.of(), Packing.FIRST_FIT).waiting().stream()
                                .map(Plan.WaitingPod::pod)
                                .collect(Collectors.toSet());
        return (int) members.stream().filter(each -> !waiting.contains(each.name())).count();
    }

    private int plans() {
        if (planNanos == 0) {
            var begin = nanos.getAsLong();
            new Simulator(problem).without(List.of(), Packing.FIRST_FIT);
            planNanos = Math.max(1, nanos.getAsLong() - begin);
        }
        return Math.clamp((TIME_MAX.toNanos() - spentNanos) / planNanos, PLANS_MIN, PLANS_MAX);
    }

    private static String words(Advice advice, List<Pod> members) {
        var changes =
                advice.way().changes().stream()
                        .map(
                                change ->
                                        "%s: %s"
                                                .formatted(
                                                        change.object(advice.pod()),
                                                        change.describe()))
                        .collect(Collectors.joining("; and "));
        return advice.placed() == members.size()
                ? changes
                : "%s (gives %,d of %,d a place)"
                        .formatted(changes, advice.placed(), members.size());
    }
}
