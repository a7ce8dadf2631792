package dev.millwright.cli;

import dev.millwright.core.scheduling.SchedulingProblem;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;

/// Solves each file again and again in a warm JVM.
@Command(
        name = "bench",
        description = "Measure how long plans take, each FILE a problem of its own.",
        footer = {"", "Example:", "  millwright bench --runs 20 -o json problem.json.gz"})
final class BenchCommand implements Callable<Integer> {

    private static final int RUNS_MAX = 100_000;

    private static final double WARM_UP_MILLIS_MIN = 2_000;

    /// What the runs of one problem came to.
    private record Measured(String name, SchedulingProblem problem, List<Planning.Measured> runs) {

        double median(ToDoubleFunction<Planning.Measured> figure) {
            return percentile(figure, 0.5);
        }

        /// The smallest figure that at least this share of the runs does not exceed.
        double percentile(ToDoubleFunction<Planning.Measured> figure, double share) {
            var sorted = runs.stream().mapToDouble(figure).sorted().toArray();
            return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
        }
    }

    private final Planning planning;
    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Mixin private PackingOptions packing = new PackingOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    @Option(
            names = "--warmups",
            paramLabel = "N",
            description =
                    "Runs before, at least, for at least two seconds of CPU; 0 is none (default: 5).")
    private int warmups = 5;

    @Option(names = "--runs", paramLabel = "N", description = "Runs measured (default: 10).")
    private int runs = 10;

    @Mixin private MarketOptions market = new MarketOptions();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "A file to read; the same as an argument.")
    private List<String> named = new ArrayList<>();

    @Parameters(arity = "0..*", paramLabel = "FILE", description = "Files to read.")
    private List<String> files = new ArrayList<>();

    BenchCommand(Planning planning, Terminal terminal) {
        this.planning = planning;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        if (runs < 1 || runs > RUNS_MAX || warmups < 0 || warmups > RUNS_MAX) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "found --runs %d and --warmups %d; wanted at least 1 and 0, at most %d"
                            .formatted(runs, warmups, RUNS_MAX));
        }
        var all = new ArrayList<>(named);
        all.addAll(files);
        if (all.isEmpty()) {
            throw new CommandLine.ParameterException(spec.commandLine(), "a FILE is missing");
        }
        var measured = new ArrayList<Measured>();
        try (var progress = new Progress(terminal)) {
            for (var file : all) {
                measured.add(measure(file, progress));
            }
        }
        show(measured);
        terminal.flush();
        return 0;
    }

    private Measured measure(String file, Progress progress) throws IOException {
        progress.step("reading " + file);
        var snapshot = planning.told(market).read(List.of(file));
        var problem = packing.applied(snapshot.problem());
        progress.step("warming up on %s, %d runs".formatted(snapshot.name(), warmups));
        warmUp(problem);
        progress.step("measuring %s, %d runs".formatted(snapshot.name(), runs));
        var figures = new ArrayList<Planning.Measured>();
        for (var run = 0; run < runs; run++) {
            figures.add(Planning.measure(problem));
        }
        return new Measured(snapshot.name(), problem, figures);
    }

    /// Small problems are planned in milliseconds: a handful of them leave the compiler half done.
    private void warmUp(SchedulingProblem problem) {
        var cpuMillis = 0.0;
        for (var run = 0; run < warmups || (run > 0 && cpuMillis < WARM_UP_MILLIS_MIN); run++) {
            cpuMillis += Planning.measure(problem).cpuMillis();
        }
    }

    private void show(List<Measured> measured) {
        switch (output.format()) {
            case JSON -> ResultText.json(result(measured), terminal.out());
            case YAML -> ResultText.yaml(result(measured), terminal.out());
            case TABLE, WIDE -> table(measured).print(terminal.out());
        }
    }

    private static SequencedMap<String, Object> result(List<Measured> measured) {
        var result = new LinkedHashMap<String, Object>();
        result.put("problems", measured.stream().map(BenchCommand::problem).toList());
        return result;
    }

    private static SequencedMap<String, Object> problem(Measured measured) {
        var plan = measured.runs().getLast().plan();
        var problem = new LinkedHashMap<String, Object>();
        problem.put("name", measured.name());
        problem.put("pods", measured.problem().snapshot().pods().size());
        problem.put("types", Planning.types(measured.problem()));
        problem.put("packing", plan.packing().text());
        problem.put("runs", measured.runs().size());
        problem.put("wallMillis", spread(measured, Planning.Measured::wallMillis));
        problem.put("cpuMillis", spread(measured, Planning.Measured::cpuMillis));
        problem.put("allocatedBytes", (long) measured.median(Planning.Measured::allocatedBytes));
        problem.put("pricePerHour", ResultText.number(plan.pricePerHour()));
        problem.put("lowerBoundPerHour", ResultText.number(plan.lowerBoundPerHour()));
        problem.put("optimal", plan.isOptimal());
        problem.put("nodes", plan.claims().size());
        problem.put("waiting", plan.waiting().size());
        return problem;
    }

    private static SequencedMap<String, Object> spread(
            Measured measured, ToDoubleFunction<Planning.Measured> figure) {
        var spread = new LinkedHashMap<String, Object>();
        spread.put("median", ResultText.number(measured.median(figure)));
        spread.put("p95", ResultText.number(measured.percentile(figure, 0.95)));
        return spread;
    }

    private static TextTable table(List<Measured> measured) {
        var table =
                new TextTable(
                        List.of(
                                TextTable.left("PROBLEM"),
                                TextTable.right("PODS"),
                                TextTable.right("TYPES"),
                                TextTable.left("PACKING"),
                                TextTable.right("WALL MS"),
                                TextTable.right("P95"),
                                TextTable.right("CPU MS"),
                                TextTable.right("P95"),
                                TextTable.right("ALLOC MB"),
                                TextTable.right("$/HOUR"),
                                TextTable.right("WAITING")));
        for (var each : measured) {
            var plan = each.runs().getLast().plan();
            table.row(
                    each.name(),
                    "%,d".formatted(each.problem().snapshot().pods().size()),
                    "%,d".formatted(Planning.types(each.problem())),
                    plan.packing().text(),
                    millis(each.median(Planning.Measured::wallMillis)),
                    millis(each.percentile(Planning.Measured::wallMillis, 0.95)),
                    millis(each.median(Planning.Measured::cpuMillis)),
                    millis(each.percentile(Planning.Measured::cpuMillis, 0.95)),
                    "%,.1f".formatted(each.median(Planning.Measured::allocatedBytes) / 1e6),
                    Money.perHour(plan.pricePerHour()),
                    "%,d".formatted(plan.waiting().size()));
        }
        return table;
    }

    private static String millis(double value) {
        return "%,.1f".formatted(value);
    }
}
