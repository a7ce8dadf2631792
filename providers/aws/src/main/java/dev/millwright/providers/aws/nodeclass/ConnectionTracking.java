package dev.millwright.providers.aws.nodeclass;

import org.jspecify.annotations.Nullable;

/// After how many idle seconds an interface forgets a connection.
public record ConnectionTracking(
        @Nullable Integer tcpEstablishedTimeout,
        @Nullable Integer udpStreamTimeout,
        @Nullable Integer udpTimeout) {}
