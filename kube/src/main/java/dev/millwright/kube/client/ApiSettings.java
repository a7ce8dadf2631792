package dev.millwright.kube.client;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// How a client behaves towards its server.
///
/// @param requestTimeout until a request is answered; watches have a bound of their own
/// @param watchSilenceMax a watch that says nothing for so long, not even a bookmark, is taken for
///   dead. Servers send a bookmark about once a minute
/// @param rate requests we allow ourselves; null for none, as the lease's client has it, because a
///   throttled renewal loses the lease
/// @param budget what a server of somebody else may take of us; null for our own server
public record ApiSettings(
        String userAgent,
        Duration requestTimeout,
        Duration watchSilenceMax,
        @Nullable Rate rate,
        @Nullable Budget budget) {

    /// Of one client, from its opening on: the bytes of all answers, and the time.
    public record Budget(long bytesMax, Duration timeMax) {
        public Budget {
            if (bytesMax < 1 || timeMax.isNegative() || timeMax.isZero()) {
                throw new IllegalArgumentException(
                        "budget of %d bytes in %s; wanted more than nothing"
                                .formatted(bytesMax, timeMax));
            }
        }
    }

    /// For our own server, whose answers have no bound but their time.
    public ApiSettings(
            String userAgent,
            Duration requestTimeout,
            Duration watchSilenceMax,
            @Nullable Rate rate) {
        this(userAgent, requestTimeout, watchSilenceMax, rate, null);
    }

    /// For the server of somebody else, each of whose answers has the same time.
    public static ApiSettings ofForeign(String userAgent, Duration requestTimeout, Budget budget) {
        return new ApiSettings(userAgent, requestTimeout, requestTimeout, null, budget);
    }

    /// `burst` requests at once, then `perSecond` of them.
    public record Rate(int perSecond, int burst) {
        public Rate {
            if (perSecond < 1 || burst < 1) {
                throw new IllegalArgumentException(
                        "rate of %d/s with burst %d; wanted at least 1 of each"
                                .formatted(perSecond, burst));
            }
        }
    }

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration LEASE_REQUEST_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration WATCH_SILENCE_MAX = Duration.ofMinutes(3);

    /// For everything but the lease.
    public static ApiSettings of(String version, int perSecond, int burst) {
        return new ApiSettings(
                userAgent(version), REQUEST_TIMEOUT, WATCH_SILENCE_MAX, new Rate(perSecond, burst));
    }

    /// For the lease alone: never throttled, and each try shorter than the time to renew in.
    public static ApiSettings ofLease(String version) {
        return new ApiSettings(userAgent(version), LEASE_REQUEST_TIMEOUT, WATCH_SILENCE_MAX, null);
    }

    private static String userAgent(String version) {
        return "karpenter/" + version;
    }
}
