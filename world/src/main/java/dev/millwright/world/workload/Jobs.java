package dev.millwright.world.workload;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.DirtyKeys;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.kind.Kinds;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs the pods of Jobs until enough have succeeded or too many failed. A pod that is deleted or
/// evicted has failed.
///
/// Left out of the real one: indexed completions, failure policies, deadlines.
final class Jobs {

    private static final ResourceType TYPE = Kinds.JOB;
    private static final String TRACKING = "batch.kubernetes.io/job-tracking";
    private static final int BACKOFF_LIMIT = 6;
    private static final Duration BACKOFF_MIN = Duration.ofSeconds(10);
    private static final Duration BACKOFF_MAX = Duration.ofMinutes(10);

    /// Failures since the last success, and until when to wait after them.
    private record Trouble(int failures, Instant until) {}

    private final Ledger ledger;
    private final Agenda agenda;
    private final WorkloadSettings settings;
    private final Writes writes;
    private final DirtyKeys<ObjectName> dirty;
    private final Map<String, Trouble> troubles = new HashMap<>();

    Jobs(Ledger ledger, Agenda agenda, WorkloadSettings settings) {
        this.ledger = ledger;
        this.agenda = agenda;
        this.settings = settings;
        this.writes = new Writes(ledger.store(), "job-controller");
        this.dirty = new DirtyKeys<>(agenda, settings.latency(), this::sync);
        ledger.watch(TYPE, this::changed);
        ledger.watchPods(this::podChanged);
    }

    private void changed(
            ObjectName name, Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        if (after == null && before != null) {
            troubles.remove(Reading.text(before, "metadata", "uid"));
            ledger.podsOf(Reading.text(before, "metadata", "uid"))
                    .forEach(pod -> orphaned(pod.name()));
        } else if (after != null
                && (before == null
                        || !Reading.isUntouched(before, after, "spec")
                        || Reading.at(after, "metadata", "deletionTimestamp") != null)) {
            dirty.mark(name);
        }
    }

    /// A pod without its Job has nobody else to let it go.
    private void orphaned(ObjectName name) {
        agenda.after(
                settings.latency(),
                () -> {
                    var pod = ledger.pod(name);
                    if (pod != null && isTracked(pod)) {
                        untrack(pod);
                    }
                });
    }

    private void podChanged(@Nullable PodFacts before, @Nullable PodFacts after) {
        var pod = after == null ? before : after;
        var owner = pod == null ? null : pod.controller();
        if (pod == null || owner == null || !owner.kind().equals(TYPE.kind())) {
            return;
        }
        var name = new ObjectName(pod.name().namespace(), owner.name());
        if (ledger.store().find(TYPE, name) == null) {
            if (after != null && isTracked(after)) {
                orphaned(after.name());
            }
            return;
        }
        if (before == null
                || after == null
                || before.isActive() != after.isActive()
                || before.isReady() != after.isReady()) {
            dirty.mark(name);
        }
    }

    private static boolean isTracked(PodFacts pod) {
        return Reading.textList(pod.object(), "metadata", "finalizers").contains(TRACKING);
    }

    private void untrack(PodFacts pod) {
        var left =
                Reading.textList(pod.object(), "metadata", "finalizers").stream()
                        .filter(each -> !each.equals(TRACKING))
                        .toList();
        writes.patch(
                ResourceType.POD,
                pod.name(),
                Tree.of("metadata", Tree.of().putTextList("finalizers", left)));
    }

    private void sync(ObjectName name) {
        var job = ledger.store().find(TYPE, name);
        if (job == null) {
            return;
        }
        var uid = Reading.text(job, "metadata", "uid");
        var pods = List.copyOf(ledger.podsOf(uid));
        var succeeded = Reading.number(0, job, "status", "succeeded");
        var failed = Reading.number(0, job, "status", "failed");
        for (var pod : pods) {
            if (!isTracked(pod) || pod.isActive()) {
                continue;
            }
            if (pod.phase().equals("Succeeded")) {
                succeeded++;
                troubles.remove(uid);
            } else {
                failed++;
                trouble(uid);
            }
            untrack(pod);
        }
        if (isEnded(job)) {
            cleanUp(name, job);
            return;
        }
        var isDeleting = Reading.at(job, "metadata", "deletionTimestamp") != null;
        var active = new ArrayList<>(pods.stream().filter(PodFacts::isActive).toList());
        if (!isDeleting && !isOver(job, succeeded, failed)) {
            adjust(name, job, active, succeeded);
        }
        writeStatus(name, job, succeeded, failed);
    }

    private void trouble(String uid) {
        var failures = troubles.getOrDefault(uid, new Trouble(0, Instant.MIN)).failures();
        var wait = BACKOFF_MIN;
        for (var i = 0; i < failures && wait.compareTo(BACKOFF_MAX) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        wait = wait.compareTo(BACKOFF_MAX) > 0 ? BACKOFF_MAX : wait;
        troubles.put(uid, new Trouble(failures + 1, agenda.instant().plus(wait)));
    }

    private static boolean isEnded(Value.Mapping job) {
        return List.of("Complete", "Failed").stream()
                .map(type -> Reading.condition(job, type))
                .anyMatch(found -> found != null && "True".equals(found.text("status")));
    }

    private static int completions(Value.Mapping job) {
        return Reading.number(
                Reading.number(1, job, "spec", "parallelism"), job, "spec", "completions");
    }

    private static boolean isOver(Value.Mapping job, int succeeded, int failed) {
        return succeeded >= completions(job)
                || failed > Reading.number(BACKOFF_LIMIT, job, "spec", "backoffLimit");
    }

    private void adjust(ObjectName name, Value.Mapping job, List<PodFacts> active, int succeeded) {
        var isSuspended = Reading.isTrue(job, "spec", "suspend");
        var wanted =
                isSuspended
                        ? 0
                        : Math.min(
                                Reading.number(1, job, "spec", "parallelism"),
                                completions(job) - succeeded);
        for (var i = active.size() - 1; i >= Math.max(0, wanted); i--) {
            writes.delete(ResourceType.POD, active.get(i).name(), active.get(i).uid());
        }
        var missing = wanted - active.size();
        if (missing <= 0) {
            return;
        }
        var trouble = troubles.get(Reading.text(job, "metadata", "uid"));
        if (trouble != null && trouble.until().isAfter(agenda.instant())) {
            dirty.markAt(name, trouble.until());
            return;
        }
        var count = Math.min(missing, settings.podsPerRound());
        for (var i = 0; i < count; i++) {
            create(name, job);
        }
        if (count < missing) {
            dirty.markAfter(name, settings.roundPause());
        }
    }

    private void create(ObjectName name, Value.Mapping job) {
        var uid = Reading.text(job, "metadata", "uid");
        var template = Reading.mapping(job, "spec", "template");
        var labels =
                Map.of(
                        "controller-uid",
                        uid,
                        "job-name",
                        name.name(),
                        "batch.kubernetes.io/controller-uid",
                        uid,
                        "batch.kubernetes.io/job-name",
                        name.name());
        var metadata =
                PodTemplates.metadata(TYPE, job, template, labels)
                        .put("generateName", name.name() + "-")
                        .putTextList("finalizers", List.of(TRACKING));
        writes.create(
                ResourceType.POD,
                name.namespace(),
                PodTemplates.pod(metadata, Reading.mapping(template, "spec")));
    }

    private void writeStatus(ObjectName name, Value.Mapping job, int succeeded, int failed) {
        var pods = ledger.podsOf(Reading.text(job, "metadata", "uid"));
        var active = 0;
        var ready = 0;
        for (var pod : pods) {
            active += pod.isActive() ? 1 : 0;
            ready += pod.isActive() && pod.isReady() ? 1 : 0;
        }
        var status = Reading.mapping(job, "status");
        var isOver = isOver(job, succeeded, failed);
        if (!isOver
                && Reading.number(-1, status, "active") == active
                && Reading.number(0, status, "ready") == ready
                && Reading.number(0, status, "succeeded") == succeeded
                && Reading.number(0, status, "failed") == failed) {
            return;
        }
        var now = agenda.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        var body =
                Tree.of()
                        .put("active", isOver ? 0 : active)
                        .put("ready", isOver ? 0 : ready)
                        .put("succeeded", succeeded)
                        .put("failed", failed);
        if (Reading.at(status, "startTime") == null) {
            body.put("startTime", now);
        }
        if (isOver) {
            var isComplete = succeeded >= completions(job);
            var condition =
                    Tree.of("type", isComplete ? "Complete" : "Failed")
                            .put("status", "True")
                            .put(
                                    "reason",
                                    isComplete ? "CompletionsReached" : "BackoffLimitExceeded")
                            .put("lastTransitionTime", now);
            body.putList("conditions", Writes.conditions(job, condition));
            if (isComplete) {
                body.put("completionTime", now);
            }
            dirty.mark(name);
        }
        writes.status(TYPE, name, body);
    }

    /// What still runs is stopped; the Job itself goes when its time is over.
    private void cleanUp(ObjectName name, Value.Mapping job) {
        for (var pod : ledger.podsOf(Reading.text(job, "metadata", "uid"))) {
            if (pod.isActive()) {
                writes.delete(ResourceType.POD, pod.name(), pod.uid());
            }
        }
        var kept = Reading.number(job, "spec", "ttlSecondsAfterFinished");
        var end = endedAt(job);
        if (kept == null || end == null) {
            return;
        }
        var goesAt = end.plusSeconds(kept);
        if (goesAt.isAfter(agenda.instant())) {
            dirty.markAt(name, goesAt);
        } else {
            writes.delete(TYPE, name, Reading.text(job, "metadata", "uid"));
        }
    }

    private static @Nullable Instant endedAt(Value.Mapping job) {
        for (var type : List.of("Complete", "Failed")) {
            var condition = Reading.condition(job, type);
            if (condition != null) {
                return Reading.instant(condition, "lastTransitionTime");
            }
        }
        return null;
    }
}
