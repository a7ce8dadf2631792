package dev.millwright.kube.event;

import dev.millwright.kube.client.TokenBucket;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;

/// Lets an event through unless the same was told a short while ago or its reason has been told too
/// often.
public final class EventFilter {

    /// Events remembered; beyond, the one remembered longest is forgotten and may be told twice.
    private static final int REMEMBERED_MAX = 10_000;

    /// Between two sweeps of what is over.
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final Ticker ticker;

    // All guarded by this.
    private final SequencedMap<String, Instant> toldUntil = new LinkedHashMap<>();
    private final Map<String, TokenBucket> buckets = new LinkedHashMap<>();
    private Instant sweptAt;

    public EventFilter(InstantSource clock, Ticker ticker) {
        this.clock = clock;
        this.ticker = ticker;
        this.sweptAt = clock.instant();
    }

    /// Asked once for each event: the answer counts.
    public synchronized boolean lets(KubeEvent event) {
        return isNews(event) && isWithinRate(event);
    }

    /// Events that name nothing to tell them apart by are all news.
    private boolean isNews(KubeEvent event) {
        if (event.dedupeValues().isEmpty()) {
            return true;
        }
        var now = clock.instant();
        sweep(now);
        var key =
                event.reason().toLowerCase(Locale.ROOT)
                        + "-"
                        + String.join(",", event.dedupeValues());
        var until = toldUntil.get(key);
        if (until != null && now.isBefore(until)) {
            return false;
        }
        toldUntil.remove(key);
        toldUntil.putLast(key, now.plus(event.dedupe()));
        if (toldUntil.size() > REMEMBERED_MAX) {
            toldUntil.pollFirstEntry();
        }
        return true;
    }

    private void sweep(Instant now) {
        if (now.isBefore(sweptAt.plus(SWEEP_INTERVAL))) {
            return;
        }
        sweptAt = now;
        toldUntil.values().removeIf(until -> !now.isBefore(until));
    }

    int remembered() {
        return toldUntil.size();
    }

    private boolean isWithinRate(KubeEvent event) {
        var rate = event.rate();
        return rate == null
                || buckets.computeIfAbsent(
                                event.reason(),
                                _ ->
                                        new TokenBucket(
                                                rate.perSecond(),
                                                rate.burst(),
                                                ticker,
                                                Sleeper.system()))
                        .tryTake();
    }
}
