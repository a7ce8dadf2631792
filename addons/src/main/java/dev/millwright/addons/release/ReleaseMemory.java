package dev.millwright.addons.release;

import dev.millwright.addons.port.HelmRuns.Contents;
import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// What is known of each proxy's runs until the process ends: failures in a row, and what a
/// revision holds. There is one entry a proxy, which goes with it.
final class ReleaseMemory {

    private static final Duration BACKOFF_MIN = Duration.ofSeconds(10);
    private static final Duration BACKOFF_MAX = Duration.ofMinutes(5);
    private static final int DOUBLINGS_MAX = 10;

    /// Runs that failed in a row for the same wish.
    ///
    /// @param wanted the wish's digest: another wish is tried at once
    record Failure(String wanted, int count, Instant retryAt) {}

    private final Map<ObjectName, Failure> failures = new ConcurrentHashMap<>();
    private final Map<ObjectName, Contents> contents = new ConcurrentHashMap<>();
    private final Map<ObjectName, String> wishes = new ConcurrentHashMap<>();

    /// A run was begun for this wish.
    void begun(ObjectName proxy, String wanted) {
        wishes.put(proxy, wanted);
    }

    boolean isBegun(ObjectName proxy, String wanted) {
        return wanted.equals(wishes.get(proxy));
    }

    Failure failed(ObjectName proxy, Instant now) {
        var wanted = wishes.getOrDefault(proxy, "");
        return failures.compute(
                proxy,
                (_, before) -> {
                    var count =
                            before != null && before.wanted().equals(wanted)
                                    ? before.count() + 1
                                    : 1;
                    var wait = BACKOFF_MIN.multipliedBy(1L << Math.min(count - 1, DOUBLINGS_MAX));
                    return new Failure(
                            wanted,
                            count,
                            now.plus(wait.compareTo(BACKOFF_MAX) > 0 ? BACKOFF_MAX : wait));
                });
    }

    void succeeded(ObjectName proxy) {
        failures.remove(proxy);
    }

    /// How long to wait before this wish is tried again; null when it may be now.
    @Nullable Duration waitFor(ObjectName proxy, String wanted, Instant now) {
        var failure = failures.get(proxy);
        return failure == null
                        || !failure.wanted().equals(wanted)
                        || !now.isBefore(failure.retryAt())
                ? null
                : Duration.between(now, failure.retryAt());
    }

    void inspected(ObjectName proxy, Contents found) {
        contents.put(proxy, found);
    }

    @Nullable Contents contents(ObjectName proxy) {
        return contents.get(proxy);
    }

    void forget(ObjectName proxy) {
        failures.remove(proxy);
        contents.remove(proxy);
        wishes.remove(proxy);
    }
}
