package dev.millwright.world.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.chance.Chance;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

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

    private static final int NAME_LETTERS = 5;
    private static final String DELETION = "deletionTimestamp";
    private static final String GRACE = "deletionGracePeriodSeconds";

    private final InstantSource clock;
    private final Chance chance;
    private final Map<ResourceType, Shelf> shelves = new HashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private long version = 1_000;

    public ApiStore(InstantSource clock, Chance chance) {
        this.clock = clock;
        this.chance = chance.stream("store");
    }

    public long version() {
        return version;
    }

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    /// The history of this type up to now is gone: a watch from an older version gets
    /// [Changes.Expired].
    public void forget(ResourceType type) {
        shelf(type).forget(version);
    }

    /// For those who live beside the store: no copy, and nothing said when there is none.
    public Value.@Nullable Mapping find(ResourceType type, ObjectName name) {
        return shelf(type).find(name);
    }

    /// In the order of namespaces and names; the same list until something changes.
    public List<Value.Mapping> all(ResourceType type) {
        return shelf(type).all();
    }

    public Changes changesAfter(ResourceType type, long after, int max) {
        return shelf(type).after(after, max, version);
    }

    public ApiAnswer read(ResourceType type, ObjectName name) {
        var found = find(type, name);
        return found == null ? Refusals.notFound(type, name) : new ApiAnswer.Done(found);
    }

    public KubeApi.ListAnswer list(ResourceType type, KubeApi.ListQuery query) {
        return new KubeApi.ListAnswer.Page(all(type), Long.toString(version), "");
    }

    /// `by` is who writes, for those who listen.
    public ApiAnswer write(String by, ApiWrite write) {
        return switch (write) {
            case ApiWrite.Create(var type, var namespace, var body) ->
                    create(by, type, namespace, Trees.bareMapping(body));
            case ApiWrite.Patch patch -> patch(by, patch);
            case ApiWrite.Delete(var type, var name, var uid, var grace) ->
                    delete(by, type, name, uid, grace);
            case ApiWrite.Evict(var name, var uid) ->
                    delete(by, ResourceType.POD, name, uid.isEmpty() ? null : uid, null);
        };
    }

    /// The binding subresource: a scheduler has chosen a node.
    public ApiAnswer bind(String by, ObjectName pod, String uid, String nodeName) {
        var before = find(ResourceType.POD, pod);
        if (before == null) {
            return Refusals.notFound(ResourceType.POD, pod);
        }
        var found = Trees.meta(before, "uid");
        if (!uid.isEmpty() && !uid.equals(found)) {
            return Refusals.otherUid(ResourceType.POD, pod, uid, found);
        }
        if (!Trees.meta(before, DELETION).isEmpty()) {
            return Refusals.conflict(
                    ResourceType.POD,
                    pod,
                    "pod %s is being deleted, cannot be assigned to a host".formatted(pod.name()));
        }
        var bound = Trees.text(before, "spec", "nodeName");
        if (!bound.isEmpty()) {
            return Refusals.conflict(
                    ResourceType.POD,
                    pod,
                    "pod %s is already assigned to node \"%s\"".formatted(pod.name(), bound));
        }
        var spec = Trees.with(Trees.mapping(before, "spec"), "nodeName", Trees.text(nodeName));
        var condition =
                Tree.of("type", "PodScheduled")
                        .put("status", "True")
                        .putNothing("lastProbeTime")
                        .put("lastTransitionTime", now().toString());
        var status =
                StrategicPatch.apply(
                        Trees.mapping(before, "status"),
                        Tree.of().putList("conditions", List.of(condition.mapping())).mapping());
        store(
                by,
                ResourceType.POD,
                before,
                Trees.with(Trees.with(before, "spec", spec), "status", status));
        return new ApiAnswer.Done(
                Tree.of("kind", "Status")
                        .put("apiVersion", "v1")
                        .put("status", "Success")
                        .put("code", 201)
                        .mapping());
    }

    /// A deletion without grace: a kubelet has stopped the pod. Finalizers still hold it.
    public ApiAnswer remove(String by, ResourceType type, ObjectName name, String uid) {
        return delete(by, type, name, uid, 0L);
    }

    private ApiAnswer create(String by, ResourceType type, String namespace, Value.Mapping body) {
        var name = Trees.meta(body, "name");
        if (name.isEmpty()) {
            var prefix = Trees.meta(body, "generateName");
            if (prefix.isEmpty()) {
                return Refusals.invalid(
                        type,
                        new ObjectName(namespace, ""),
                        "metadata.name: Required value: name or generateName is required");
            }
            name = prefix + chance.letters(NAME_LETTERS);
        }
        var key = new ObjectName(type.isNamespaced() ? namespace : "", name);
        if (find(type, key) != null) {
            return Refusals.alreadyExists(type, key);
        }
        var finished = named(body, key);
        if (!type.equals(ResourceType.NODE)) {
            finished = Trees.without(finished, "status");
        }
        var object =
                Trees.changed(
                        finished,
                        fields -> {
                            fields.putFirst("kind", Trees.text(type.kind()));
                            fields.putFirst("apiVersion", Trees.text(type.apiVersion()));
                            if (type.equals(ResourceType.POD)) {
                                fields.put("status", Tree.of("phase", "Pending").mapping());
                            }
                        });
        return new ApiAnswer.Done(store(by, type, null, object));
    }

    private Value.Mapping named(Value.Mapping body, ObjectName name) {
        return Trees.withMeta(
                body,
                meta -> {
                    meta.put("name", Trees.text(name.name()));
                    if (!name.namespace().isEmpty()) {
                        meta.put("namespace", Trees.text(name.namespace()));
                    }
                    meta.remove(DELETION);
                    meta.remove(GRACE);
                    meta.put("uid", Trees.text(uid()));
                    meta.put("creationTimestamp", Trees.text(now().toString()));
                    meta.put("generation", Trees.number(1));
                });
    }

    private String uid() {
        return new UUID(
                        (chance.bits() & ~0xf000L) | 0x4000L,
                        (chance.bits() >>> 2) | Long.MIN_VALUE)
                .toString();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    private ApiAnswer patch(String by, ApiWrite.Patch patch) {
        var type = patch.type();
        var before = find(type, patch.name());
        if (before == null) {
            return Refusals.notFound(type, patch.name());
        }
        var body = Trees.bare(patch.body());
        Value.Mapping merged;
        try {
            merged =
                    switch (patch.kind()) {
                        case MERGE -> MergePatch.apply(before, (Value.Mapping) body);
                        case STRATEGIC -> StrategicPatch.apply(before, (Value.Mapping) body);
                        case JSON -> JsonPatch.apply(before, ((Value.Sequence) body).elements());
                    };
        } catch (JsonPatch.Unprocessable failure) {
            return Refusals.invalid(
                    type, patch.name(), Objects.requireNonNullElse(failure.getMessage(), ""));
        }
        return update(by, type, before, merged, patch.subresource());
    }

    private ApiAnswer update(
            String by,
            ResourceType type,
            Value.Mapping before,
            Value.Mapping wanted,
            ApiWrite.Subresource part) {
        var name = name(before);
        var base = Trees.meta(wanted, "resourceVersion");
        if (!base.isEmpty() && !base.equals(Trees.meta(before, "resourceVersion"))) {
            return Refusals.modified(type, name);
        }
        var isStatus = part == ApiWrite.Subresource.STATUS;
        var after =
                isStatus
                        ? Trees.copied(before, wanted, "status")
                        : Trees.copied(wanted, before, "status");
        after = kept(after, before);
        if (after.equals(before)) {
            return new ApiAnswer.Done(before);
        }
        if (!isStatus && !contents(after).equals(contents(before))) {
            after = withGeneration(after);
        }
        return new ApiAnswer.Done(store(by, type, before, after));
    }

    private static Value.Mapping contents(Value.Mapping object) {
        return Trees.without(Trees.without(object, "metadata"), "status");
    }

    /// Nobody writes what is the server's.
    private static Value.Mapping kept(Value.Mapping after, Value.Mapping before) {
        var own = Trees.mapping(before, "metadata");
        var metadata = Trees.mapping(after, "metadata");
        for (var field :
                List.of(
                        "name",
                        "namespace",
                        "uid",
                        "resourceVersion",
                        "creationTimestamp",
                        "generation",
                        DELETION,
                        GRACE)) {
            metadata = Trees.copied(metadata, own, field);
        }
        return Trees.with(after, "metadata", metadata);
    }

    private static Value.Mapping withGeneration(Value.Mapping object) {
        var generation = Trees.number(object, "metadata", "generation");
        return generation == null
                ? object
                : Trees.withMeta(
                        object, meta -> meta.put("generation", Trees.number(generation + 1)));
    }

    private ApiAnswer delete(
            String by,
            ResourceType type,
            ObjectName name,
            @Nullable String uid,
            @Nullable Long grace) {
        var before = find(type, name);
        if (before == null) {
            return Refusals.notFound(type, name);
        }
        var found = Trees.meta(before, "uid");
        if (uid != null && !uid.equals(found)) {
            return Refusals.otherUid(type, name, uid, found);
        }
        var asked = type.equals(ResourceType.POD) ? podGrace(before, grace) : 0L;
        var end = Trees.meta(before, DELETION);
        if (!end.isEmpty()) {
            return deleteAgain(by, type, before, grace);
        }
        if (asked == 0 && Trees.list(before, "metadata", "finalizers").isEmpty()) {
            return gone(by, type, before);
        }
        var after =
                withGeneration(
                        Trees.withMeta(
                                before,
                                meta -> {
                                    meta.put(
                                            DELETION,
                                            Trees.text(now().plusSeconds(asked).toString()));
                                    meta.put(GRACE, Trees.number(asked));
                                }));
        return new ApiAnswer.Done(store(by, type, before, after));
    }

    /// A second deletion can only shorten the first.
    private ApiAnswer deleteAgain(
            String by, ResourceType type, Value.Mapping before, @Nullable Long grace) {
        var known = Trees.number(before, "metadata", GRACE);
        var old = known == null ? 0L : known;
        if (grace == null || grace >= old) {
            return new ApiAnswer.Done(before);
        }
        if (grace == 0 && Trees.list(before, "metadata", "finalizers").isEmpty()) {
            return gone(by, type, before);
        }
        var end =
                Instant.parse(Trees.meta(before, DELETION)).minus(Duration.ofSeconds(old - grace));
        var after =
                Trees.withMeta(
                        before,
                        meta -> {
                            meta.put(DELETION, Trees.text(end.toString()));
                            meta.put(GRACE, Trees.number(grace));
                        });
        return new ApiAnswer.Done(store(by, type, before, after));
    }

    private static long podGrace(Value.Mapping pod, @Nullable Long grace) {
        var phase = Trees.text(pod, "status", "phase");
        if (Trees.text(pod, "spec", "nodeName").isEmpty()
                || phase.equals("Failed")
                || phase.equals("Succeeded")) {
            return 0;
        }
        var stated = Trees.number(pod, "spec", "terminationGracePeriodSeconds");
        return grace != null ? grace : stated == null ? 30L : stated;
    }

    private ApiAnswer gone(String by, ResourceType type, Value.Mapping before) {
        drop(by, type, before);
        return new ApiAnswer.Done(
                Tree.of("kind", "Status")
                        .put("apiVersion", "v1")
                        .put("status", "Success")
                        .put(
                                "details",
                                Tree.of("name", Trees.meta(before, "name"))
                                        .put("kind", type.plural())
                                        .put("uid", Trees.meta(before, "uid")))
                        .mapping());
    }

    private void drop(String by, ResourceType type, Value.Mapping before) {
        version++;
        var last = withVersion(before);
        shelf(type).remove(name(before), new Changes.Event(version, before, last, true));
        tell(by, type, before, null);
    }

    /// An object that is to be deleted goes with its last finalizer.
    private Value.Mapping store(
            String by, ResourceType type, Value.@Nullable Mapping before, Value.Mapping object) {
        var grace = Trees.number(object, "metadata", GRACE);
        if (before != null
                && grace != null
                && grace == 0
                && Trees.list(object, "metadata", "finalizers").isEmpty()) {
            drop(by, type, before);
            return object;
        }
        version++;
        var stored = withVersion(object);
        shelf(type).put(name(stored), new Changes.Event(version, before, stored, false));
        tell(by, type, before, stored);
        return stored;
    }

    private Value.Mapping withVersion(Value.Mapping object) {
        return Trees.withMeta(
                object, meta -> meta.put("resourceVersion", Trees.text(Long.toString(version))));
    }

    private void tell(
            String by,
            ResourceType type,
            Value.@Nullable Mapping before,
            Value.@Nullable Mapping after) {
        for (var listener : listeners) {
            listener.changed(by, type, before, after);
        }
    }

    private static ObjectName name(Value.Mapping object) {
        return new ObjectName(Trees.meta(object, "namespace"), Trees.meta(object, "name"));
    }

    private Shelf shelf(ResourceType type) {
        return shelves.computeIfAbsent(type, _ -> new Shelf());
    }
}
