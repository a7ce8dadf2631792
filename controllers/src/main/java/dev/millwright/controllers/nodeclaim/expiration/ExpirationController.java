package dev.millwright.controllers.nodeclaim.expiration;

import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Deletes claims at the end of their `expireAfter`, registered or not, and asks nobody: no budget
/// and no annotation holds an old machine.
public final class ExpirationController implements Controller {

    private static final int AT_ONCE = 1;

    @Override
    public String name() {
        return "nodeclaim.expiration";
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE);
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(new Watch<>(Kind.NODE_CLAIM, ExpirationController::ofClaim));
    }

    /// A claim's spec does not change: once it is known when it expires, nothing else matters.
    private static List<ObjectName> ofClaim(View view, Change<ClaimObject> change) {
        var before = change.before();
        var after = change.after();
        var isNews =
                after != null
                        && (before == null
                                || !before.meta().uid().equals(after.meta().uid())
                                || before.meta().generation() != after.meta().generation());
        return isNews ? List.of(change.name()) : List.of();
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var claim = view.claim(key.name());
        if (claim == null || claim.isDeleting() || !view.isManaged(claim.spec().nodeClassRef())) {
            return Step.DONE;
        }
        var expireAfter = claim.spec().expireAfter();
        if (expireAfter == null) {
            return Step.DONE;
        }
        var left = Duration.between(now, claim.meta().createdAt().plus(expireAfter));
        if (left.isPositive()) {
            return Step.again(left);
        }
        return Step.of(
                new Effect.Say(
                        LogLevel.INFO,
                        "deleting an expired claim",
                        "NodeClaim",
                        claim.name().name(),
                        "Node",
                        claim.status().nodeName(),
                        "expire-after",
                        expireAfter.toString()),
                ClaimDeletion.withPods("expired", claim, view));
    }
}
