package dev.millwright.cli;

import dev.millwright.cli.explain.StandingCluster;
import dev.millwright.cli.replay.OtherPolicy;
import dev.millwright.cli.replay.RecordedReel;
import dev.millwright.cli.replay.Replay;
import dev.millwright.core.disruption.PoolRules;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.record.RecordReader;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;

/// Makes recorded decisions again and tells which come out otherwise.
@Command(
        name = "replay",
        description = "Make the decisions of a record again, and compare.",
        footer = {
            "",
            "A FILE is a record, or a folder of them: `millwright run controllers",
            "--record-dir`, `millwright record` and `millwright world --record` write them.",
            "Without --policy each decision must come out to the last bit, or the command",
            "ends with 1. With it, pools of the file stand in for recorded ones of the same",
            "name; the cluster goes on as it did, so the figures compare decisions, not",
            "what would have become of the cluster. With --port nothing is made again: the",
            "record is shown on a page of this machine, decision by decision.",
            "",
            "Examples:",
            "  millwright replay /var/lib/millwright/record",
            "  millwright replay today.mwrecord --policy pools.yaml -o json",
            "  millwright replay today.mwrecord --port 8000"
        })
final class ReplayCommand implements Callable<Integer> {

    private static final int SHOWN_MAX = 20;

    private final Planning planning;
    private final Terminal terminal;
    private final InstantSource clock;
    private final IntConsumer halt;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A record, or a folder of records.")
    @SuppressWarnings("NullAway.Init") // Picocli asks for it.
    private Path file;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "NodePools to decide by instead; - is standard input.")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--packing",
            paramLabel = "first-fit|cheapest",
            converter = PackingOptions.Packings.class,
            completionCandidates = PackingOptions.Packings.class,
            description = "Pack otherwise than recorded.")
    private @Nullable Packing packing;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Leave out decisions before, e.g. 2026-01-05T06:00:00Z.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Leave out decisions from then on.")
    private @Nullable String to;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Show the record " + ReelPage.DESCRIPTION)
    private @Nullable Integer port;

    @Mixin private OutputOptions output = new OutputOptions();

    ReplayCommand(Planning planning, Terminal terminal, InstantSource clock, IntConsumer halt) {
        this.planning = planning;
        this.terminal = terminal;
        this.clock = clock;
        this.halt = halt;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var wish = new Replay.Wish(policy(), moment("--from", from), moment("--to", to));
        var page = port;
        return page == null ? review(wish) : shown(wish, page);
    }

    private int shown(Replay.Wish wish, int page) throws IOException, InterruptedException {
        if (wish.policy() != null) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--port shows decisions as they were recorded; leave --policy and --packing out");
        }
        RecordedReel recorded;
        try (var reader = RecordReader.open(file);
                var progress = new Progress(terminal)) {
            progress.step("reading " + file);
            recorded = RecordedReel.of(file.toString(), reader, wish);
        }
        recorded.damages().forEach(terminal::note);
        if (recorded.reel().length() == 0) {
            terminal.complain(
                    "%s holds no decision of that time; nothing can be shown".formatted(file));
            return Failures.EXIT_CODE;
        }
        if (recorded.left() > 0) {
            terminal.note(
                    "showing the newest %,d decisions; %,d are older, choose them by --from and --to"
                            .formatted(recorded.reel().length(), recorded.left()));
        }
        return ReelPage.serve("the record", recorded.reel(), page, terminal, halt);
    }

    private int review(Replay.Wish wish) throws IOException {
        Replay.Review review;
        try (var reader = RecordReader.open(file);
                var progress = new Progress(terminal)) {
            progress.step("deciding again what %s holds".formatted(file));
            review =
                    Replay.of(
                            reader,
                            wish,
                            made -> progress.step("%,d decisions made again".formatted(made)));
        }
        review.damages().forEach(terminal::note);
        if (review.missed() > 0) {
            terminal.note(
                    "%,d decisions were made that the record does not have"
                            .formatted(review.missed()));
        }
        show(review, wish.policy() != null);
        terminal.flush();
        var isAsRecorded = wish.policy() != null || review.different() == 0;
        return isAsRecorded && review.damages().isEmpty() ? 0 : Failures.EXIT_CODE;
    }

    private @Nullable Instant moment(String option, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeException noMoment) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "%s: found \"%s\"; wanted a moment such as 2026-01-05T06:00:00Z"
                            .formatted(option, text),
                    noMoment);
        }
    }

    private @Nullable OtherPolicy policy() throws IOException {
        if (policies.isEmpty()) {
            return packing == null ? null : new OtherPolicy(new TreeMap<>(), packing);
        }
        var input = policies.contains("-") ? terminal.in().readAllBytes() : new byte[0];
        var read = planning.readSources(sources(input));
        var ready = new TreeMap<String, NodePool>();
        read.problem().nodePools().forEach(pool -> ready.put(pool.name(), pool));
        if (ready.isEmpty()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--policy: found no NodePool in %s; wanted at least one"
                            .formatted(String.join(", ", policies)));
        }
        var standing = StandingCluster.of(read, sources(input), clock.instant());
        var rules = new TreeMap<String, PoolRules>();
        standing.problem()
                .pools()
                .forEach((name, rule) -> rules.put(name, standingIn(rule, ready.get(name))));
        return new OtherPolicy(rules, packing);
    }

    /// They are read twice: for pools, and for what pools say about taking nodes away.
    private List<Source> sources(byte[] input) {
        return policies.stream()
                .map(
                        each ->
                                each.equals("-")
                                        ? Source.standardInput(new ByteArrayInputStream(input))
                                        : Planning.source(each, terminal))
                .toList();
    }

    /// A manifest has no status: the pool counts as ready.
    private static PoolRules standingIn(PoolRules rule, @Nullable NodePool pool) {
        return pool == null
                ? rule
                : new PoolRules(
                        pool,
                        rule.budgets(),
                        rule.consolidateAfter(),
                        rule.policy(),
                        rule.controls(),
                        rule.horizon(),
                        rule.mix());
    }

    private void show(Replay.Review review, boolean isCompared) {
        switch (output.format()) {
            case JSON -> ResultText.json(result(review), terminal.out());
            case YAML -> ResultText.yaml(result(review), terminal.out());
            case TABLE -> table(review, isCompared, SHOWN_MAX);
            case WIDE -> table(review, isCompared, Integer.MAX_VALUE);
        }
    }

    private static SequencedMap<String, Object> result(Replay.Review review) {
        var result = new LinkedHashMap<String, Object>();
        result.put("version", review.head().version());
        result.put("startedAt", review.head().startedAt().toString());
        result.put("decisions", review.decisions());
        result.put("identical", review.identical());
        result.put("different", review.different());
        result.put(
                "differences", review.differences().stream().map(ReplayCommand::result).toList());
        result.put("missed", review.missed());
        result.put("damages", review.damages());
        result.put("recorded", result(review.recorded()));
        result.put("replayed", result(review.replayed()));
        return result;
    }

    private static SequencedMap<String, Object> result(Replay.Difference difference) {
        var result = new LinkedHashMap<String, Object>();
        result.put("number", difference.number());
        result.put("at", difference.at().toString());
        result.put("what", difference.what());
        result.put("recorded", difference.recorded());
        result.put("replayed", difference.replayed());
        return result;
    }

    private static SequencedMap<String, Object> result(Replay.Totals totals) {
        var result = new LinkedHashMap<String, Object>();
        result.put("launches", totals.launches());
        result.put("launchedPerHour", ResultText.number(totals.launchedPerHour()));
        result.put("waiting", totals.waiting());
        result.put("nodesTaken", totals.nodesTaken());
        result.put("evictions", totals.evictions());
        result.put("savedPerHour", ResultText.number(totals.savedPerHour()));
        result.put("cpuMillisPerDecision", ResultText.number(totals.cpuMillisPerDecision()));
        return result;
    }

    private void table(Replay.Review review, boolean isCompared, int shownMax) {
        if (!review.differences().isEmpty()) {
            var table =
                    new TextTable(
                            List.of(
                                    TextTable.right("NUMBER"),
                                    TextTable.left("AT"),
                                    TextTable.left("WHAT"),
                                    TextTable.left("RECORDED"),
                                    TextTable.left("REPLAYED")));
            review.differences().stream()
                    .limit(shownMax)
                    .forEach(
                            each ->
                                    table.row(
                                            Integer.toString(each.number()),
                                            each.at().toString(),
                                            each.what(),
                                            each.recorded(),
                                            each.replayed()));
            table.print(terminal.out());
        }
        if (isCompared) {
            compared(review);
        }
        terminal.out()
                .println(
                        "%,d decisions, %,d identical, %,d different"
                                .formatted(
                                        review.decisions(),
                                        review.identical(),
                                        review.different()));
    }

    private void compared(Replay.Review review) {
        var table =
                new TextTable(
                        List.of(
                                TextTable.left("POLICY"),
                                TextTable.right("LAUNCHES"),
                                TextTable.right("$/H LAUNCHED"),
                                TextTable.right("WAITING"),
                                TextTable.right("NODES TAKEN"),
                                TextTable.right("EVICTIONS"),
                                TextTable.right("$/H SAVED"),
                                TextTable.right("CPU MS/DECISION")));
        row(table, "recorded", review.recorded());
        row(table, "other", review.replayed());
        table.print(terminal.out());
    }

    private static void row(TextTable table, String name, Replay.Totals totals) {
        table.row(
                name,
                Long.toString(totals.launches()),
                Money.perHour(totals.launchedPerHour()),
                Long.toString(totals.waiting()),
                Long.toString(totals.nodesTaken()),
                Long.toString(totals.evictions()),
                Money.perHour(totals.savedPerHour()),
                "%.2f".formatted(totals.cpuMillisPerDecision()));
    }
}
