package dev.millwright.spi;

import java.time.Instant;

/// The cloud will take a machine back.
public record Notice(String providerId, Instant at, Instant endsAt) {}
