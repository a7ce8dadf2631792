package dev.millwright.cli;

import dev.millwright.cli.explain.NodeResult;
import dev.millwright.cli.explain.StandingCluster;
import dev.millwright.core.explain.NodeExplainer;
import dev.millwright.core.explain.NodeExplanation;
import dev.millwright.core.explain.NodeExplanation.Fix;
import dev.millwright.core.explain.NodeExplanation.Verdict;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/// Says why a node is not consolidated, and what would let it go.
@Command(
        name = "node",
        description = "Say why a node stays, and the smallest change that would let it go.",
        footer = {
            "",
            "The change was tried: it was decided again with it. The node is looked at by itself,",
            "as Karpenter's single-node consolidation does; others may come first. What a running",
            "operator remembers of earlier moves is not known here.",
            "Exit code 1 when there is no such object.",
            "",
            "Examples:",
            "  millwright explain node ip-10-0-1-2.ec2.internal",
            "  millwright explain nodeclaim general-x7k2p -f snapshot.json.gz -o json"
        })
final class ExplainNodeCommand implements Callable<Integer> {

    /// Which object the name is of.
    enum Subject {
        NODE("Node"),
        NODE_CLAIM("NodeClaim");

        private final String kind;

        Subject(String kind) {
            this.kind = kind;
        }
    }

    private final Subject subject;
    private final Planning planning;
    private final ClusterDoor door;
    private final Terminal terminal;
    private final InstantSource clock;

    @Parameters(index = "0", paramLabel = "NAME", description = "The object's name.")
    private String name = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "FILE",
            description = "Files to read instead of the cluster, as by -f.")
    private List<String> files = new ArrayList<>();

    @Mixin private ClusterSource source = new ClusterSource();

    @Mixin private OutputOptions output = new OutputOptions();

    ExplainNodeCommand(
            Subject subject,
            Planning planning,
            ClusterDoor door,
            Terminal terminal,
            InstantSource clock) {
        this.subject = subject;
        this.planning = planning;
        this.door = door;
        this.terminal = terminal;
        this.clock = clock;
    }

    @Override
    public Integer call() throws IOException {
        source.add(files);
        StandingCluster cluster;
        NodeExplanation explanation;
        try (var progress = new Progress(terminal)) {
            cluster = source.readStanding(planning, door, terminal, progress, clock.instant());
            progress.step("looking for the smallest change");
            var node = node(cluster);
            explanation = node == null ? null : new NodeExplainer(cluster.problem()).explain(node);
        }
        cluster.file().notes().forEach(terminal::note);
        if (explanation == null) {
            terminal.complain(
                    "there is no %s %s; list them with kubectl get %ss"
                            .formatted(subject.kind, name, subject.kind.toLowerCase(Locale.ROOT)));
            return Failures.EXIT_CODE;
        }
        show(explanation);
        terminal.flush();
        return 0;
    }

    /// The name by which decisions know the machine: its node's, and its claim's before it has one.
    private @Nullable String node(StandingCluster cluster) {
        return switch (subject) {
            case NODE -> name;
            case NODE_CLAIM -> {
                var claim = cluster.view().claim(name);
                if (claim == null) {
                    yield null;
                }
                var nodes = cluster.view().nodesOf(claim.providerId());
                yield nodes.isEmpty() ? name : nodes.getFirst().name().name();
            }
        };
    }

    private void show(NodeExplanation explanation) {
        var result = NodeResult.of(subject.kind, name, explanation);
        switch (output.format()) {
            case TABLE, WIDE -> text(explanation);
            case JSON -> ResultText.json(result, terminal.out());
            case YAML -> ResultText.yaml(result, terminal.out());
        }
    }

    private void text(NodeExplanation explanation) {
        var out = terminal.out();
        out.printf("%s %s %s%n", subject.kind, name, NodeResult.sentence(explanation.verdict()));
        if (explanation.verdict() instanceof Verdict.Kept(var said)) {
            said.forEach(
                    each ->
                            out.printf(
                                    "  %s: %s%n",
                                    each.method().reason().text(), each.reason().explain()));
        }
        switch (explanation.fix()) {
            case null -> {}
            case Fix.None(var why) -> out.println("No change lets it go: " + why);
            case Fix.Found(var changes, var command) -> {
                out.println(
                        changes.size() == 1
                                ? "The smallest change that lets it go (decided again with it):"
                                : "The smallest changes that together let it go (decided again with them):");
                changes.forEach(
                        change -> out.printf("  %s: %s%n", change.object(), change.describe()));
                out.println("Then " + NodeResult.sentence(command) + ".");
            }
        }
    }
}
