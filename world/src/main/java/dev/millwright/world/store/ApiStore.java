package dev.millwright.world.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.kind.Kind;
import dev.millwright.world.kind.Kinds;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The API server of a world: what it remembers and how it answers.
///
/// For one thread. Each state of an object is one immutable tree, handed to all who ask for it, so
/// that what is read from it can be kept by identity.
public final class ApiStore {

    /// Told of each change at once, in order. It must not write: the change is not over yet for the
    /// listeners after it. `before` is null where the object is new, `after` where it is gone.
    @FunctionalInterface
    public interface Listener {
        void changed(
                String by,
                ResourceType type,
                Value.@Nullable Mapping before,
                Value.@Nullable Mapping after);
    }

    /// Namespaces every cluster begins with.
    private static final List<String> NAMESPACES =
            List.of("default", "kube-node-lease", "kube-public", "kube-system");

    private static final long VERSION_FIRST = 1_000;

    private final InstantSource clock;
    private final Kinds kinds;
    private final Admission admission;
    private final Creation creation;
    private final Map<ResourceType, Shelf> shelves = new HashMap<>();
    private final Listing listing = new Listing();
    private final List<Listener> listeners = new ArrayList<>();
    private final OldEvents oldEvents = new OldEvents();
    private long version = VERSION_FIRST;
    private boolean isTelling;

    /// The shelf last asked for: the same few types are asked for over and over.
    private @Nullable ResourceType lastType;

    private @Nullable Shelf lastShelf;

    /// With the custom resources of a cluster with kwok's nodes.
    public ApiStore(InstantSource clock, Chance chance) {
        this(clock, chance, Kinds.kwok());
    }

    public ApiStore(InstantSource clock, Chance chance, Kinds kinds) {
        this.clock = clock;
        this.kinds = kinds;
        kinds.all().forEach(kind -> shelves.put(kind.type(), new Shelf(kind, version)));
        this.admission =
                new Admission(
                        new Admission.Sight() {
                            @Override
                            public Value.@Nullable Mapping find(
                                    ResourceType type, ObjectName name) {
                                return ApiStore.this.find(type, name);
                            }

                            @Override
                            public List<Value.Mapping> all(ResourceType type) {
                                return ApiStore.this.all(type);
                            }
                        });
        this.creation = new Creation(kinds, admission, chance);
        for (var name : NAMESPACES) {
            var body = Tree.of("metadata", Tree.of("name", name)).mapping();
            write("apiserver", new ApiWrite.Create(ResourceType.NAMESPACE, "", body));
        }
    }

    public Kinds kinds() {
        return kinds;
    }

    public long version() {
        return version;
    }

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    /// The history of this type up to now is gone: a watch from an older version gets
    /// [Changes.Expired], and so does a list that waits for its next page.
    public void forget(ResourceType type) {
        var shelf = known(type);
        if (shelf != null) {
            shelf.forget(version);
            listing.forget();
        }
    }

    /// For those who live beside the store: no copy, and nothing said when there is none.
    public Value.@Nullable Mapping find(ResourceType type, ObjectName name) {
        var shelf = known(type);
        return shelf == null ? null : shelf.find(name);
    }

    /// In the order of namespaces and names; the same list until something changes.
    public List<Value.Mapping> all(ResourceType type) {
        var shelf = known(type);
        return shelf == null ? List.of() : shelf.all();
    }

    /// The pods bound to a node, in the order of names.
    public List<Value.Mapping> podsOn(String node) {
        return shelf(ResourceType.POD).onNode(node);
    }

    /// The objects of a namespace, in the order of names. It changes with the store, see [#podsOn].
    public Collection<Value.Mapping> in(ResourceType type, String namespace) {
        var shelf = known(type);
        return shelf == null ? List.of() : shelf.in(namespace);
    }

    /// A type that nobody serves has no changes.
    public Changes changesAfter(ResourceType type, long after, int max) {
        var shelf = known(type);
        return shelf == null
                ? new Changes.Events(List.of(), version)
                : shelf.after(after, max, version);
    }

    public ApiAnswer read(ResourceType type, ObjectName name) {
        var shelf = known(type);
        if (shelf == null) {
            return Refusals.notServed();
        }
        var found = shelf.find(name);
        return found == null ? Refusals.notFound(type, name) : new ApiAnswer.Done(found);
    }

    public KubeApi.ListAnswer list(ResourceType type, KubeApi.ListQuery query) {
        var shelf = known(type);
        if (shelf == null) {
            return new KubeApi.ListAnswer.NotServed();
        }
        if (!query.continueToken().isEmpty()) {
            return listing.next(query);
        }
        try {
            var selection =
                    Selection.of(
                            type, query.namespace(), query.labelSelector(), query.fieldSelector());
            return listing.first(selected(shelf, selection), version, query.limit());
        } catch (IllegalArgumentException unreadable) {
            return new KubeApi.ListAnswer.Failed(
                    Refusals.badRequest(String.valueOf(unreadable.getMessage())).explain());
        }
    }

    private static Collection<Value.Mapping> selected(Shelf shelf, Selection selection) {
        if (selection.isEverything()) {
            return shelf.all();
        }
        var node = selection.nodeName();
        Collection<Value.Mapping> among;
        if (node != null && !node.isEmpty()) {
            among = shelf.onNode(node);
        } else {
            var namespace = selection.namespace();
            among = namespace.isEmpty() ? shelf.all() : shelf.in(namespace);
        }
        return among.stream().filter(selection::matches).toList();
    }

    /// `by` is who writes, for those who listen.
    public ApiAnswer write(String by, ApiWrite write) {
        if (isTelling) {
            throw new IllegalStateException(
                    "%s writes while a change is being told; book it on the agenda".formatted(by));
        }
        var shelf = known(write.type());
        if (shelf == null) {
            return Refusals.notServed();
        }
        var kind = shelf.kind();
        return switch (write) {
            case ApiWrite.Create(_, var namespace, var body) ->
                    create(by, kind, namespace, Trees.bareMapping(body));
            case ApiWrite.Patch patch -> patch(by, kind, patch);
            case ApiWrite.Delete(_, var name, var uid, var grace) ->
                    delete(by, kind, name, uid, grace);
            case ApiWrite.Evict(var name, var uid) -> evict(by, kind, name, uid);
        };
    }

    /// Puts another object in the place of the one of its name, as an HTTP `PUT` does.
    public ApiAnswer replace(
            String by, ResourceType type, Value.Mapping object, ApiWrite.Subresource part) {
        var kind = kinds.find(type);
        if (kind == null || (part == ApiWrite.Subresource.STATUS && !kind.hasStatus())) {
            return Refusals.notServed();
        }
        var before = find(type, Names.of(object));
        return before == null
                ? Refusals.notFound(type, Names.of(object))
                : update(by, kind, before, Trees.bareMapping(object), part);
    }

    /// The binding subresource: a scheduler has chosen a node.
    public ApiAnswer bind(String by, ObjectName name, String uid, String nodeName) {
        var pod = find(ResourceType.POD, name);
        if (pod == null) {
            return Refusals.notFound(ResourceType.POD, name);
        }
        var own = Trees.meta(pod, "uid");
        if (!uid.isEmpty() && !uid.equals(own)) {
            return Refusals.otherUid(ResourceType.POD, name, uid, own);
        }
        var why = Binding.refusal(pod);
        if (why != null) {
            return Refusals.unbindable(name, why);
        }
        var bound = Binding.bound(pod, nodeName, now().toString());
        store(by, ResourceType.POD, pod, admission.withTopology(bound, nodeName));
        return done(201);
    }

    /// A deletion without grace: a kubelet has stopped the pod. Finalizers still hold it.
    public ApiAnswer remove(String by, ResourceType type, ObjectName name, String uid) {
        return write(by, new ApiWrite.Delete(type, name, uid.isEmpty() ? null : uid, 0L));
    }

    private ApiAnswer create(String by, Kind kind, String namespace, Value.Mapping body) {
        var type = kind.type();
        var made = creation.of(kind, namespace, body, name -> find(type, name) != null, now());
        return switch (made) {
            case Creation.Outcome.Refusal(var refused) -> refused;
            case Creation.Outcome.Made(var name, _) when find(type, name) != null ->
                    Refusals.alreadyExists(type, name);
            case Creation.Outcome.Made(_, var object) ->
                    new ApiAnswer.Done(store(by, type, null, object));
        };
    }

    /// Times have whole seconds.
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    private ApiAnswer patch(String by, Kind kind, ApiWrite.Patch patch) {
        var type = kind.type();
        if (patch.subresource() == ApiWrite.Subresource.STATUS && !kind.hasStatus()) {
            return Refusals.notServed();
        }
        if (patch.kind() == ApiWrite.PatchKind.STRATEGIC && kind.isCustom()) {
            return Refusals.unsupportedPatch();
        }
        var before = find(type, patch.name());
        if (before == null) {
            return Refusals.notFound(type, patch.name());
        }
        return switch (Patching.of(before, patch)) {
            case Patching.Outcome.Refusal(var refused) -> refused;
            case Patching.Outcome.Patched(var wanted) ->
                    update(by, kind, before, wanted, patch.subresource());
        };
    }

    private ApiAnswer update(
            String by,
            Kind kind,
            Value.Mapping before,
            Value.Mapping wanted,
            ApiWrite.Subresource part) {
        return switch (new Update(kinds, kind, before, part).to(wanted)) {
            case Update.Outcome.Refusal(var refused) -> refused;
            case Update.Outcome.Same() -> new ApiAnswer.Done(before);
            case Update.Outcome.Changed(var after) ->
                    new ApiAnswer.Done(store(by, kind.type(), before, after));
        };
    }

    private ApiAnswer delete(
            String by, Kind kind, ObjectName name, @Nullable String uid, @Nullable Long grace) {
        var type = kind.type();
        var before = find(type, name);
        if (before == null) {
            return Refusals.notFound(type, name);
        }
        var own = Trees.meta(before, "uid");
        if (uid != null && !uid.equals(own)) {
            return Refusals.otherUid(type, name, uid, own);
        }
        return switch (Deletion.of(type, before, grace, now())) {
            case Deletion.Outcome.Pending() -> new ApiAnswer.Done(before);
            case Deletion.Outcome.Marked(var after) ->
                    new ApiAnswer.Done(put(by, type, before, after));
            case Deletion.Outcome.Gone(var marked) -> {
                var last = marked == null ? before : put(by, type, before, marked);
                drop(by, type, last);
                yield kind.tellsDeleted() ? new ApiAnswer.Done(last) : deleted(type, last);
            }
        };
    }

    private static ApiAnswer deleted(ResourceType type, Value.Mapping last) {
        var details =
                Tree.of("name", Trees.meta(last, "name"))
                        .putUnlessEmpty("group", type.group())
                        .put("kind", type.plural())
                        .put("uid", Trees.meta(last, "uid"));
        return new ApiAnswer.Done(
                Tree.of("kind", "Status")
                        .put("apiVersion", "v1")
                        .put("metadata", Tree.of())
                        .put("status", "Success")
                        .put("details", details)
                        .mapping());
    }

    private static ApiAnswer done(int code) {
        return new ApiAnswer.Done(
                Tree.of("kind", "Status")
                        .put("apiVersion", "v1")
                        .put("metadata", Tree.of())
                        .put("status", "Success")
                        .put("code", code)
                        .mapping());
    }

    private ApiAnswer evict(String by, Kind kind, ObjectName name, String uid) {
        var pod = find(ResourceType.POD, name);
        if (pod == null) {
            return Refusals.notFound(ResourceType.POD, name);
        }
        if (Budgets.areAsked(pod)) {
            var budgets = in(ResourceType.POD_DISRUPTION_BUDGET, name.namespace());
            switch (Budgets.of(pod, budgets, now())) {
                case Budgets.Ruling.Free() -> {}
                case Budgets.Ruling.Charged(var budget, var after) ->
                        store(by, ResourceType.POD_DISRUPTION_BUDGET, budget, after);
                case Budgets.Ruling.Denied(var refused) -> {
                    return refused;
                }
            }
        }
        var own = Trees.meta(pod, "uid");
        if (!uid.isEmpty() && !uid.equals(own)) {
            return Refusals.otherUid(ResourceType.POD, name, uid, own);
        }
        var condition =
                Tree.of("type", "DisruptionTarget")
                        .put("status", "True")
                        .put("reason", "EvictionByEvictionAPI")
                        .put("message", "Eviction API: evicting");
        var told = Conditions.put(pod, condition, now().toString());
        if (!told.equals(pod)) {
            store(by, ResourceType.POD, pod, told);
        }
        var answer = delete(by, kind, name, null, null);
        return answer.isDone() ? done(201) : answer;
    }

    /// An object that is to be deleted goes with its last finalizer.
    private Value.Mapping store(
            String by, ResourceType type, Value.@Nullable Mapping before, Value.Mapping object) {
        var grace = before == null ? null : Trees.number(before, "metadata", Deletion.GRACE);
        if (before != null && grace != null && grace == 0 && !Deletion.hasFinalizers(object)) {
            drop(by, type, before);
            return object;
        }
        return put(by, type, before, object);
    }

    private Value.Mapping put(
            String by, ResourceType type, Value.@Nullable Mapping before, Value.Mapping object) {
        version++;
        var stored = withVersion(object);
        var name = Names.of(stored);
        shelf(type).put(name, new Changes.Event(version, before, stored, false));
        tell(by, type, before, stored);
        if (type.equals(ResourceType.EVENT)) {
            oldEvents.note(name, version, now());
            oldEvents.expire(now(), this::dropEvent);
        }
        return stored;
    }

    private void drop(String by, ResourceType type, Value.Mapping before) {
        version++;
        var last = withVersion(before);
        shelf(type).remove(Names.of(before), new Changes.Event(version, before, last, true));
        tell(by, type, before, null);
    }

    private void dropEvent(ObjectName name, String written) {
        var event = find(ResourceType.EVENT, name);
        if (event != null && Trees.meta(event, "resourceVersion").equals(written)) {
            drop("apiserver", ResourceType.EVENT, event);
        }
    }

    private Value.Mapping withVersion(Value.Mapping object) {
        var text = Trees.text(Long.toString(version));
        return Trees.withMeta(object, meta -> meta.put("resourceVersion", text));
    }

    private void tell(
            String by,
            ResourceType type,
            Value.@Nullable Mapping before,
            Value.@Nullable Mapping after) {
        isTelling = true;
        try {
            for (var listener : listeners) {
                listener.changed(by, type, before, after);
            }
        } finally {
            isTelling = false;
        }
    }

    @SuppressWarnings("ReferenceEquality") // Equal types are looked up; the same one is cheaper.
    private @Nullable Shelf known(ResourceType type) {
        if (type == lastType) {
            return lastShelf;
        }
        lastType = type;
        lastShelf = shelves.get(type);
        return lastShelf;
    }

    private Shelf shelf(ResourceType type) {
        var shelf = known(type);
        if (shelf == null) {
            throw new IllegalStateException("nobody serves %s".formatted(type));
        }
        return shelf;
    }
}
