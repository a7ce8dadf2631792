package dev.millwright.runtime.probe;

import dev.millwright.kube.cache.Reflectors;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.metrics.Metrics;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

/// Serves the endpoints of a process, with the certificate that goes with them and its renewal.
public final class EndpointServing implements AutoCloseable {

    private static final String NONE = "none";

    private final Endpoints endpoints;
    private final InstantSource clock;
    private final Log log;

    /// Null where metrics are served plainly, or not at all.
    private final @Nullable ServingKeys keys;

    private EndpointServing(
            Endpoints endpoints, InstantSource clock, Log log, @Nullable ServingKeys keys) {
        this.endpoints = endpoints;
        this.clock = clock;
        this.log = log;
        this.keys = keys;
    }

    /// @throws IOException when the certificate that was named cannot be used
    public static EndpointServing of(
            Endpoints endpoints, String hostname, InstantSource clock, Log log) throws IOException {
        if (endpoints.metrics() == null || !endpoints.isSecure()) {
            return new EndpointServing(endpoints, clock, log, null);
        }
        var source =
                endpoints.certificates() == null
                        ? ServingKeys.Source.ownMaking(List.of(hostname, "localhost", "127.0.0.1"))
                        : ServingKeys.Source.directory(endpoints.certificates());
        return new EndpointServing(endpoints, clock, log, ServingKeys.open(source, clock, log));
    }

    /// Serves these metrics to whoever the API server lets get them.
    ///
    /// @param reviewApi asked who reads the metrics
    public Probes probes(Metrics metrics, KubeApi reviewApi) {
        return new Probes() {
            @Override
            public ProbeServer open(Reflectors reflectors, Liveness liveness) throws IOException {
                return EndpointServing.this.open(reflectors, liveness, metrics, reviewApi);
            }

            @Override
            public void close() {
                EndpointServing.this.close();
            }
        };
    }

    /// Ready once the caches are filled.
    ///
    /// @param reviewApi asked who reads the metrics
    /// @throws IOException naming the address that cannot be had
    public ProbeServer open(
            Reflectors reflectors, Liveness liveness, Metrics metrics, KubeApi reviewApi)
            throws IOException {
        var guard = keys == null ? Guard.OPEN : new ReviewGuard(reviewApi, clock, log);
        var server =
                ProbeServer.start(
                        new ProbeServer.Addresses(
                                endpoints.metrics(), endpoints.health(), endpoints.profiles()),
                        new ProbeServer.Access(keys == null ? null : keys.context(), guard),
                        new ProbeServer.Content(
                                metrics, liveness.checks(), List.of(filled(reflectors)), false),
                        log);
        log.info(
                "serving probes",
                "healthPort",
                server.healthPort(),
                "metricsPort",
                endpoints.metrics() == null ? NONE : String.valueOf(server.metricsPort()),
                "profilesPort",
                endpoints.profiles() == null ? NONE : String.valueOf(server.profilesPort()));
        return server;
    }

    private static Check filled(Reflectors reflectors) {
        return new Check(
                "caches",
                () ->
                        reflectors.isSynced()
                                ? null
                                : "not filled yet, or not served: " + reflectors.unsynced());
    }

    @Override
    public void close() {
        if (keys != null) {
            keys.close();
        }
    }
}
