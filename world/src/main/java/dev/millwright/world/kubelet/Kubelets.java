package dev.millwright.world.kubelet;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cluster.DirtyKeys;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.NodeFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The kubelets of all nodes.
///
/// Heartbeats are no events: a kubelet is heard until it falls silent, and only then those who
/// listen are told.
public final class Kubelets {

    /// Told when heartbeats end and when they come again.
    public interface Listener {
        void silent(String node);

        void heard(String node);
    }

    private static final String BY = "kubelet";

    private final Ledger ledger;
    private final Agenda agenda;
    private final Chance chance;
    private final KubeletSettings settings;
    private final Writes writes;
    private final Writes agentWrites;
    private final PodRuns runs;
    private final DirtyKeys<String> startupTaints;
    private final TreeMap<String, Kubelet> byNode = new TreeMap<>();
    private final TreeMap<String, Kubelet> byProviderId = new TreeMap<>();
    private final List<Listener> listeners = new ArrayList<>();

    public Kubelets(Ledger ledger, Agenda agenda, Chance chance, KubeletSettings settings) {
        this.ledger = ledger;
        this.agenda = agenda;
        this.chance = chance;
        this.settings = settings;
        this.writes = new Writes(ledger.store(), BY);
        this.agentWrites = new Writes(ledger.store(), "startup-agent");
        this.runs = new PodRuns(ledger, agenda, chance.stream("pods"), settings, byNode::get);
        this.startupTaints = new DirtyKeys<>(agenda, Duration.ZERO, this::clearStartupTaints);
        ledger.watchNodes(this::nodeChanged);
    }

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    /// The machine's kubelet is up: it registers its Node and goes on from there. Returns the
    /// node's name.
    public String join(Machine machine, MachineClaim claim) {
        var name = NodeBody.name(machine);
        var kubelet = new Kubelet(name, machine.providerId(), claim.startupTaints());
        keep(kubelet);
        var answer =
                writes.create(ResourceType.NODE, "", NodeBody.of(machine, claim, agenda.instant()));
        if (answer instanceof ApiAnswer.Done(var node)) {
            writes.create(
                    ResourceType.CSI_NODE, "", NodeBody.csiNode(node, settings.attachLimits()));
        }
        agenda.after(settings.ready().draw(chance), () -> kubelet.say(() -> comeUp(kubelet)));
        bookDevices(kubelet, machine);
        return name;
    }

    /// Plays the kubelet of a Node that somebody else made. It is taken as ready, or made so now.
    public void play(String node) {
        var object = ledger.node(node);
        var kubelet = new Kubelet(node, object == null ? "" : object.providerId(), List.of());
        keep(kubelet);
        agenda.after(Duration.ZERO, () -> kubelet.say(() -> comeUp(kubelet)));
        runs.resume(node);
    }

    private void keep(Kubelet kubelet) {
        byNode.put(kubelet.node(), kubelet);
        if (!kubelet.providerId().isEmpty()) {
            byProviderId.put(kubelet.providerId(), kubelet);
        }
    }

    private void comeUp(Kubelet kubelet) {
        kubelet.up();
        report(kubelet.node(), "Ready", "True", "KubeletReady");
    }

    private void bookDevices(Kubelet kubelet, Machine machine) {
        var names =
                machine.capacity().amounts().keySet().stream()
                        .filter(NodeBody::isOfDevice)
                        .toList();
        if (names.isEmpty()) {
            return;
        }
        var wait = settings.ready().most().plus(settings.devices().draw(chance));
        agenda.after(wait, () -> kubelet.say(() -> showDevices(machine, names)));
    }

    private void showDevices(Machine machine, List<String> names) {
        var capacity = Tree.of();
        var allocatable = Tree.of();
        for (var name : names) {
            capacity.put(name, machine.capacity().amount(name).toString());
            allocatable.put(name, machine.allocatable().amount(name).toString());
        }
        writes.status(
                ResourceType.NODE,
                new ObjectName("", NodeBody.name(machine)),
                Tree.of().put("capacity", capacity).put("allocatable", allocatable));
    }

    /// Writes a condition of the node, as its kubelet or an agent on it would.
    public void report(String node, String type, String status, String reason) {
        var facts = ledger.node(node);
        if (facts == null) {
            return;
        }
        var condition = NodeBody.condition(type, status, reason, agenda.instant());
        var old = Reading.condition(facts.object(), type);
        if (old == null
                || !Reading.text(old, "status").equals(status)
                || !Reading.text(old, "reason").equals(reason)) {
            writes.status(
                    ResourceType.NODE,
                    new ObjectName("", node),
                    Tree.of().putList("conditions", Writes.conditions(facts.object(), condition)));
        }
    }

    /// No heartbeat comes any more, though the containers run on.
    public void silence(String node) {
        var kubelet = byNode.get(node);
        if (kubelet != null && kubelet.isHeard()) {
            kubelet.silence();
            listeners.forEach(listener -> listener.silent(node));
        }
    }

    /// The kubelet can be heard again, and catches up.
    public void heal(String node) {
        var kubelet = byNode.get(node);
        if (kubelet == null || kubelet.isDead() || kubelet.isHeard()) {
            return;
        }
        kubelet.heal();
        if (kubelet.isUp()) {
            report(node, "Ready", "True", "KubeletReady");
        }
        runs.heard(node);
        listeners.forEach(listener -> listener.heard(node));
    }

    /// Silent for a while.
    public void flap(String node, Duration length) {
        silence(node);
        agenda.after(length, () -> heal(node));
    }

    /// The kubelet itself says for a while that the node is not ready.
    public void sicken(String node, Duration length) {
        report(node, "Ready", "False", "KubeletNotReady");
        agenda.after(length, () -> recover(node));
    }

    private void recover(String node) {
        var kubelet = byNode.get(node);
        if (kubelet != null) {
            kubelet.say(() -> report(node, "Ready", "True", "KubeletReady"));
        }
    }

    /// The machine is gone, and with it its containers; nobody stopped them politely.
    public void die(String providerId) {
        var kubelet = byProviderId.remove(providerId);
        if (kubelet != null && !kubelet.isDead()) {
            var wasHeard = kubelet.isHeard();
            kubelet.die();
            if (ledger.node(kubelet.node()) == null) {
                byNode.remove(kubelet.node());
            }
            if (wasHeard) {
                listeners.forEach(listener -> listener.silent(kubelet.node()));
            }
        }
    }

    /// Whether heartbeats come from the node.
    public boolean isHeard(String node) {
        var kubelet = byNode.get(node);
        return kubelet != null && kubelet.isHeard();
    }

    /// Whether the machine under the node is gone, as its cloud would say.
    public boolean isDead(String node) {
        var kubelet = byNode.get(node);
        return kubelet != null && kubelet.isDead();
    }

    /// Whether a kubelet is known for the node, alive or not.
    public boolean isKnown(String node) {
        return byNode.containsKey(node);
    }

    private void nodeChanged(@Nullable NodeFacts before, @Nullable NodeFacts node) {
        if (node == null && before != null && isDead(before.name())) {
            byNode.remove(before.name());
        }
        if (node == null || node.ready() != NodeFacts.Ready.TRUE) {
            return;
        }
        var kubelet = byNode.get(node.name());
        if (kubelet != null
                && node.taints().stream().anyMatch(taint -> isStartup(kubelet, taint))) {
            startupTaints.markAfter(node.name(), settings.startupTaints().draw(chance));
        }
    }

    private static boolean isStartup(Kubelet kubelet, Taint taint) {
        return kubelet.startupTaints().stream().anyMatch(taint::matches);
    }

    private void clearStartupTaints(String name) {
        var node = ledger.node(name);
        var kubelet = byNode.get(name);
        if (node == null || kubelet == null) {
            return;
        }
        var left = new ArrayList<Value>();
        for (var value : Reading.list(node.object(), "spec", "taints")) {
            var taint = Reading.taints(Tree.list(List.of(value)));
            if (taint.isEmpty() || !isStartup(kubelet, taint.getFirst())) {
                left.add(value);
            }
        }
        agentWrites.patch(
                ResourceType.NODE,
                new ObjectName("", name),
                Tree.of("spec", Tree.of().putList("taints", left)));
    }
}
