package dev.millwright.spi;

import java.time.Duration;

/// A node whose condition `conditionType` has had the status `conditionStatus` for longer than
/// `toleration` is replaced.
public record RepairPolicy(String conditionType, String conditionStatus, Duration toleration) {}
