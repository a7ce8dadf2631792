package dev.millwright.testing.kit.cluster;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.MergePatch;
import dev.millwright.kube.tree.StrategicPatch;
import dev.millwright.kube.tree.Trees;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What an API server remembers, as far as steps rely on it: names, versions, generations, status
/// beside spec, finalizers, preconditions. It tells a listener of each change at once.
///
/// It admits everything, and less is made of it than of the store of a world, which is held against
/// a real server: here a test puts any state there, and answers what it likes.
public final class FakeApi implements KubeApi {

    private record Key(ResourceType type, ObjectName name) {}

    /// Told after each change, the object before and after.
    @FunctionalInterface
    public interface Listener {
        void changed(ResourceType type, Value.Mapping latest, boolean isGone);
    }

    private final InstantSource clock;
    private final Map<Key, Value.Mapping> objects = new HashMap<>();
    private final List<ApiWrite> writes = new ArrayList<>();
    private final Deque<ApiAnswer> nextAnswers = new ArrayDeque<>();
    private final Map<ObjectName, ApiAnswer> evictionAnswers = new HashMap<>();
    private Listener listener = (_, _, _) -> {};
    private long version = 1_000;
    private int made;

    public FakeApi(InstantSource clock) {
        this.clock = clock;
    }

    public void listen(Listener other) {
        listener = other;
    }

    /// All writes that were tried, in order.
    public synchronized List<ApiWrite> writes() {
        return List.copyOf(writes);
    }

    public synchronized void forgetWrites() {
        writes.clear();
    }

    /// The next write is answered by this and does nothing.
    public synchronized FakeApi nextAnswer(ApiAnswer answer) {
        nextAnswers.add(answer);
        return this;
    }

    /// Evictions of this pod are answered by this, until it is taken back by null.
    public synchronized FakeApi evictionAnswer(ObjectName pod, @Nullable ApiAnswer answer) {
        if (answer == null) {
            evictionAnswers.remove(pod);
        } else {
            evictionAnswers.put(pod, answer);
        }
        return this;
    }

    /// Puts an object there as it is, status included; missing metadata is filled in.
    public synchronized Value.Mapping put(ResourceType type, Value.Mapping object) {
        var metadata = new Tree();
        Trees.mapping(object, "metadata").fields().forEach(metadata::put);
        if (type.isNamespaced() && Trees.text(object, "metadata", "namespace").isEmpty()) {
            metadata.put("namespace", "default");
        }
        return store(type, filledIn(Trees.with(object, "metadata", metadata.mapping()), type));
    }

    public synchronized Value.@Nullable Mapping find(ResourceType type, ObjectName name) {
        return objects.get(new Key(type, name));
    }

    @Override
    public synchronized ApiAnswer read(ResourceType type, ObjectName name) {
        var found = objects.get(new Key(type, name));
        return found == null ? notFound(type, name) : new ApiAnswer.Done(found);
    }

    @Override
    public synchronized ListAnswer list(ResourceType type, ListQuery query) {
        var items = new TreeMap<ObjectName, Value.Mapping>();
        objects.forEach(
                (key, object) -> {
                    if (key.type().equals(type)
                            && (query.namespace().isEmpty()
                                    || query.namespace().equals(key.name().namespace()))) {
                        items.put(key.name(), object);
                    }
                });
        return new ListAnswer.Page(List.copyOf(items.values()), Long.toString(version), "");
    }

    @Override
    public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
        return WatchEnd.CLOSED;
    }

    @Override
    public synchronized ApiAnswer write(ApiWrite write) {
        writes.add(write);
        var told = nextAnswers.poll();
        if (told != null) {
            return told;
        }
        return switch (write) {
            case ApiWrite.Create(var type, var namespace, var body) ->
                    create(type, namespace, body);
            case ApiWrite.Patch(var type, var name, var kind, var subresource, var body) ->
                    patch(type, name, kind, subresource, body);
            case ApiWrite.Delete(var type, var name, var uid, var grace) ->
                    delete(type, name, uid, grace);
            case ApiWrite.Evict(var name, var uid) -> evict(name, uid);
        };
    }

    private ApiAnswer create(ResourceType type, String namespace, Value.Mapping body) {
        var name = Trees.text(body, "metadata", "name");
        if (name.isEmpty()) {
            name = Trees.text(body, "metadata", "generateName") + "%05d".formatted(++made);
        }
        var key = new ObjectName(namespace, name);
        if (objects.containsKey(new Key(type, key))) {
            return new ApiAnswer.Refused(409, "AlreadyExists", key + " already exists");
        }
        var metadata = new Tree();
        Trees.mapping(body, "metadata").fields().forEach(metadata::put);
        metadata.put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        var object = Trees.with(body, "metadata", metadata.mapping());
        // A kubelet brings its status along; of all other kinds the server drops it.
        if (!type.equals(ResourceType.NODE)) {
            object = Trees.without(object, "status");
        }
        return new ApiAnswer.Done(store(type, filledIn(object, type)));
    }

    private ApiAnswer patch(
            ResourceType type,
            ObjectName name,
            ApiWrite.PatchKind kind,
            ApiWrite.Subresource subresource,
            Value body) {
        var before = objects.get(new Key(type, name));
        if (before == null) {
            return notFound(type, name);
        }
        if (kind == ApiWrite.PatchKind.JSON || !(body instanceof Value.Mapping patch)) {
            return new ApiAnswer.Refused(415, "UnsupportedMediaType", "merge patches only");
        }
        var wanted = Trees.text(patch, "metadata", "resourceVersion");
        if (!wanted.isEmpty()
                && !wanted.equals(Trees.text(before, "metadata", "resourceVersion"))) {
            return new ApiAnswer.Refused(409, "Conflict", name + " has been modified");
        }
        var isStatus = subresource == ApiWrite.Subresource.STATUS;
        var merged =
                kind == ApiWrite.PatchKind.STRATEGIC
                        ? StrategicPatch.apply(before, patch)
                        : MergePatch.apply(before, patch);
        var after =
                isStatus
                        ? Trees.copied(before, merged, "status")
                        : Trees.copied(merged, before, "status");
        if (after.equals(before)) {
            return new ApiAnswer.Done(before);
        }
        var hasNewSpec =
                !Trees.copied(Trees.copied(after, before, "status"), before, "metadata")
                        .equals(before);
        if (!isStatus && hasNewSpec) {
            after = withGeneration(after, generation(before) + 1);
        }
        return new ApiAnswer.Done(store(type, after));
    }

    private ApiAnswer delete(
            ResourceType type, ObjectName name, @Nullable String uid, @Nullable Long grace) {
        var before = objects.get(new Key(type, name));
        if (before == null) {
            return notFound(type, name);
        }
        if (uid != null && !uid.equals(Trees.text(before, "metadata", "uid"))) {
            return new ApiAnswer.Refused(409, "Conflict", name + " has another uid");
        }
        if (type.equals(ResourceType.POD)) {
            return deletePod(name, before, grace);
        }
        if (!Trees.text(before, "metadata", "deletionTimestamp").isEmpty()) {
            return new ApiAnswer.Done(before);
        }
        if (Trees.list(before, "metadata", "finalizers").isEmpty()) {
            return gone(type, name, before);
        }
        return new ApiAnswer.Done(store(type, deleting(before, Duration.ZERO)));
    }

    /// A bound pod stays until its kubelet has stopped it; a test plays that by [#vanish].
    private ApiAnswer deletePod(ObjectName name, Value.Mapping before, @Nullable Long grace) {
        if (Trees.text(before, "spec", "nodeName").isEmpty()) {
            return gone(ResourceType.POD, name, before);
        }
        var stated = Trees.number(before, "spec", "terminationGracePeriodSeconds");
        var seconds = grace != null ? grace : stated == null ? 30L : stated;
        var end = Trees.text(before, "metadata", "deletionTimestamp");
        var isSooner =
                end.isEmpty() || clock.instant().plusSeconds(seconds).isBefore(Instant.parse(end));
        if (!isSooner || (!end.isEmpty() && grace == null)) {
            return new ApiAnswer.Done(before); // A second deletion can only shorten the first.
        }
        return new ApiAnswer.Done(
                store(ResourceType.POD, deleting(before, Duration.ofSeconds(seconds))));
    }

    private ApiAnswer evict(ObjectName name, String uid) {
        var before = objects.get(new Key(ResourceType.POD, name));
        if (before == null) {
            return notFound(ResourceType.POD, name);
        }
        if (!uid.equals(Trees.text(before, "metadata", "uid"))) {
            return new ApiAnswer.Refused(409, "Conflict", name + " has another uid");
        }
        var told = evictionAnswers.get(name);
        return told != null ? told : deletePod(name, before, null);
    }

    /// The object goes at once, finalizers or not: a kubelet or a person had the last word.
    public synchronized void vanish(ResourceType type, ObjectName name) {
        var before = objects.get(new Key(type, name));
        if (before != null) {
            gone(type, name, before);
        }
    }

    private ApiAnswer gone(ResourceType type, ObjectName name, Value.Mapping before) {
        objects.remove(new Key(type, name));
        version++;
        listener.changed(type, before, true);
        return new ApiAnswer.Done(
                Tree.of("kind", "Status")
                        .put("status", "Success")
                        .put("details", Tree.of("uid", Trees.text(before, "metadata", "uid")))
                        .mapping());
    }

    private Value.Mapping deleting(Value.Mapping object, Duration grace) {
        var metadata = new Tree();
        Trees.mapping(object, "metadata").fields().forEach(metadata::put);
        var at = clock.instant().truncatedTo(ChronoUnit.SECONDS).plus(grace);
        metadata.put("deletionTimestamp", at.toString());
        metadata.put("deletionGracePeriodSeconds", grace.toSeconds());
        return withGeneration(
                Trees.with(object, "metadata", metadata.mapping()), generation(object) + 1);
    }

    /// An object whose deletion was asked for goes with its last finalizer.
    private Value.Mapping store(ResourceType type, Value.Mapping object) {
        var name =
                new ObjectName(
                        Trees.text(object, "metadata", "namespace"),
                        Trees.text(object, "metadata", "name"));
        var stored = withMeta(object, "resourceVersion", Tree.text(Long.toString(++version)));
        var isGoing = !Trees.text(stored, "metadata", "deletionTimestamp").isEmpty();
        if (isGoing
                && !type.equals(ResourceType.POD)
                && Trees.list(stored, "metadata", "finalizers").isEmpty()) {
            gone(type, name, stored);
            return stored;
        }
        objects.put(new Key(type, name), stored);
        listener.changed(type, stored, false);
        return stored;
    }

    private Value.Mapping filledIn(Value.Mapping object, ResourceType type) {
        var metadata = new Tree();
        var given = Trees.mapping(object, "metadata");
        given.fields().forEach(metadata::put);
        var name = Trees.text(object, "metadata", "name");
        if (!given.fields().containsKey("uid")) {
            metadata.put("uid", "uid-%s-%s-%d".formatted(type.plural(), name, ++made));
        }
        if (!given.fields().containsKey("creationTimestamp")) {
            metadata.put(
                    "creationTimestamp",
                    clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        }
        if (!given.fields().containsKey("generation")) {
            metadata.put("generation", 1);
        }
        return Trees.with(object, "metadata", metadata.mapping());
    }

    private static ApiAnswer notFound(ResourceType type, ObjectName name) {
        return new ApiAnswer.Refused(404, "NotFound", "%s %s not found".formatted(type, name));
    }

    private static long generation(Value.Mapping object) {
        var generation = Trees.number(object, "metadata", "generation");
        return generation == null ? 0 : generation;
    }

    private static Value.Mapping withGeneration(Value.Mapping object, long generation) {
        return withMeta(
                object,
                "generation",
                new Value.Numeral(Position.NOWHERE, Long.toString(generation)));
    }

    private static Value.Mapping withMeta(Value.Mapping object, String field, Value value) {
        var metadata = Trees.with(Trees.mapping(object, "metadata"), field, value);
        return Trees.with(object, "metadata", metadata);
    }
}
