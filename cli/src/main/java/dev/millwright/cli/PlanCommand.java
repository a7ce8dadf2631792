package dev.millwright.cli;

import dev.millwright.cli.explain.StandingCluster;
import dev.millwright.cli.plan.PolicyFile;
import dev.millwright.cli.plan.WhatIf;
import dev.millwright.cli.plan.WhatIfs;
import dev.millwright.core.forecast.ForecastProblem;
import dev.millwright.dashboard.ledger.NewestDecisions;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;

/// Says what the operator would do from now on, and changes nothing.
@Command(
        name = "plan",
        description = "Show what would be done to a cluster's nodes from now on until it rests.",
        footer = {
            "",
            "Nothing is written: the cluster, or the files of its objects, are only read. Decisions",
            "are those the operator would make; how long machines and pods take is assumed, and",
            "nobody else does anything meanwhile.",
            "",
            "A policy is a file of NodePools, NodeOverlays and PodDisruptionBudgets that are tried",
            "in place of those of the same name. With --sweep each file and each policy is looked",
            "at by itself, on all cores.",
            "",
            "Changes for --what-if: arm64, spot (allow them as well), on-demand (nothing else),",
            "families=m7g,c7g (these instead), without-daemonset=NAME, all.",
            "",
            "Examples:",
            "  millwright plan",
            "  millwright plan -f snapshot.json.gz --what-if all",
            "  millwright plan --policy cheaper.yaml -o json",
            "  millwright plan --port 8000",
            "  millwright plan --sweep -f monday.json -f friday.json --policy a.yaml --policy b.yaml",
            "  millwright plan --sweep --on-cluster --image IMAGE -n sweeps -f monday.json --policy a.yaml"
        })
final class PlanCommand implements Callable<Integer> {

    private final Planning planning;
    private final ClusterDoor door;
    private final Terminal terminal;
    private final InstantSource clock;
    private final IntConsumer halt;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Mixin private ClusterSource source = new ClusterSource();

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Files to read instead of the cluster, as by -f.")
    private List<String> files = new ArrayList<>();

    @Mixin private PlanOptions options = new PlanOptions();

    @Mixin private SweepPlace place = new SweepPlace();

    @Mixin private OutputOptions output = new OutputOptions();

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "Objects to try in place of those of the same name; may be repeated.")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--what-if",
            paramLabel = "CHANGE",
            description = "A change to try besides, ranked by what it saves; may be repeated.")
    private List<String> whatIf = new ArrayList<>();

    @Option(
            names = "--sweep",
            description = "Look at each file with each policy by itself, and compare.")
    private boolean isSweep;

    @Option(
            names = "--port",
            paramLabel = "N",
            description =
                    "Show the way there, decision by decision, besides " + ReelPage.DESCRIPTION)
    private @Nullable Integer port;

    @Mixin private WaitingExit waitingExit = new WaitingExit();

    PlanCommand(
            Planning planning,
            ClusterDoor door,
            Terminal terminal,
            InstantSource clock,
            IntConsumer halt) {
        this.planning = planning;
        this.door = door;
        this.terminal = terminal;
        this.clock = clock;
        this.halt = halt;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        source.add(files);
        if (port != null) {
            ReelPage.check(spec, port);
        }
        if (isSweep) {
            return sweep();
        }
        StandingCluster cluster;
        WhatIfs.Answer answer;
        var decisions = new NewestDecisions();
        try (var progress = new Progress(terminal)) {
            var reading =
                    new ClusterSource.Reading(planning, door, terminal, progress, clock.instant());
            cluster = source.readStanding(reading, policy());
            var problem = options.outlook().problem(cluster);
            var changes = changes(problem);
            var told =
                    new ForecastProgress(
                            "forecasting %,d nodes and %,d pods%s"
                                    .formatted(
                                            problem.disruption().machines().size(),
                                            problem.provisioning().snapshot().pods().size(),
                                            changes.isEmpty()
                                                    ? ""
                                                    : ", and %,d changes"
                                                            .formatted(changes.size())),
                            problem.now(),
                            progress::step,
                            System::nanoTime);
            answer =
                    WhatIfs.forecast(
                            problem, changes, port == null ? told : told.andThen(decisions::add));
        }
        cluster.file().notes().forEach(terminal::note);
        show(cluster, answer);
        terminal.flush();
        var exitCode = port == null ? 0 : shown(decisions, port);
        return exitCode == 0 ? waitingExit.code(answer.forecast().after().waiting()) : exitCode;
    }

    private int shown(NewestDecisions decisions, int page)
            throws IOException, InterruptedException {
        var reel = decisions.reel("Forecast of " + source.name());
        if (reel.length() == 0) {
            terminal.note("nothing would be decided; a page has nothing to show");
            return 0;
        }
        if (decisions.left() > 0) {
            terminal.note(
                    "the page shows the last %,d decisions; %,d come before"
                            .formatted(reel.length(), decisions.left()));
        }
        return ReelPage.serve("the forecast", reel, page, terminal, halt);
    }

    private int sweep() throws IOException, InterruptedException {
        if (source.files().isEmpty() || !whatIf.isEmpty() || port != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    source.files().isEmpty()
                            ? "--sweep needs files; give each by -f FILE"
                            : port != null
                                    ? "--port shows one forecast; leave --sweep out"
                                    : "--sweep compares policies; write each change as a policy, without --what-if");
        }
        if (place.isOnCluster() && source.isPriced()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--prices stays on this machine; leave it or --on-cluster out");
        }
        var cells = SweepRun.cells(source.files(), policies);
        var run = new SweepRun(source.told(planning), terminal, options.outlook(), clock.instant());
        if (place.isShare()) {
            place.write(run.rows(place.share(cells, terminal)));
            return 0;
        }
        var rows =
                place.isOnCluster()
                        ? place.rows(source, policies, options, door, terminal)
                        : run.rows(cells);
        var ranked = SweepRun.ranked(source.files(), rows);
        switch (output.format()) {
            case TABLE, WIDE -> SweepRun.table(ranked).print(terminal.out());
            case JSON -> ResultText.json(SweepRun.result(ranked), terminal.out());
            case YAML -> ResultText.yaml(SweepRun.result(ranked), terminal.out());
        }
        terminal.flush();
        if (rows.size() < cells.size()) {
            terminal.note(
                    "%,d of %,d forecasts are missing; their pods failed"
                            .formatted(cells.size() - rows.size(), cells.size()));
            return Failures.EXIT_CODE;
        }
        return 0;
    }

    private @Nullable PolicyFile policy() {
        @Nullable PolicyFile all = null;
        for (var file : policies) {
            var read = PolicyFile.read(Planning.source(file, terminal));
            all = all == null ? read : all.and(read);
        }
        return all;
    }

    private List<WhatIf> changes(ForecastProblem problem) {
        var changes = new ArrayList<WhatIf>();
        try {
            for (var text : whatIf) {
                changes.addAll(WhatIfs.parse(text, problem));
            }
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()));
        }
        return changes;
    }

    private void show(StandingCluster cluster, WhatIfs.Answer answer) {
        var name = source.name();
        var packing = options.outlook().packing();
        switch (output.format()) {
            case TABLE, WIDE ->
                    new ForecastTable(terminal, cluster.file(), answer.forecast(), packing)
                            .print(answer.tried(), output.format() == OutputFormat.WIDE);
            case JSON ->
                    ResultText.json(
                            ForecastResult.of(name, cluster.file(), answer, packing),
                            terminal.out());
            case YAML ->
                    ResultText.yaml(
                            ForecastResult.of(name, cluster.file(), answer, packing),
                            terminal.out());
        }
    }
}
