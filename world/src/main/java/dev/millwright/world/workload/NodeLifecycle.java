package dev.millwright.world.workload;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cluster.DirtyKeys;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.NodeFacts;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Span;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.kubelet.Kubelets;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Keeps the taints that tell how a node does, and says of a node that has not been heard of that
/// nobody knows.
///
/// Left out of the real one: eviction at a limited rate when many nodes of a zone fall silent.
final class NodeLifecycle implements Kubelets.Listener {

    private static final String PREFIX = "node.kubernetes.io/";

    /// Conditions besides `Ready` that repel pods while they are true.
    private static final Map<String, String> BAD_CONDITIONS =
            Map.of(
                    "MemoryPressure", PREFIX + "memory-pressure",
                    "DiskPressure", PREFIX + "disk-pressure",
                    "PIDPressure", PREFIX + "pid-pressure",
                    "NetworkUnavailable", PREFIX + "network-unavailable");

    private static final List<Taint> READINESS =
            List.of(
                    new Taint(PREFIX + "not-ready", "", Effect.NO_SCHEDULE),
                    new Taint(PREFIX + "not-ready", "", Effect.NO_EXECUTE),
                    new Taint(PREFIX + "unreachable", "", Effect.NO_SCHEDULE),
                    new Taint(PREFIX + "unreachable", "", Effect.NO_EXECUTE));

    private static final Taint CORDONED =
            new Taint(PREFIX + "unschedulable", "", Effect.NO_SCHEDULE);

    /// How often a cloud's controller looks for machines that are gone.
    private static final Span CLOUD_LOOK = Span.seconds(1, 10);

    private final Ledger ledger;
    private final Agenda agenda;
    private final Chance chance;
    private final WorkloadSettings settings;
    private final Kubelets kubelets;
    private final Writes writes;
    private final Writes cloudWrites;
    private final DirtyKeys<String> dirty;
    private final DirtyKeys<String> silences;
    private final DirtyKeys<String> dead;

    NodeLifecycle(
            Ledger ledger,
            Agenda agenda,
            Chance chance,
            WorkloadSettings settings,
            Kubelets kubelets) {
        this.ledger = ledger;
        this.agenda = agenda;
        this.chance = chance;
        this.settings = settings;
        this.kubelets = kubelets;
        this.writes = new Writes(ledger.store(), "node-controller");
        this.cloudWrites = new Writes(ledger.store(), "cloud-node-controller");
        this.dirty = new DirtyKeys<>(agenda, settings.latency(), this::sync);
        this.silences = new DirtyKeys<>(agenda, settings.latency(), this::missed);
        this.dead = new DirtyKeys<>(agenda, settings.latency(), this::buried);
        kubelets.listen(this);
        ledger.watchNodes((_, after) -> changed(after));
    }

    private void changed(@Nullable NodeFacts node) {
        if (node == null) {
            return;
        }
        if (!wanted(node).equals(node.taints().stream().filter(NodeLifecycle::isOurs).toList())) {
            dirty.mark(node.name());
        }
        if (settings.deletesNodesOfDeadMachines()
                && node.ready() != NodeFacts.Ready.TRUE
                && !node.isDeleting()
                && kubelets.isDead(node.name())) {
            dead.markAfter(node.name(), CLOUD_LOOK.draw(chance));
        }
    }

    @Override
    public void silent(String node) {
        silences.markAfter(node, settings.nodeGrace().draw(chance));
    }

    @Override
    public void heard(String node) {
        // The kubelet says itself how the node does.
    }

    private void missed(String name) {
        var node = ledger.node(name);
        if (node == null || kubelets.isHeard(name) || node.ready() == NodeFacts.Ready.UNKNOWN) {
            return;
        }
        var now = agenda.instant();
        var condition =
                Tree.of("type", "Ready")
                        .put("status", "Unknown")
                        .put("reason", "NodeStatusUnknown")
                        .put("message", "kubelet stopped posting node status")
                        .put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        writes.status(
                ResourceType.NODE,
                new ObjectName("", name),
                Tree.of().putList("conditions", Writes.conditions(node.object(), condition)));
        ledger.podsOn(name).stream().filter(PodFacts::isReady).forEach(pod -> notReady(pod, now));
    }

    private void notReady(PodFacts pod, Instant now) {
        var condition =
                Tree.of("type", "Ready")
                        .put("status", "False")
                        .put("reason", "NodeNotReady")
                        .put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        writes.status(
                ResourceType.POD,
                pod.name(),
                Tree.of().putList("conditions", Writes.conditions(pod.object(), condition)));
    }

    private static boolean isOurs(Taint taint) {
        return CORDONED.matches(taint)
                || READINESS.stream().anyMatch(taint::matches)
                || BAD_CONDITIONS.containsValue(taint.key());
    }

    /// The taints that tell of the node's state, in the order in which it has them.
    private static List<Taint> wanted(NodeFacts node) {
        var wanted = new ArrayList<Taint>();
        switch (node.ready()) {
            case TRUE -> {}
            case FALSE -> wanted.addAll(READINESS.subList(0, 2));
            case UNKNOWN ->
                    wanted.addAll(
                            Reading.condition(node.object(), "Ready") == null
                                    ? READINESS.subList(0, 1)
                                    : READINESS.subList(2, 4));
        }
        if (node.isUnschedulable()) {
            wanted.add(CORDONED);
        }
        for (var entry : new TreeMap<>(BAD_CONDITIONS).entrySet()) {
            var condition = Reading.condition(node.object(), entry.getKey());
            if (condition != null && "True".equals(condition.text("status"))) {
                wanted.add(new Taint(entry.getValue(), "", Effect.NO_SCHEDULE));
            }
        }
        var has = node.taints();
        wanted.sort(
                Comparator.comparingInt(
                        taint -> {
                            for (var i = 0; i < has.size(); i++) {
                                if (taint.matches(has.get(i))) {
                                    return i;
                                }
                            }
                            return has.size();
                        }));
        return wanted;
    }

    private void sync(String name) {
        var node = ledger.node(name);
        if (node == null) {
            return;
        }
        var wanted = wanted(node);
        var taints = new ArrayList<Value>();
        var kept = new ArrayList<Taint>();
        for (var value : Reading.list(node.object(), "spec", "taints")) {
            var read = Reading.taints(Tree.list(List.of(value)));
            var taint = read.isEmpty() ? null : read.getFirst();
            if (taint == null || !isOurs(taint)) {
                taints.add(value);
            } else if (wanted.stream().anyMatch(taint::matches)) {
                taints.add(value);
                kept.add(taint);
            }
        }
        for (var taint : wanted) {
            if (kept.stream().noneMatch(taint::matches)) {
                taints.add(value(taint));
            }
        }
        writes.patch(
                ResourceType.NODE,
                new ObjectName("", name),
                Tree.of("spec", Tree.of().putList("taints", taints)));
    }

    private Value value(Taint taint) {
        var tree = Tree.of("key", taint.key()).put("effect", taint.effect().text());
        return (taint.effect() == Effect.NO_EXECUTE
                        ? tree.put(
                                "timeAdded",
                                agenda.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                        : tree)
                .mapping();
    }

    private void buried(String name) {
        var node = ledger.node(name);
        if (node != null
                && !node.isDeleting()
                && node.ready() != NodeFacts.Ready.TRUE
                && kubelets.isDead(name)) {
            cloudWrites.delete(ResourceType.NODE, new ObjectName("", name), node.uid());
        }
    }
}
