package dev.millwright.world.kubelet;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.quantity.GoDuration;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.PodVolumes;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Span;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// What becomes of pods on their nodes: they start, get ready, end or are stopped.
final class PodRuns {

    /// Annotations of a pod that say how its containers behave, as Go durations.
    static final String RUNS_FOR = "world.millwright.dev/runs-for";

    static final String STARTS_IN = "world.millwright.dev/starts-in";
    static final String STOPS_IN = "world.millwright.dev/stops-in";

    private enum Stage {
        STARTING,
        /// Waits for its volumes to be attached.
        MOUNTING,
        RUNNING,
        ENDED,
        STOPPING
    }

    private static final class Run {
        private final String node;
        private Stage stage = Stage.STARTING;
        private Agenda.@Nullable Booking next;
        private Instant stopsAt = Instant.MAX;
        private boolean isReady;

        private Run(String node) {
            this.node = node;
        }
    }

    private final Ledger ledger;
    private final Agenda agenda;
    private final Chance chance;
    private final KubeletSettings settings;
    private final Function<String, @Nullable Kubelet> kubelets;
    private final Writes writes;
    private final PodVolumes volumes;
    private final Map<String, Run> runs = new HashMap<>();

    PodRuns(
            Ledger ledger,
            Agenda agenda,
            Chance chance,
            KubeletSettings settings,
            Function<String, @Nullable Kubelet> kubelets) {
        this.ledger = ledger;
        this.agenda = agenda;
        this.chance = chance;
        this.settings = settings;
        this.kubelets = kubelets;
        this.writes = new Writes(ledger.store(), "kubelet");
        this.volumes = new PodVolumes(ledger.store());
        ledger.watchPods(this::changed);
        ledger.watch(ResourceType.VOLUME_ATTACHMENT, (_, _, after) -> attached(after));
    }

    /// What others said of pods while their kubelet was silent is put right.
    void heard(String node) {
        for (var pod : ledger.podsOn(node)) {
            var run = runs.get(pod.uid());
            if (run != null
                    && run.stage == Stage.RUNNING
                    && run.isReady
                    && !pod.isReady()
                    && !pod.isDeleting()) {
                writeStatus(pod, "Running", true, "");
            }
        }
    }

    /// Looks at all pods of a node whose kubelet has come.
    void resume(String node) {
        ledger.podsOn(node).forEach(pod -> changed(null, pod));
    }

    private void changed(@Nullable PodFacts before, @Nullable PodFacts after) {
        if (after == null || (before != null && !before.uid().equals(after.uid()))) {
            forget(before);
        }
        if (after == null || !after.isBound() || kubelets.apply(after.nodeName()) == null) {
            return;
        }
        var run = runs.get(after.uid());
        if (run == null) {
            run = begin(after);
        }
        if (after.isDeleting()) {
            stop(run, after);
        }
    }

    private void forget(@Nullable PodFacts pod) {
        var run = pod == null ? null : runs.remove(pod.uid());
        if (run != null && run.next != null) {
            run.next.cancel();
        }
    }

    private Run begin(PodFacts pod) {
        var run = new Run(pod.nodeName());
        runs.put(pod.uid(), run);
        if (pod.isTerminal()) {
            run.stage = Stage.ENDED;
        } else if (pod.phase().equals("Running")) {
            run.stage = Stage.RUNNING;
            run.isReady = pod.isReady();
            bookEnd(run, pod);
        } else if (!pod.isDeleting()) {
            book(run, pod, drawn(pod, STARTS_IN, settings.start()), this::start);
        }
        return run;
    }

    /// Does it then, if the pod is still the same, once its kubelet is heard.
    private void book(Run run, PodFacts pod, Duration wait, Act act) {
        var name = pod.name();
        var uid = pod.uid();
        run.next =
                agenda.after(
                        wait,
                        () -> {
                            var kubelet = kubelets.apply(run.node);
                            if (kubelet != null) {
                                kubelet.say(() -> act(run, name, uid, act));
                            }
                        });
    }

    @FunctionalInterface
    private interface Act {
        void on(Run run, PodFacts pod);
    }

    private void act(Run run, ObjectName name, String uid, Act act) {
        var pod = ledger.pod(name);
        if (pod != null && pod.uid().equals(uid) && runs.get(uid) == run) {
            act.on(run, pod);
        }
    }

    private Duration drawn(PodFacts pod, String annotation, Span usual) {
        var stated = stated(pod, annotation);
        return stated == null ? usual.draw(chance) : stated;
    }

    private static @Nullable Duration stated(PodFacts pod, String annotation) {
        var text = pod.annotation(annotation);
        return text == null ? null : GoDuration.parse(text);
    }

    private void start(Run run, PodFacts pod) {
        if (pod.isDeleting() || pod.isTerminal()) {
            return;
        }
        if (!volumes.areAttached(pod.name(), pod.spec(), run.node)) {
            run.stage = Stage.MOUNTING;
            return;
        }
        run.stage = Stage.RUNNING;
        var probe = settings.probe().draw(chance);
        var isReady = probe.isZero();
        run.isReady = isReady;
        writeStatus(pod, "Running", isReady, isReady ? "" : "ContainersNotReady");
        if (isReady) {
            bookEnd(run, pod);
        } else {
            book(run, pod, probe, this::becomeReady);
        }
    }

    private void attached(Value.@Nullable Mapping attachment) {
        if (attachment == null || !Reading.isTrue(attachment, "status", "attached")) {
            return;
        }
        for (var pod : ledger.podsOn(Reading.text(attachment, "spec", "nodeName"))) {
            var run = runs.get(pod.uid());
            if (run != null && run.stage == Stage.MOUNTING) {
                book(run, pod, Duration.ZERO, this::start);
            }
        }
    }

    private void becomeReady(Run run, PodFacts pod) {
        if (run.stage == Stage.RUNNING && !pod.isDeleting()) {
            run.isReady = true;
            writeStatus(pod, "Running", true, "");
            bookEnd(run, pod);
        }
    }

    private void bookEnd(Run run, PodFacts pod) {
        var length = stated(pod, RUNS_FOR);
        if (length != null && run.stage == Stage.RUNNING) {
            book(run, pod, length, this::end);
        }
    }

    private void end(Run run, PodFacts pod) {
        if (run.stage == Stage.RUNNING && !pod.isDeleting()) {
            run.stage = Stage.ENDED;
            writeStatus(pod, "Succeeded", false, "PodCompleted");
        }
    }

    /// A second request with less grace makes it sooner.
    private void stop(Run run, PodFacts pod) {
        var now = agenda.instant();
        var graceEnd = pod.deletedAt() == null ? now : pod.deletedAt();
        var isRunning = run.stage == Stage.RUNNING || run.stage == Stage.STOPPING;
        var wanted =
                run.stage == Stage.STOPPING
                        ? run.stopsAt
                        : now.plus(isRunning ? drawn(pod, STOPS_IN, settings.stop()) : QUICK);
        var at = graceEnd.isBefore(wanted) ? graceEnd : wanted;
        if (at.isBefore(run.stopsAt)) {
            if (run.next != null) {
                run.next.cancel();
            }
            run.stage = Stage.STOPPING;
            run.stopsAt = at;
            var wait = Duration.between(now, at);
            book(run, pod, wait.isNegative() ? Duration.ZERO : wait, this::stopped);
        }
    }

    private static final Duration QUICK = Duration.ofMillis(100);

    /// Whoever holds the pod by a finalizer learns how it ended.
    private void stopped(Run run, PodFacts pod) {
        if (!pod.isTerminal() && !Reading.list(pod.object(), "metadata", "finalizers").isEmpty()) {
            writeStatus(pod, "Failed", false, "PodFailed");
        }
        ledger.store().remove(writes.by(), ResourceType.POD, pod.name(), pod.uid());
    }

    private void writeStatus(PodFacts pod, String phase, boolean isReady, String reason) {
        var now = agenda.instant();
        var ready = isReady ? "True" : "False";
        var status = Tree.of("phase", phase);
        if (Reading.at(pod.object(), "status", "startTime") == null) {
            status.put("startTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        }
        var conditions = new ArrayList<Value>();
        for (var old : Reading.list(pod.object(), "status", "conditions")) {
            if (!OWN.contains(Reading.text(old, "type"))) {
                conditions.add(old);
            }
        }
        conditions.add(condition("Initialized", "True", "", now));
        conditions.add(condition("Ready", ready, reason, now));
        conditions.add(condition("ContainersReady", ready, reason, now));
        status.putList("conditions", conditions);
        status.putList("containerStatuses", containers(pod, phase, isReady));
        writes.status(ResourceType.POD, pod.name(), status);
    }

    private static final List<String> OWN = List.of("Initialized", "Ready", "ContainersReady");

    private static Value condition(String type, String status, String reason, Instant now) {
        return Tree.of("type", type)
                .put("status", status)
                .putUnlessEmpty("reason", reason)
                .put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString())
                .mapping();
    }

    private static List<Value> containers(PodFacts pod, String phase, boolean isReady) {
        var statuses = new ArrayList<Value>();
        for (var container : Reading.list(pod.object(), "spec", "containers")) {
            statuses.add(
                    Tree.of("name", Reading.text(container, "name"))
                            .put("image", Reading.text(container, "image"))
                            .put("ready", isReady)
                            .put("started", phase.equals("Running"))
                            .put("restartCount", 0)
                            .mapping());
        }
        return statuses;
    }
}
