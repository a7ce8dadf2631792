package dev.millwright.providers.aws.api;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// @param deprecatedAt null when nobody has said so
public record ImageInfo(
        String id,
        String name,
        String architecture,
        Instant createdAt,
        @Nullable Instant deprecatedAt) {}
