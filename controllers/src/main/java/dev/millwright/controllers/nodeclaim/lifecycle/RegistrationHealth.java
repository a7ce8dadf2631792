package dev.millwright.controllers.nodeclaim.lifecycle;

import dev.millwright.controllers.nodepool.health.PoolHealth;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Conditions;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/// Tells a pool how the registration of its nodes goes. A claim of an earlier pool of the same name
/// tells nothing.
final class RegistrationHealth {

    private final PoolHealth health;

    RegistrationHealth(PoolHealth health) {
        this.health = health;
    }

    /// Writes the pool's condition when one more success turns it, then goes on with `done`, or
    /// with `undone` when that did not work.
    Step succeeded(
            Progress progress, Function<Progress, Step> done, Function<Progress, Step> undone) {
        var pool = pool(progress);
        if (pool == null
                || pool.conditions().isTrue(PoolObject.REGISTRATION_HEALTHY)
                || health.ifRecorded(pool.meta().uid(), true) != PoolHealth.Status.HEALTHY) {
            return done.apply(progress);
        }
        var after = pool.conditions().withTrue(PoolObject.REGISTRATION_HEALTHY, progress.now());
        return Step.of(
                new Effect.Write(
                        patch(pool, after),
                        answer -> {
                            if (answer.isDone() || answer.isNotFound()) {
                                return done.apply(progress);
                            }
                            return undone.apply(
                                    answer.isConflict()
                                            ? progress.retry()
                                            : progress.failed(unwritten(pool, answer)));
                        }));
    }

    /// The pool's condition, when one more failure turns it.
    List<Effect> failed(Progress progress) {
        var pool = pool(progress);
        if (pool == null
                || pool.conditions().isFalse(PoolObject.REGISTRATION_HEALTHY)
                || health.ifRecorded(pool.meta().uid(), false) != PoolHealth.Status.UNHEALTHY) {
            return List.of();
        }
        return List.of(new Effect.Write(patch(pool, unhealthy(pool, progress)), Answers::deleted));
    }

    private static Conditions unhealthy(PoolObject pool, Progress progress) {
        var launched = progress.conditions().find(ClaimObject.LAUNCHED);
        return launched == null || launched.isTrue()
                ? unhealthy(
                        pool,
                        "RegistrationFailed",
                        "nodes of this pool are launched but do not register",
                        progress)
                : unhealthy(pool, launched.reason(), launched.message(), progress);
    }

    private static Conditions unhealthy(
            PoolObject pool, String reason, String message, Progress progress) {
        return pool.conditions()
                .with(
                        PoolObject.REGISTRATION_HEALTHY,
                        Condition.Status.FALSE,
                        reason,
                        message,
                        progress.now());
    }

    /// To be remembered once the claim is written or deleted.
    List<Effect> recorded(Progress progress, boolean success) {
        var pool = pool(progress);
        if (pool == null) {
            return List.of();
        }
        var uid = pool.meta().uid();
        return List.of(
                new Effect.Remember(
                        "registration of a pool's node", () -> health.record(uid, success)));
    }

    private static @Nullable PoolObject pool(Progress progress) {
        var claim = progress.claim();
        var pool = claim.nodePool().isEmpty() ? null : progress.view().pool(claim.nodePool());
        var isOwner =
                pool != null
                        && claim.meta().owners().stream()
                                .anyMatch(
                                        owner ->
                                                owner.kind().equals(ResourceType.NODE_POOL.kind())
                                                        && owner.uid().equals(pool.meta().uid()));
        return isOwner ? pool : null;
    }

    private static ApiWrite patch(PoolObject pool, Conditions after) {
        return new ApiWrite.Patch(
                ResourceType.NODE_POOL,
                pool.name(),
                PatchKind.MERGE,
                Subresource.STATUS,
                Tree.of("metadata", pool.meta().locked())
                        .put("status", Tree.of().put("conditions", after.value()))
                        .mapping());
    }

    private static String unwritten(PoolObject pool, ApiAnswer answer) {
        return "NodePool %s: cannot be written, %s".formatted(pool.name().name(), answer.explain());
    }
}
