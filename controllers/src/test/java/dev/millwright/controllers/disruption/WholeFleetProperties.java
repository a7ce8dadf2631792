package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.Validation;
import dev.millwright.core.disruption.WholeFleet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/// What holds of every fleet that is consolidated as a whole. A failure names its seed.
final class WholeFleetProperties {

    private static final int SEEDS = 100;
    private static final double ROUNDING = 1e-9;

    private static final Settings.Consolidation WHOLE =
            new Settings.Consolidation(true, WholeFleet.HORIZON_DEFAULT, false);

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    /// [FleetPlay] fails when a pod has no place after a command, or when a command does not lower
    /// the price.
    @ParameterizedTest
    @MethodSource("seeds")
    void everyCommandLeavesAPlaceForEachPodAndALowerPrice(long seed) {
        var play = FleetPlay.of(seed, WHOLE).atTheDearest();
        var before = play.price();

        assertThat(play.toQuiet().price()).as("seed %d", seed).isLessThanOrEqualTo(before);
    }

    /// Both ways end where no single step helps any more, and not always in the same place: of a
    /// few fleets in a hundred node by node has the luckier end.
    @Test
    void fleetsAreCheaperAndDisturbedLessThanNodeByNode() {
        var whole = new Sum();
        var nodeByNode = new Sum();
        var dearer = new ArrayList<Long>();
        seeds().forEach(
                        seed -> {
                            var one = whole.add(FleetPlay.of(seed, WHOLE).toQuiet());
                            var other =
                                    nodeByNode.add(
                                            FleetPlay.of(seed, Settings.Consolidation.KARPENTER)
                                                    .toQuiet());
                            if (one > other + ROUNDING) {
                                dearer.add(seed);
                            }
                        });

        assertThat(whole.price).isLessThan(nodeByNode.price);
        assertThat(whole.evictions).isLessThan(nodeByNode.evictions);
        assertThat(dearer).hasSizeLessThan(SEEDS / 10);
    }

    private static final class Sum {
        private double price;
        private int evictions;

        double add(FleetPlay play) {
            price += play.price();
            evictions += play.evictions();
            return play.price();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatHasNotChangedIsStillValidWithinBudgetsAndEveryOtherNodeHasAReason(long seed) {
        var problem = FleetPlay.of(seed, WHOLE).problem();
        var allowances = Allowances.of(problem, DisruptionMethod.WHOLE_FLEET.reason());
        var decision =
                WholeFleet.decide(problem, WholeFleet.candidacy(problem), allowances, Set.of());
        var gone = new HashMap<String, Integer>();
        var named = new ArrayList<>(decision.kept().keySet());
        for (var command : decision.commands()) {
            command.candidates().forEach(each -> gone.merge(each.nodePool(), 1, Integer::sum));
            named.addAll(command.nodes());
        }

        gone.forEach(
                (pool, count) ->
                        assertThat(count)
                                .as("seed %d: nodes of %s", seed, pool)
                                .isLessThanOrEqualTo(allowances.left(pool)));
        assertThat(named)
                .as("seed %d", seed)
                .containsExactlyInAnyOrderElementsOf(
                        problem.machines().stream().map(each -> each.name()).toList());
        assertThat(validations(problem, decision))
                .as("seed %d", seed)
                .allMatch(Validation.Holds.class::isInstance);
    }

    private static List<Validation> validations(DisruptionProblem problem, Decision decision) {
        return decision.commands().isEmpty()
                ? List.of()
                : WholeFleet.validate(problem, decision.commands());
    }
}
