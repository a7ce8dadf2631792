package dev.millwright.cli;

import dev.millwright.cli.explain.StandingCluster;
import dev.millwright.cli.plan.PolicyFile;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.snapshot.SnapshotFile;
import dev.millwright.kube.snapshot.SnapshotReader;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.sim.KwokNodeClass;

import org.jspecify.annotations.Nullable;

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

    @Mixin private MarketOptions market = new MarketOptions();

    /// The kinds of node classes that are understood.
    private static final List<ResourceType> NODE_CLASSES =
            List.of(Ec2NodeClass.TYPE, KwokNodeClass.TYPE);

    /// Files that were given as arguments count like those of `-f`.
    void add(List<String> arguments) {
        files.addAll(arguments);
    }

    boolean isPriced() {
        return market.isPriced();
    }

    /// What of it another run of the same command is to be told.
    List<String> arguments() {
        return market.arguments();
    }

    /// As the command was told to plan.
    Planning told(Planning planning) throws IOException {
        return planning.told(market);
    }

    /// What a plan for pods is made from.
    SnapshotFile read(Planning usual, ClusterDoor door, Terminal terminal, Progress progress)
            throws IOException {
        var planning = told(usual);
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
            return objects(api);
        }
    }

    private static SequencedMap<ResourceType, List<Value.Mapping>> objects(HttpKubeApi api)
            throws IOException {
        try {
            return SnapshotReader.objects(api, NODE_CLASSES);
        } catch (IOException failed) {
            throw new IOException(
                    "%s at %s; see that the kubeconfig leads to a cluster that runs"
                            .formatted(failed.getMessage(), api.server()),
                    failed);
        }
    }

    /// What a decision about nodes is made from. Files are read twice: the plan's own reader tells
    /// what is wrong with them.
    StandingCluster readStanding(
            Planning usual, ClusterDoor door, Terminal terminal, Progress progress, Instant now)
            throws IOException {
        var planning = told(usual);
        if (files.isEmpty()) {
            var objects = objects(door, terminal, progress);
            return StandingCluster.of(planning.read(LIVE, objects), objects, now);
        }
        progress.step("reading " + String.join(", ", files));
        var input = files.contains("-") ? terminal.in().readAllBytes() : new byte[0];
        return StandingCluster.of(
                planning.readSources(sources(terminal, input)), sources(terminal, input), now);
    }

    /// The same as if a policy were in force.
    StandingCluster readStanding(Reading reading, @Nullable PolicyFile policy) throws IOException {
        if (policy == null) {
            return readStanding(
                    reading.planning(),
                    reading.door(),
                    reading.terminal(),
                    reading.progress(),
                    reading.now());
        }
        var planning = told(reading.planning());
        if (files.isEmpty()) {
            var objects =
                    policy.applied(objects(reading.door(), reading.terminal(), reading.progress()));
            return StandingCluster.of(planning.read(LIVE, objects), objects, reading.now());
        }
        reading.progress().step("reading " + String.join(", ", files));
        var input = files.contains("-") ? reading.terminal().in().readAllBytes() : new byte[0];
        return standing(planning, files, sources(reading.terminal(), input), policy, reading.now());
    }

    static StandingCluster standing(
            Planning planning,
            List<String> files,
            List<Source> sources,
            PolicyFile policy,
            Instant now) {
        var all = policy.applied(files.getFirst(), sources);
        return StandingCluster.of(planning.readSources(all), all, now);
    }

    /// What reading takes besides the options.
    record Reading(
            Planning planning,
            ClusterDoor door,
            Terminal terminal,
            Progress progress,
            Instant now) {}

    HttpKubeApi open(ClusterDoor door, Terminal terminal) {
        return door.open(cluster.access(terminal));
    }

    List<String> files() {
        return files;
    }

    /// What messages call the cluster.
    String name() {
        return files.isEmpty() ? LIVE : String.join(", ", files);
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
