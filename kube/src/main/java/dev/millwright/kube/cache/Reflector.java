package dev.millwright.kube.cache;

import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.KubeApi.WatchEvent;
import dev.millwright.kube.client.KubeApi.WatchQuery;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.time.Sleeper;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Keeps a sink in step with one resource: a list, then a watch from the list's version on, for
/// ever. Whatever breaks, the next list or watch begins where nothing is missed.
public final class Reflector {

    /// Objects of one page.
    private static final int PAGE_SIZE = 500;

    /// Pages of one list, far above any cluster: a server that never ends one is given up.
    private static final int PAGES_MAX = 10_000;

    /// A watch is ended by the server after a time between these, so that not all end at once.
    private static final int WATCH_SECONDS_MIN = 240;

    private static final int WATCH_SECONDS_MAX = 300;

    /// A watch shorter than this that told nothing is no success.
    private static final Duration WATCH_SHORT = Duration.ofSeconds(1);

    /// Watches in a row that failed without a word, until a list is tried instead.
    private static final int FAILURES_MAX = 3;

    /// Until a resource that nobody serves is asked for again: its definition may come later.
    private static final Duration NOT_SERVED_PAUSE = Duration.ofSeconds(30);

    /// What is watched. An optional resource counts as synced, and empty, while nobody serves it.
    public record Subject(
            ResourceType type,
            String namespace,
            String labelSelector,
            String fieldSelector,
            boolean isOptional) {

        public static Subject all(ResourceType type) {
            return new Subject(type, "", "", "", false);
        }

        public Subject inNamespace(String wanted) {
            return new Subject(type, wanted, labelSelector, fieldSelector, isOptional);
        }

        public Subject optional() {
            return new Subject(type, namespace, labelSelector, fieldSelector, true);
        }
    }

    /// Time and chance, from outside.
    public record Surroundings(InstantSource clock, Sleeper sleeper, RandomGenerator random) {}

    private final KubeApi api;
    private final Subject subject;
    private final ObjectSink sink;
    private final Surroundings surroundings;
    private final ReflectorNote.Observer observer;
    private final Backoff backoff;

    /// Which run may speak to the sink: one that was given up as hung must not, should it wake.
    /// Guarded by `this`, as is every call of the sink.
    private int generation;

    private volatile boolean isSynced;
    private volatile Instant lastHeardFrom;
    private volatile Instant lastTurn;

    public Reflector(
            KubeApi api,
            Subject subject,
            ObjectSink sink,
            Surroundings surroundings,
            ReflectorNote.Observer observer) {
        this.api = api;
        this.subject = subject;
        this.sink = sink;
        this.surroundings = surroundings;
        this.observer = observer;
        this.backoff = new Backoff(surroundings.random());
        this.lastHeardFrom = surroundings.clock().instant();
        this.lastTurn = lastHeardFrom;
    }

    public ResourceType type() {
        return subject.type();
    }

    /// Whether the sink has once been told all there was.
    public boolean isSynced() {
        return isSynced;
    }

    /// When the server last told anything, be it a bookmark.
    Instant lastHeardFrom() {
        return lastHeardFrom;
    }

    /// When a question to the server last came back with an answer or a failure. One that never
    /// comes back is a thread that hangs.
    Instant lastTurn() {
        return lastTurn;
    }

    void note(ReflectorNote note) {
        observer.noted(subject.type(), note);
    }

    /// Runs until the thread is interrupted or another run begins.
    public void run() {
        var run = new Run(begin());
        try {
            while (!Thread.currentThread().isInterrupted() && run.isCurrent()) {
                run.turn();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized int begin() {
        turned();
        return ++generation;
    }

    private void turned() {
        lastTurn = surroundings.clock().instant();
    }

    private void heard() {
        lastHeardFrom = surroundings.clock().instant();
        lastTurn = lastHeardFrom;
    }

    private void pause(Duration duration) throws InterruptedException {
        surroundings.sleeper().sleep(duration);
        turned();
    }

    /// One life of the thread.
    private final class Run {

        private final int mine;

        /// The version to watch from; null when a list is due.
        private @Nullable String version;

        private int failures;
        private int events;
        private boolean wasNotServed;

        Run(int mine) {
            this.mine = mine;
        }

        boolean isCurrent() {
            synchronized (Reflector.this) {
                return mine == generation;
            }
        }

        void turn() throws InterruptedException {
            try {
                if (version == null) {
                    list();
                } else {
                    watch(version);
                }
            } catch (RuntimeException failure) {
                version = null;
                note(new ReflectorNote.Failed(failure));
                pause(backoff.next());
            }
        }

        /// Tells the sink, unless another run has taken over.
        private void tell(Consumer<ObjectSink> news) {
            synchronized (Reflector.this) {
                if (mine == generation) {
                    news.accept(sink);
                }
            }
        }

        private void tellOf(Value.Mapping object, Consumer<ObjectSink> news) {
            try {
                tell(news);
            } catch (RuntimeException failure) {
                note(new ReflectorNote.SinkFailed(Metadata.of(object).name(), failure));
            }
        }

        private void list() throws InterruptedException {
            tell(ObjectSink::begin);
            var query =
                    new ListQuery(
                            subject.namespace(),
                            subject.labelSelector(),
                            subject.fieldSelector(),
                            PAGE_SIZE,
                            "");
            var objects = 0;
            for (var pages = 0; pages < PAGES_MAX; pages++) {
                if (!(page(query) instanceof ListAnswer.Page page)) {
                    return;
                }
                for (var object : page.items()) {
                    tellOf(object, to -> to.item(object));
                }
                objects += page.items().size();
                if (page.continueToken().isEmpty()) {
                    tell(to -> to.end(page.resourceVersion()));
                    version = page.resourceVersion();
                    isSynced = true;
                    note(new ReflectorNote.Listed(objects, page.resourceVersion()));
                    return;
                }
                query = query.next(page.continueToken());
            }
            note(new ReflectorNote.ListFailed("more than %d pages".formatted(PAGES_MAX)));
            pause(backoff.next());
        }

        /// One page, or whatever there is instead, which has been waited out already.
        private ListAnswer page(ListQuery query) throws InterruptedException {
            var answer = api.list(subject.type(), query);
            turned();
            switch (answer) {
                case ListAnswer.Page _ -> {
                    heard();
                    wasNotServed = false;
                }
                case ListAnswer.Expired(var message) -> {
                    note(new ReflectorNote.ListExpired(message));
                    pause(backoff.next());
                }
                case ListAnswer.Failed(var message) -> {
                    note(new ReflectorNote.ListFailed(message));
                    pause(backoff.next());
                }
                case ListAnswer.NotServed() -> notServed();
            }
            return answer;
        }

        /// A moment without a definition is no reason to forget its objects, for it may be replaced
        /// just now; half a minute is.
        private void notServed() throws InterruptedException {
            heard();
            note(new ReflectorNote.NotServed());
            if (subject.isOptional() && (!isSynced || wasNotServed)) {
                tell(ObjectSink::begin);
                tell(to -> to.end(""));
                isSynced = true;
            }
            wasNotServed = true;
            pause(NOT_SERVED_PAUSE);
        }

        private void watch(String from) throws InterruptedException {
            events = 0;
            var seconds = surroundings.random().nextInt(WATCH_SECONDS_MIN, WATCH_SECONDS_MAX + 1);
            var query =
                    new WatchQuery(
                            subject.namespace(),
                            subject.labelSelector(),
                            subject.fieldSelector(),
                            from,
                            Duration.ofSeconds(seconds));
            var begun = surroundings.clock().instant();
            var end = api.watch(subject.type(), query, this::accept);
            turned();
            note(new ReflectorNote.WatchEnded(end, events));
            var lasted = Duration.between(begun, surroundings.clock().instant());
            var hasTold = events > 0 || lasted.compareTo(WATCH_SHORT) >= 0;
            switch (end) {
                case CLOSED -> {
                    if (hasTold) {
                        heard();
                        succeeded();
                    } else {
                        pause(backoff.next());
                    }
                }
                case EXPIRED -> {
                    version = null;
                    if (!hasTold) {
                        pause(backoff.next());
                    }
                }
                case NOT_SERVED -> {
                    version = null;
                    pause(backoff.next());
                }
                case FAILED -> failed();
            }
        }

        private void succeeded() {
            failures = 0;
            backoff.reset();
        }

        /// The next watch goes on from the last version; if that does not work, a list finds out.
        private void failed() throws InterruptedException {
            failures = events > 0 ? 1 : failures + 1;
            if (failures >= FAILURES_MAX) {
                failures = 0;
                version = null;
            }
            pause(backoff.next());
        }

        private boolean accept(WatchEvent event) {
            if (!isCurrent()) {
                return false;
            }
            heard();
            if (events++ == 0) {
                succeeded();
            }
            switch (event) {
                case WatchEvent.Put(var object) -> {
                    tellOf(object, to -> to.put(object));
                    reached(Metadata.text(object, "resourceVersion"));
                }
                case WatchEvent.Removed(var object) -> {
                    tellOf(object, to -> to.removed(object));
                    reached(Metadata.text(object, "resourceVersion"));
                }
                case WatchEvent.Bookmark(var resourceVersion) -> reached(resourceVersion);
            }
            return !Thread.currentThread().isInterrupted();
        }

        private void reached(String resourceVersion) {
            if (!resourceVersion.isEmpty()) {
                version = resourceVersion;
            }
        }
    }
}
