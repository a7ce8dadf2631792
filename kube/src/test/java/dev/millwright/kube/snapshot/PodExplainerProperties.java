package dev.millwright.kube.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.Change;
import dev.millwright.core.explain.Isolation;
import dev.millwright.core.explain.PodExplainer;
import dev.millwright.core.explain.PodExplanation.Fix;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.WaitReason;
import dev.millwright.testing.kit.generator.Seeds;
import dev.millwright.testing.kit.generator.Worlds;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/// On random worlds: every change that is proposed works, and nearly none is larger than needed.
@Tag("seeds")
final class PodExplainerProperties {

    private static final int CASES = Seeds.areMany() ? 300 : 40;

    /// Waiting pods of one world that are asked about: many wait for the same reason.
    private static final int PODS_PER_WORLD = 2;

    private static final double MINIMAL_SHARE = 0.95;

    private record Case(long seed, SchedulingProblem problem, Pod pod, Fix fix) {

        @Override
        public String toString() {
            return "seed %d, pod %s: %s".formatted(seed, pod, fix);
        }

        List<Change> changes() {
            return fix instanceof Fix.Found found ? found.first().changes() : List.of();
        }
    }

    private static final List<Case> ALL = cases();

    private static List<Case> cases() {
        var cases = new ArrayList<Case>();
        for (var seed = 1L; cases.size() < CASES; seed++) {
            var problem = Worlds.random(seed, Worlds.SMALL);
            var explainer = new PodExplainer(problem);
            var waiting = Planner.plan(problem).waiting();
            for (var each : waiting.subList(0, Math.min(waiting.size(), PODS_PER_WORLD))) {
                var explanation = explainer.explain(each.pod());
                if (!(each.reason() instanceof WaitReason.ReservationPending)
                        && explanation != null
                        && explanation.fix() != null) {
                    cases.add(new Case(seed, problem, pod(problem, each.pod()), explanation.fix()));
                }
            }
        }
        return cases;
    }

    private static Pod pod(SchedulingProblem problem, ObjectName name) {
        return problem.snapshot().pods().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static boolean flips(Case one, List<Change> changes) {
        var changed = one.problem();
        for (var change : changes) {
            changed = change.applied(changed, one.pod());
        }
        return Planner.plan(changed).waiting().stream()
                .noneMatch(each -> each.pod().equals(one.pod().name()));
    }

    @Test
    void everyProposedChangeWorks() {
        assertThat(ALL)
                .filteredOn(each -> !each.changes().isEmpty())
                .hasSizeGreaterThan(CASES / 2)
                .allMatch(each -> flips(each, each.changes()));
    }

    @Test
    void noFewerChangesWouldDo() {
        var tooMany = ALL.stream().filter(PodExplainerProperties::hasFewer).toList();
        assertThat((double) tooMany.size() / ALL.size())
                .as("too much was asked for in %s", tooMany)
                .isLessThanOrEqualTo(1 - MINIMAL_SHARE);
    }

    /// One change less than proposed; for a pod that was told nothing helps, a single one.
    private static boolean hasFewer(Case one) {
        var isolation = new Isolation(one.problem(), one.pod());
        // One that lets the pod in where nodes are set apart is no smaller than one that does not.
        var all =
                AllChanges.of(one.problem(), one.pod()).stream()
                        .filter(
                                each ->
                                        isolation.isOpenedBy(one.changes())
                                                || !isolation.isOpenedBy(List.of(each)))
                        .toList();
        var isSingle = all.stream().anyMatch(change -> flips(one, List.of(change)));
        return switch (one.changes().size()) {
            case 1 -> false;
            case 3 -> isSingle || hasPair(one, all);
            default -> isSingle;
        };
    }

    private static boolean hasPair(Case one, List<Change> all) {
        for (var first = 0; first < all.size(); first++) {
            for (var second = first + 1; second < all.size(); second++) {
                if (flips(one, List.of(all.get(first), all.get(second)))) {
                    return true;
                }
            }
        }
        return false;
    }
}
