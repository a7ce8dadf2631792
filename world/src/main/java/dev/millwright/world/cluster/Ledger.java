package dev.millwright.world.cluster;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.world.store.ApiStore;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Pods and nodes as they are, with the indexes their controllers need. It follows the store
/// without delay; those who follow the ledger are told after it knows, in the order of their
/// coming, and must not write at once.
public final class Ledger {

    /// Told of every change of a pod; one of the two is there.
    @FunctionalInterface
    public interface PodWatcher {
        void changed(@Nullable PodFacts before, @Nullable PodFacts after);
    }

    @FunctionalInterface
    public interface NodeWatcher {
        void changed(@Nullable NodeFacts before, @Nullable NodeFacts after);
    }

    @FunctionalInterface
    public interface ObjectWatcher {
        void changed(
                ObjectName name, Value.@Nullable Mapping before, Value.@Nullable Mapping after);
    }

    private final ApiStore store;
    private final TreeMap<ObjectName, PodFacts> pods = new TreeMap<>();
    private final TreeMap<String, NodeFacts> nodes = new TreeMap<>();
    private final Map<String, Map<ObjectName, PodFacts>> podsByNode = new HashMap<>();
    private final Map<String, Map<ObjectName, PodFacts>> podsByController = new HashMap<>();
    private final List<PodWatcher> podWatchers = new ArrayList<>();
    private final List<NodeWatcher> nodeWatchers = new ArrayList<>();
    private final Map<ResourceType, List<ObjectWatcher>> objectWatchers = new HashMap<>();

    public Ledger(ApiStore store) {
        this.store = store;
        store.all(ResourceType.NODE).forEach(node -> changed(ResourceType.NODE, null, node));
        store.all(ResourceType.POD).forEach(pod -> changed(ResourceType.POD, null, pod));
        store.listen((_, type, before, after) -> changed(type, before, after));
    }

    public ApiStore store() {
        return store;
    }

    /// The watcher is told of what is there already, as if it came now.
    public void watchPods(PodWatcher watcher) {
        podWatchers.add(watcher);
        List.copyOf(pods.values()).forEach(pod -> watcher.changed(null, pod));
    }

    public void watchNodes(NodeWatcher watcher) {
        nodeWatchers.add(watcher);
        List.copyOf(nodes.values()).forEach(node -> watcher.changed(null, node));
    }

    public void watch(ResourceType type, ObjectWatcher watcher) {
        objectWatchers.computeIfAbsent(type, _ -> new ArrayList<>()).add(watcher);
        for (var object : List.copyOf(store.all(type))) {
            watcher.changed(Metadata.of(object).name(), null, object);
        }
    }

    public @Nullable PodFacts pod(ObjectName name) {
        return pods.get(name);
    }

    /// In the order of their names.
    public Collection<PodFacts> pods() {
        return Collections.unmodifiableCollection(pods.values());
    }

    public Collection<PodFacts> podsIn(String namespace) {
        return Collections.unmodifiableCollection(
                pods.subMap(new ObjectName(namespace, ""), new ObjectName(namespace + "\0", ""))
                        .values());
    }

    public Collection<PodFacts> podsOn(String node) {
        return values(podsByNode.get(node));
    }

    public Collection<PodFacts> podsOf(String controllerUid) {
        return values(podsByController.get(controllerUid));
    }

    private static Collection<PodFacts> values(@Nullable Map<ObjectName, PodFacts> found) {
        return found == null ? List.of() : List.copyOf(found.values());
    }

    public @Nullable NodeFacts node(String name) {
        return nodes.get(name);
    }

    /// In the order of their names.
    public Collection<NodeFacts> nodes() {
        return Collections.unmodifiableCollection(nodes.values());
    }

    private void changed(
            ResourceType type, Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        if (type.equals(ResourceType.POD)) {
            podChanged(before, after);
        } else if (type.equals(ResourceType.NODE)) {
            nodeChanged(before, after);
        }
        var watchers = objectWatchers.get(type);
        if (watchers != null) {
            var object = after == null ? before : after;
            if (object != null) {
                var name = Metadata.of(object).name();
                watchers.forEach(watcher -> watcher.changed(name, before, after));
            }
        }
    }

    private void podChanged(Value.@Nullable Mapping old, Value.@Nullable Mapping now) {
        if (now == null) {
            var before = old == null ? null : pods.remove(Metadata.of(old).name());
            if (before != null) {
                move(podsByNode, before.nodeName(), "", before);
                move(podsByController, controller(before), "", before);
                tellPods(before, null);
            }
            return;
        }
        var before = pods.get(Metadata.of(now).name());
        var after = PodFacts.of(now, before);
        pods.put(after.name(), after);
        move(podsByNode, before == null ? "" : before.nodeName(), after.nodeName(), after);
        move(podsByController, before == null ? "" : controller(before), controller(after), after);
        tellPods(before, after);
    }

    private static String controller(PodFacts pod) {
        var controller = pod.controller();
        return controller == null ? "" : controller.uid();
    }

    private static void move(
            Map<String, Map<ObjectName, PodFacts>> index, String from, String to, PodFacts pod) {
        if (!from.isEmpty() && !from.equals(to)) {
            var left = index.get(from);
            if (left != null) {
                left.remove(pod.name());
                if (left.isEmpty()) {
                    index.remove(from);
                }
            }
        }
        if (!to.isEmpty()) {
            index.computeIfAbsent(to, _ -> new TreeMap<>()).put(pod.name(), pod);
        }
    }

    private void tellPods(@Nullable PodFacts before, @Nullable PodFacts after) {
        podWatchers.forEach(watcher -> watcher.changed(before, after));
    }

    private void nodeChanged(Value.@Nullable Mapping old, Value.@Nullable Mapping now) {
        if (now == null) {
            var before = old == null ? null : nodes.remove(Reading.text(old, "metadata", "name"));
            if (before != null) {
                nodeWatchers.forEach(watcher -> watcher.changed(before, null));
            }
            return;
        }
        var after = NodeFacts.of(now);
        var before = nodes.put(after.name(), after);
        nodeWatchers.forEach(watcher -> watcher.changed(before, after));
    }
}
