package dev.millwright.capi.machine.object;

import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;

import java.util.List;

/// Writes to metadata and spec. Each names the version it was made from: what somebody else wrote
/// meanwhile is looked at first.
public final class Patches {

    private Patches() {}

    public static Effect.Write withFinalizer(
            Kind<RawObject> kind, RawObject object, String finalizer) {
        return new Effect.Write(ObjectPatches.withFinalizer(kind, object, finalizer));
    }

    /// No write where it is not there.
    public static List<Effect> withoutFinalizer(
            Kind<RawObject> kind, RawObject object, String finalizer) {
        return object.meta().hasFinalizer(finalizer)
                ? List.of(new Effect.Write(ObjectPatches.withoutFinalizer(kind, object, finalizer)))
                : List.of();
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
        return new Effect.Write(ObjectPatches.patch(kind, object, body));
    }
}
