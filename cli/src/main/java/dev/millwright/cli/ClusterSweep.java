package dev.millwright.cli;

import dev.millwright.cli.plan.SweepJob;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.Pages;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Has a sweep done by a Job of a cluster, gathers what its pods say, and takes all away again.
final class ClusterSweep {

    private static final Duration POLL = Duration.ofSeconds(1);

    /// Longer than any sweep should take; what does not end is taken away.
    private static final Duration TIME_MAX = Duration.ofHours(6);

    private static final int PAGE = 500;

    /// What became of the Job.
    private record State(boolean isDone, boolean isFailed, long succeeded) {}

    private final KubeApi api;
    private final String namespace;
    private final Progress progress;

    ClusterSweep(KubeApi api, String namespace, Progress progress) {
        this.api = api;
        this.namespace = namespace;
        this.progress = progress;
    }

    /// The rows by their cell's number, as pods wrote them. Those of pods that failed for good are
    /// missing.
    SequencedMap<Integer, Value.Mapping> run(SweepJob sweep)
            throws IOException, InterruptedException {
        try {
            for (var map : sweep.configMaps()) {
                create(ResourceType.CONFIG_MAP, map);
            }
            create(SweepJob.JOB, sweep.job());
            await(sweep);
            return gathered(sweep);
        } finally {
            clean(sweep);
        }
    }

    private void create(ResourceType type, Value.Mapping object) throws IOException {
        var answer = api.write(new ApiWrite.Create(type, namespace, object));
        if (!answer.isDone()) {
            throw new IOException(
                    "cannot create %s %s in namespace %s: %s"
                            .formatted(
                                    type.kind(),
                                    Metadata.of(object).name().name(),
                                    namespace,
                                    answer.explain()));
        }
    }

    private void await(SweepJob sweep) throws IOException, InterruptedException {
        var tries = TIME_MAX.dividedBy(POLL);
        for (var attempt = 0L; attempt < tries; attempt++) {
            var state = state(sweep);
            progress.step(
                    "Job %s/%s: %,d of %,d pods have ended"
                            .formatted(namespace, sweep.name(), state.succeeded(), sweep.pods()));
            if (state.isDone() || state.isFailed()) {
                return;
            }
            Thread.sleep(POLL);
        }
        throw new IOException(
                "Job %s/%s did not end within %s".formatted(namespace, sweep.name(), TIME_MAX));
    }

    private State state(SweepJob sweep) throws IOException {
        var answer = api.read(SweepJob.JOB, new ObjectName(namespace, sweep.name()));
        if (!(answer instanceof ApiAnswer.Done(var job))) {
            throw new IOException(
                    "Job %s/%s: %s".formatted(namespace, sweep.name(), answer.explain()));
        }
        var status = job.fields().get("status");
        var isDone = false;
        var isFailed = false;
        for (var condition : list(status, "conditions")) {
            var isTrue = "True".equals(text(condition, "status"));
            isDone |= isTrue && "Complete".equals(text(condition, "type"));
            isFailed |= isTrue && "Failed".equals(text(condition, "type"));
        }
        return new State(isDone, isFailed, number(status, "succeeded"));
    }

    private SequencedMap<Integer, Value.Mapping> gathered(SweepJob sweep) throws IOException {
        var rows = new TreeMap<Integer, Value.Mapping>();
        for (var pod : pods(sweep)) {
            var status = pod.fields().get("status");
            if (!"Succeeded".equals(text(status, "phase"))) {
                continue;
            }
            for (var container : list(status, "containerStatuses")) {
                var message = message(container);
                if (message != null) {
                    read(message, rows);
                }
            }
        }
        return rows;
    }

    private static void read(String message, Map<Integer, Value.Mapping> rows) throws IOException {
        var said = JsonReader.object(message.getBytes(StandardCharsets.UTF_8));
        for (var each : list(said, "sweep")) {
            if (each instanceof Value.Mapping row) {
                rows.put(Math.toIntExact(number(row, "cell")), row);
            }
        }
    }

    private static @Nullable String message(Value container) {
        var state = field(container, "state");
        return state == null ? null : text(field(state, "terminated"), "message");
    }

    private List<Value.Mapping> pods(SweepJob sweep) throws IOException {
        return Pages.all(
                api,
                ResourceType.POD,
                new KubeApi.ListQuery(
                        namespace, SweepJob.LABEL + "=" + sweep.name(), "", PAGE, ""));
    }

    /// Jobs that are deleted so leave their pods behind.
    private void clean(SweepJob sweep) throws IOException {
        var left = new ArrayList<ApiWrite>();
        left.add(delete(SweepJob.JOB, sweep.name()));
        for (var map : sweep.configMaps()) {
            left.add(delete(ResourceType.CONFIG_MAP, Metadata.of(map).name().name()));
        }
        left.forEach(api::write);
        for (var pod : pods(sweep)) {
            api.write(delete(ResourceType.POD, Metadata.of(pod).name().name()));
        }
    }

    private ApiWrite delete(ResourceType type, String name) {
        return new ApiWrite.Delete(type, new ObjectName(namespace, name), null, null);
    }

    private static @Nullable Value field(@Nullable Value value, String name) {
        return value instanceof Value.Mapping mapping ? mapping.fields().get(name) : null;
    }

    private static List<Value> list(@Nullable Value value, String name) {
        return field(value, name) instanceof Value.Sequence(_, var elements) ? elements : List.of();
    }

    private static @Nullable String text(@Nullable Value value, String name) {
        return value instanceof Value.Mapping mapping ? mapping.text(name) : null;
    }

    private static long number(@Nullable Value value, String name) {
        return field(value, name) instanceof Value.Numeral(_, var digits)
                ? Long.parseLong(digits)
                : 0;
    }
}
