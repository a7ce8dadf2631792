package dev.millwright.kube.record;

import java.time.Instant;

/// Who wrote a file, and since when.
///
/// @param version of millwright
public record RecordHead(String version, Instant startedAt) {}
