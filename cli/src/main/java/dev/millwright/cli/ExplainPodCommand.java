package dev.millwright.cli;

import dev.millwright.cli.explain.PodResult;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.PodExplainer;
import dev.millwright.core.explain.PodExplanation;
import dev.millwright.core.explain.PodExplanation.Fix;
import dev.millwright.core.explain.PodExplanation.Verdict;
import dev.millwright.core.explain.PodExplanation.Way;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.snapshot.SnapshotFile;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;

/// Says what becomes of a pod, why, and what would flip it.
@Command(
        name = "pod",
        aliases = {"po", "pods"},
        description = "Say why a pod waits, and the smallest change that would give it a place.",
        footer = {
            "",
            "The change was tried: the plan was made again with it. A change of the pod belongs",
            "into the template of its workload. Machines and prices are those of EC2 unless a",
            "file brings its own. Exit code 1 when there is no such pod.",
            "",
            "Examples:",
            "  millwright explain pod web-7f9c -n shop",
            "  millwright explain pod shop/web-7f9c -f snapshot.json.gz -o json"
        })
final class ExplainPodCommand implements Callable<Integer> {

    /// Names that are shown to somebody whose pod is not there.
    private static final int NAMES_MAX = 5;

    private final Planning planning;
    private final ClusterDoor door;
    private final Terminal terminal;

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "The pod's name, or NAMESPACE/NAME.")
    private String name = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The pod's namespace (default: default).")
    private String namespace = "default";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "FILE",
            description = "Files to read instead of the cluster, as by -f.")
    private List<String> files = new ArrayList<>();

    @Mixin private ClusterSource source = new ClusterSource();

    @Mixin private PackingOptions packing = new PackingOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    ExplainPodCommand(Planning planning, ClusterDoor door, Terminal terminal) {
        this.planning = planning;
        this.door = door;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        source.add(files);
        SnapshotFile file;
        SchedulingProblem problem;
        PodExplanation explanation;
        var wanted = wanted();
        try (var progress = new Progress(terminal)) {
            file = source.read(planning, door, terminal, progress);
            progress.step("looking for the smallest change");
            problem = packing.applied(file.problem());
            explanation = new PodExplainer(problem).explain(wanted);
        }
        file.notes().forEach(terminal::note);
        if (explanation == null) {
            terminal.complain(unknown(wanted, problem));
            return Failures.EXIT_CODE;
        }
        show(explanation, problem);
        terminal.flush();
        return 0;
    }

    private ObjectName wanted() {
        var slash = name.indexOf('/');
        return slash < 0
                ? new ObjectName(namespace, name)
                : new ObjectName(name.substring(0, slash), name.substring(slash + 1));
    }

    private static String unknown(ObjectName wanted, SchedulingProblem problem) {
        var near =
                problem.snapshot().pods().stream()
                        .map(Pod::name)
                        .filter(
                                each ->
                                        each.name().equals(wanted.name())
                                                || each.name().startsWith(wanted.name()))
                        .sorted(Comparator.comparing(ObjectName::toString))
                        .limit(NAMES_MAX)
                        .map(ObjectName::toString)
                        .toList();
        return "there is no pod %s%s"
                .formatted(
                        wanted,
                        near.isEmpty()
                                ? "; list them with kubectl get pods -A"
                                : "; maybe " + String.join(", ", near));
    }

    private void show(PodExplanation explanation, SchedulingProblem problem) {
        var pod =
                problem.snapshot().pods().stream()
                        .filter(each -> each.name().equals(explanation.pod()))
                        .findFirst()
                        .orElseThrow();
        var result = PodResult.of(explanation, pod, problem.nodePools());
        result.put("packing", problem.policy().packing().text());
        switch (output.format()) {
            case TABLE, WIDE -> text(explanation, pod, problem);
            case JSON -> ResultText.json(result, terminal.out());
            case YAML -> ResultText.yaml(result, terminal.out());
        }
    }

    private void way(Way way, Pod pod) {
        var changes = way.changes();
        for (var change : changes) {
            terminal.out()
                    .println(
                            PlainWriter.oneLine(
                                    "  %s: %s%s"
                                            .formatted(
                                                    change.object(pod),
                                                    change.describe(),
                                                    change.equals(changes.getLast())
                                                            ? "; "
                                                                    + Money.extraPerMonth(
                                                                            way.extraPerHour())
                                                            : ", and")));
        }
    }

    private void text(PodExplanation explanation, Pod pod, SchedulingProblem problem) {
        var out = terminal.out();
        out.println(
                PlainWriter.oneLine(
                        "Pod %s %s"
                                .formatted(pod.name(), PodResult.sentence(explanation.verdict()))));
        if (explanation.verdict() instanceof Verdict.Waits(var reason)) {
            new WaitingWords(problem)
                    .lines(reason)
                    .forEach(line -> out.println("  " + PlainWriter.oneLine(line)));
        }
        if (explanation.verdict() instanceof Verdict.GetsNode) {
            out.println("packing: " + problem.policy().packing().text());
        }
        switch (explanation.fix()) {
            case null -> {}
            case Fix.None(var why) -> out.println("No change was found: " + why);
            case Fix.Found found -> {
                out.println(
                        found.first().changes().size() == 1
                                ? "The smallest change that gives it a place (planned again with it):"
                                : "The smallest changes that together give it a place (planned again with them):");
                way(found.first(), pod);
                if (!found.others().isEmpty()) {
                    out.println("Or instead (planned again with each):");
                    found.others().forEach(other -> way(other, pod));
                }
            }
        }
    }
}
