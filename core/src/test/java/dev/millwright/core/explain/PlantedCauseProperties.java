package dev.millwright.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.explain.PlantedCause.Planted;
import dev.millwright.core.explain.PodExplanation.Fix;
import dev.millwright.core.explain.PodExplanation.Verdict;
import dev.millwright.core.explain.PodExplanation.Way;
import dev.millwright.core.scheduling.Planner;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// The first advice names the one cause that was planted.
final class PlantedCauseProperties {

    /// 240 of what keeps pods waiting, 60 of what keeps nodes.
    private static final int CASES = 300;

    private static final int NODE_CASES = 60;
    private static final double NAMED_SHARE = 0.95;
    private static final List<PlantedCause> CAUSES = List.of(PlantedCause.values());
    private static final List<PlantedGuard> GUARDS = List.of(PlantedGuard.values());

    private record Case(Planted planted, PodExplanation explanation) {

        List<Way> ways() {
            return explanation.fix() instanceof Fix.Found(var ways) ? ways : List.of();
        }

        boolean isNamed() {
            var ways = ways();
            if (!ways.isEmpty()) {
                return ways.getFirst().changes().size() == 1
                        && planted.topics().contains(ways.getFirst().changes().getFirst().topic());
            }
            return planted.topics().stream().anyMatch(said()::contains);
        }

        private String said() {
            return explanation.fix() instanceof Fix.None(var why)
                    ? why
                    : explanation.verdict() instanceof Verdict.NotOurs(var why) ? why : "";
        }

        private boolean works(Way way) {
            var changed = planted.problem();
            for (var change : way.changes()) {
                changed = change.applied(changed, planted.pod());
            }
            return Planner.plan(changed).waiting().stream()
                    .noneMatch(each -> each.pod().equals(planted.pod().name()));
        }

        private boolean opensIsolation(Way way) {
            return way.changes().stream()
                    .anyMatch(
                            change ->
                                    change instanceof PoolChange.DropTaint
                                            || change instanceof PodChange.Tolerate);
        }

        @Override
        public String toString() {
            return "%s: %s %s"
                    .formatted(
                            planted,
                            explanation.verdict(),
                            ways().stream()
                                            .map(
                                                    way ->
                                                            way.changes().stream()
                                                                    .map(Change::describe)
                                                                    .collect(
                                                                            Collectors.joining(
                                                                                    " and ")))
                                            .collect(Collectors.joining("; or "))
                                    + said());
        }
    }

    private static final List<Case> ALL =
            LongStream.range(0, CASES - NODE_CASES)
                    .mapToObj(seed -> CAUSES.get((int) (seed % CAUSES.size())).planted(seed))
                    .map(
                            planted ->
                                    new Case(
                                            planted,
                                            new PodExplainer(planted.problem())
                                                    .explain(planted.pod().name())))
                    .toList();

    /// A node that is kept: what was planted, and what is said.
    private record NodeCase(
            long seed,
            PlantedGuard guard,
            DisruptionProblem problem,
            NodeExplanation.@Nullable Fix fix) {

        static NodeCase of(long seed) {
            var guard = GUARDS.get((int) (seed % GUARDS.size()));
            var problem = guard.planted(seed);
            var explanation = new NodeExplainer(problem).explain("a");
            return new NodeCase(
                    seed, guard, problem, explanation == null ? null : explanation.fix());
        }

        List<NodeChange> changes() {
            return fix instanceof NodeExplanation.Fix.Found(var changes, _) ? changes : List.of();
        }

        boolean isNamed() {
            return changes().size() == 1 && guard.mend().isInstance(changes().getFirst());
        }

        boolean works() {
            var changed = problem;
            for (var change : changes()) {
                changed = change.applied(changed);
            }
            var explanation = new NodeExplainer(changed).explain("a");
            return explanation != null
                    && explanation.verdict() instanceof NodeExplanation.Verdict.Goes;
        }
    }

    private static final List<NodeCase> NODES =
            LongStream.range(0, NODE_CASES).mapToObj(NodeCase::of).toList();

    @Test
    void theFirstAdviceNamesThePlantedCause() {
        var missed = new ArrayList<Object>();
        ALL.stream().filter(each -> !each.isNamed()).forEach(missed::add);
        NODES.stream().filter(each -> !each.isNamed()).forEach(missed::add);
        assertThat(1 - (double) missed.size() / CASES)
                .as(() -> missed.stream().map(Object::toString).collect(Collectors.joining("\n")))
                .isGreaterThanOrEqualTo(NAMED_SHARE);
    }

    @Test
    void everyAdviceForANodeWasTriedAndWorks() {
        assertThat(NODES).allMatch(NodeCase::works);
    }

    @Test
    void everyAdviceWasTriedAndWorks() {
        assertThat(ALL)
                .filteredOn(each -> !each.ways().isEmpty())
                .hasSizeGreaterThan((CASES - NODE_CASES) * 4 / 5)
                .allMatch(each -> each.ways().stream().allMatch(each::works));
    }

    @Test
    void noAdviceOpensWhatIsSetApartWhereAnotherWorks() {
        assertThat(ALL)
                .filteredOn(each -> !each.planted().cause().isOfTaint())
                .noneMatch(each -> each.ways().stream().anyMatch(each::opensIsolation));
    }
}
