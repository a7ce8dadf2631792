package dev.millwright.providers.aws.pricing;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.PricingApi;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Effect.Ask.Touch;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;

/// Asks twice a day what machines cost.
public final class PriceRefreshController implements Singleton {

    private static final Duration EVERY = Duration.ofHours(12);

    private final Ec2Api ec2;
    private final PricingApi pricing;
    private final PriceBook book;

    public PriceRefreshController(Ec2Api ec2, PricingApi pricing, PriceBook book) {
        this.ec2 = ec2;
        this.pricing = pricing;
        this.book = book;
    }

    @Override
    public String name() {
        return "providers.pricing";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var questions = new ArrayList<Step>();
        questions.add(
                Step.of(
                        new Effect.Ask<>(
                                "spot prices",
                                Touch.READS,
                                () -> book.spotAnswer(ec2, now),
                                answer -> taken(book.acceptSpot(answer)))));
        if (book.market().silence() == null) {
            questions.add(
                    Step.of(
                            new Effect.Ask<>(
                                    "on-demand prices",
                                    Touch.READS,
                                    () -> book.onDemandAnswer(pricing),
                                    answer -> taken(book.acceptOnDemand(answer)))));
        }
        var asking = Step.of(new Effect.Together(questions, questions.size())).thenAgain(EVERY);
        var silence = book.untoldSilence();
        return silence == null
                ? asking
                : Step.of(
                                new Effect.Say(
                                        LogLevel.DEBUG,
                                        "on-demand prices are not asked for",
                                        "because",
                                        silence))
                        .followedBy(asking);
    }

    private static Step taken(@Nullable String fault) {
        return fault == null ? Step.DONE : Step.failed(fault);
    }
}
