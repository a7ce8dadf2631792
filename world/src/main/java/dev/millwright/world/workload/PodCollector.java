package dev.millwright.world.workload;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cluster.DirtyKeys;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

/// Deletes pods whose node is no more.
final class PodCollector {

    private final Ledger ledger;
    private final Chance chance;
    private final WorkloadSettings settings;
    private final Writes writes;
    private final DirtyKeys<String> dirty;

    PodCollector(Ledger ledger, Agenda agenda, Chance chance, WorkloadSettings settings) {
        this.ledger = ledger;
        this.chance = chance;
        this.settings = settings;
        this.writes = new Writes(ledger.store(), "pod-garbage-collector");
        this.dirty = new DirtyKeys<>(agenda, settings.latency(), this::collect);
        ledger.watchNodes(
                (before, after) -> {
                    if (after == null && before != null) {
                        mark(before.name());
                    }
                });
        ledger.watchPods((_, after) -> podChanged(after));
    }

    private void mark(String node) {
        dirty.markAfter(node, settings.podCollection().draw(chance));
    }

    private void podChanged(@Nullable PodFacts pod) {
        if (pod != null && pod.isBound() && ledger.node(pod.nodeName()) == null) {
            mark(pod.nodeName());
        }
    }

    private void collect(String node) {
        if (ledger.node(node) != null) {
            return;
        }
        for (var pod : ledger.podsOn(node)) {
            if (!pod.isTerminal() && hasFinalizers(pod)) {
                writes.status(ResourceType.POD, pod.name(), Tree.of("phase", "Failed"));
            }
            remove(pod.name(), pod.uid());
        }
    }

    private static boolean hasFinalizers(PodFacts pod) {
        return !Reading.list(pod.object(), "metadata", "finalizers").isEmpty();
    }

    private void remove(ObjectName name, String uid) {
        ledger.store().remove(writes.by(), ResourceType.POD, name, uid);
    }
}
