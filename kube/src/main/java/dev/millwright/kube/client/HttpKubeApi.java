package dev.millwright.kube.client;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiCall.Verb;
import dev.millwright.kube.client.ServerResult.Broken;
import dev.millwright.kube.client.ServerResult.Good;
import dev.millwright.kube.client.ServerResult.Refusal;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// An API server over HTTP, for any number of threads at once.
///
/// Reads that the server puts off with a `Retry-After` are tried again a few times. Writes never
/// are: whether one was done is for its caller to find out. An interrupted call answers that it
/// broke, with the thread's interrupt still set.
public final class HttpKubeApi implements KubeApi, AutoCloseable {

    /// Requests under way at once, watches apart: each has a connection of its own.
    private static final int REQUESTS_MAX = 64;

    /// Times a read is tried again after a `Retry-After`.
    private static final int RETRIES_MAX = 3;

    /// Longest `Retry-After` we wait out instead of answering that we were refused.
    private static final Duration RETRY_AFTER_MAX = Duration.ofSeconds(10);

    /// What a watch may outlive the time its server was given to end it.
    private static final Duration WATCH_SLACK = Duration.ofSeconds(15);

    /// No resource, yet metrics tell requests apart by one.
    private static final ResourceType VERSION = new ResourceType("", "", "version", "Info", false);

    private final Wire wire;
    private final ApiSettings settings;
    private final RequestObserver observer;
    private final Ticker ticker;
    private final Sleeper sleeper;
    private final @Nullable TokenBucket bucket;
    private final AnswerBudget budget;
    private final Semaphore permits = new Semaphore(REQUESTS_MAX);

    private HttpKubeApi(
            Wire wire,
            ApiSettings settings,
            RequestObserver observer,
            Ticker ticker,
            Sleeper sleeper) {
        this.wire = wire;
        this.settings = settings;
        this.observer = observer;
        this.ticker = ticker;
        this.sleeper = sleeper;
        var rate = settings.rate();
        this.bucket = rate == null ? null : new TokenBucket(rate, ticker, sleeper);
        this.budget = new AnswerBudget(settings.budget(), ticker);
    }

    /// @throws KubeAccessException when there is no way to the server; that it answers is not tried
    public static HttpKubeApi open(
            KubeAccess access, ApiSettings settings, RequestObserver observer) {
        return open(access, settings, observer, Ticker.system(), Sleeper.system());
    }

    public static HttpKubeApi open(
            KubeAccess access,
            ApiSettings settings,
            RequestObserver observer,
            Ticker ticker,
            Sleeper sleeper) {
        var wire = Wire.open(access, settings.userAgent(), ticker);
        return new HttpKubeApi(wire, settings, observer, ticker, sleeper);
    }

    /// Our own namespace: the pod's, or that of the kubeconfig's context.
    public String namespace() {
        return wire.namespace();
    }

    /// The server's URL, as the kubeconfig has it.
    public String server() {
        return wire.server();
    }

    /// The certificates by which we trust the server, in base 64; empty when the system's own do.
    public String certificateAuthority() {
        return wire.certificateAuthority();
    }

    @Override
    public void close() {
        wire.close();
    }

    @Override
    public ApiAnswer read(ResourceType type, ObjectName name) {
        var call = new ApiCall(Verb.GET, type, "");
        var request = Wire.Request.get(ResourcePath.of(type, name, ""));
        return answer(patiently(() -> exchange(call, request, this::object)));
    }

    /// What the server says of itself: `major`, `minor` and more.
    public ApiAnswer version() {
        var call = new ApiCall(Verb.GET, VERSION, "");
        var request = Wire.Request.get("/version");
        return answer(patiently(() -> exchange(call, request, this::object)));
    }

    @Override
    public ApiAnswer write(ApiWrite write) {
        return answer(exchange(WriteRequest.call(write), WriteRequest.of(write), this::object));
    }

    private Value.Mapping object(InputStream body) throws IOException {
        try (var reader = reader(body)) {
            return reader.only();
        }
    }

    private JsonReader reader(InputStream body) throws IOException {
        return budget.isBounded() ? JsonReader.ofForeign(body) : new JsonReader(body);
    }

    private static ApiAnswer answer(ServerResult<Value.Mapping> result) {
        return switch (result) {
            case Good(var object) -> new ApiAnswer.Done(object);
            case Refusal<Value.Mapping>(var refused, _) -> refused;
            case Broken<Value.Mapping>(var message) -> new ApiAnswer.Unreachable(message);
        };
    }

    @Override
    public ListAnswer list(ResourceType type, ListQuery query) {
        return list(type, Wire.Request.get(QueryText.of(type, query)));
    }

    /// Like [#list], with nothing of each object but its metadata: for who counts large ones.
    public ListAnswer listMetadata(ResourceType type, ListQuery query) {
        return list(type, Wire.Request.get(QueryText.of(type, query)).ofMetadata());
    }

    private ListAnswer list(ResourceType type, Wire.Request request) {
        var call = new ApiCall(Verb.LIST, type, "");
        var result = patiently(() -> exchange(call, request, body -> page(type, body)));
        return switch (result) {
            case Good(var page) -> page;
            case Refusal<ListAnswer>(var refused, _) when refused.hasCode(410) ->
                    new ListAnswer.Expired(refused.message());
            case Refusal<ListAnswer>(var refused, _) when refused.hasCode(404) ->
                    new ListAnswer.NotServed();
            case Refusal<ListAnswer>(var refused, _) -> failed(call, refused.explain());
            case Broken<ListAnswer>(var message) -> failed(call, message);
        };
    }

    private ListAnswer failed(ApiCall call, String message) {
        observer.broke(call, message);
        return new ListAnswer.Failed(message);
    }

    private ListAnswer page(ResourceType type, InputStream body) throws IOException {
        var head = Tree.of("apiVersion", type.apiVersion()).put("kind", type.kind()).mapping();
        var items = new ArrayList<Value.Mapping>();
        try (var reader = reader(body)) {
            var list = reader.list(head, items::add);
            return new ListAnswer.Page(
                    items, Metadata.text(list, "resourceVersion"), Metadata.text(list, "continue"));
        }
    }

    @Override
    public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
        var call = new ApiCall(Verb.WATCH, type, "");
        var patience =
                new Wire.Patience(
                        settings.requestTimeout(),
                        settings.watchSilenceMax(),
                        query.timeout().plus(WATCH_SLACK));
        var begunNanos = ticker.nanos();
        var code = 0;
        try {
            throttle();
            begunNanos = ticker.nanos();
            try (var reply = wire.send(Wire.Request.get(QueryText.of(type, query)), patience)) {
                code = reply.code();
                observer.answered(call, code, since(begunNanos));
                if (!reply.isGood()) {
                    return refusedWatch(call, ServerResult.refusal(reply).refused());
                }
                return new WatchReading(call, observer).read(reply.body(), sink);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return WatchEnd.CLOSED;
        } catch (InterruptedIOException interrupted) {
            if (Thread.currentThread().isInterrupted()) {
                return WatchEnd.CLOSED;
            }
            observer.broke(call, FailureWords.of(interrupted)); // A timeout is one of these too.
            return WatchEnd.FAILED;
        } catch (IOException failure) {
            if (code == 0) {
                observer.answered(call, code, since(begunNanos));
            }
            observer.broke(call, FailureWords.of(failure));
            return WatchEnd.FAILED;
        }
    }

    private WatchEnd refusedWatch(ApiCall call, ApiAnswer.Refused refused) {
        return switch (refused.code()) {
            case 410 -> WatchEnd.EXPIRED;
            case 404 -> WatchEnd.NOT_SERVED;
            default -> {
                observer.broke(call, refused.explain());
                yield WatchEnd.FAILED;
            }
        };
    }

    /// Reads a good answer's body.
    @FunctionalInterface
    private interface Reading<T> {
        T read(InputStream body) throws IOException;
    }

    private <T> ServerResult<T> exchange(ApiCall call, Wire.Request request, Reading<T> reading) {
        try {
            throttle();
            permits.acquire();
            try {
                return metered(call, request, reading);
            } finally {
                permits.release();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Broken<>("interrupted");
        }
    }

    private <T> ServerResult<T> metered(ApiCall call, Wire.Request request, Reading<T> reading)
            throws InterruptedException {
        var begunNanos = ticker.nanos();
        var code = 0;
        try (var reply = wire.send(request, patience())) {
            code = reply.code();
            return reply.isGood()
                    ? new Good<>(reading.read(budget.bounded(reply.body())))
                    : ServerResult.refusal(reply);
        } catch (IOException failure) {
            return new Broken<>(FailureWords.of(failure));
        } finally {
            observer.answered(call, code, since(begunNanos));
        }
    }

    private Wire.Patience patience() throws IOException {
        var timeout = budget.timeout(settings.requestTimeout());
        return new Wire.Patience(timeout, timeout, timeout);
    }

    /// Tries again what the server only put off.
    private <T> ServerResult<T> patiently(Supplier<ServerResult<T>> attempt) {
        var result = attempt.get();
        for (var retry = 0; retry < RETRIES_MAX; retry++) {
            if (!(result instanceof Refusal<T>(_, var after))
                    || after == null
                    || after.compareTo(RETRY_AFTER_MAX) > 0) {
                return result;
            }
            try {
                sleeper.sleep(after);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return new Broken<>("interrupted");
            }
            result = attempt.get();
        }
        return result;
    }

    private void throttle() throws InterruptedException {
        if (bucket != null) {
            bucket.take();
        }
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(ticker.nanos() - nanos);
    }
}
