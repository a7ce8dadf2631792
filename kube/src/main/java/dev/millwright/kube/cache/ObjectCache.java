package dev.millwright.kube.cache;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.Meta;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/// The objects of one kind as they were last heard of, by watch or as the answer to a write of our
/// own, whichever is newer. So a step sees what an earlier step did.
///
/// Many may read while one writes. Listeners are told in the order of the changes, inside the
/// writer's lock: they must be quick and must not write here.
public final class ObjectCache<T extends KubeObject> {

    /// Objects that are known to be gone, so that a late answer does not bring them back.
    private static final int TOMBSTONES_MAX = 10_000;

    private final Function<Value.Mapping, T> reading;
    private final ConcurrentSkipListMap<ObjectName, T> objects = new ConcurrentSkipListMap<>();
    private final List<Index<T>> indexes = new CopyOnWriteArrayList<>();
    private final List<Consumer<Change<T>>> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, Boolean> tombstones =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > TOMBSTONES_MAX;
                }
            };
    private final Object writing = new Object();

    private volatile long revision;

    public ObjectCache(Function<Value.Mapping, T> reading) {
        this.reading = reading;
    }

    /// Objects by a text they contain: all pods of a node, all nodes of a provider id.
    public static final class Index<T extends KubeObject> {
        private final Function<T, String> text;
        private final Map<String, ConcurrentSkipListMap<ObjectName, T>> byText =
                new ConcurrentHashMap<>();

        private Index(Function<T, String> text) {
            this.text = text;
        }

        /// In the order of their names.
        public List<T> with(String wanted) {
            var found = byText.get(wanted);
            return found == null ? List.of() : List.copyOf(found.values());
        }

        private void move(@Nullable T before, @Nullable T after, ObjectName name) {
            var from = before == null ? "" : text.apply(before);
            var to = after == null ? "" : text.apply(after);
            if (!from.equals(to) && !from.isEmpty()) {
                byText.computeIfPresent(
                        from,
                        (_, found) -> {
                            found.remove(name);
                            return found.isEmpty() ? null : found;
                        });
            }
            if (after != null && !to.isEmpty()) {
                byText.computeIfAbsent(to, _ -> new ConcurrentSkipListMap<>()).put(name, after);
            }
        }
    }

    /// An object whose text is empty is in no index.
    public Index<T> index(Function<T, String> text) {
        var index = new Index<>(text);
        synchronized (writing) {
            objects.forEach((name, object) -> index.move(null, object, name));
            indexes.add(index);
        }
        return index;
    }

    public void listen(Consumer<Change<T>> listener) {
        synchronized (writing) {
            objects.forEach((name, object) -> listener.accept(new Change<>(name, null, object)));
            listeners.add(listener);
        }
    }

    public @Nullable T find(ObjectName name) {
        return objects.get(name);
    }

    /// Of a kind without namespaces.
    public @Nullable T find(String name) {
        return objects.get(new ObjectName("", name));
    }

    /// In the order of their names.
    public Collection<T> all() {
        return Collections.unmodifiableCollection(objects.values());
    }

    public int size() {
        return objects.size();
    }

    /// Grows with every change: who has seen this number has seen all.
    public long revision() {
        return revision;
    }

    /// What a watch tells, or what a write answered.
    public void put(Value.Mapping object) {
        if (!isKnown(Metadata.of(object))) {
            put(reading.apply(object));
        }
    }

    /// The very state we have: an echo of our own write, or a list that is told again. Reading it
    /// costs more than looking.
    private boolean isKnown(Metadata told) {
        var known = objects.get(told.name());
        return known != null
                && !told.resourceVersion().isEmpty()
                && told.resourceVersion().equals(known.meta().resourceVersion())
                && told.uid().equals(known.meta().uid());
    }

    public void put(T after) {
        synchronized (writing) {
            var meta = after.meta();
            var before = objects.get(meta.name());
            if (tombstones.containsKey(meta.uid()) || (before != null && isOld(meta, before))) {
                return;
            }
            if (before != null && !before.meta().uid().equals(meta.uid())) {
                bury(before.meta().uid()); // A new one has the old name.
            }
            objects.put(meta.name(), after);
            tell(before, after, meta.name());
        }
    }

    /// An object of another uid stays: it is a new one under the old name.
    public void remove(Value.Mapping object) {
        var gone = reading.apply(object).meta();
        synchronized (writing) {
            bury(gone.uid());
            var before = objects.get(gone.name());
            if (before != null && before.meta().uid().equals(gone.uid())) {
                objects.remove(gone.name());
                tell(before, null, gone.name());
            }
        }
    }

    /// For an object we know to be gone by an answer that shows none.
    public void forget(ObjectName name, String uid) {
        synchronized (writing) {
            var before = objects.get(name);
            if (before != null && before.meta().uid().equals(uid)) {
                bury(uid);
                objects.remove(name);
                tell(before, null, name);
            }
        }
    }

    /// A whole new list, of the state at `resourceVersion`: what is not in it has gone, unless we
    /// heard of it later than that.
    public void replaceAll(Collection<Value.Mapping> items, String resourceVersion) {
        var listed = new ArrayList<T>();
        items.forEach(item -> listed.add(reading.apply(item)));
        replaceWith(listed, resourceVersion);
    }

    public void replaceWith(Collection<T> listed, String resourceVersion) {
        synchronized (writing) {
            var names = new HashSet<ObjectName>();
            for (var object : listed) {
                names.add(object.meta().name());
                put(object);
            }
            retain(names, resourceVersion);
        }
    }

    /// Forgets what is not among these, the names of all there was at `resourceVersion`, unless we
    /// heard of it later than that. An empty version forgets the others whatever we heard, and lets
    /// them come back.
    public void retain(Set<ObjectName> names, String resourceVersion) {
        var asOf = resourceVersion.isEmpty() ? Long.MAX_VALUE : version(resourceVersion);
        synchronized (writing) {
            for (var object : List.copyOf(objects.values())) {
                var meta = object.meta();
                if (!names.contains(meta.name()) && version(meta.resourceVersion()) <= asOf) {
                    objects.remove(meta.name());
                    if (!resourceVersion.isEmpty()) {
                        bury(meta.uid());
                    }
                    tell(object, null, meta.name());
                }
            }
        }
    }

    public T read(Value.Mapping object) {
        return reading.apply(object);
    }

    private void bury(String uid) {
        if (!uid.isEmpty()) {
            tombstones.put(uid, true);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only while writing is held.
    private void tell(@Nullable T before, @Nullable T after, ObjectName name) {
        revision++;
        for (var index : indexes) {
            index.move(before, after, name);
        }
        var change = new Change<>(name, before, after);
        for (var listener : listeners) {
            listener.accept(change);
        }
    }

    /// The state we know, or one before it: told a second time, or late.
    private boolean isOld(Meta meta, T before) {
        var told = meta.resourceVersion();
        var known = before.meta().resourceVersion();
        return (!told.isEmpty() && told.equals(known)) || version(told) < version(known);
    }

    /// Versions of one resource are numbers that grow; Kubernetes promises it since 1.35.
    private static long version(String resourceVersion) {
        try {
            return resourceVersion.isEmpty() ? 0 : Long.parseLong(resourceVersion);
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }
}
