package dev.millwright.controllers.nodeclaim.lifecycle;

import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;

import java.time.Duration;
import java.time.Instant;

/// Gives up claims whose machine does not start or whose node does not register in time, so that
/// their pods get another chance.
///
/// Time runs from the last change of the condition, which is the claim's creation at first.
final class Liveness {

    static final Duration REGISTRATION_TIMEOUT = Duration.ofMinutes(15);

    private final Duration launchTimeout;
    private final RegistrationHealth health;

    Liveness(Duration launchTimeout, RegistrationHealth health) {
        this.launchTimeout = launchTimeout;
        this.health = health;
    }

    Progress judged(Progress progress) {
        if (progress.isTrue(ClaimObject.REGISTERED)) {
            return progress;
        }
        return progress.isTrue(ClaimObject.LAUNCHED)
                ? judged(
                        progress,
                        ClaimObject.REGISTERED,
                        REGISTRATION_TIMEOUT,
                        "registration_timeout")
                : judged(progress, ClaimObject.LAUNCHED, launchTimeout, "launch_timeout");
    }

    private Progress judged(Progress progress, String type, Duration timeout, String reason) {
        var since = since(progress, type);
        var left = Duration.between(progress.now(), since.plus(timeout));
        if (left.isPositive()) {
            return progress.again(left);
        }
        var claim = progress.claim();
        return progress.givenUp()
                .afterwards(health.failed(progress))
                .afterwards(
                        new Effect.Say(
                                LogLevel.INFO,
                                "deleting a claim that took too long",
                                "NodeClaim",
                                claim.name().name(),
                                "reason",
                                reason,
                                "timeout",
                                timeout.toString(),
                                "condition",
                                String.valueOf(progress.conditions().find(type))),
                        ClaimDeletion.because(reason, claim))
                .afterwards(health.recorded(progress, false));
    }

    private static Instant since(Progress progress, String type) {
        var condition = progress.conditions().find(type);
        return condition == null ? progress.claim().meta().createdAt() : condition.changedAt();
    }
}
