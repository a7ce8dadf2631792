package dev.millwright.providers.aws.controllers.providers;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.image.Images;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Effect.Ask.Touch;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Forgets what a following alias led to once that image is deprecated: AWS does so when it has
/// found fault with an image, and nobody wants to wait a day then.
public final class SsmInvalidationController implements Singleton {

    private static final Duration PERIOD = Duration.ofMinutes(30);

    private final Images images;

    public SsmInvalidationController(Images images) {
        this.images = images;
    }

    @Override
    public String name() {
        return "providers.ssm.invalidation";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        return Step.of(
                new Effect.Ask<>(
                        "which images of following aliases are deprecated",
                        Touch.READS,
                        () -> Asked.of(images::forgetDeprecated),
                        SsmInvalidationController::told));
    }

    private static Step told(Asked<List<String>> asked) {
        return switch (asked) {
            case Asked.Refused<List<String>>(var fault) ->
                    Step.failed("images of aliases cannot be described: " + fault.text());
            case Asked.Told<List<String>>(var forgotten) when forgotten.isEmpty() ->
                    Step.again(PERIOD);
            case Asked.Told<List<String>>(var forgotten) ->
                    Step.of(
                                    new Effect.Say(
                                            LogLevel.INFO,
                                            "image is deprecated, will look for another",
                                            "parameters",
                                            String.join(", ", forgotten)))
                            .thenAgain(PERIOD);
        };
    }
}
