package dev.millwright.providers.aws.offering;

import dev.millwright.core.policy.SpotReturn;

import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/// When spot was last refused to each pool, for longer than offerings are taken for unavailable. A
/// process that begins waits as if it had been refused just then.
public final class SpotMemory {

    private static final int POOLS_MAX = 10_000;

    private final ConcurrentHashMap<String, SpotReturn.Past> pastByPool = new ConcurrentHashMap<>();

    /// No spot machine was to be had for a claim of the pool.
    public void refused(String pool, Instant now) {
        change(pool, now, past -> past.refused(now));
    }

    /// A machine of the pool is told to go back to spot.
    public void tried(String pool, Instant now) {
        change(pool, now, past -> past.tried(now));
    }

    public boolean isDue(String pool, SpotReturn rule, Instant now) {
        change(pool, now, past -> past);
        var past = pastByPool.get(pool);
        return past != null && rule.isDue(past, now);
    }

    private void change(String pool, Instant now, UnaryOperator<SpotReturn.Past> change) {
        if (pastByPool.size() < POOLS_MAX || pastByPool.containsKey(pool)) {
            pastByPool.compute(
                    pool,
                    (_, past) -> change.apply(past == null ? SpotReturn.Past.from(now) : past));
        }
    }
}
