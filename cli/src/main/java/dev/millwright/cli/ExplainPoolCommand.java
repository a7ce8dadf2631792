package dev.millwright.cli;

import dev.millwright.cli.explain.PoolResult;
import dev.millwright.cli.explain.StandingCluster;
import dev.millwright.core.explain.PoolExplainer;
import dev.millwright.core.explain.PoolExplanation;
import dev.millwright.core.explain.PoolExplanation.Fix;
import dev.millwright.core.policy.NodePool;
import dev.millwright.kube.object.Condition;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/// Says how a pool does, why, and what would mend the worst of it.
@Command(
        name = "nodepool",
        aliases = "nodepools",
        description =
                "Say whether a NodePool buys nodes and lets them go, and the smallest change that would mend it.",
        footer = {
            "",
            "The change was tried: it was planned or decided again with it. Machines and prices are",
            "those of EC2 unless a file brings its own; what a running operator remembers of earlier",
            "moves is not known here. Exit code 1 when there is no such NodePool.",
            "",
            "Examples:",
            "  millwright explain nodepool general",
            "  millwright explain nodepool general -f snapshot.json.gz -o json"
        })
final class ExplainPoolCommand implements Callable<Integer> {

    private final Planning planning;
    private final ClusterDoor door;
    private final Terminal terminal;
    private final InstantSource clock;

    @Parameters(index = "0", paramLabel = "NAME", description = "The NodePool's name.")
    private String name = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "FILE",
            description = "Files to read instead of the cluster, as by -f.")
    private List<String> files = new ArrayList<>();

    @Mixin private ClusterSource source = new ClusterSource();

    @Mixin private OutputOptions output = new OutputOptions();

    ExplainPoolCommand(
            Planning planning, ClusterDoor door, Terminal terminal, InstantSource clock) {
        this.planning = planning;
        this.door = door;
        this.terminal = terminal;
        this.clock = clock;
    }

    @Override
    public Integer call() throws IOException {
        source.add(files);
        StandingCluster cluster;
        PoolExplanation explanation;
        try (var progress = new Progress(terminal)) {
            cluster = source.readStanding(planning, door, terminal, progress, clock.instant());
            progress.step("looking for the smallest change");
            explanation =
                    new PoolExplainer(cluster.file().problem(), cluster.problem())
                            .explain(name, readiness(cluster));
        }
        cluster.file().notes().forEach(terminal::note);
        if (explanation == null) {
            terminal.complain(unknown(cluster.file().problem().nodePools()));
            return Failures.EXIT_CODE;
        }
        show(explanation, cluster);
        terminal.flush();
        return 0;
    }

    /// What the pool's conditions complain of.
    private String readiness(StandingCluster cluster) {
        var object = cluster.view().pool(name);
        return object == null
                ? ""
                : object.status().conditions().stream()
                        .filter(condition -> !condition.isTrue())
                        .map(ExplainPoolCommand::words)
                        .collect(Collectors.joining("; "));
    }

    private static String words(Condition condition) {
        return "%s is %s%s%s"
                .formatted(
                        condition.type(),
                        condition.status().text(),
                        condition.reason().isEmpty() ? "" : " (%s)".formatted(condition.reason()),
                        condition.message().isEmpty() ? "" : ": " + condition.message());
    }

    private String unknown(List<NodePool> pools) {
        return "there is no NodePool %s; %s"
                .formatted(
                        name,
                        pools.isEmpty()
                                ? "there is none at all"
                                : "there are "
                                        + pools.stream()
                                                .map(NodePool::name)
                                                .sorted()
                                                .collect(Collectors.joining(", ")));
    }

    private void show(PoolExplanation explanation, StandingCluster cluster) {
        var pool =
                cluster.file().problem().nodePools().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        var result = PoolResult.of(explanation, pool, cluster.view().pool(name));
        switch (output.format()) {
            case TABLE, WIDE -> text(explanation);
            case JSON -> ResultText.json(result, terminal.out());
            case YAML -> ResultText.yaml(result, terminal.out());
        }
    }

    private void text(PoolExplanation explanation) {
        var out = terminal.out();
        out.printf("NodePool %s %s%n", name, PoolResult.sentence(explanation.verdict()));
        explanation
                .findings()
                .forEach(each -> out.printf("  %s: %s%n", each.about().text(), each.explain()));
        switch (explanation.fix()) {
            case null -> {}
            case Fix.None(var why) -> out.println("No change was found: " + why);
            case Fix.Buying(var changes) -> {
                out.println(
                        changes.size() == 1
                                ? "The smallest change that mends it (planned again with it):"
                                : "The smallest changes that together mend it (planned again with them):");
                changes.forEach(each -> out.printf("  NodePool %s: %s%n", name, each.describe()));
            }
            case Fix.Leaving(var changes) -> {
                out.println(
                        changes.size() == 1
                                ? "The smallest change that lets nodes go (decided again with it):"
                                : "The smallest changes that together let nodes go (decided again with them):");
                changes.forEach(each -> out.printf("  %s: %s%n", each.object(), each.describe()));
            }
        }
    }
}
