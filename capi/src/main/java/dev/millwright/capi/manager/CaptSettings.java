package dev.millwright.capi.manager;

import dev.millwright.capi.roster.Half;
import dev.millwright.runtime.log.LogLevel;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What the provider was told, read once.
///
/// @param halves in the order of their declaration, at least one
public record CaptSettings(
        List<Half> halves,
        Leadership leadership,
        Endpoints endpoints,
        LogLevel logLevel,
        Scope scope,
        Load load,
        Terraform terraform,
        boolean isDryRun) {

    public CaptSettings {
        halves = halves.stream().sorted().distinct().toList();
    }

    /// An empty `namespace` is the process's own.
    public record Leadership(boolean isElected, String namespace) {}

    /// @param metrics null to serve none
    /// @param certificates a directory; null for a certificate of our own making
    public record Endpoints(
            @Nullable InetSocketAddress metrics,
            InetSocketAddress healthProbe,
            boolean isSecure,
            @Nullable Path certificates) {}

    /// Which objects are looked after. Empty texts leave none out.
    ///
    /// @param crossesNamespaces whether references to other namespaces need no grant
    public record Scope(String namespace, String watchFilter, boolean crossesNamespaces) {}

    /// @param concurrency objects of a kind that are looked at side by side
    public record Load(int concurrency, int requestsPerSecond, int requestsBurst) {}

    /// Who runs Workspaces. By `AUTO` Crossplane does while its provider is here.
    public enum Workspaces {
        AUTO,
        OWN,
        LEAVE
    }

    /// @param runner the socket of a runner beside this process; null to run Terraform in it
    public record Terraform(
            Workspaces workspaces,
            @Nullable Path workDirectory,
            @Nullable Path runner,
            Duration timeout,
            Duration pollInterval,
            int runsMax,
            boolean lendsCredentials) {}
}
