package dev.millwright.addons.manager;

import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.probe.Endpoints;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;

/// What the add-ons were told, read once.
public record AddonsSettings(
        Leadership leadership,
        Endpoints endpoints,
        LogLevel logLevel,
        Scope scope,
        Load load,
        HelmProgram helm,
        boolean isDryRun) {

    /// Each duration is longer than the next. An empty `namespace` is the process's own.
    public record Leadership(
            boolean isElected,
            String namespace,
            Duration lease,
            Duration renewDeadline,
            Duration retry) {}

    /// Which proxies are looked after. Empty texts leave none out.
    ///
    /// @param crossesNamespaces whether references to other namespaces need no grant
    public record Scope(String namespace, String watchFilter, boolean crossesNamespaces) {}

    /// @param charts chart proxies that are looked at side by side
    /// @param releases release proxies that are, and runs of Helm
    public record Load(
            int charts,
            int releases,
            Duration syncPeriod,
            int requestsPerSecond,
            int requestsBurst) {}

    /// @param workDirectory null for one below the system's folder for temporary files
    public record HelmProgram(String binary, @Nullable Path workDirectory, long memoryBytesMax) {}
}
