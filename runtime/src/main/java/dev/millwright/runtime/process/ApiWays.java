package dev.millwright.runtime.process;

import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;

import java.time.Duration;

/// A process's ways to its API server: one for all its work, one that keeps the lease whatever the
/// work does, and one that asks who reads its metrics.
///
/// @param work bounded by a rate, and observed
public record ApiWays(HttpKubeApi work, HttpKubeApi lease, HttpKubeApi review)
        implements AutoCloseable {

    /// Strangers' tokens are asked about at this rate at most.
    private static final ApiSettings.Rate REVIEWS = new ApiSettings.Rate(5, 10);

    private static final Duration REVIEW_TIMEOUT = Duration.ofSeconds(5);

    /// @param program how the process calls itself before the server, without its version
    /// @param work how its requests behave, but for the name
    public static ApiWays open(
            KubeAccess access,
            String program,
            String version,
            ApiSettings work,
            RequestObserver observer) {
        var name = "%s/%s".formatted(program, version);
        return new ApiWays(
                HttpKubeApi.open(access, named(name, work), observer),
                HttpKubeApi.open(
                        access, named(name, ApiSettings.ofLease(version)), RequestObserver.NONE),
                HttpKubeApi.open(
                        access,
                        new ApiSettings(name, REVIEW_TIMEOUT, REVIEW_TIMEOUT, REVIEWS),
                        RequestObserver.NONE));
    }

    private static ApiSettings named(String name, ApiSettings usual) {
        return new ApiSettings(name, usual.requestTimeout(), usual.watchSilenceMax(), usual.rate());
    }

    @Override
    public void close() {
        try (work;
                lease;
                review) {
            // Each is closed whatever the others do.
        }
    }
}
