package dev.millwright.world.workload;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cluster.DirtyKeys;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.PodVolumes;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeSet;

/// Makes volumes for claims: at once, or where the first pod goes, as the class says. Deletes them
/// with their claims, and makes the claims that come with pods.
final class Provisioning {

    private static final ResourceType CLAIM = ResourceType.PERSISTENT_VOLUME_CLAIM;
    private static final ResourceType VOLUME = ResourceType.PERSISTENT_VOLUME;
    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private static final String BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    private final Ledger ledger;
    private final Chance chance;
    private final WorkloadSettings settings;
    private final Writes writes;
    private final DirtyKeys<ObjectName> dirty;
    private final DirtyKeys<String> released;
    private final DirtyKeys<ObjectName> ephemeral;

    Provisioning(Ledger ledger, Agenda agenda, Chance chance, WorkloadSettings settings) {
        this.ledger = ledger;
        this.chance = chance;
        this.settings = settings;
        this.writes = new Writes(ledger.store(), "volume-provisioner");
        this.dirty = new DirtyKeys<>(agenda, settings.latency(), this::provision);
        this.released = new DirtyKeys<>(agenda, settings.latency(), this::reclaim);
        this.ephemeral = new DirtyKeys<>(agenda, settings.latency(), this::claimFor);
        ledger.watch(CLAIM, this::changed);
        ledger.watchPods(this::podChanged);
    }

    private void changed(
            ObjectName name, Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        if (after == null) {
            var volume = Reading.text(before, "spec", "volumeName");
            if (!volume.isEmpty()) {
                released.markAfter(volume, settings.detach().draw(chance));
            }
        } else if (!PodVolumes.isBound(after) && isDue(after)) {
            dirty.markAfter(name, settings.provision().draw(chance));
        }
    }

    private Value.@Nullable Mapping storageClass(Value.Mapping claim) {
        var name = Reading.text(claim, "spec", "storageClassName");
        return ledger.store().find(ResourceType.STORAGE_CLASS, new ObjectName("", name));
    }

    private boolean isDue(Value.Mapping claim) {
        var storageClass = storageClass(claim);
        return storageClass != null
                && (!Reading.text(storageClass, "volumeBindingMode").equals("WaitForFirstConsumer")
                        || !selectedNode(claim).isEmpty());
    }

    private static String selectedNode(Value.Mapping claim) {
        return Reading.text(claim, "metadata", "annotations", SELECTED_NODE);
    }

    private void provision(ObjectName name) {
        var claim = ledger.store().find(CLAIM, name);
        var storageClass = claim == null ? null : storageClass(claim);
        if (claim == null
                || storageClass == null
                || PodVolumes.isBound(claim)
                || Reading.at(claim, "metadata", "deletionTimestamp") != null
                || !isDue(claim)) {
            return;
        }
        var node = selectedNode(claim);
        if (!node.isEmpty() && ledger.node(node) == null) {
            // The scheduler shall choose again.
            writes.patch(
                    CLAIM,
                    name,
                    Tree.of(
                            "metadata",
                            Tree.of("annotations", Tree.of().putNothing(SELECTED_NODE))));
            return;
        }
        var volumeName = "pvc-" + Reading.text(claim, "metadata", "uid");
        var zone = node.isEmpty() ? anyZone(storageClass) : zoneOf(node);
        writes.create(VOLUME, "", volume(volumeName, name, claim, storageClass, zone));
        writes.status(VOLUME, new ObjectName("", volumeName), Tree.of("phase", "Bound"));
        writes.patch(
                CLAIM,
                name,
                Tree.of(
                                "metadata",
                                Tree.of(
                                        "annotations",
                                        Tree.of(PodVolumes.BIND_COMPLETED, "yes")
                                                .put(BY_CONTROLLER, "yes")))
                        .put("spec", Tree.of("volumeName", volumeName)));
        writes.status(
                CLAIM,
                name,
                Tree.of("phase", "Bound")
                        .putList("accessModes", Reading.list(claim, "spec", "accessModes"))
                        .put("capacity", Reading.mapping(claim, "spec", "resources", "requests")));
    }

    private String zoneOf(String node) {
        var facts = ledger.node(node);
        return facts == null ? "" : facts.labels().getOrDefault(LabelKeys.ZONE, "");
    }

    /// Of a class that does not wait: a zone that it allows, or one where there are nodes.
    private String anyZone(Value.Mapping storageClass) {
        var zones = new TreeSet<String>();
        for (var term : Reading.list(storageClass, "allowedTopologies")) {
            for (var expression : Reading.list(term, "matchLabelExpressions")) {
                if (Reading.text(expression, "key").equals(LabelKeys.ZONE)) {
                    zones.addAll(Reading.textList(expression, "values"));
                }
            }
        }
        if (zones.isEmpty()) {
            ledger.nodes()
                    .forEach(node -> zones.add(node.labels().getOrDefault(LabelKeys.ZONE, "")));
            zones.remove("");
        }
        return zones.isEmpty() ? "" : chance.pick(List.copyOf(zones));
    }

    private static Tree volume(
            String volumeName,
            ObjectName claimName,
            Value.Mapping claim,
            Value.Mapping storageClass,
            String zone) {
        var driver = Storage.csiDriver(Reading.text(storageClass, "provisioner"));
        var spec =
                Tree.of()
                        .put("capacity", Reading.mapping(claim, "spec", "resources", "requests"))
                        .putList("accessModes", Reading.list(claim, "spec", "accessModes"))
                        .put("storageClassName", Reading.text(claim, "spec", "storageClassName"))
                        .put("persistentVolumeReclaimPolicy", "Delete")
                        .put(
                                "claimRef",
                                Tree.of("apiVersion", "v1")
                                        .put("kind", CLAIM.kind())
                                        .put("namespace", claimName.namespace())
                                        .put("name", claimName.name())
                                        .put("uid", Reading.text(claim, "metadata", "uid")))
                        .put(
                                "csi",
                                Tree.of("driver", driver).put("volumeHandle", "vol-" + volumeName));
        if (!zone.isEmpty()) {
            var expression =
                    Tree.of("key", LabelKeys.ZONE)
                            .put("operator", "In")
                            .putTextList("values", List.of(zone))
                            .mapping();
            var term = Tree.of().putList("matchExpressions", List.of(expression)).mapping();
            spec.put(
                    "nodeAffinity",
                    Tree.of("required", Tree.of().putList("nodeSelectorTerms", List.of(term))));
        }
        return Tree.of("apiVersion", VOLUME.apiVersion())
                .put("kind", VOLUME.kind())
                .put("metadata", Tree.of("name", volumeName))
                .put("spec", spec);
    }

    private void reclaim(String volume) {
        var name = new ObjectName("", volume);
        var object = ledger.store().find(VOLUME, name);
        if (object != null
                && Reading.text(object, "spec", "persistentVolumeReclaimPolicy").equals("Delete")) {
            writes.delete(VOLUME, name, Reading.text(object, "metadata", "uid"));
        }
    }

    private void podChanged(@Nullable PodFacts before, @Nullable PodFacts after) {
        if (before == null && after != null) {
            for (var volume : Reading.list(after.object(), "spec", "volumes")) {
                if (Reading.at(volume, "ephemeral") != null) {
                    ephemeral.mark(after.name());
                }
            }
        }
    }

    /// The claims that come with a pod go with it.
    private void claimFor(ObjectName podName) {
        var pod = ledger.pod(podName);
        if (pod == null) {
            return;
        }
        for (var volume : Reading.list(pod.object(), "spec", "volumes")) {
            if (Reading.at(volume, "ephemeral") == null) {
                continue;
            }
            var name = podName.name() + "-" + Reading.text(volume, "name");
            var template = Reading.mapping(volume, "ephemeral", "volumeClaimTemplate");
            writes.create(
                    CLAIM,
                    podName.namespace(),
                    Tree.of("apiVersion", CLAIM.apiVersion())
                            .put("kind", CLAIM.kind())
                            .put(
                                    "metadata",
                                    Tree.of("name", name)
                                            .putList(
                                                    "ownerReferences",
                                                    List.of(
                                                            PodTemplates.owner(
                                                                    ResourceType.POD,
                                                                    pod.object()))))
                            .put("spec", Reading.mapping(template, "spec")));
        }
    }
}
