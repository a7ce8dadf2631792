package dev.millwright.providers.aws.interruption;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.SqsApi;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Reads the interruption queue and acts on what it says.
///
/// A message that was dealt with is deleted; one that could not be comes again. Acting twice on the
/// same message does nothing more than acting once.
public final class QueueController implements Singleton {

    private static final int MESSAGES_MAX = 10;

    /// How many receives more there are at once when the first was full: it is a storm then.
    private static final int MORE_RECEIVES = 4;

    private static final int AT_ONCE = MESSAGES_MAX * (1 + MORE_RECEIVES);
    private static final Duration HIDDEN = Duration.ofSeconds(20);
    private static final Duration WAIT = Duration.ofSeconds(20);

    /// Counted beside the kinds of messages.
    private static final String FOREIGN = "foreign";

    private final SqsApi queue;
    private final String queueName;
    private final String region;
    private final Departures departures;
    private final InstantSource clock;
    private final Deletions deletions;

    /// Resolved by the first message that is asked for.
    private volatile @Nullable String queueUrl;

    /// @param region of the cluster
    /// @param clock tells when messages came, after a long wait for them
    public QueueController(
            SqsApi queue,
            String queueName,
            String region,
            Departures departures,
            InstantSource clock) {
        this.queue = queue;
        this.queueName = queueName;
        this.region = region;
        this.departures = departures;
        this.clock = clock;
        this.deletions = new Deletions(queue);
    }

    @Override
    public String name() {
        return "interruption";
    }

    /// The caches are looked at when messages are there, not before the wait for them.
    @Override
    public Step step(View view, ObjectName key, Instant now) {
        return Step.of(
                new Effect.Ask<>(
                        "receive messages of queue " + queueName,
                        Effect.Ask.Touch.CHANGES,
                        () -> Asked.of(this::receive),
                        answer -> received(view, answer)));
    }

    private Received receive() throws AwsFault {
        var url = queueUrl;
        if (url == null) {
            url = queue.queueUrl(queueName);
            queueUrl = url;
        }
        var messages = new ArrayList<>(queue.receive(url, MESSAGES_MAX, HIDDEN, WAIT));
        if (messages.size() == MESSAGES_MAX) {
            messages.addAll(more(url));
        }
        return new Received(messages, url, clock.instant());
    }

    /// What else waits in the queue. A receive that fails is left to the next round, which tells
    /// it.
    private List<SqsApi.Message> more(String url) {
        Callable<List<SqsApi.Message>> receive =
                () -> queue.receive(url, MESSAGES_MAX, HIDDEN, Duration.ZERO);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.invokeAll(Collections.nCopies(MORE_RECEIVES, receive)).stream()
                    .filter(answer -> answer.state() == Future.State.SUCCESS)
                    .flatMap(answer -> answer.resultNow().stream())
                    .toList();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private record Received(List<SqsApi.Message> messages, String queueUrl, Instant at) {}

    private Step received(View view, Asked<Received> answer) {
        return switch (answer) {
            case Asked.Refused<Received>(var fault) ->
                    Step.failed("queue %s cannot be read: %s".formatted(queueName, fault.text()));
            case Asked.Told<Received>(var received) -> dealtWith(view, received);
        };
    }

    private Step dealtWith(View view, Received received) {
        var leaving = new HashSet<ObjectName>();
        var steps = new ArrayList<Step>();
        for (var message : received.messages()) {
            steps.add(dealtWith(view, leaving, message, received));
        }
        return (steps.isEmpty() ? Step.DONE : Step.of(new Effect.Together(steps, AT_ONCE)))
                .thenAgain(Duration.ZERO);
    }

    private Step dealtWith(
            View view, Set<ObjectName> leaving, SqsApi.Message raw, Received received) {
        var effects = new ArrayList<Effect>();
        try {
            var body = raw.body();
            if (body == null) {
                throw new Message.Unreadable("has no body");
            }
            var message = Message.parse(body);
            var home = MessageOrigin.ofQueue(received.queueUrl(), region);
            effects.addAll(
                    message.origin().isForeignTo(home)
                            ? foreign(raw, message.origin(), home)
                            : acted(view, leaving, message, received.at()));
        } catch (Message.Unreadable fault) {
            effects.add(
                    new Effect.Say(
                            LogLevel.ERROR,
                            "a message of the interruption queue cannot be read and is deleted",
                            "message-id",
                            raw.id(),
                            "error",
                            String.valueOf(fault.getMessage())));
        }
        effects.add(deletion(raw, received.queueUrl()));
        return Step.of(effects);
    }

    private List<Effect> acted(View view, Set<ObjectName> leaving, Message message, Instant now) {
        var effects = new ArrayList<Effect>();
        effects.add(new Effect.Count(InterruptionFamilies.RECEIVED, message.kind().text()));
        for (var id : message.instanceIds()) {
            for (var claim : departures.claimsOn(view, id)) {
                effects.addAll(departures.of(message.kind(), claim, leaving, view, now));
            }
        }
        var at = message.at();
        if (at != null && message.kind() != Kind.NO_OP) {
            effects.add(
                    new Effect.Observe(
                            InterruptionFamilies.QUEUED,
                            Math.max(0, Duration.between(at, now).toMillis() / 1e3),
                            List.of()));
        }
        return effects;
    }

    /// Who may send to the queue and is not of this account would otherwise drain our nodes.
    private static List<Effect> foreign(
            SqsApi.Message raw, MessageOrigin origin, MessageOrigin home) {
        return List.of(
                new Effect.Count(InterruptionFamilies.RECEIVED, FOREIGN),
                new Effect.Say(
                        LogLevel.WARN,
                        "a message of another account or region is dropped; see the queue's policy",
                        "message-id",
                        raw.id(),
                        "account",
                        origin.account(),
                        "region",
                        origin.region(),
                        "wanted",
                        "%s %s".formatted(home.account(), home.region())));
    }

    private Effect deletion(SqsApi.Message message, String url) {
        return new Effect.Ask<>(
                "delete message " + message.id(),
                Effect.Ask.Touch.CHANGES,
                () ->
                        Asked.of(
                                () -> {
                                    deletions.delete(url, message.receipt());
                                    return true;
                                }),
                answer ->
                        switch (answer) {
                            case Asked.Refused<Boolean>(var fault) ->
                                    Step.failed(
                                            "message %s cannot be deleted: %s"
                                                    .formatted(message.id(), fault.text()));
                            case Asked.Told<Boolean> _ ->
                                    Step.of(new Effect.Count(InterruptionFamilies.DELETED));
                        });
    }
}
