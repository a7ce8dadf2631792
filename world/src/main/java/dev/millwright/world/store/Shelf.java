package dev.millwright.world.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.world.kind.Kind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The objects of one type and the changes they had last.
final class Shelf {

    /// Changes kept. A watch that is further behind must list again.
    static final int HISTORY_MAX = 1 << 15;

    private static final int HISTORY_START = 1 << 6;

    /// The place of one object: its state changes, the indexes that know it do not.
    private static final class Slot {
        private Value.Mapping state;

        private Slot(Value.Mapping state) {
            this.state = state;
        }
    }

    private final TreeMap<ObjectName, Slot> objects = new TreeMap<>();

    /// The same by hash: most questions are for one object.
    private final Map<ObjectName, Slot> byName = new HashMap<>();

    /// Pods by the node they are on, in the order of names.
    private final Map<String, TreeMap<ObjectName, Slot>> byNode = new HashMap<>();

    private final Kind kind;
    private final boolean isOfPods;

    /// A ring that grows up to its bound.
    private Changes.@Nullable Event[] history = new Changes.Event[HISTORY_START];

    /// Changes ever made; the last one stands at `made - 1` in the ring.
    private long made;

    /// Changes up to this version are forgotten.
    private long forgotten;

    private @Nullable List<Value.Mapping> all;

    /// History begins after this version.
    Shelf(Kind kind, long version) {
        this.kind = kind;
        this.isOfPods = kind.type().equals(ResourceType.POD);
        this.forgotten = version;
    }

    Kind kind() {
        return kind;
    }

    Value.@Nullable Mapping find(ObjectName name) {
        var slot = byName.get(name);
        return slot == null ? null : slot.state;
    }

    /// In the order of names; the same list until something changes.
    List<Value.Mapping> all() {
        var known = all;
        if (known == null) {
            known = states(objects.values());
            all = known;
        }
        return known;
    }

    private static List<Value.Mapping> states(Collection<Slot> slots) {
        var states = new ArrayList<Value.Mapping>(slots.size());
        for (var slot : slots) {
            states.add(slot.state);
        }
        return Collections.unmodifiableList(states);
    }

    List<Value.Mapping> in(String namespace) {
        // No name stands between this one's last and the first of the next in the order of both.
        var next = new ObjectName(namespace + '\0', "");
        return states(objects.subMap(new ObjectName(namespace, ""), next).values());
    }

    List<Value.Mapping> onNode(String node) {
        var found = byNode.get(node);
        return found == null ? List.of() : states(found.values());
    }

    void put(ObjectName name, Changes.Event event) {
        var slot = byName.get(name);
        if (slot == null) {
            slot = new Slot(event.object());
            byName.put(name, slot);
            objects.put(name, slot);
        } else {
            slot.state = event.object();
        }
        if (isOfPods) {
            move(name, slot, event.before(), event.object());
        }
        note(event);
    }

    private void move(
            ObjectName name, Slot slot, Value.@Nullable Mapping before, Value.Mapping after) {
        var old = before == null ? "" : nodeOf(before);
        var now = nodeOf(after);
        if (old.equals(now)) {
            return;
        }
        leave(old, name);
        if (!now.isEmpty()) {
            byNode.computeIfAbsent(now, _ -> new TreeMap<>()).put(name, slot);
        }
    }

    void remove(ObjectName name, Changes.Event event) {
        objects.remove(name);
        byName.remove(name);
        if (isOfPods) {
            leave(nodeOf(event.object()), name);
        }
        note(event);
    }

    private void leave(String node, ObjectName name) {
        var there = byNode.get(node);
        if (there != null) {
            there.remove(name);
            if (there.isEmpty()) {
                byNode.remove(node);
            }
        }
    }

    private static String nodeOf(Value.Mapping pod) {
        return pod.fields().get("spec") instanceof Value.Mapping(_, var fields)
                        && fields.get("nodeName") instanceof Value.Text(_, var node)
                ? node
                : "";
    }

    private void note(Changes.Event event) {
        all = null;
        if (made == history.length && history.length < HISTORY_MAX) {
            history = Arrays.copyOf(history, history.length * 2);
        }
        var slot = slot(made);
        var oldest = history[slot];
        if (oldest != null) {
            forgotten = Math.max(forgotten, oldest.version());
        }
        history[slot] = event;
        made++;
    }

    private int slot(long number) {
        return Math.toIntExact(number % history.length);
    }

    void forget(long version) {
        forgotten = Math.max(forgotten, version);
    }

    /// `now` is the store's version: where all is told, a watch has come that far.
    Changes after(long version, int max, long now) {
        if (version < forgotten) {
            return new Changes.Expired();
        }
        var first = made;
        var oldest = Math.max(0, made - history.length);
        while (first > oldest && at(first - 1).version() > version) {
            first--;
        }
        var end = Math.min(made, first + max);
        var events = new ArrayList<Changes.Event>(Math.toIntExact(end - first));
        for (var i = first; i < end; i++) {
            events.add(at(i));
        }
        return new Changes.Events(
                events, end == made || events.isEmpty() ? now : events.getLast().version());
    }

    private Changes.Event at(long number) {
        var event = history[slot(number)];
        if (event == null) {
            throw new IllegalStateException("change %d is not in the history".formatted(number));
        }
        return event;
    }
}
