package dev.millwright.cli.addons;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.kube.tree.MergePatch;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// The management cluster as it would be: what is written stays here, and what was never written is
/// read from the real one. The real one is only read.
final class Draft implements KubeApi {

    /// Caches take what is newer: no server has come so far yet.
    private static final long VERSION_FIRST = 1L << 60;

    private record Key(ResourceType type, ObjectName name) {}

    private final KubeApi real;
    private final InstantSource clock;
    private final Map<Key, Value.Mapping> objects = new HashMap<>();
    private long changes;

    Draft(KubeApi real, InstantSource clock) {
        this.real = real;
        this.clock = clock;
    }

    void put(ResourceType type, RawObject object) {
        objects.put(new Key(type, object.name()), object.object());
    }

    /// Grows with every write that changed something.
    long changes() {
        return changes;
    }

    boolean has(ResourceType type, ObjectName name) {
        return objects.containsKey(new Key(type, name));
    }

    @Override
    public ApiAnswer read(ResourceType type, ObjectName name) {
        var drafted = objects.get(new Key(type, name));
        return drafted == null ? real.read(type, name) : new ApiAnswer.Done(drafted);
    }

    @Override
    public ListAnswer list(ResourceType type, ListQuery query) {
        return real.list(type, query);
    }

    @Override
    public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
        throw new UnsupportedOperationException("nothing happens to a draft by itself");
    }

    @Override
    public ApiAnswer write(ApiWrite write) {
        return switch (write) {
            case ApiWrite.Create(var type, var namespace, var body) ->
                    created(type, namespace, RawObject.of(body));
            case ApiWrite.Patch patch -> patched(patch);
            case ApiWrite.Delete(var type, var name, _, _) -> deleted(new Key(type, name));
            case ApiWrite.Evict evict ->
                    throw new UnsupportedOperationException("no add-on evicts " + evict.name());
        };
    }

    private static ApiAnswer notFound(Key key) {
        return new ApiAnswer.Refused(404, "NotFound", key.name() + " is not in the draft");
    }

    private ApiAnswer created(ResourceType type, String namespace, RawObject body) {
        var given = body.name().name();
        var name =
                given.isEmpty()
                        ? body.root().at("metadata").at("generateName").text("") + changes
                        : given;
        var key = new Key(type, new ObjectName(namespace, name));
        if (read(type, key.name()).isDone()) {
            return new ApiAnswer.Refused(409, "AlreadyExists", name + " is there already");
        }
        var metadata =
                Tree.of("name", name)
                        .put("namespace", namespace)
                        .put("uid", "draft-" + changes)
                        .put("generation", 1)
                        .put("creationTimestamp", clock.instant().toString());
        return stored(
                key, MergePatch.apply(body.object(), Tree.of("metadata", metadata).mapping()));
    }

    private ApiAnswer stored(Key key, Value.Mapping object) {
        changes++;
        var version = Tree.of("resourceVersion", Long.toString(VERSION_FIRST + changes));
        var stored = MergePatch.apply(object, Tree.of("metadata", version).mapping());
        objects.put(key, stored);
        return new ApiAnswer.Done(stored);
    }

    private ApiAnswer patched(ApiWrite.Patch patch) {
        var key = new Key(patch.type(), patch.name());
        if (!(read(key.type(), key.name()) instanceof ApiAnswer.Done(var before))) {
            return notFound(key);
        }
        if (patch.kind() != ApiWrite.PatchKind.MERGE
                || !(patch.body() instanceof Value.Mapping body)) {
            throw new UnsupportedOperationException("the add-ons write merge patches alone");
        }
        // Nobody else writes a draft: a lock on a version always holds.
        var unlocked =
                MergePatch.apply(
                        before, without(body, RawObject.of(before).meta().resourceVersion()));
        if (unlocked.equals(before)) {
            return new ApiAnswer.Done(before);
        }
        var object = RawObject.of(unlocked);
        if (object.meta().isDeleting() && object.meta().finalizers().isEmpty()) {
            changes++;
            objects.remove(key);
            return new ApiAnswer.Done(unlocked);
        }
        var isSpec = !Objects.equals(before.fields().get("spec"), unlocked.fields().get("spec"));
        var generation = Tree.of().put("generation", object.meta().generation() + 1);
        return stored(
                key,
                isSpec
                        ? MergePatch.apply(unlocked, Tree.of("metadata", generation).mapping())
                        : unlocked);
    }

    private static Value.Mapping without(Value.Mapping patch, String version) {
        var metadata = patch.fields().get("metadata");
        if (!(metadata instanceof Value.Mapping(_, var fields))
                || !fields.containsKey("resourceVersion")) {
            return patch;
        }
        var kept = new LinkedHashMap<>(patch.fields());
        kept.put(
                "metadata",
                MergePatch.apply(
                        (Value.Mapping) metadata, Tree.of("resourceVersion", version).mapping()));
        return new Value.Mapping(patch.position(), kept);
    }

    private ApiAnswer deleted(Key key) {
        var before = objects.get(key);
        if (before == null) {
            return notFound(key);
        }
        var meta = RawObject.of(before).meta();
        if (!meta.finalizers().isEmpty()) {
            return meta.isDeleting()
                    ? new ApiAnswer.Done(before)
                    : stored(
                            key,
                            MergePatch.apply(
                                    before,
                                    Tree.of(
                                                    "metadata",
                                                    Tree.of(
                                                            "deletionTimestamp",
                                                            clock.instant().toString()))
                                            .mapping()));
        }
        changes++;
        objects.remove(key);
        return new ApiAnswer.Done(
                Tree.of("kind", "Status").put("details", Tree.of("uid", meta.uid())).mapping());
    }
}
