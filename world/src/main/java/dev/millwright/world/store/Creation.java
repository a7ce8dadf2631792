package dev.millwright.world.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer.Refused;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Empties;
import dev.millwright.kube.tree.Trees;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.kind.Defaults;
import dev.millwright.world.kind.Kind;
import dev.millwright.world.kind.Kinds;
import dev.millwright.world.kind.PodDefaults;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Makes of what somebody sent the object that is stored: named, dated, with all the server fills
/// in. It stores nothing itself.
final class Creation {

    sealed interface Outcome {
        record Refusal(Refused refused) implements Outcome {}

        /// Named, but not taken: the name may be.
        record Made(ObjectName name, Value.Mapping object) implements Outcome {}
    }

    private static final int NAME_LETTERS = 5;
    private static final int NAME_LENGTH_MAX = 63;
    private static final int PATH_LENGTH_MAX = 253;

    /// Names drawn for one object until a free one must have come.
    private static final int DRAWS_MAX = 8;

    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private static final Value NOT_READY =
            Tree.of("key", "node.kubernetes.io/not-ready").put("effect", "NoSchedule").mapping();

    private final Kinds kinds;
    private final Admission admission;
    private final Chance names;
    private final Chance uids;

    Creation(Kinds kinds, Admission admission, Chance chance) {
        this.kinds = kinds;
        this.admission = admission;
        this.names = chance.stream("store.names");
        this.uids = chance.stream("store.uids");
    }

    Outcome of(
            Kind kind,
            String namespace,
            Value.Mapping body,
            Predicate<ObjectName> isTaken,
            Instant now) {
        var type = kind.type();
        var refused = refusal(kind, namespace, body);
        if (refused != null) {
            return new Outcome.Refusal(refused);
        }
        var name = name(namespace, body, isTaken);
        if (name.name().length() > PATH_LENGTH_MAX || !NAME.matcher(name.name()).matches()) {
            return new Outcome.Refusal(
                    Refusals.invalid(
                            type,
                            name,
                            "metadata.name: Invalid value: \"%s\": a lowercase RFC 1123 subdomain"
                                            .formatted(name.name())
                                    + " must consist of lower case alphanumeric characters, '-' or"
                                    + " '.'"));
        }
        var bare = kind.isCustom() ? body : Empties.dropped(body, null);
        var object = stamped(kind, bare, name, now);
        var filled = filled(kind, object);
        var admitted = admission.admit(type, filled);
        return switch (admitted) {
            case Admission.Outcome.Refusal(var why) -> new Outcome.Refusal(why);
            case Admission.Outcome.Admitted(var whole) -> new Outcome.Made(name, whole);
        };
    }

    private static @Nullable Refused refusal(Kind kind, String namespace, Value.Mapping body) {
        if (kind.type().isNamespaced() == namespace.isEmpty()) {
            return new Refused(
                    405,
                    "MethodNotAllowed",
                    "the server does not allow this method on the requested resource");
        }
        var unlike = kind.isCustom() ? unlike(kind.type(), body) : null;
        if (unlike != null) {
            return unlike;
        }
        var stated = Trees.meta(body, "namespace");
        if (!stated.isEmpty() && !stated.equals(namespace)) {
            return Refusals.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the"
                            + " request");
        }
        if (!Trees.meta(body, "resourceVersion").isEmpty()) {
            return new Refused(
                    500, "", "resourceVersion should not be set on objects to be created");
        }
        if (Trees.meta(body, "name").isEmpty() && Trees.meta(body, "generateName").isEmpty()) {
            return Refusals.invalid(
                    kind.type(),
                    new ObjectName(namespace, ""),
                    "metadata.name: Required value: name or generateName is required");
        }
        return null;
    }

    /// A custom resource must say what it is; of a built-in one the server knows.
    private static @Nullable Refused unlike(ResourceType type, Value.Mapping body) {
        var kind = Trees.text(body, "kind");
        var version = Trees.text(body, "apiVersion");
        if (kind.isEmpty() || version.isEmpty()) {
            return Refusals.badRequest(
                    "the object provided is unrecognized (must be of type %s)"
                            .formatted(type.kind()));
        }
        return kind.equals(type.kind()) && version.equals(type.apiVersion())
                ? null
                : Refusals.invalid(
                        type,
                        Names.of(body),
                        "kind: Invalid value: \"%s\": must be %s".formatted(kind, type.kind()));
    }

    private ObjectName name(String namespace, Value.Mapping body, Predicate<ObjectName> isTaken) {
        var stated = Trees.meta(body, "name");
        if (!stated.isEmpty()) {
            return new ObjectName(namespace, stated);
        }
        var prefix = Trees.meta(body, "generateName");
        var start = prefix.substring(0, Math.min(prefix.length(), NAME_LENGTH_MAX - NAME_LETTERS));
        var drawn = new ObjectName(namespace, start + names.letters(NAME_LETTERS));
        for (var draw = 1; draw < DRAWS_MAX && isTaken.test(drawn); draw++) {
            drawn = new ObjectName(namespace, start + names.letters(NAME_LETTERS));
        }
        return drawn;
    }

    private Value.Mapping stamped(Kind kind, Value.Mapping body, ObjectName name, Instant now) {
        var uid =
                new UUID((uids.bits() & ~0xf000L) | 0x4000L, (uids.bits() >>> 2) | Long.MIN_VALUE);
        var metadata =
                Trees.changed(
                        Update.tidy(Trees.mapping(body, "metadata")),
                        meta -> {
                            meta.put("name", Trees.text(name.name()));
                            if (!name.namespace().isEmpty()) {
                                meta.put("namespace", Trees.text(name.namespace()));
                            }
                            meta.remove(Deletion.TIME);
                            meta.remove(Deletion.GRACE);
                            meta.remove("generation");
                            meta.put("uid", Trees.text(uid.toString()));
                            meta.put("creationTimestamp", Trees.text(now.toString()));
                            if (kind.hasGeneration()) {
                                meta.put("generation", Trees.number(1));
                            }
                        });
        return Trees.changed(
                body,
                fields -> {
                    fields.put("metadata", metadata);
                    fields.putFirst("kind", Trees.text(kind.type().kind()));
                    fields.putFirst("apiVersion", Trees.text(kind.type().apiVersion()));
                });
    }

    private Value.Mapping filled(Kind kind, Value.Mapping object) {
        var type = kind.type();
        var schema = kinds.schema(type);
        if (schema != null) {
            return schema.apply(kind.hasStatus() ? Trees.without(object, "status") : object);
        }
        var filled =
                switch (type.kind()) {
                    case "Pod" ->
                            Trees.with(
                                    object, "spec", PodDefaults.pod(Trees.mapping(object, "spec")));
                    case "Job" -> selecting(Defaults.fill(type, object));
                    case "Node" -> notReady(Defaults.fill(type, object));
                    default -> Defaults.fill(type, object);
                };
        return switch (kind.status()) {
            case NONE -> Trees.without(filled, "status");
            case BROUGHT ->
                    filled.fields().containsKey("status")
                            ? filled
                            : Trees.with(filled, "status", Trees.EMPTY);
            case APART, ALONE -> Trees.with(filled, "status", Defaults.beginning(type, filled));
        };
    }

    /// A new node takes no pods before something has seen it ready.
    private static Value.Mapping notReady(Value.Mapping node) {
        var spec = Trees.mapping(node, "spec");
        var taints = Trees.list(spec, "taints");
        if (taints.contains(NOT_READY)) {
            return node;
        }
        var more = new ArrayList<>(taints);
        more.add(NOT_READY);
        return Trees.with(node, "spec", Trees.with(spec, "taints", Tree.list(more)));
    }

    /// A job chooses its pods by its own uid, unless it says otherwise.
    private static Value.Mapping selecting(Value.Mapping job) {
        if (Trees.isTrue(job, "spec", "manualSelector")) {
            return job;
        }
        var uid = Trees.text(Trees.meta(job, "uid"));
        var name = Trees.text(Trees.meta(job, "name"));
        var spec = Trees.mapping(job, "spec");
        var template = Trees.mapping(spec, "template");
        var labelled =
                Trees.withMeta(
                        template,
                        meta ->
                                meta.put(
                                        "labels",
                                        Trees.changed(
                                                meta.get("labels") instanceof Value.Mapping labels
                                                        ? labels
                                                        : Trees.EMPTY,
                                                labels -> {
                                                    for (var key :
                                                            List.of("", "batch.kubernetes.io/")) {
                                                        labels.putIfAbsent(key + "job-name", name);
                                                        labels.putIfAbsent(
                                                                key + "controller-uid", uid);
                                                    }
                                                })));
        var selector = Trees.mapping(spec, "selector");
        var matched =
                Trees.changed(
                        Trees.mapping(selector, "matchLabels"),
                        labels -> labels.putIfAbsent("batch.kubernetes.io/controller-uid", uid));
        return Trees.with(
                job,
                "spec",
                Trees.changed(
                        spec,
                        fields -> {
                            fields.put("template", labelled);
                            fields.put("selector", Trees.with(selector, "matchLabels", matched));
                        }));
    }
}
