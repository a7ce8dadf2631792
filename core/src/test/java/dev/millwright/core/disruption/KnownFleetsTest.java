package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.FleetBuilder.whole;
import static dev.millwright.core.disruption.MachineBuilder.spotMachine;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Known fleets are consolidated in a known way: what makes a decision worse, or another one, shows
/// here first.
final class KnownFleetsTest {

    private static final List<InstanceType> TYPES =
            List.of(
                    type("c-4", 4, 1).build(),
                    type("c-8", 8, 1.9).build(),
                    type("c-16", 16, 3.6).build(),
                    type("c-32", 32, 7).build(),
                    type("m-8", 8)
                            .memory("32Gi")
                            .offering("test-zone-1", "on-demand", 2.5)
                            .build());

    /// Fleets of a dozen nodes, drawn by their number.
    enum Kind {
        SLACK(0.45),
        DENSE(0.8),
        BUDGETED(0.45) {
            @Override
            FleetBuilder changed(FleetBuilder fleet) {
                return fleet.with(
                        disruptionBudget("web", Map.of("app", "0")).disruptionsAllowed(2));
            }
        },
        FEW_AT_ONCE(0.45) {
            @Override
            PoolRules changed(PoolRules rules) {
                return rules.withBudgets(FleetBuilder.budgets("3"));
            }
        },
        BALANCED(0.5) {
            @Override
            PoolRules changed(PoolRules rules) {
                return rules.withPolicy(PoolRules.Consolidation.BALANCED);
            }
        },
        TWO_POOLS(0.45) {
            @Override
            String pool(int node) {
                return node % 3 == 0 ? "other" : "default";
            }
        },
        SPOT(0.4) {
            @Override
            MachineBuilder machine(String name, InstanceType type) {
                return spotMachine(name, type);
            }

            @Override
            FleetBuilder changed(FleetBuilder fleet) {
                return fleet.spotToSpot();
            }
        };

        private final double fill;

        Kind(double fill) {
            this.fill = fill;
        }

        FleetBuilder changed(FleetBuilder fleet) {
            return fleet;
        }

        PoolRules changed(PoolRules rules) {
            return rules;
        }

        String pool(int node) {
            return "default";
        }

        MachineBuilder machine(String name, InstanceType type) {
            return MachineBuilder.machine(name, type);
        }

        FleetBuilder drawn(long seed, boolean isWhole) {
            var random = new Random(seed);
            var types = TYPES.toArray(InstanceType[]::new);
            var chosen = IntStream.range(0, 12).mapToObj(_ -> types[random.nextInt(4)]).toList();
            var fleet =
                    fleet().selling(types)
                            .pool(nodePool("default"), each -> rules(each, isWhole))
                            .pool(nodePool("other"), each -> rules(each, isWhole))
                            .with(
                                    IntStream.range(0, 12)
                                            .mapToObj(
                                                    each ->
                                                            machine(
                                                                            "n" + (10 + each),
                                                                            chosen.get(each))
                                                                    .pool(pool(each)))
                                            .toArray(MachineBuilder[]::new))
                            .with(
                                    IntStream.range(0, 12)
                                            .boxed()
                                            .flatMap(
                                                    each ->
                                                            pods(
                                                                    "n" + (10 + each),
                                                                    cores(chosen.get(each)),
                                                                    random))
                                            .toArray(PodBuilder[]::new));
            return changed(fleet);
        }

        private PoolRules rules(PoolRules plain, boolean isWhole) {
            var rules = changed(plain);
            return isWhole ? whole(rules, Duration.ofHours(2)) : rules;
        }

        private static double cores(InstanceType type) {
            return type.capacity().amount("cpu").toDouble();
        }

        private Stream<PodBuilder> pods(String node, double cores, Random random) {
            var count = 1 + random.nextInt(4);
            return IntStream.range(0, count)
                    .mapToObj(
                            each -> {
                                var millis =
                                        (int)
                                                (1_000
                                                        * cores
                                                        * fill
                                                        / count
                                                        * (0.5 + random.nextDouble()));
                                var mebibytes =
                                        (int)
                                                (1_500
                                                        * cores
                                                        * fill
                                                        / count
                                                        * random.nextDouble()
                                                        * 1.3);
                                return running(node + "-" + each, node, millis + "m")
                                        .memory(mebibytes + "Mi")
                                        .label("app", Integer.toString(each));
                            });
        }
    }

    private static String told(Decision decision) {
        var commands =
                decision.commands().stream()
                        .map(
                                each ->
                                        String.format(
                                                Locale.ROOT,
                                                "%s %s for %d (%.2f)",
                                                each.decision(),
                                                String.join(" ", each.nodes()),
                                                each.replacements().size(),
                                                each.savedPerHour()))
                        .collect(Collectors.joining("; "));
        var kept =
                decision.kept().values().stream()
                        .collect(
                                Collectors.groupingBy(
                                        KeepReason::label, TreeMap::new, Collectors.counting()));
        return (commands.isEmpty() ? "no command;" : commands) + " kept " + kept;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    SLACK | WHOLE_FLEET | 1 | delete n16 n18 n10 for 0 (12.50) kept {NotItsTurn=7, TooTight=2}
                    SLACK | WHOLE_FLEET | 2 | delete n10 n18 n12 n15 n13 for 0 (25.60) kept {NotItsTurn=7}
                    SLACK | WHOLE_FLEET | 3 | delete n16 n11 n15 n20 n21 n14 for 0 (20.70) kept {NotItsTurn=6}
                    SLACK | MULTI_NODE | 1 | delete n18 n19 n16 for 0 (12.50) kept {}
                    SLACK | MULTI_NODE | 2 | delete n18 n10 n12 n15 for 0 (24.60) kept {}
                    SLACK | SINGLE_NODE | 1 | delete n18 for 0 (7.00) kept {NotItsTurn=11}
                    DENSE | WHOLE_FLEET | 1 | delete n12 n16 for 0 (3.80); replace n13 for 1 (0.90) kept {NotCheaper=2, NotItsTurn=6, TooTight=1}
                    DENSE | WHOLE_FLEET | 2 | delete n10 for 0 (3.60); replace n12 for 1 (3.40) kept {NotCheaper=1, NotItsTurn=8, TooTight=1}
                    DENSE | WHOLE_FLEET | 3 | replace n11 n10 n20 n15 for 1 (7.40) kept {NotCheaper=2, NotItsTurn=4, PodsUnmovable=1, TooTight=1}
                    DENSE | WHOLE_FLEET | 4 | delete n10 for 0 (3.60); replace n17 for 1 (0.90) kept {NotCheaper=3, NotItsTurn=7}
                    DENSE | WHOLE_FLEET | 5 | delete n13 for 0 (3.60); replace n20 for 1 (2.60) kept {NotItsTurn=9, TooTight=1}
                    DENSE | WHOLE_FLEET | 6 | replace n19 n12 n10 for 1 (3.80) kept {NotCheaper=3, NotItsTurn=5, TooTight=1}
                    DENSE | WHOLE_FLEET | 7 | delete n20 n15 n14 for 0 (5.70) kept {NotCheaper=4, NotItsTurn=5}
                    DENSE | WHOLE_FLEET | 8 | delete n19 n15 for 0 (2.00) kept {NotCheaper=7, PodsUnmovable=1, TooTight=2}
                    DENSE | WHOLE_FLEET | 9 | delete n17 for 0 (7.00); replace n15 for 1 (5.10) kept {NotCheaper=2, NotItsTurn=8}
                    DENSE | MULTI_NODE | 1 | no command; kept {}
                    DENSE | MULTI_NODE | 2 | no command; kept {}
                    DENSE | SINGLE_NODE | 1 | delete n16 for 0 (1.90) kept {NotCheaper=2, NotItsTurn=9}
                    BUDGETED | WHOLE_FLEET | 1 | delete n18 n17 for 0 (10.60) kept {NotItsTurn=10}
                    BUDGETED | WHOLE_FLEET | 2 | delete n16 n19 for 0 (14.00) kept {NotItsTurn=10}
                    BUDGETED | WHOLE_FLEET | 3 | delete n19 n20 for 0 (10.60) kept {NotItsTurn=10}
                    BUDGETED | MULTI_NODE | 1 | delete n18 n19 n16 for 0 (12.50) kept {}
                    BUDGETED | MULTI_NODE | 2 | delete n18 n10 n12 n15 for 0 (24.60) kept {}
                    BUDGETED | SINGLE_NODE | 1 | delete n18 for 0 (7.00) kept {NotItsTurn=11}
                    FEW_AT_ONCE | WHOLE_FLEET | 1 | delete n16 n18 n10 for 0 (12.50) kept {NotItsTurn=7, TooTight=2}
                    FEW_AT_ONCE | WHOLE_FLEET | 2 | delete n16 n19 n12 for 0 (21.00) kept {NotItsTurn=9}
                    FEW_AT_ONCE | WHOLE_FLEET | 3 | delete n16 n20 n11 for 0 (14.20) kept {NotItsTurn=9}
                    FEW_AT_ONCE | MULTI_NODE | 1 | delete n18 n19 n16 for 0 (12.50) kept {PoolBudgetSpent=9}
                    FEW_AT_ONCE | MULTI_NODE | 2 | delete n18 n10 n12 for 0 (17.60) kept {PoolBudgetSpent=9}
                    FEW_AT_ONCE | SINGLE_NODE | 1 | delete n18 for 0 (7.00) kept {NotItsTurn=11}
                    BALANCED | WHOLE_FLEET | 1 | delete n13 n19 n16 n17 n21 for 0 (12.00) kept {NotItsTurn=7}
                    BALANCED | WHOLE_FLEET | 2 | delete n16 for 0 (7.00); replace n19 n12 n15 for 1 (17.40) kept {NotItsTurn=7, TooTight=1}
                    BALANCED | WHOLE_FLEET | 3 | delete n20 n16 n11 n15 for 0 (17.80) kept {NotItsTurn=8}
                    BALANCED | MULTI_NODE | 1 | replace n18 n19 for 1 (9.60) kept {}
                    BALANCED | MULTI_NODE | 2 | replace n18 n10 n12 n15 for 1 (22.70) kept {}
                    BALANCED | SINGLE_NODE | 1 | delete n18 for 0 (7.00) kept {NotItsTurn=11}
                    TWO_POOLS | WHOLE_FLEET | 1 | delete n16 n18 n10 for 0 (12.50) kept {NotItsTurn=7, TooTight=2}
                    TWO_POOLS | WHOLE_FLEET | 2 | delete n10 n18 n12 n15 n13 for 0 (25.60) kept {NotItsTurn=7}
                    TWO_POOLS | WHOLE_FLEET | 3 | delete n16 n11 n15 n20 n21 n14 for 0 (20.70) kept {NotItsTurn=6}
                    TWO_POOLS | MULTI_NODE | 1 | delete n18 n19 n16 for 0 (12.50) kept {}
                    TWO_POOLS | MULTI_NODE | 2 | delete n18 n10 n12 n15 for 0 (24.60) kept {}
                    TWO_POOLS | SINGLE_NODE | 1 | delete n18 for 0 (7.00) kept {NotItsTurn=11}
                    SPOT | WHOLE_FLEET | 1 | delete n19 for 0 (3.60); replace n18 n17 n10 for 1 (12.30) kept {NeedsSeveralNodes=1, NotItsTurn=7}
                    SPOT | WHOLE_FLEET | 2 | delete n10 n18 n12 n15 n11 n14 n17 for 0 (29.40) kept {NotItsTurn=5}
                    SPOT | WHOLE_FLEET | 3 | delete n16 n20 n11 n15 n21 n17 n12 for 0 (24.30) kept {NotItsTurn=5}
                    SPOT | MULTI_NODE | 1 | replace n18 n19 n16 n17 for 1 (15.10) kept {}
                    SPOT | MULTI_NODE | 2 | replace n18 n10 n12 n15 n19 for 1 (29.70) kept {}
                    SPOT | SINGLE_NODE | 1 | delete n18 for 0 (7.00) kept {NotItsTurn=11}
                    """)
    void aKnownFleetIsConsolidatedInAKnownWay(
            Kind kind, DisruptionMethod method, long seed, String told) {
        var fleet = kind.drawn(seed, method == DisruptionMethod.WHOLE_FLEET);

        assertThat(told(fleet.decide(method))).isEqualTo(told);
    }
}
