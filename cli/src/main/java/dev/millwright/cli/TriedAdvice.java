package dev.millwright.cli;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.PodExplainer;
import dev.millwright.core.explain.PodExplanation;
import dev.millwright.core.explain.PodExplanation.Fix;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/// Says beside a plan what would give a pod that waits a place: a change that was planned again
/// with, or nothing.
///
/// A table must not take minutes for it: only the first groups are asked about, with few plans, and
/// none after [#TIME_MAX]. `explain pod` searches for longer.
final class TriedAdvice {

    private static final int GROUPS_MAX = 10;
    private static final int PLANS_MAX = 40;
    private static final Duration TIME_MAX = Duration.ofSeconds(3);

    private final SchedulingProblem problem;
    private final LongSupplier nanos;
    private int asked;
    private long spentNanos;

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
        var fix = new PodExplainer(problem, PLANS_MAX).advise(pod.name());
        spentNanos += nanos.getAsLong() - begin;
        return fix instanceof Fix.Found found
                ? List.of("=> " + words(found.first(), pod))
                : List.of();
    }

    private static String words(PodExplanation.Way way, Pod pod) {
        return way.changes().stream()
                .map(change -> "%s: %s".formatted(change.object(pod), change.describe()))
                .collect(Collectors.joining("; and "));
    }
}
