package dev.millwright.kube.record;

import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.snapshot.CatalogueDefault;
import dev.millwright.kube.snapshot.SnapshotReader;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Small decisions, and the records they make.
final class Samples {

    static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");
    static final RecordHead HEAD = new RecordHead("1.2.3", NOON);

    private Samples() {}

    /// What a plan for the objects says.
    static Deliberation planned(String yaml, Instant at) {
        var reader = new SnapshotReader(new CatalogueDefault(List::of, LabelVocabulary.CORE));
        var problem = reader.read(List.of(Source.text("cluster", yaml))).problem();
        var seen = problem.snapshot();
        return planned(
                problem.withSnapshot(
                        new Snapshot(
                                seen.nodes(),
                                seen.pods(),
                                seen.daemonSets(),
                                seen.namespaces(),
                                seen.storage(),
                                seen.disruptionBudgets(),
                                seen.workloads(),
                                at)));
    }

    private static Deliberation planned(SchedulingProblem problem) {
        return new Deliberation.Provisioning(problem, Planner.plan(problem));
    }

    /// About a pod of its own.
    static Deliberation pod(String name, String uid, int minute) {
        return planned(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: shop, uid: "%s"}
                spec: {containers: [{name: main, resources: {requests: {cpu: 500m}}}]}
                status:
                  phase: Pending
                  conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]
                """
                        .formatted(name, uid),
                NOON.plusSeconds(60L * minute));
    }

    static byte[] record(List<Deliberation> deliberations) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var writer = RecordWriter.to(bytes, HEAD)) {
            for (var each : deliberations) {
                writer.write(each);
                writer.flush();
            }
        }
        return bytes.toByteArray();
    }

    static List<RecordEntry> entries(Path path) throws IOException {
        var entries = new ArrayList<RecordEntry>();
        try (var reader = RecordReader.open(path)) {
            reader.forEachRemaining(entries::add);
        }
        return entries;
    }

    static Path written(Path folder, byte[] bytes) throws IOException {
        return Files.write(folder.resolve("a.mwrecord"), bytes);
    }
}
