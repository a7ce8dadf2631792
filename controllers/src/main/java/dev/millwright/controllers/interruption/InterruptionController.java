package dev.millwright.controllers.interruption;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.Notice;
import dev.millwright.spi.NoticesAnswer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Deletes the claims of machines that the cloud has announced to take back, so that their pods
/// leave while there is time. A notice is told until its machine is gone; acting twice is the same
/// as once.
public final class InterruptionController implements Singleton {

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "interruption";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        return Step.of(new AutoscalerEffect.AskNotices(answer -> answered(view, answer)));
    }

    private static Step answered(View view, NoticesAnswer answer) {
        return switch (answer) {
            case NoticesAnswer.Never() -> Step.DONE;
            case NoticesAnswer.Failed(var message) ->
                    Step.failed("cannot ask for notices: " + message);
            case NoticesAnswer.Notices(var notices) ->
                    Step.of(effects(view, notices)).thenAgain(LOOK_AGAIN);
        };
    }

    private static List<Effect> effects(View view, List<Notice> notices) {
        var effects = new ArrayList<Effect>();
        for (var notice : notices) {
            view.claimsOf(notice.providerId()).stream()
                    .filter(claim -> !claim.isDeleting())
                    .forEach(claim -> effects.addAll(leave(view, claim, notice)));
        }
        return effects;
    }

    private static List<Effect> leave(View view, ClaimObject claim, Notice notice) {
        return List.of(
                new Effect.Say(
                        LogLevel.INFO,
                        "deleting the claim of a machine that will be taken back",
                        "NodeClaim",
                        claim.name().name(),
                        "ends-at",
                        notice.endsAt().toString()),
                new Effect.Publish(
                        KubeEvent.warning(
                                KubeEvent.Subject.of(ResourceType.NODE_CLAIM, claim),
                                "TerminatingOnInterruption",
                                "the cloud takes machine %s back at %s, so its pods move now"
                                        .formatted(notice.providerId(), notice.endsAt()))),
                ClaimDeletion.withPods("spot_interrupted", claim, view));
    }
}
