package dev.millwright.cli;

import dev.millwright.cli.plan.SweepJob;
import dev.millwright.cli.plan.SweepJob.Input;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/// Where a sweep is done: here, by a Job of a cluster, or here as one of that Job's pods.
final class SweepPlace {

    private static final String INDEX = "JOB_COMPLETION_INDEX";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Option(
            names = "--on-cluster",
            description =
                    "Have a sweep done by an Indexed Job of the cluster. It writes: ConfigMaps with the files and the Job, which it takes away again.")
    private boolean isOnCluster;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "With --on-cluster: the image of millwright that its pods run.")
    private @Nullable String image;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "With --on-cluster: where the Job runs (default: default).")
    private String namespace = "default";

    @Option(names = "--share-of", paramLabel = "N", hidden = true)
    private int shareOf;

    @Option(names = "--result", paramLabel = "FILE", hidden = true)
    private @Nullable Path result;

    boolean isOnCluster() {
        return isOnCluster;
    }

    boolean isShare() {
        return shareOf > 0;
    }

    /// What falls to this pod, by the number that the Job gave it.
    List<SweepRun.Cell> share(List<SweepRun.Cell> cells, Terminal terminal) {
        var text = terminal.environment().getOrDefault(INDEX, "");
        try {
            return SweepRun.share(cells, Integer.parseInt(text), shareOf);
        } catch (NumberFormatException unreadable) {
            throw wrong(
                    "%s is \"%s\"; --share-of is for pods of an Indexed Job"
                            .formatted(INDEX, text));
        }
    }

    void write(List<SweepRun.Row> rows) throws IOException {
        var path = result;
        if (path == null) {
            throw wrong("--share-of needs --result FILE");
        }
        try (var writer = new PrintWriter(Files.newBufferedWriter(path, StandardCharsets.UTF_8))) {
            ResultText.json(SweepRun.result(rows), writer);
        }
    }

    /// Has the cluster do it.
    List<SweepRun.Row> rows(
            ClusterSource source,
            List<String> policies,
            PlanOptions options,
            ClusterDoor door,
            Terminal terminal)
            throws IOException, InterruptedException {
        if (image == null) {
            throw wrong("--on-cluster needs --image IMAGE, which the pods run");
        }
        SweepJob sweep;
        try {
            var snapshots = inputs(source.files());
            sweep =
                    new SweepJob(
                            name(snapshots),
                            image,
                            snapshots,
                            inputs(policies),
                            Stream.concat(options.arguments().stream(), source.arguments().stream())
                                    .toList());
        } catch (IllegalArgumentException tooLarge) {
            throw wrong(String.valueOf(tooLarge.getMessage()));
        }
        try (var progress = new Progress(terminal);
                var api = source.open(door, terminal)) {
            var found = new ClusterSweep(api, namespace, progress).run(sweep);
            var rows = new ArrayList<SweepRun.Row>();
            for (var cell : SweepRun.cells(source.files(), policies)) {
                var row = found.get(cell.number());
                if (row != null) {
                    rows.add(SweepRun.read(cell, row));
                }
            }
            return rows;
        }
    }

    private static List<Input> inputs(List<String> files) throws IOException {
        var inputs = new ArrayList<Input>();
        for (var file : files) {
            inputs.add(Input.of(file, Files.readAllBytes(Path.of(file))));
        }
        return inputs;
    }

    /// The same files make the same name, so that a sweep that was cut off is found again.
    private static String name(List<Input> snapshots) {
        var sum = new CRC32();
        snapshots.forEach(input -> sum.update(input.base64().getBytes(StandardCharsets.UTF_8)));
        return "millwright-sweep-%08x".formatted(sum.getValue());
    }

    private CommandLine.ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
