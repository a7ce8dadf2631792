package dev.millwright.providers.sim.cloud;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/// Stands before every call: throttles it, lets it fail, loses its answer.
final class ApiGate {

    /// Why a call was turned away before it did anything.
    record Refusal(String reason, String message) {}

    static final String LOST = "no answer came: the connection was closed by the other side";

    private final Chance chance;
    private final Map<SimApi, TokenBucket> buckets = new EnumMap<>(SimApi.class);
    private SimSettings settings;

    ApiGate(SimSettings settings, Chance chance, Instant start) {
        this.settings = settings;
        this.chance = chance;
        fillBuckets(start);
    }

    void change(SimSettings next, Instant now) {
        settings = next;
        buckets.clear();
        fillBuckets(now);
    }

    private void fillBuckets(Instant start) {
        settings.faults()
                .forEach(
                        (api, faults) -> {
                            if (faults.throttle() != null) {
                                buckets.put(api, new TokenBucket(faults.throttle(), start));
                            }
                        });
    }

    @Nullable Refusal refusal(SimApi api, Instant now) {
        var bucket = buckets.get(api);
        if (bucket != null && !bucket.take(now)) {
            return new Refusal(
                    "RequestLimitExceeded",
                    "%s: too many requests; slow down".formatted(api.text()));
        }
        return chance.happens(settings.faultsOf(api).errorRate())
                ? new Refusal("InternalError", "%s: an internal error".formatted(api.text()))
                : null;
    }

    boolean losesAnswer(SimApi api) {
        return chance.happens(settings.faultsOf(api).lostRate());
    }
}
