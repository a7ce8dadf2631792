package dev.millwright.world.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The objects of one type and the changes they had last.
final class Shelf {

    /// Changes kept. A watch that is further behind must list again.
    private static final int HISTORY_MAX = 1 << 15;

    private final TreeMap<ObjectName, Value.Mapping> objects = new TreeMap<>();

    /// The same by hash: most questions are for one object.
    private final Map<ObjectName, Value.Mapping> byName = new HashMap<>();

    private final Changes.Event[] history = new Changes.Event[HISTORY_MAX];

    /// Changes ever made; the last one stands at `(made - 1) % HISTORY_MAX`.
    private long made;

    /// Changes up to this version are forgotten.
    private long forgotten;

    private @Nullable List<Value.Mapping> all;

    Value.@Nullable Mapping find(ObjectName name) {
        return byName.get(name);
    }

    /// In the order of names; the same list until something changes.
    List<Value.Mapping> all() {
        var known = all;
        if (known == null) {
            known = List.copyOf(objects.values());
            all = known;
        }
        return known;
    }

    NavigableMap<ObjectName, Value.Mapping> objects() {
        return objects;
    }

    void put(ObjectName name, Changes.Event event) {
        objects.put(name, event.object());
        byName.put(name, event.object());
        note(event);
    }

    void remove(ObjectName name, Changes.Event event) {
        objects.remove(name);
        byName.remove(name);
        note(event);
    }

    private void note(Changes.Event event) {
        all = null;
        var slot = Math.toIntExact(made % HISTORY_MAX);
        var oldest = history[slot];
        if (made >= HISTORY_MAX && oldest != null) {
            forgotten = Math.max(forgotten, oldest.version());
        }
        history[slot] = event;
        made++;
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
        var oldest = Math.max(0, made - HISTORY_MAX);
        while (first > oldest && at(first - 1).version() > version) {
            first--;
        }
        var end = Math.min(made, first + max);
        var events = new ArrayList<Changes.Event>(Math.toIntExact(end - first));
        for (var i = first; i < end; i++) {
            events.add(at(i));
        }
        return new Changes.Events(events, end == made ? now : events.getLast().version());
    }

    private Changes.Event at(long number) {
        return history[Math.toIntExact(number % HISTORY_MAX)];
    }
}
