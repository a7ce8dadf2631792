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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Keeps the numbered pods of each StatefulSet, with claims of their own.
///
/// Left out of the real one: deleting claims with the set, and more than one pod away in updates.
final class StatefulSets {

    private static final ResourceType TYPE = ResourceType.STATEFUL_SET;
    private static final String REVISION = "controller-revision-hash";

    private final Ledger ledger;
    private final Writes writes;
    private final DirtyKeys<ObjectName> dirty;

    StatefulSets(Ledger ledger, Agenda agenda, WorkloadSettings settings) {
        this.ledger = ledger;
        this.writes = new Writes(ledger.store(), "statefulset-controller");
        this.dirty = new DirtyKeys<>(agenda, settings.latency(), this::sync);
        ledger.watch(TYPE, this::changed);
        ledger.watchPods(this::podChanged);
    }

    private void changed(
            ObjectName name, Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        if (after != null && (before == null || !Reading.isUntouched(before, after, "spec"))) {
            dirty.mark(name);
        }
    }

    private void podChanged(@Nullable PodFacts before, @Nullable PodFacts after) {
        var pod = after == null ? before : after;
        var owner = pod == null ? null : pod.controller();
        if (pod == null || owner == null || !owner.kind().equals(TYPE.kind())) {
            return;
        }
        if (before == null
                || after == null
                || before.isActive() != after.isActive()
                || before.isReady() != after.isReady()) {
            dirty.mark(new ObjectName(pod.name().namespace(), owner.name()));
        }
    }

    /// What one look at a set works with.
    private record Look(
            ObjectName name,
            Value.Mapping set,
            String revision,
            int first,
            int wanted,
            boolean isParallel,
            NavigableMap<Integer, PodFacts> pods) {

        boolean isWanted(int ordinal) {
            return ordinal >= first && ordinal < first + wanted;
        }
    }

    private void sync(ObjectName name) {
        var set = ledger.store().find(TYPE, name);
        if (set == null || Reading.at(set, "metadata", "deletionTimestamp") != null) {
            return;
        }
        var look =
                new Look(
                        name,
                        set,
                        PodTemplates.hash(Reading.mapping(set, "spec", "template")),
                        Reading.number(0, set, "spec", "ordinals", "start"),
                        Reading.number(1, set, "spec", "replicas"),
                        Reading.text(set, "spec", "podManagementPolicy").equals("Parallel"),
                        byOrdinal(name, Reading.text(set, "metadata", "uid")));
        if (fill(look) && shrink(look)) {
            update(look);
        }
        writeStatus(look);
    }

    private NavigableMap<Integer, PodFacts> byOrdinal(ObjectName name, String uid) {
        var pods = new TreeMap<Integer, PodFacts>();
        for (var pod : ledger.podsOf(uid)) {
            var ordinal = pod.name().name().substring(name.name().length() + 1);
            pods.put(Integer.parseInt(ordinal), pod);
        }
        return pods;
    }

    /// Makes the pods that are missing; in order, each waits for the one before it. Returns whether
    /// nothing more is to be waited for.
    private boolean fill(Look look) {
        for (var ordinal = look.first(); ordinal < look.first() + look.wanted(); ordinal++) {
            var pod = look.pods().get(ordinal);
            if (pod == null) {
                create(look, ordinal);
            } else if (pod.isTerminal() && !pod.isDeleting()) {
                writes.delete(ResourceType.POD, pod.name(), pod.uid());
            }
            var isUp = pod != null && pod.isActive() && pod.isReady();
            if (!isUp && !look.isParallel()) {
                return false;
            }
        }
        return true;
    }

    /// Deletes those above the number that is wanted, the last first.
    private boolean shrink(Look look) {
        for (var entry : look.pods().descendingMap().entrySet()) {
            if (look.isWanted(entry.getKey())) {
                continue;
            }
            var pod = entry.getValue();
            if (!pod.isDeleting()) {
                writes.delete(ResourceType.POD, pod.name(), pod.uid());
            }
            if (!look.isParallel()) {
                return false;
            }
        }
        return true;
    }

    /// Replaces one outdated pod at a time, the last first, once all after it are up.
    private void update(Look look) {
        if (Reading.text(look.set(), "spec", "updateStrategy", "type").equals("OnDelete")) {
            return;
        }
        var partition =
                Reading.number(
                        0, look.set(), "spec", "updateStrategy", "rollingUpdate", "partition");
        for (var entry : look.pods().descendingMap().entrySet()) {
            var pod = entry.getValue();
            if (entry.getKey() < partition || !look.isWanted(entry.getKey())) {
                continue;
            }
            if (!look.revision().equals(pod.labels().get(REVISION))) {
                if (!pod.isDeleting()) {
                    writes.delete(ResourceType.POD, pod.name(), pod.uid());
                }
                return;
            }
            if (!pod.isActive() || !pod.isReady()) {
                return;
            }
        }
    }

    private void create(Look look, int ordinal) {
        var set = look.set();
        var podName = look.name().name() + "-" + ordinal;
        var template = Reading.mapping(set, "spec", "template");
        var volumes = new ArrayList<Value>();
        var claimed = new ArrayList<String>();
        for (var claim : Reading.list(set, "spec", "volumeClaimTemplates")) {
            var volume = Reading.text(claim, "metadata", "name");
            claimed.add(volume);
            var claimName = volume + "-" + podName;
            createClaim(look.name().namespace(), claimName, claim);
            volumes.add(
                    Tree.of("name", volume)
                            .put("persistentVolumeClaim", Tree.of("claimName", claimName))
                            .mapping());
        }
        var spec = Tree.of();
        Reading.mapping(template, "spec").fields().forEach(spec::put);
        for (var volume : Reading.list(template, "spec", "volumes")) {
            if (!claimed.contains(Reading.text(volume, "name"))) {
                volumes.add(volume);
            }
        }
        if (!volumes.isEmpty()) {
            spec.putList("volumes", volumes);
        }
        spec.put("hostname", podName)
                .putUnlessEmpty("subdomain", Reading.text(set, "spec", "serviceName"));
        var labels =
                Map.of(
                        REVISION,
                        look.revision(),
                        "statefulset.kubernetes.io/pod-name",
                        podName,
                        "apps.kubernetes.io/pod-index",
                        Integer.toString(ordinal));
        var metadata = PodTemplates.metadata(TYPE, set, template, labels).put("name", podName);
        writes.create(
                ResourceType.POD,
                look.name().namespace(),
                PodTemplates.pod(metadata, spec.mapping()));
    }

    /// A claim outlives its pod, and the next pod of the number finds it.
    private void createClaim(String namespace, String name, Value template) {
        var type = ResourceType.PERSISTENT_VOLUME_CLAIM;
        if (ledger.store().find(type, new ObjectName(namespace, name)) == null) {
            writes.create(
                    type,
                    namespace,
                    Tree.of("apiVersion", type.apiVersion())
                            .put("kind", type.kind())
                            .put(
                                    "metadata",
                                    Tree.of("name", name)
                                            .putTexts(
                                                    "labels",
                                                    Reading.texts(template, "metadata", "labels")))
                            .put("spec", Reading.mapping(template, "spec")));
        }
    }

    private void writeStatus(Look look) {
        var pods = byOrdinal(look.name(), Reading.text(look.set(), "metadata", "uid")).values();
        List<PodFacts> ready =
                pods.stream().filter(pod -> pod.isActive() && pod.isReady()).toList();
        var updated =
                pods.stream()
                        .filter(pod -> look.revision().equals(pod.labels().get(REVISION)))
                        .count();
        var generation = Reading.number(0, look.set(), "metadata", "generation");
        var status = Reading.mapping(look.set(), "status");
        if (Reading.number(-1, status, "replicas") == pods.size()
                && Reading.number(0, status, "readyReplicas") == ready.size()
                && Reading.number(0, status, "updatedReplicas") == updated
                && Reading.number(0, status, "observedGeneration") == generation) {
            return;
        }
        writes.status(
                TYPE,
                look.name(),
                Tree.of()
                        .put("replicas", pods.size())
                        .put("currentReplicas", pods.size())
                        .put("readyReplicas", ready.size())
                        .put("availableReplicas", ready.size())
                        .put("updatedReplicas", updated)
                        .put("updateRevision", look.name().name() + "-" + look.revision())
                        .put("observedGeneration", generation));
    }
}
