package dev.millwright.runtime.probe;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/// Where a process shows itself, and to whom.
///
/// @param metrics null to serve none
/// @param profiles null to serve none
/// @param isSecure whether metrics go by HTTPS, to those whom the API server lets get them
/// @param certificates a directory; null for a certificate of our own making
public record Endpoints(
        @Nullable InetSocketAddress metrics,
        InetSocketAddress health,
        @Nullable InetSocketAddress profiles,
        boolean isSecure,
        @Nullable Path certificates) {}
