package dev.millwright.world.workload;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cluster.DirtyKeys;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.PodVolumes;
import dev.millwright.world.cluster.PodVolumes.Attachable;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.kubelet.Kubelets;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Attaches volumes to the nodes their pods are bound to, one node at a time, and detaches them
/// when the last pod there is gone.
final class Attachments {

    private static final ResourceType TYPE = ResourceType.VOLUME_ATTACHMENT;

    /// After this a volume is taken from a node that does not say that it let go.
    private static final Duration FORCED_AFTER = Duration.ofMinutes(6);

    /// A volume on a node.
    private record Place(Attachable volume, String node) {
        ObjectName name() {
            return new ObjectName("", volume.attachmentName(node));
        }
    }

    private final Ledger ledger;
    private final Chance chance;
    private final WorkloadSettings settings;
    private final Kubelets kubelets;
    private final Writes writes;
    private final PodVolumes volumes;
    private final DirtyKeys<Place> attaching;
    private final DirtyKeys<Place> attached;
    private final DirtyKeys<Place> detaching;
    private final Map<Place, TreeSet<ObjectName>> users = new HashMap<>();
    private final Map<ObjectName, List<Place>> places = new HashMap<>();
    private final Map<String, TreeSet<String>> nodesByVolume = new HashMap<>();

    Attachments(
            Ledger ledger,
            Agenda agenda,
            Chance chance,
            WorkloadSettings settings,
            Kubelets kubelets) {
        this.ledger = ledger;
        this.chance = chance;
        this.settings = settings;
        this.kubelets = kubelets;
        this.writes = new Writes(ledger.store(), "attachdetach-controller");
        this.volumes = new PodVolumes(ledger.store());
        this.attaching = new DirtyKeys<>(agenda, settings.latency(), this::attach);
        this.attached = new DirtyKeys<>(agenda, settings.latency(), this::confirm);
        this.detaching = new DirtyKeys<>(agenda, settings.latency(), this::detach);
        ledger.watchPods(this::podChanged);
    }

    private void podChanged(@Nullable PodFacts before, @Nullable PodFacts after) {
        if (before != null && (after == null || after.isTerminal())) {
            release(before.name());
        }
        if (after != null
                && after.isBound()
                && !after.isTerminal()
                && !places.containsKey(after.name())) {
            var found =
                    volumes.attachable(after.name(), after.spec()).stream()
                            .map(volume -> new Place(volume, after.nodeName()))
                            .toList();
            if (!found.isEmpty()) {
                places.put(after.name(), found);
                for (var place : found) {
                    users.computeIfAbsent(place, _ -> new TreeSet<>()).add(after.name());
                    attaching.mark(place);
                }
            }
        }
    }

    private void release(ObjectName pod) {
        var held = places.remove(pod);
        if (held == null) {
            return;
        }
        for (var place : held) {
            var others = users.get(place);
            if (others != null) {
                others.remove(pod);
                if (others.isEmpty()) {
                    users.remove(place);
                    var isPolite = kubelets.isHeard(place.node());
                    detaching.markAfter(
                            place, isPolite ? settings.detach().draw(chance) : FORCED_AFTER);
                }
            }
        }
    }

    private void attach(Place place) {
        var nodes = nodesByVolume.computeIfAbsent(place.volume().volume(), _ -> new TreeSet<>());
        if (!users.containsKey(place) || nodes.contains(place.node())) {
            return;
        }
        if (!nodes.isEmpty() && isForOneNode(place.volume().volume())) {
            return; // Its detachment will come back to this.
        }
        nodes.add(place.node());
        writes.create(
                TYPE,
                "",
                Tree.of("apiVersion", TYPE.apiVersion())
                        .put("kind", TYPE.kind())
                        .put("metadata", Tree.of("name", place.name().name()))
                        .put(
                                "spec",
                                Tree.of("attacher", place.volume().driver())
                                        .put("nodeName", place.node())
                                        .put(
                                                "source",
                                                Tree.of(
                                                        "persistentVolumeName",
                                                        place.volume().volume()))));
        attached.markAfter(place, settings.attach().draw(chance));
    }

    private boolean isForOneNode(String volume) {
        var object =
                ledger.store().find(ResourceType.PERSISTENT_VOLUME, new ObjectName("", volume));
        var modes = Reading.textList(object, "spec", "accessModes");
        return !modes.contains("ReadWriteMany") && !modes.contains("ReadOnlyMany");
    }

    private void confirm(Place place) {
        writes.status(TYPE, place.name(), Tree.of().put("attached", true));
    }

    private void detach(Place place) {
        if (users.containsKey(place)) {
            return;
        }
        var object = ledger.store().find(TYPE, place.name());
        if (object != null) {
            writes.delete(TYPE, place.name(), Reading.text(object, "metadata", "uid"));
        }
        var nodes = nodesByVolume.get(place.volume().volume());
        if (nodes != null) {
            nodes.remove(place.node());
            if (nodes.isEmpty()) {
                nodesByVolume.remove(place.volume().volume());
            }
        }
        users.keySet().stream()
                .filter(other -> other.volume().equals(place.volume()))
                .sorted((one, other) -> one.node().compareTo(other.node()))
                .toList()
                .forEach(attaching::mark);
    }
}
