package dev.millwright.cli;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.PodExplainer;
import dev.millwright.core.explain.PodExplanation;
import dev.millwright.core.explain.PodExplanation.Fix;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.Simulator;

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

    /// Lines for the pod; none where no change is known.
    List<String> of(Pod pod) {
        if (asked >= GROUPS_MAX || spentNanos > TIME_MAX.toNanos()) {
            return List.of();
        }
        asked++;
        var begin = nanos.getAsLong();
        var fix = new PodExplainer(problem, plans()).advise(pod.name());
        spentNanos += nanos.getAsLong() - begin;
        return fix instanceof Fix.Found found
                ? List.of("=> " + words(found.first(), pod))
                : List.of();
    }

    private int plans() {
        if (planNanos == 0) {
            var begin = nanos.getAsLong();
            new Simulator(problem).without(List.of(), Packing.FIRST_FIT);
            planNanos = Math.max(1, nanos.getAsLong() - begin);
        }
        return Math.clamp((TIME_MAX.toNanos() - spentNanos) / planNanos, PLANS_MIN, PLANS_MAX);
    }

    private static String words(PodExplanation.Way way, Pod pod) {
        return way.changes().stream()
                .map(change -> "%s: %s".formatted(change.object(pod), change.describe()))
                .collect(Collectors.joining("; and "));
    }
}
