package dev.millwright.cli;

import dev.millwright.cli.world.FaultList;
import dev.millwright.cli.world.Season;
import dev.millwright.cli.world.SeedRange;
import dev.millwright.cli.world.WorldRecord;
import dev.millwright.controllers.settings.Flag;
import dev.millwright.controllers.settings.SettingsException;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.scenario.Plot;
import dev.millwright.world.scenario.Scenario;
import dev.millwright.world.scenario.Scenarios;
import dev.millwright.world.story.Theatre;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Plays worlds of many seeds and tells which broke an invariant.
@Command(
        name = "world",
        description = "Run the controllers in simulated clusters and judge what they do.",
        footer = {
            "",
            "A world is a cluster, its nodes, a cloud and the operator in one process, on",
            "virtual time. One seed always gives the same world. A seed that breaks an",
            "invariant is shrunk to a short story, and the command ends with 1.",
            "",
            "Examples:",
            "  millwright world --seeds 1..500",
            "  millwright world --seeds 17 --faults crash,leak --scenario pdb-heavy -o json"
        })
final class WorldCommand implements Callable<Integer> {

    private static final double HOURS_MAX = 24 * 365;
    private static final int PODS_MAX = 100_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Option(
            names = "--seeds",
            paramLabel = "FROM..TO",
            description = "One seed, or a range with both ends (default: 1..20).")
    private String seeds = "1..20";

    @Option(
            names = "--faults",
            paramLabel = "all|none|LIST",
            description = "What goes wrong: words with commas between (default: all).")
    private String faults = "all";

    @Option(
            names = "--hours",
            paramLabel = "N",
            description =
                    "How long users and faults are at work, in virtual hours; a calm and the end of all follow (default: 1).")
    private double hours = 1;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            completionCandidates = ScenarioNames.class,
            description =
                    "What users do: ${COMPLETION-CANDIDATES} (default: seeds go round all of them).")
    private @Nullable String scenario;

    @Option(
            names = "--pods",
            paramLabel = "N",
            description = "About how many pods a world has (default: 40).")
    private int pods = Plot.PODS_SMALL;

    @Option(
            names = "--packing",
            paramLabel = "first-fit|cheapest",
            converter = PackingOptions.Packings.class,
            completionCandidates = PackingOptions.Packings.class,
            description = "How pods are packed, as for `run controllers` (default: cheapest).")
    private Packing packing = SchedulingPolicy.DEFAULT.packing();

    @Mixin private NodeFeeOption nodeFee = new NodeFeeOption();

    @Option(
            names = "--consolidation",
            paramLabel = "karpenter|cheapest",
            description =
                    "How nodes are consolidated, as for `run controllers` (default: karpenter).")
    private @Nullable String consolidation;

    @Option(
            names = "--consolidation-horizon",
            paramLabel = "D",
            description =
                    "With cheapest, within what time a move must pay for itself (default: 2h).")
    private @Nullable String horizon;

    @Option(
            names = "--steer-pods",
            description =
                    "Let the emptiest nodes run empty by themselves, as `run controllers` does.")
    private boolean isSteering;

    @Option(names = "--no-shrink", description = "Do not look for the shortest story of a failure.")
    private boolean isNotShrinking;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description =
                    "Write a record of all decisions of one seed, which `millwright replay` reads.")
    private @Nullable Path record;

    @Mixin private OutputOptions output = new OutputOptions();

    WorldCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /// For help and completion.
    static final class ScenarioNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Scenarios.ALL.stream().map(Scenario::name).iterator();
        }
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        var programme = programme();
        var theatre = theatre();
        if (record != null) {
            record(record, theatre, programme);
        }
        var began = System.nanoTime();
        Season.Review review;
        try (var progress = new Progress(terminal)) {
            progress.step(
                    "playing %,d worlds, %d at once"
                            .formatted(programme.seeds().count(), programme.threads()));
            var season = new Season(theatre, programme);
            review = season.play(told -> tell(progress, programme, told));
        }
        var wallMillis = (System.nanoTime() - began) / NANOS_PER_MILLI;
        review.stories().forEach(this::tellStory);
        show(programme, review, wallMillis);
        terminal.flush();
        return review.broken() == 0 ? 0 : Failures.EXIT_CODE;
    }

    /// The world is played once for its record; what comes of it is judged when it is played again.
    private void record(Path file, Theatre theatre, Season.Programme programme) throws IOException {
        if (programme.seeds().count() != 1) {
            throw wrong(
                    "--record: found %d seeds; wanted one, e.g. --seeds 17"
                            .formatted(programme.seeds().count()));
        }
        if (Files.exists(file)) {
            throw wrong("--record: %s is there already; name another file".formatted(file));
        }
        try (var progress = new Progress(terminal)) {
            progress.step("recording a world to " + file);
            WorldRecord.write(theatre, programme.setting(programme.seeds().from()), file);
        }
    }

    /// On a terminal each world moves the line; elsewhere every twentieth of the way is told. What
    /// breaks is told at once: a long run need not end for somebody to look at it.
    private void tell(Progress progress, Season.Programme programme, Season.Progress told) {
        for (var failure : told.latest()) {
            terminal.note(
                    "seed %d (%s): %s"
                            .formatted(failure.seed(), failure.scenario(), failure.breach()));
        }
        var every =
                terminal.isProgressLineUpdated() ? 1 : Math.max(1, programme.seeds().count() / 20);
        if (told.played() < told.count() && told.played() % every == 0) {
            progress.step(
                    "%,d of %,d worlds played, %,d invariants broken"
                            .formatted(told.played(), told.count(), told.broken()));
        }
    }

    private void tellStory(String story) {
        terminal.err().println(story);
        terminal.err().flush();
    }

    private Season.Programme programme() {
        return new Season.Programme(
                checked("--seeds", seeds, SeedRange::parse),
                scenario(),
                faults(),
                length(),
                podsChecked(),
                Runtime.getRuntime().availableProcessors(),
                !isNotShrinking);
    }

    /// Where worlds are played, with an operator that was told so.
    private Theatre theatre() {
        var flags = new TreeMap<String, String>();
        flags.put(Flag.PACKING.flagName(), packing.text());
        flags.put(Flag.NODE_FEE_PER_HOUR.flagName(), String.valueOf(nodeFee.perHour()));
        if (consolidation != null) {
            flags.put(Flag.CONSOLIDATION.flagName(), consolidation);
        }
        if (horizon != null) {
            flags.put(Flag.CONSOLIDATION_HORIZON.flagName(), horizon);
        }
        if (isSteering) {
            flags.put(Flag.STEER_PODS.flagName(), "true");
        }
        try {
            return Theatre.ec2().with(WorldSettings.operator(flags));
        } catch (SettingsException refused) {
            throw wrong(String.join("\nmillwright: ", refused.faults()));
        }
    }

    private Set<Fault> faults() {
        return checked("--faults", faults, FaultList::parse);
    }

    private <T> T checked(String option, String text, Function<String, T> reading) {
        try {
            return reading.apply(text);
        } catch (IllegalArgumentException wrong) {
            throw wrong("%s: %s".formatted(option, wrong.getMessage()));
        }
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }

    private @Nullable Scenario scenario() {
        if (scenario == null) {
            return null;
        }
        var found = Scenarios.find(scenario);
        if (found == null) {
            throw wrong(
                    "--scenario: found \"%s\"; wanted one of %s"
                            .formatted(
                                    scenario,
                                    Scenarios.ALL.stream()
                                            .map(Scenario::name)
                                            .collect(Collectors.joining(", "))));
        }
        return found;
    }

    private Duration length() {
        if (!(hours > 0 && hours <= HOURS_MAX)) {
            throw wrong(
                    "--hours: found %s; wanted more than 0 and at most a year".formatted(hours));
        }
        return Duration.ofSeconds(Math.max(1, Math.round(hours * 3600)));
    }

    private int podsChecked() {
        if (pods < 1 || pods > PODS_MAX) {
            throw wrong("--pods: found %d; wanted 1 to %d".formatted(pods, PODS_MAX));
        }
        return pods;
    }

    private void show(Season.Programme programme, Season.Review review, long wallMillis) {
        switch (output.format()) {
            case JSON -> ResultText.json(result(programme, review, wallMillis), terminal.out());
            case YAML -> ResultText.yaml(result(programme, review, wallMillis), terminal.out());
            case TABLE, WIDE -> table(review, wallMillis);
        }
    }

    private SequencedMap<String, Object> result(
            Season.Programme programme, Season.Review review, long wallMillis) {
        var result = new LinkedHashMap<String, Object>();
        result.put("seeds", review.seeds());
        result.put("from", programme.seeds().from());
        result.put("to", programme.seeds().to());
        result.put("faults", programme.faults().stream().map(Fault::word).toList());
        result.put("packing", packing.text());
        result.put("hours", ResultText.number(programme.length().toSeconds() / 3600.0));
        result.put("invariantsBroken", review.broken());
        result.put("failures", review.failures().stream().map(WorldCommand::failure).toList());
        result.put("stories", review.stories());
        result.put("pods", review.pods());
        result.put("launches", review.launches());
        result.put("evictions", review.evictions());
        result.put("pricePerHourMean", ResultText.number(review.pricePerHourMean()));
        result.put("wallMillis", wallMillis);
        return result;
    }

    private static SequencedMap<String, Object> failure(Season.Failure failure) {
        var result = new LinkedHashMap<String, Object>();
        result.put("seed", failure.seed());
        result.put("scenario", failure.scenario());
        result.put("invariant", failure.breach().invariant());
        result.put("at", failure.breach().at().toString());
        result.put("message", failure.breach().message());
        return result;
    }

    private void table(Season.Review review, long wallMillis) {
        if (!review.failures().isEmpty()) {
            var table =
                    new TextTable(
                            List.of(
                                    TextTable.right("SEED"),
                                    TextTable.left("SCENARIO"),
                                    TextTable.left("INVARIANT"),
                                    TextTable.left("AT"),
                                    TextTable.left("WHAT")));
            for (var failure : review.failures()) {
                table.row(
                        Long.toString(failure.seed()),
                        failure.scenario(),
                        failure.breach().invariant(),
                        failure.breach().at().toString(),
                        failure.breach().message());
            }
            table.print(terminal.out());
        }
        terminal.out()
                .println(
                        "%,d worlds, packing %s, in %.1f s: %,d pods, %,d machines, %,d evictions, %s an hour on average; %s"
                                .formatted(
                                        review.seeds(),
                                        packing.text(),
                                        wallMillis / 1000.0,
                                        review.pods(),
                                        review.launches(),
                                        review.evictions(),
                                        Money.perHour(review.pricePerHourMean()),
                                        review.broken() == 0
                                                ? "no invariant broken"
                                                : "%,d invariants broken"
                                                        .formatted(review.broken())));
    }
}
