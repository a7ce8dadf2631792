package dev.millwright.world.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/// Collects what has lost its owners, as the garbage collector of a control plane does: in the
/// background, a moment later, by uid.
///
/// An owner that nobody serves a kind for is believed in. What waits for its dependents
/// (`foregroundDeletion`) or leaves them alone (`orphan`) is helped on its way.
public final class Collector {

    private static final String BY = "garbage-collector";
    private static final String FOREGROUND = "foregroundDeletion";
    private static final String ORPHAN = "orphan";

    /// An object by its name; a later one of the same name may be another.
    private record Key(ResourceType type, ObjectName name) {
        private static final Comparator<Key> ORDER =
                Comparator.comparing((Key key) -> key.type().toString()).thenComparing(Key::name);
    }

    private final ApiStore store;
    private final Agenda agenda;
    private final Supplier<Duration> delay;

    /// Who names an owner of this uid.
    private final Map<String, Set<Key>> dependents = new HashMap<>();

    private final Set<Key> booked = new HashSet<>();

    /// It begins with the changes from now on; make it with the store.
    public Collector(ApiStore store, Agenda agenda, Supplier<Duration> delay) {
        this.store = store;
        this.agenda = agenda;
        this.delay = delay;
        store.listen(this::changed);
    }

    private void changed(
            String by,
            ResourceType type,
            Value.@Nullable Mapping before,
            Value.@Nullable Mapping after) {
        var old = before == null ? List.<Value.Mapping>of() : owners(before);
        var now = after == null ? List.<Value.Mapping>of() : owners(after);
        if (before != null && after == null) {
            gone(before);
        }
        if (after != null && isWaiting(after)) {
            book(new Key(type, Names.of(after)));
        }
        if (old.equals(now)) {
            return;
        }
        if (before != null) {
            forget(new Key(type, Names.of(before)), old);
        }
        if (after != null) {
            var key = new Key(type, Names.of(after));
            for (var owner : now) {
                dependents
                        .computeIfAbsent(Trees.text(owner, "uid"), _ -> new TreeSet<>(Key.ORDER))
                        .add(key);
            }
            if (now.stream().anyMatch(owner -> standing(key.name(), owner) != Standing.THERE)) {
                book(key);
            }
        }
    }

    private void forget(Key key, List<Value.Mapping> owners) {
        for (var owner : owners) {
            var uid = Trees.text(owner, "uid");
            var left = dependents.get(uid);
            if (left != null) {
                left.remove(key);
                if (left.isEmpty()) {
                    dependents.remove(uid);
                }
            }
        }
    }

    private void gone(Value.Mapping object) {
        dependents.getOrDefault(Trees.meta(object, "uid"), Set.of()).forEach(this::book);
        // An owner that waits for this one may go now.
        for (var owner : owners(object)) {
            var ownerType = type(owner);
            if (ownerType != null) {
                var key = new Key(ownerType, ownerName(Names.of(object), ownerType, owner));
                var found = store.find(ownerType, key.name());
                if (found != null && isWaiting(found)) {
                    book(key);
                }
            }
        }
    }

    private static boolean isWaiting(Value.Mapping object) {
        return !Trees.meta(object, Deletion.TIME).isEmpty()
                && (has(object, FOREGROUND) || has(object, ORPHAN));
    }

    private static boolean has(Value.Mapping object, String finalizer) {
        return Trees.list(object, "metadata", "finalizers").contains(Trees.text(finalizer));
    }

    private static List<Value.Mapping> owners(Value.Mapping object) {
        var references = Trees.list(object, "metadata", "ownerReferences");
        if (references.isEmpty()) {
            return List.of();
        }
        var owners = new ArrayList<Value.Mapping>(references.size());
        for (var each : references) {
            if (each instanceof Value.Mapping owner) {
                owners.add(owner);
            }
        }
        return owners;
    }

    private void book(Key key) {
        if (booked.add(key)) {
            agenda.after(
                    delay.get(),
                    () -> {
                        booked.remove(key);
                        look(key);
                    });
        }
    }

    private void look(Key key) {
        var object = store.find(key.type(), key.name());
        if (object == null) {
            return;
        }
        if (isWaiting(object)) {
            serve(key, object);
            return;
        }
        collect(key, object);
    }

    private enum Standing {
        THERE,
        /// It is being deleted and waits for who holds it.
        WAITING,
        ABSENT
    }

    private void collect(Key key, Value.Mapping object) {
        var owners = owners(object);
        if (owners.isEmpty()) {
            return;
        }
        var absent = new ArrayList<Value>();
        var isKept = false;
        var isAwaited = false;
        for (var owner : owners) {
            switch (standing(key.name(), owner)) {
                case THERE -> isKept = true;
                case WAITING -> isAwaited = true;
                case ABSENT -> absent.add(owner);
            }
        }
        if (!isKept) {
            delete(key, object, isAwaited && hasDependents(object));
        } else if (!absent.isEmpty()) {
            var gone =
                    absent.stream()
                            .map(
                                    owner ->
                                            Tree.of("$patch", "delete")
                                                    .put("uid", uid(owner))
                                                    .mapping())
                            .toList();
            disown(key, object, gone);
        }
    }

    private static String uid(Value owner) {
        return owner instanceof Value.Mapping mapping ? Trees.text(mapping, "uid") : "";
    }

    private boolean hasDependents(Value.Mapping object) {
        return dependents.containsKey(Trees.meta(object, "uid"));
    }

    private void delete(Key key, Value.Mapping object, boolean isForeground) {
        if (isForeground && Trees.meta(object, Deletion.TIME).isEmpty()) {
            finalizers(key, object, FOREGROUND, true);
        }
        store.write(
                BY, new ApiWrite.Delete(key.type(), key.name(), Trees.meta(object, "uid"), null));
    }

    /// Custom kinds have no merge by key: their list is written whole.
    private void disown(Key key, Value.Mapping object, List<? extends Value> gone) {
        var left = new ArrayList<Value>(Trees.list(object, "metadata", "ownerReferences"));
        left.removeIf(owner -> gone.stream().anyMatch(each -> uid(each).equals(uid(owner))));
        patch(key, object, Tree.of().putList("ownerReferences", left));
    }

    private void finalizers(Key key, Value.Mapping object, String finalizer, boolean isAdded) {
        var left = new ArrayList<>(Trees.list(object, "metadata", "finalizers"));
        left.remove(Trees.text(finalizer));
        if (isAdded) {
            left.add(Trees.text(finalizer));
        }
        patch(key, object, Tree.of().putList("finalizers", left));
    }

    private void patch(Key key, Value.Mapping object, Tree metadata) {
        store.write(
                BY,
                new ApiWrite.Patch(
                        key.type(),
                        key.name(),
                        ApiWrite.PatchKind.MERGE,
                        ApiWrite.Subresource.NONE,
                        Tree.of("metadata", metadata.put("uid", Trees.meta(object, "uid")))
                                .mapping()));
    }

    /// Does for an owner what it waits for.
    private void serve(Key key, Value.Mapping owner) {
        var uid = Trees.meta(owner, "uid");
        var own = List.copyOf(dependents.getOrDefault(uid, Set.of()));
        if (has(owner, ORPHAN)) {
            var reference = Tree.of("uid", uid).mapping();
            for (var dependent : own) {
                var object = store.find(dependent.type(), dependent.name());
                if (object != null) {
                    disown(dependent, object, List.of(reference));
                }
            }
            finalizers(key, owner, ORPHAN, false);
            return;
        }
        var isBlocked = false;
        for (var dependent : own) {
            var object = store.find(dependent.type(), dependent.name());
            if (object != null) {
                isBlocked |= blocks(object, uid);
                if (Trees.meta(object, Deletion.TIME).isEmpty()) {
                    book(dependent);
                }
            }
        }
        if (!isBlocked) {
            finalizers(key, owner, FOREGROUND, false);
        }
    }

    private static boolean blocks(Value.Mapping dependent, String uid) {
        return owners(dependent).stream()
                .anyMatch(
                        owner ->
                                Trees.text(owner, "uid").equals(uid)
                                        && Trees.isTrue(owner, "blockOwnerDeletion"));
    }

    private @Nullable ResourceType type(Value.Mapping owner) {
        return store.kinds().owner(Trees.text(owner, "apiVersion"), Trees.text(owner, "kind"));
    }

    private static ObjectName ownerName(
            ObjectName dependent, ResourceType type, Value.Mapping owner) {
        return new ObjectName(
                type.isNamespaced() ? dependent.namespace() : "", Trees.text(owner, "name"));
    }

    private Standing standing(ObjectName dependent, Value.Mapping owner) {
        var type = type(owner);
        if (type == null) {
            return Standing.THERE;
        }
        var found = store.find(type, ownerName(dependent, type, owner));
        if (found == null || !Trees.meta(found, "uid").equals(Trees.text(owner, "uid"))) {
            return Standing.ABSENT;
        }
        var isWaiting = !Trees.meta(found, Deletion.TIME).isEmpty() && has(found, FOREGROUND);
        return isWaiting ? Standing.WAITING : Standing.THERE;
    }
}
