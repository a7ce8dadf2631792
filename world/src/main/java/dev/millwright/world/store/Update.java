package dev.millwright.world.store;

import dev.millwright.kube.client.ApiAnswer.Refused;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Empties;
import dev.millwright.kube.tree.Trees;
import dev.millwright.world.kind.Defaults;
import dev.millwright.world.kind.Kind;
import dev.millwright.world.kind.Kinds;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// What becomes of an object that somebody wants to be otherwise: which of the wishes count, and
/// which are refused. It changes nothing itself.
@SuppressWarnings("ReferenceEquality") // Trees share what did not change, so that this is cheap.
final class Update {

    sealed interface Outcome {
        record Refusal(Refused refused) implements Outcome {}

        /// Nothing is different: no new version.
        record Same() implements Outcome {}

        record Changed(Value.Mapping after) implements Outcome {}
    }

    /// What only the server writes.
    private static final List<String> OWN =
            List.of(
                    "resourceVersion",
                    "creationTimestamp",
                    "generation",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "selfLink");

    /// All that metadata can hold; what else somebody writes there is not kept.
    private static final Set<String> META =
            Set.of(
                    "name",
                    "generateName",
                    "namespace",
                    "selfLink",
                    "uid",
                    "resourceVersion",
                    "generation",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "labels",
                    "annotations",
                    "ownerReferences",
                    "finalizers");

    /// Lists and mappings of the metadata that are not there when they are empty.
    private static final List<String> COLLECTIONS =
            List.of("labels", "annotations", "finalizers", "ownerReferences");

    /// What may still change in the spec of a pod.
    private static final Set<String> POD_FREE =
            Set.of("tolerations", "schedulingGates", "activeDeadlineSeconds");

    private final Kinds kinds;
    private final Kind kind;
    private final Value.Mapping before;
    private final Subresource part;

    Update(Kinds kinds, Kind kind, Value.Mapping before, Subresource part) {
        this.kinds = kinds;
        this.kind = kind;
        this.before = before;
        this.part = part;
    }

    Outcome to(Value.Mapping wanted) {
        var refused = refusal(wanted);
        if (refused != null) {
            return new Outcome.Refusal(refused);
        }
        var after = filled(kept(parted(wanted)));
        if (after.equals(before)) {
            return new Outcome.Same();
        }
        var forbidden = forbidden(after);
        if (forbidden != null) {
            return new Outcome.Refusal(Refusals.invalid(kind.type(), Names.of(before), forbidden));
        }
        return new Outcome.Changed(
                part == Subresource.NONE && hasNewContents(after) ? nextGeneration(after) : after);
    }

    private @Nullable Refused refusal(Value.Mapping wanted) {
        var type = kind.type();
        var name = Names.of(before);
        if (!Names.of(wanted).name().equals(name.name())) {
            return Refusals.badRequest(
                    "the name of the object (%s) does not match the name on the URL (%s)"
                            .formatted(Trees.meta(wanted, "name"), name.name()));
        }
        var namespace = Trees.meta(wanted, "namespace");
        if (!namespace.isEmpty() && !namespace.equals(name.namespace())) {
            return Refusals.badRequest(
                    "the namespace of the object (%s) does not match the namespace on the URL (%s)"
                            .formatted(namespace, name.namespace()));
        }
        var base = Trees.meta(wanted, "resourceVersion");
        if (!base.isEmpty() && !base.equals(Trees.meta(before, "resourceVersion"))) {
            return Refusals.modified(type, name);
        }
        var uid = Trees.meta(wanted, "uid");
        var own = Trees.meta(before, "uid");
        if (!uid.isEmpty() && !uid.equals(own)) {
            return Refusals.invalid(
                    type,
                    name,
                    "metadata.uid: Invalid value: \"%s\": field is immutable".formatted(uid));
        }
        return null;
    }

    /// Who writes the object does not write its status, nor the other way round.
    private Value.Mapping parted(Value.Mapping wanted) {
        if (part == Subresource.NONE) {
            return kind.hasStatus() || !kind.isCustom()
                    ? Trees.copied(wanted, before, "status")
                    : wanted;
        }
        var after = Trees.copied(before, wanted, "status");
        if (kind.status() == Kind.StatusPart.ALONE) {
            return after;
        }
        after = Trees.copied(after, wanted, "metadata");
        return switch (kind.type().kind()) {
            case "Pod" -> keeping(after, "ownerReferences");
            case "Deployment" -> keeping(after, "labels");
            default -> after;
        };
    }

    private Value.Mapping keeping(Value.Mapping after, String field) {
        var own = Trees.mapping(before, "metadata");
        var metadata = Trees.mapping(after, "metadata");
        return Trees.with(after, "metadata", Trees.copied(metadata, own, field));
    }

    private Value.Mapping kept(Value.Mapping after) {
        var written = after.fields().get("metadata");
        if (written == before.fields().get("metadata")) {
            return after;
        }
        var own = Trees.mapping(before, "metadata");
        var metadata = Trees.mapping(after, "metadata");
        for (var field : OWN) {
            metadata = Trees.copied(metadata, own, field);
        }
        for (var field : List.of("uid", "namespace")) {
            metadata = Trees.copied(metadata, own, field);
        }
        metadata = tidy(metadata);
        return metadata == written ? after : Trees.with(after, "metadata", metadata);
    }

    static Value.Mapping tidy(Value.Mapping metadata) {
        var tidy = metadata;
        for (var field : COLLECTIONS) {
            var value = tidy.fields().get(field);
            if ((value instanceof Value.Mapping(_, var fields) && fields.isEmpty())
                    || (value instanceof Value.Sequence(_, var elements) && elements.isEmpty())
                    || value instanceof Value.Nothing) {
                tidy = Trees.without(tidy, field);
            }
        }
        return META.containsAll(tidy.fields().keySet())
                ? tidy
                : Trees.changed(tidy, fields -> fields.keySet().retainAll(META));
    }

    private Value.Mapping filled(Value.Mapping after) {
        var schema = kinds.schema(kind.type());
        if (schema != null) {
            return schema.apply(after);
        }
        var emptied = Empties.dropped(after, before);
        return part == Subresource.NONE
                        && emptied.fields().get("spec") != before.fields().get("spec")
                ? Defaults.fill(kind.type(), emptied)
                : emptied;
    }

    private @Nullable String forbidden(Value.Mapping after) {
        if (!Trees.meta(before, "deletionTimestamp").isEmpty()) {
            var old = Trees.list(before, "metadata", "finalizers");
            var added = new ArrayList<>(Trees.list(after, "metadata", "finalizers"));
            added.removeAll(old);
            if (!added.isEmpty()) {
                return "metadata.finalizers: Forbidden: no new finalizers can be added if the object"
                        + " is being deleted, found new finalizers %s".formatted(added);
            }
        }
        if (part == Subresource.NONE && kind.type().equals(ResourceType.POD)) {
            return podForbidden(after);
        }
        if (kind.type().equals(ResourceType.NODE)) {
            var old = Trees.text(before, "spec", "providerID");
            if (!old.isEmpty() && !old.equals(Trees.text(after, "spec", "providerID"))) {
                return "spec.providerID: Forbidden: node updates may not change providerID except"
                        + " from \"\" to valid";
            }
        }
        return null;
    }

    private @Nullable String podForbidden(Value.Mapping after) {
        var old = Trees.mapping(before, "spec");
        var now = Trees.mapping(after, "spec");
        if (now == old || now.equals(old)) {
            return null;
        }
        if (!Trees.list(now, "tolerations").containsAll(Trees.list(old, "tolerations"))) {
            return "spec.tolerations: Forbidden: existing toleration can not be modified except its"
                    + " tolerationSeconds";
        }
        if (!Trees.list(old, "schedulingGates").containsAll(Trees.list(now, "schedulingGates"))) {
            return "spec.schedulingGates: Forbidden: only deletion is allowed";
        }
        return fixed(now).equals(fixed(old))
                ? null
                : "spec: Forbidden: pod updates may not change fields other than images,"
                        + " activeDeadlineSeconds, tolerations (only additions) and schedulingGates"
                        + " (only deletions)";
    }

    /// What of a pod's spec must stay.
    private static Value.Mapping fixed(Value.Mapping spec) {
        var fields = new LinkedHashMap<>(spec.fields());
        fields.keySet().removeAll(POD_FREE);
        for (var name : List.of("containers", "initContainers")) {
            if (fields.get(name) instanceof Value.Sequence(_, var containers)) {
                var bare =
                        containers.stream()
                                .map(
                                        each ->
                                                each instanceof Value.Mapping container
                                                        ? Trees.without(container, "image")
                                                        : each)
                                .toList();
                fields.put(name, new Value.Sequence(Position.NOWHERE, bare));
            }
        }
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    /// All but metadata and status counts as spec.
    private boolean hasNewContents(Value.Mapping after) {
        if (kind.type().equals(ResourceType.POD)) {
            return !Trees.mapping(after, "spec").equals(Trees.mapping(before, "spec"));
        }
        // A Deployment hands its annotations on, so that they count as its spec does.
        if (kind.type().equals(ResourceType.DEPLOYMENT)
                && !Trees.mapping(after, "metadata", "annotations")
                        .equals(Trees.mapping(before, "metadata", "annotations"))) {
            return true;
        }
        var old = before.fields();
        var now = after.fields();
        return now.entrySet().stream()
                        .anyMatch(
                                each ->
                                        isNews(
                                                each.getKey(),
                                                each.getValue(),
                                                old.get(each.getKey())))
                || old.keySet().stream().anyMatch(name -> !now.containsKey(name) && !isApart(name));
    }

    private boolean isNews(String name, Value now, @Nullable Value old) {
        return !isApart(name) && now != old && !now.equals(old);
    }

    private boolean isApart(String name) {
        return name.equals("metadata") || (name.equals("status") && kind.hasStatus());
    }

    static Value.Mapping nextGeneration(Value.Mapping object) {
        var generation = Trees.number(object, "metadata", "generation");
        return generation == null
                ? object
                : Trees.withMeta(
                        object, meta -> meta.put("generation", Trees.number(generation + 1)));
    }
}
