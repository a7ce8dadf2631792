package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.Drift;
import dev.millwright.core.disruption.Emptiness;
import dev.millwright.core.disruption.MultiNode;
import dev.millwright.core.disruption.SingleNode;
import dev.millwright.core.disruption.Validation;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

/// What holds of every decision on every fleet. A failure names its seed.
final class DisruptionProperties {

    private static final int SEEDS = 60;

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    /// Two pools, up to twelve nodes, up to six pods on each.
    private static DisruptionStage fleet(long seed) {
        var chance = new Random(seed);
        var stage = new DisruptionStage();
        stage.rig.cloud().types(FakeCatalogue.linear(20));
        var budgets = List.of("0", "1", "2", "20%", "50%", "100%");
        for (var pool : List.of("default", "other")) {
            var budget = budgets.get(chance.nextInt(budgets.size()));
            stage.rig.apply(
                    DisruptionStage.pool(
                            pool,
                            DisruptionStage.disruption(budget)
                                    .put(
                                            "consolidationPolicy",
                                            chance.nextInt(3) == 0
                                                    ? "Balanced"
                                                    : "WhenEmptyOrUnderutilized")
                                    .mapping()));
        }
        var count = 1 + chance.nextInt(12);
        for (var index = 0; index < count; index++) {
            var cpus = 1 + chance.nextInt(16);
            var name = "n" + index;
            var node =
                    new FleetNode(name)
                            .type("fake-it-" + (cpus - 1), Integer.toString(cpus))
                            .pool(chance.nextBoolean() ? "default" : "other")
                            .label(
                                    "topology.kubernetes.io/zone",
                                    "test-zone-" + (1 + chance.nextInt(3)))
                            .consolidatable(chance.nextInt(5) > 0);
            if (chance.nextInt(4) == 0) {
                node.drifted();
            }
            if (chance.nextInt(10) == 0) {
                node.notReady();
            }
            stage.add(node);
            var left = cpus * 1_000 - 100;
            for (var pod = 0; pod < chance.nextInt(7); pod++) {
                var millis = 100 + chance.nextInt(1_500);
                if (millis <= left) {
                    left -= millis;
                    var guarded = chance.nextInt(15) == 0;
                    var manifest =
                            DisruptionStage.pod(name + "-" + pod, name)
                                    .requests("cpu", millis + "m");
                    stage.rig.apply(
                            guarded
                                    ? manifest.annotation("karpenter.sh/do-not-disrupt", "true")
                                    : manifest);
                }
            }
        }
        return stage;
    }

    private static List<Decision> decisions(DisruptionProblem problem) {
        return List.of(
                Emptiness.decide(
                        Emptiness.candidacy(problem), Allowances.of(problem, Reason.EMPTY)),
                Drift.decide(
                        problem, Drift.candidacy(problem), Allowances.of(problem, Reason.DRIFTED)),
                MultiNode.decide(
                        problem,
                        MultiNode.candidacy(problem),
                        Allowances.of(problem, Reason.UNDERUTILIZED)),
                SingleNode.decide(
                        problem,
                        SingleNode.candidacy(problem),
                        Allowances.of(problem, Reason.UNDERUTILIZED),
                        Set.of()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void budgetsHoldAndEveryOtherNodeHasAReason(long seed) {
        var problem = fleet(seed).problem();
        for (var decision : decisions(problem)) {
            var gone = new HashMap<String, Integer>();
            var named = new ArrayList<String>();
            for (var command : decision.commands()) {
                command.candidates().forEach(each -> gone.merge(each.nodePool(), 1, Integer::sum));
                named.addAll(command.nodes());
            }
            var allowances = Allowances.of(problem, decision.method().reason());
            gone.forEach(
                    (pool, count) ->
                            assertThat(count)
                                    .as("seed %d: nodes of %s", seed, pool)
                                    .isLessThanOrEqualTo(allowances.left(pool)));
            if (decision.method() != dev.millwright.core.disruption.DisruptionMethod.MULTI_NODE) {
                var all = new ArrayList<>(named);
                all.addAll(decision.kept().keySet());
                assertThat(all)
                        .as("seed %d: %s", seed, decision.method())
                        .containsExactlyInAnyOrderElementsOf(
                                problem.machines().stream().map(each -> each.name()).toList());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noConsolidationRaisesThePrice(long seed) {
        for (var decision : decisions(fleet(seed).problem())) {
            if (!decision.method().consolidationType().isEmpty()) {
                for (var command : decision.commands()) {
                    var most = dearest(command);
                    var price =
                            command.candidates().stream()
                                    .mapToDouble(each -> each.pricePerHour())
                                    .sum();
                    assertThat(most).as("seed %d: %s", seed, command.summary()).isLessThan(price);
                }
            }
        }
    }

    private static double dearest(Command command) {
        var sum = 0.0;
        for (var replacement : command.replacements()) {
            if (replacement instanceof Replacement.Planned(var claim)) {
                sum +=
                        claim.types().stream()
                                .mapToDouble(type -> type.pricePerHour())
                                .max()
                                .orElse(0);
            }
        }
        return sum;
    }

    /// A command is valid on the cluster it was made for.
    @ParameterizedTest
    @MethodSource("seeds")
    void whatHasNotChangedIsStillValid(long seed) {
        var problem = fleet(seed).problem();
        for (var decision : decisions(problem)) {
            for (var command : decision.commands()) {
                assertThat(Validation.of(problem, command))
                        .as("seed %d: %s", seed, command.summary())
                        .isInstanceOf(Validation.Holds.class);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theOrderOfMachinesDoesNotMatter(long seed) {
        var problem = fleet(seed).problem();
        var machines = new ArrayList<>(problem.machines());
        Collections.shuffle(machines, new Random(seed));
        var shuffled =
                new DisruptionProblem(
                        problem.scheduling(), machines, problem.pools(), problem.isSpotToSpot());

        assertThat(summaries(shuffled)).as("seed %d", seed).isEqualTo(summaries(problem));
    }

    private static List<String> summaries(DisruptionProblem problem) {
        return decisions(problem).stream()
                .flatMap(decision -> decision.commands().stream())
                .map(Command::summary)
                .toList();
    }
}
