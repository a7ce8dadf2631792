package dev.millwright.testing.bench.fleet;

import com.sun.management.OperatingSystemMXBean;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.MethodCase;
import dev.millwright.core.disruption.WholeFleet;
import dev.millwright.testing.bench.comparison.Fields;
import dev.millwright.testing.kit.generator.PlainJson;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Decides about one fleet again and again in this JVM, then carries out what was decided until
/// nothing more is found, and prints what it cost as a line of JSON: `FleetRuns cheapest|karpenter
/// RUNS WARM_MILLIS FILE`.
///
/// CPU time is that of the whole process, with the collector's and the compiler's threads.
public final class FleetRuns {

    private static final double NANOS_PER_MILLI = 1e6;

    private static final int WARMUPS_MAX = 200;

    /// A run repeats a quick decision until it has taken so long: the system counts a process's CPU
    /// time in hundredths of a second.
    private static final double RUN_MILLIS_MIN = 500;

    /// More would be a circle.
    private static final int PASSES_MAX = 20_000;

    /// The methods that consolidate, in the operator's order.
    private static final List<DisruptionMethod> METHODS =
            Arrays.stream(DisruptionMethod.values())
                    .filter(DisruptionMethod::isConsolidation)
                    .toList();

    private record Cost(double wallMillis, double cpuMillis) {}

    private record Made(List<Decision> decisions, Cost cost) {

        List<Command> commands() {
            return decisions.getLast().commands();
        }

        /// Nodes that the search of the whole fleet did not come to.
        Set<String> unseen() {
            var names = new HashSet<String>();
            for (var decision : decisions) {
                if (decision.method() == DisruptionMethod.WHOLE_FLEET) {
                    names.addAll(decision.search().unseen());
                }
            }
            return names;
        }

        boolean isOutOfEffort() {
            return decisions.stream().anyMatch(each -> each.search().isOutOfEffort());
        }
    }

    private final StandingFleet fleet;
    private Set<String> unseen = new HashSet<>();

    private FleetRuns(StandingFleet fleet) {
        this.fleet = fleet;
    }

    public static void main(String[] arguments) {
        if (arguments.length != 4) {
            System.err.println("usage: FleetRuns cheapest|karpenter RUNS WARM_MILLIS FILE");
            System.exit(2);
        }
        System.out.println(
                PlainJson.text(
                        measure(
                                arguments[0],
                                Integer.parseInt(arguments[1]),
                                Long.parseLong(arguments[2]),
                                Path.of(arguments[3])),
                        false));
    }

    static Map<String, Object> measure(String method, int runs, long warmMillis, Path file) {
        var consolidation =
                switch (method) {
                    case "cheapest" ->
                            new Settings.Consolidation(true, WholeFleet.HORIZON_DEFAULT, false);
                    case "karpenter" -> Settings.Consolidation.KARPENTER;
                    default ->
                            throw new IllegalArgumentException(
                                    "method \"%s\"; wanted cheapest or karpenter"
                                            .formatted(method));
                };
        return new FleetRuns(StandingFleet.read(file, consolidation)).measure(runs, warmMillis);
    }

    private Map<String, Object> measure(int runCount, long warmMillis) {
        var nodes = fleet.nodes();
        var price = fleet.pricePerHour();
        var cold = decide(1);
        warmUp(warmMillis);
        var first = measured(runCount);
        var passes = passes();
        // Made anew, as the last decision of the passes may have begun with nodes left over.
        unseen = Set.of();
        var last = measured(runCount);
        return Fields.of(
                "nodes",
                nodes,
                "pods",
                fleet.pods(),
                "pricePerHour",
                price,
                "cold",
                summary(cold),
                "first",
                summary(first),
                "last",
                summary(last),
                "passes",
                passes,
                "final",
                Fields.of(
                        "nodes",
                        fleet.nodes(),
                        "pricePerHour",
                        fleet.pricePerHour(),
                        "podsMoved",
                        fleet.podsMoved(),
                        "nodesGone",
                        fleet.nodesGone(),
                        "nodesBought",
                        fleet.nodesBought(),
                        "cpuMillis",
                        passes.stream().mapToDouble(each -> number(each, "cpuMillis")).sum()));
    }

    /// By CPU time, so that a busy machine warms up as far as an idle one.
    private void warmUp(long warmMillis) {
        var warmups = 0;
        for (var spent = 0.0; warmups < WARMUPS_MAX && spent < warmMillis; warmups++) {
            spent += decide(1).cost().cpuMillis();
        }
    }

    /// The median of some runs.
    private Made measured(int runCount) {
        var once = decide(1);
        var repeats = (int) Math.ceil(RUN_MILLIS_MIN / Math.max(1, once.cost().cpuMillis()));
        var costs = new ArrayList<Cost>();
        for (var run = 0; run < runCount; run++) {
            // Garbage of the run before is not this run's.
            System.gc();
            costs.add(decide(repeats).cost());
        }
        return new Made(
                once.decisions(),
                new Cost(
                        median(costs.stream().map(Cost::wallMillis).toList()),
                        median(costs.stream().map(Cost::cpuMillis).toList())));
    }

    /// All decisions from here on, the last of which finds nothing.
    private List<Map<String, Object>> passes() {
        unseen = new HashSet<>();
        var passes = new ArrayList<Map<String, Object>>();
        while (passes.size() < PASSES_MAX) {
            var made = decide(1);
            if (!made.commands().isEmpty()) {
                fleet.carryOut(made.commands());
            }
            var pass = summary(made);
            pass.put("pricePerHour", fleet.pricePerHour());
            passes.add(pass);
            // What a search did not come to is looked at first by the next.
            unseen = made.unseen();
            if (made.commands().isEmpty() && unseen.isEmpty()) {
                return passes;
            }
        }
        throw new IllegalStateException("no end after %d passes".formatted(PASSES_MAX));
    }

    private static Map<String, Object> summary(Made made) {
        var commands = made.commands();
        return Fields.of(
                "method",
                made.decisions().getLast().method().consolidationType(),
                "commands",
                commands.size(),
                "nodesGone",
                commands.stream().mapToInt(each -> each.candidates().size()).sum(),
                "nodesBought",
                commands.stream().mapToInt(each -> each.replacements().size()).sum(),
                "isOutOfEffort",
                made.isOutOfEffort(),
                "cpuMillis",
                made.cost().cpuMillis(),
                "wallMillis",
                made.cost().wallMillis());
    }

    private static double number(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    private static double median(List<Double> figures) {
        // Of an even number the greater one of the middle: never in our favour.
        return figures.stream().sorted().toList().get(figures.size() / 2);
    }

    /// From the caches to the commands of the first method that has some, again and again; the cost
    /// is of one.
    private Made decide(int times) {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var cpuBefore = system.getProcessCpuTime();
        var wallBefore = System.nanoTime();
        var decisions = decisions(fleet.problem());
        for (var more = 1; more < times; more++) {
            decisions = decisions(fleet.problem());
        }
        var wall = System.nanoTime() - wallBefore;
        var cpu = system.getProcessCpuTime() - cpuBefore;
        return new Made(
                decisions, new Cost(wall / NANOS_PER_MILLI / times, cpu / NANOS_PER_MILLI / times));
    }

    private List<Decision> decisions(DisruptionProblem problem) {
        var decisions = new ArrayList<Decision>();
        for (var method : METHODS) {
            var decision = decision(problem, method);
            decisions.add(decision);
            if (!decision.commands().isEmpty()) {
                break;
            }
        }
        return decisions;
    }

    private Decision decision(DisruptionProblem problem, DisruptionMethod method) {
        var seen = method == DisruptionMethod.WHOLE_FLEET ? unseen : Set.<String>of();
        return new MethodCase(
                        problem,
                        method,
                        DisruptionOptions.NONE,
                        new MethodCase.Memory(Map.of(), seen, Map.of()))
                .decide();
    }
}
