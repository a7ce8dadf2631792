package dev.millwright.kube.event;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/// Writes events to the API server, on a thread of its own: whoever publishes one never waits, and
/// an event that finds no room is dropped and counted, since events are for people and not for
/// decisions.
///
/// An event that was told before, word for word about the same object, is counted up where it
/// stands instead of being written anew.
public final class EventRecorder implements AutoCloseable {

    private static final String COMPONENT = "karpenter";

    /// Events on their way.
    private static final int QUEUE_MAX = 1_000;

    /// Events whose place on the server is remembered.
    private static final int SERIES_MAX = 4_096;

    /// The server keeps events for an hour; one older than this is written anew.
    private static final Duration SERIES_AGE_MAX = Duration.ofMinutes(50);

    /// Tries of one event, and the pause between two.
    private static final int TRIES_MAX = 3;

    private static final Duration TRY_PAUSE = Duration.ofSeconds(2);

    /// Characters of a name, of which the time at its end takes 17.
    private static final int OBJECT_NAME_MAX = 253 - 17;

    /// Characters of a message the server takes.
    private static final int MESSAGE_MAX = 1_024;

    private record Told(Instant at, KubeEvent event) {}

    /// What makes two events the same for a reader.
    private record SeriesKey(
            KubeEvent.Type type, KubeEvent.Subject subject, String reason, String message) {}

    private record Series(ObjectName name, Instant begunAt, long count) {}

    private final KubeApi api;
    private final InstantSource clock;
    private final Sleeper sleeper;
    private final EventFilter filter;
    private final BlockingQueue<Told> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;

    /// Belongs to the sending thread.
    private final SequencedMap<SeriesKey, Series> series = new LinkedHashMap<>();

    public EventRecorder(KubeApi api, InstantSource clock, Ticker ticker, Sleeper sleeper) {
        this.api = api;
        this.clock = clock;
        this.sleeper = sleeper;
        this.filter = new EventFilter(clock, ticker);
        this.thread = Thread.ofVirtual().name("event-recorder").unstarted(this::keepSending);
    }

    public void start() {
        thread.start();
    }

    /// Events still on their way are dropped.
    @Override
    public void close() {
        thread.interrupt();
    }

    /// Events that were let through and never reached the server.
    public long dropped() {
        return dropped.get();
    }

    public void publish(KubeEvent event) {
        if (filter.lets(event) && !queue.offer(new Told(clock.instant(), event))) {
            dropped.incrementAndGet();
        }
    }

    private void keepSending() {
        try {
            while (true) {
                send(queue.take());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Sends what is on its way now, on the calling thread, in place of the recorder's own.
    public void sendAll() throws InterruptedException {
        for (var told = queue.poll(); told != null; told = queue.poll()) {
            send(told);
        }
    }

    private void send(Told told) throws InterruptedException {
        for (var tries = 1; tries <= TRIES_MAX; tries++) {
            if (isSettled(write(told))) {
                return;
            }
            if (tries < TRIES_MAX) {
                sleeper.sleep(TRY_PAUSE);
            }
        }
        dropped.incrementAndGet();
    }

    /// Whether another try would change nothing. An event that is refused for what it says, or for
    /// a namespace that is going, is dropped.
    private boolean isSettled(ApiAnswer answer) {
        return switch (answer) {
            case ApiAnswer.Done _ -> true;
            case ApiAnswer.Unreachable _ -> false;
            case ApiAnswer.Refused refused when refused.code() == 429 || refused.code() >= 500 ->
                    false;
            case ApiAnswer.Refused _ -> {
                dropped.incrementAndGet();
                yield true;
            }
        };
    }

    private ApiAnswer write(Told told) {
        var event = told.event();
        var key = new SeriesKey(event.type(), event.subject(), event.reason(), event.message());
        var known = series.get(key);
        if (known != null && told.at().isBefore(known.begunAt().plus(SERIES_AGE_MAX))) {
            var counted = new Series(known.name(), known.begunAt(), known.count() + 1);
            var answer = api.write(patch(counted, told.at()));
            if (!answer.isNotFound()) {
                if (answer.isDone()) {
                    series.put(key, counted);
                }
                return answer;
            }
        }
        var name = name(event.subject(), told.at());
        var answer = api.write(create(name, told));
        if (answer.isDone()) {
            series.remove(key);
            series.putLast(key, new Series(name, told.at(), 1));
            if (series.size() > SERIES_MAX) {
                series.pollFirstEntry();
            }
        }
        return answer;
    }

    private static ApiWrite patch(Series series, Instant at) {
        return new ApiWrite.Patch(
                ResourceType.EVENT,
                series.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.NONE,
                Tree.of().put("count", series.count()).put("lastTimestamp", text(at)).mapping());
    }

    /// Next to its object; those of the cluster as a whole have theirs in `default`.
    private static ObjectName name(KubeEvent.Subject subject, Instant at) {
        var namespace = subject.name().namespace();
        var object = subject.name().name();
        var nanos = ChronoUnit.NANOS.between(Instant.EPOCH, at);
        return new ObjectName(
                namespace.isEmpty() ? "default" : namespace,
                object.substring(0, Math.min(object.length(), OBJECT_NAME_MAX))
                        + "."
                        + Long.toHexString(nanos));
    }

    private static ApiWrite create(ObjectName name, Told told) {
        var event = told.event();
        var time = text(told.at());
        Value.Mapping body =
                Tree.of("apiVersion", "v1")
                        .put("kind", "Event")
                        .put(
                                "metadata",
                                Tree.of("name", name.name()).put("namespace", name.namespace()))
                        .put("involvedObject", reference(event.subject()))
                        .put("reason", event.reason())
                        .put("message", shortened(event.message()))
                        .put("source", Tree.of("component", COMPONENT))
                        .put("firstTimestamp", time)
                        .put("lastTimestamp", time)
                        .put("count", 1)
                        .put("type", event.type().text())
                        .put("reportingComponent", COMPONENT)
                        .put("reportingInstance", "")
                        .mapping();
        return new ApiWrite.Create(ResourceType.EVENT, name.namespace(), body);
    }

    private static Tree reference(KubeEvent.Subject subject) {
        return Tree.of("apiVersion", subject.apiVersion())
                .put("kind", subject.kind())
                .putUnlessEmpty("namespace", subject.name().namespace())
                .put("name", subject.name().name())
                .putUnlessEmpty("uid", subject.uid());
    }

    private static String shortened(String message) {
        return message.length() <= MESSAGE_MAX
                ? message
                : message.substring(0, MESSAGE_MAX - 1) + "…";
    }

    private static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
