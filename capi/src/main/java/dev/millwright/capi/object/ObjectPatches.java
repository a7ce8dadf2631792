package dev.millwright.capi.object;

import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;

import java.util.ArrayList;
import java.util.List;

/// Changes of an object as they are written.
public final class ObjectPatches {

    private ObjectPatches() {}

    /// Finalizers are a list: the patch fails when somebody else wrote since the object was read.
    public static ApiWrite withFinalizer(Kind<?> kind, RawObject object, String finalizer) {
        var finalizers = new ArrayList<>(object.meta().finalizers());
        finalizers.add(finalizer);
        return finalizers(kind, object, finalizers);
    }

    public static ApiWrite withoutFinalizer(Kind<?> kind, RawObject object, String finalizer) {
        var finalizers = new ArrayList<>(object.meta().finalizers());
        finalizers.remove(finalizer);
        return finalizers(kind, object, finalizers);
    }

    private static ApiWrite finalizers(Kind<?> kind, RawObject object, List<String> finalizers) {
        return patch(
                kind,
                object,
                Tree.of("metadata", object.meta().locked().putTextList("finalizers", finalizers)));
    }

    /// Conditions are a list: the patch fails when somebody else wrote since the object was read.
    public static ApiWrite status(Kind<?> kind, RawObject object, Tree status) {
        return new ApiWrite.Patch(
                kind.type(),
                object.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.STATUS,
                Tree.of("metadata", object.meta().locked()).put("status", status).mapping());
    }

    /// The status if this changes it, else nothing.
    public static List<Effect> statusIfChanged(Kind<?> kind, RawObject object, Tree status) {
        return Merge.changes(object.status(), status.mapping())
                ? List.of(new Effect.Write(status(kind, object, status)))
                : List.of();
    }

    public static ApiWrite patch(Kind<?> kind, RawObject object, Tree body) {
        return new ApiWrite.Patch(
                kind.type(),
                object.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.NONE,
                body.mapping());
    }

    /// Only this object, not another that has its name by then; one that is gone is as good.
    public static Effect delete(Kind<?> kind, RawObject object) {
        return new Effect.Write(
                new ApiWrite.Delete(kind.type(), object.name(), object.meta().uid(), null),
                Answers::deleted);
    }
}
