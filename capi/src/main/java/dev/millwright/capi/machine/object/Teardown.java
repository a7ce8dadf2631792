package dev.millwright.capi.machine.object;

import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

/// The end of an object that controls others: they go first, and all the way.
public final class Teardown {

    private static final int AT_ONCE_MAX = 10;

    /// Deletions of one step; the end of the first wakes the next step.
    private static final int DELETED_MAX = 100;

    private Teardown() {}

    public static Step of(
            View view,
            Kind<RawObject> kind,
            RawObject owner,
            String finalizer,
            Kind<RawObject> childKind) {
        if (owner.meta().hasFinalizer(Marks.ORPHAN_FINALIZER)) {
            return Step.DONE; // Who deletes it wants to keep the others.
        }
        var mine =
                Ownership.beside(view.cache(childKind).all(), owner).stream()
                        .filter(child -> Ownership.isControlledBy(child, owner))
                        .toList();
        if (mine.isEmpty()) {
            return Step.of(Patches.withoutFinalizer(kind, owner, finalizer));
        }
        var deletions =
                mine.stream()
                        .filter(child -> !child.meta().isDeleting())
                        .limit(DELETED_MAX)
                        .map(child -> Step.of(ObjectPatches.delete(childKind, child)))
                        .toList();
        return deletions.isEmpty()
                ? Step.DONE
                : Step.of(new Effect.Together(deletions, AT_ONCE_MAX));
    }
}
