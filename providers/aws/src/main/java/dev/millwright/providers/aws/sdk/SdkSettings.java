package dev.millwright.providers.aws.sdk;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;

/// How AWS is reached.
///
/// @param endpoint where all services answer, for tests; null for AWS's own
/// @param isFips whether to use endpoints with validated cryptography; without effect with an
///   endpoint of our own
/// @param keys null for the SDK's default chain: environment, web identity, profile, Pod Identity,
///   instance
/// @param timeout for one attempt, from the connection to the last byte
/// @param attemptsMax how often a call is sent before it has failed
/// @param backoff the wait before the second attempt, which doubles from then on; null for the
///   SDK's
public record SdkSettings(
        String region,
        String version,
        @Nullable URI endpoint,
        boolean isFips,
        @Nullable Keys keys,
        Duration timeout,
        int attemptsMax,
        @Nullable Duration backoff) {

    public static final Duration TIMEOUT = Duration.ofMinutes(4);
    public static final int ATTEMPTS_MAX = 5;

    public SdkSettings {
        if (attemptsMax < 1) {
            throw new IllegalArgumentException(
                    "attemptsMax %d must be at least 1".formatted(attemptsMax));
        }
    }

    /// AWS's own endpoints and the default chain.
    public static SdkSettings of(String region, String version) {
        return new SdkSettings(region, version, null, false, null, TIMEOUT, ATTEMPTS_MAX, null);
    }

    public SdkSettings withEndpoint(@Nullable URI uri) {
        return new SdkSettings(region, version, uri, isFips, keys, timeout, attemptsMax, backoff);
    }

    public SdkSettings withFips(boolean fips) {
        return new SdkSettings(
                region, version, endpoint, fips, keys, timeout, attemptsMax, backoff);
    }

    public SdkSettings withKeys(Keys others) {
        return new SdkSettings(
                region, version, endpoint, isFips, others, timeout, attemptsMax, backoff);
    }

    public SdkSettings withTimeout(Duration limit) {
        return new SdkSettings(
                region, version, endpoint, isFips, keys, limit, attemptsMax, backoff);
    }

    public SdkSettings withAttempts(int max, Duration firstWait) {
        return new SdkSettings(region, version, endpoint, isFips, keys, timeout, max, firstWait);
    }

    /// Credentials given outright.
    public record Keys(String id, String secret) {

        @Override
        public String toString() {
            return "Keys[id=%s]".formatted(id);
        }
    }
}
