package dev.millwright.cli;

import dev.millwright.cli.explain.StandingCluster;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.snapshot.SnapshotFile;
import dev.millwright.kube.snapshot.SnapshotReader;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/// The cluster a question is about: one that runs, or files of its objects.
final class ClusterSource {

    /// What messages call a cluster that runs.
    private static final String LIVE = "cluster";

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "A snapshot to read instead of the cluster; - is standard input.")
    private List<String> files = new ArrayList<>();

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    /// What a plan for pods is made from.
    SnapshotFile read(Planning planning, ClusterDoor door, Terminal terminal, Progress progress)
            throws IOException {
        if (!files.isEmpty()) {
            progress.step("reading " + String.join(", ", files));
            return planning.read(files);
        }
        return planning.read(LIVE, objects(door, terminal, progress));
    }

    private SequencedMap<ResourceType, List<Value.Mapping>> objects(
            ClusterDoor door, Terminal terminal, Progress progress) throws IOException {
        progress.step("reading the cluster");
        try (var api = door.open(cluster.access(terminal))) {
            return SnapshotReader.objects(api);
        }
    }

    /// What a decision about nodes is made from. Files are read twice: the plan's own reader tells
    /// what is wrong with them.
    StandingCluster readStanding(
            Planning planning, ClusterDoor door, Terminal terminal, Progress progress, Instant now)
            throws IOException {
        if (files.isEmpty()) {
            var objects = objects(door, terminal, progress);
            return StandingCluster.of(planning.read(LIVE, objects), objects, now);
        }
        progress.step("reading " + String.join(", ", files));
        var input = files.contains("-") ? terminal.in().readAllBytes() : new byte[0];
        return StandingCluster.of(
                planning.readSources(sources(terminal, input)), sources(terminal, input), now);
    }

    private List<Source> sources(Terminal terminal, byte[] input) {
        return files.stream()
                .map(
                        file ->
                                file.equals("-")
                                        ? Source.standardInput(new ByteArrayInputStream(input))
                                        : Planning.source(file, terminal))
                .toList();
    }
}
