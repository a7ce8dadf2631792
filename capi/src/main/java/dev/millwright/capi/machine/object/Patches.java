package dev.millwright.capi.machine.object;

import dev.millwright.controllers.step.Answers;
import dev.millwright.controllers.step.Effect;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import java.util.ArrayList;
import java.util.List;

/// Writes to objects. Each names the version it was made from: what somebody else wrote meanwhile
/// is looked at first.
public final class Patches {

    private Patches() {}

    public static Effect.Write withFinalizer(
            Kind<RawObject> kind, RawObject object, String finalizer) {
        var all = new ArrayList<>(object.meta().finalizers());
        all.add(finalizer);
        return metadata(kind, object, Tree.of().putTextList("finalizers", all));
    }

    /// No write where it is not there.
    public static List<Effect> withoutFinalizer(
            Kind<RawObject> kind, RawObject object, String finalizer) {
        if (!object.meta().hasFinalizer(finalizer)) {
            return List.of();
        }
        var kept =
                object.meta().finalizers().stream()
                        .filter(each -> !each.equals(finalizer))
                        .toList();
        return List.of(metadata(kind, object, Tree.of().putTextList("finalizers", kept)));
    }

    public static Effect.Write metadata(Kind<RawObject> kind, RawObject object, Tree fields) {
        return merged(kind, object, fields, Tree.of());
    }

    /// Fields of the metadata, and fields beside it.
    public static Effect.Write merged(
            Kind<RawObject> kind, RawObject object, Tree metadata, Tree beside) {
        var locked = object.meta().locked();
        metadata.mapping().fields().forEach(locked::put);
        var body = Tree.of("metadata", locked);
        beside.mapping().fields().forEach(body::put);
        return new Effect.Write(
                new ApiWrite.Patch(
                        kind.type(),
                        object.name(),
                        ApiWrite.PatchKind.MERGE,
                        ApiWrite.Subresource.NONE,
                        body.mapping()));
    }

    /// Only fields that differ are written, and no write is made when none does. A field that is
    /// Nothing is taken away.
    public static List<Effect> status(Kind<RawObject> kind, RawObject object, Tree wanted) {
        var present = Values.mapping(object.object().fields().get("status"));
        var changed = new Tree();
        wanted.mapping()
                .fields()
                .forEach(
                        (name, value) -> {
                            var before = present.fields().get(name);
                            if (value instanceof Value.Nothing) {
                                if (before != null) {
                                    changed.putNothing(name);
                                }
                            } else if (before == null || !Values.areSame(before, value)) {
                                changed.put(name, value);
                            }
                        });
        if (changed.isEmpty()) {
            return List.of();
        }
        return List.of(
                new Effect.Write(
                        new ApiWrite.Patch(
                                kind.type(),
                                object.name(),
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.STATUS,
                                Tree.of("metadata", object.meta().locked())
                                        .put("status", changed)
                                        .mapping())));
    }

    /// This very object, not a later one of its name.
    public static Effect.Write deletion(Kind<RawObject> kind, RawObject object) {
        return new Effect.Write(
                new ApiWrite.Delete(kind.type(), object.name(), object.meta().uid(), null),
                Answers::deleted);
    }
}
