package dev.millwright.runtime.probe;

import dev.millwright.kube.cache.Reflectors;

import java.io.IOException;

/// Serves probes and metrics from the start on.
@FunctionalInterface
public interface Probes extends AutoCloseable {

    /// @throws IOException when a port cannot be had
    ProbeServer open(Reflectors reflectors, Liveness liveness) throws IOException;

    /// Ends what serving takes besides the server.
    @Override
    default void close() {}
}
