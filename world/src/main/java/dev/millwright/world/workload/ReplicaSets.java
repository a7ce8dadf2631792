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
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Keeps as many pods as each ReplicaSet wants.
final class ReplicaSets {

    private static final ResourceType TYPE = ResourceType.REPLICA_SET;
    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

    private final Ledger ledger;
    private final Agenda agenda;
    private final WorkloadSettings settings;
    private final Writes writes;
    private final DirtyKeys<ObjectName> dirty;

    /// Pods of each set, kept as they come and go: a set of 10,000 is not gone through for one of
    /// them.
    private final Map<String, Tally> tallies = new HashMap<>();

    private static final class Tally {
        private int active;
        private int ready;

        private void count(PodFacts pod, int change) {
            if (pod.isActive()) {
                active += change;
                ready += pod.isReady() ? change : 0;
            }
        }
    }

    ReplicaSets(Ledger ledger, Agenda agenda, WorkloadSettings settings) {
        this.ledger = ledger;
        this.agenda = agenda;
        this.settings = settings;
        this.writes = new Writes(ledger.store(), "replicaset-controller");
        this.dirty = new DirtyKeys<>(agenda, settings.latency(), this::sync);
        ledger.watch(TYPE, (name, before, after) -> changed(name, before, after));
        ledger.watchPods(this::podChanged);
    }

    /// What a controller writes into the status is not news to it.
    private void changed(
            ObjectName name, Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        if (after == null && before != null) {
            tallies.remove(Reading.text(before, "metadata", "uid"));
        } else if (after != null
                && (before == null
                        || !Reading.isUntouched(before, after, "spec")
                        || Reading.at(after, "metadata", "deletionTimestamp") != null)) {
            dirty.mark(name);
        }
    }

    private void podChanged(@Nullable PodFacts before, @Nullable PodFacts after) {
        var pod = after == null ? before : after;
        if (pod == null || pod.controller() == null) {
            return;
        }
        var controller = pod.controller();
        if (controller.kind().equals(TYPE.kind()) && isNews(before, after)) {
            var tally = tallies.computeIfAbsent(controller.uid(), _ -> new Tally());
            if (before != null) {
                tally.count(before, -1);
            }
            if (after != null) {
                tally.count(after, 1);
            }
            dirty.mark(new ObjectName(pod.name().namespace(), controller.name()));
        }
    }

    private static boolean isNews(@Nullable PodFacts before, @Nullable PodFacts after) {
        return before == null
                || after == null
                || before.isActive() != after.isActive()
                || !Objects.equals(before.readySince(), after.readySince());
    }

    private void sync(ObjectName name) {
        var set = ledger.store().find(TYPE, name);
        if (set == null || Reading.at(set, "metadata", "deletionTimestamp") != null) {
            return;
        }
        var uid = Reading.text(set, "metadata", "uid");
        var tally = tallies.computeIfAbsent(uid, _ -> new Tally());
        var missing = Reading.number(1, set, "spec", "replicas") - tally.active;
        if (missing > 0) {
            create(name, set, missing);
        } else if (missing < 0) {
            delete(name, active(uid), -missing);
        }
        writeStatus(name, set);
    }

    private List<PodFacts> active(String uid) {
        var active = new ArrayList<PodFacts>();
        for (var pod : ledger.podsOf(uid)) {
            if (pod.isActive()) {
                active.add(pod);
            }
        }
        return active;
    }

    private void create(ObjectName name, Value.Mapping set, int missing) {
        var template = Reading.mapping(set, "spec", "template");
        var metadata =
                PodTemplates.metadata(TYPE, set, template, Map.of())
                        .put("generateName", name.name() + "-");
        var body = PodTemplates.pod(metadata, Reading.mapping(template, "spec"));
        var count = Math.min(missing, settings.podsPerRound());
        for (var i = 0; i < count; i++) {
            if (!writes.create(ResourceType.POD, name.namespace(), body).isDone()) {
                dirty.markAfter(name, RETRY);
                return;
            }
        }
        if (count < missing) {
            dirty.markAfter(name, settings.roundPause());
        }
    }

    private void delete(ObjectName name, List<PodFacts> active, int surplus) {
        var count = Math.min(surplus, settings.podsPerRound());
        for (var pod : ranked(active).subList(0, count)) {
            writes.delete(ResourceType.POD, pod.name(), pod.uid());
        }
        if (count < surplus) {
            dirty.markAfter(name, settings.roundPause());
        }
    }

    /// In the order of leaving: without a node, pending, not ready, cheap to delete, on a node with
    /// many others, ready for a short time, young.
    private List<PodFacts> ranked(List<PodFacts> active) {
        var neighbours = new HashMap<String, Integer>();
        active.forEach(pod -> neighbours.merge(pod.nodeName(), 1, Integer::sum));
        var order =
                Comparator.comparing(PodFacts::isBound)
                        .thenComparing(pod -> pod.phase().equals("Running"))
                        .thenComparing(PodFacts::isReady)
                        .thenComparingInt(ReplicaSets::cost)
                        .thenComparing(
                                pod -> neighbours.getOrDefault(pod.nodeName(), 0),
                                Comparator.reverseOrder())
                        .thenComparing(ReplicaSets::readySince, Comparator.reverseOrder())
                        .thenComparing(PodFacts::createdAt, Comparator.reverseOrder())
                        .thenComparing(PodFacts::name);
        return active.stream().sorted(order).toList();
    }

    private static Instant readySince(PodFacts pod) {
        return pod.readySince() == null ? Instant.MAX : pod.readySince();
    }

    private static int cost(PodFacts pod) {
        var text = pod.annotation(DELETION_COST);
        try {
            return text == null ? 0 : Integer.parseInt(text);
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }

    private Counts counts(Value.Mapping set) {
        var uid = Reading.text(set, "metadata", "uid");
        var minReady = Reading.number(0, set, "spec", "minReadySeconds");
        if (minReady > 0) {
            return Counts.of(active(uid), Duration.ofSeconds(minReady), agenda.instant());
        }
        var tally = tallies.computeIfAbsent(uid, _ -> new Tally());
        return new Counts(tally.active, tally.ready, tally.ready, null);
    }

    private void writeStatus(ObjectName name, Value.Mapping set) {
        var counts = counts(set);
        if (counts.nextAt() != null) {
            dirty.markAt(name, counts.nextAt());
        }
        var generation = Reading.number(0, set, "metadata", "generation");
        var status = Reading.mapping(set, "status");
        if (Reading.number(-1, status, "replicas") == counts.all()
                && Reading.number(0, status, "readyReplicas") == counts.ready()
                && Reading.number(0, status, "availableReplicas") == counts.available()
                && Reading.number(0, status, "observedGeneration") == generation) {
            return;
        }
        writes.status(
                TYPE,
                name,
                Tree.of()
                        .put("replicas", counts.all())
                        .put("fullyLabeledReplicas", counts.all())
                        .put("readyReplicas", counts.ready())
                        .put("availableReplicas", counts.available())
                        .put("observedGeneration", generation));
    }
}
