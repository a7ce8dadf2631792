package dev.millwright.controllers.disruption;

import java.util.List;

/// Numbers for what was seen. Those of several things are added up, so that their order does not
/// matter.
final class Fingerprint {

    private Fingerprint() {}

    static long of(Object... parts) {
        // Multiplied so that sums of many do not cancel out by small differences.
        return List.of(parts).hashCode() * 0x9E3779B97F4A7C15L;
    }
}
