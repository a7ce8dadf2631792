package dev.millwright.world.workload;

import org.jspecify.annotations.Nullable;

/// Kubernetes' int-or-percentage of a whole.
final class Share {

    private static final int PERCENT = 100;

    private Share() {}

    static int roundedUp(String text, int whole) {
        return of(text, whole, true);
    }

    static int roundedDown(String text, int whole) {
        return of(text, whole, false);
    }

    static boolean isPercentage(@Nullable String text) {
        return text != null && text.endsWith("%");
    }

    private static int of(String text, int whole, boolean isUp) {
        if (!isPercentage(text)) {
            return Integer.parseInt(text);
        }
        var parts = (long) Integer.parseInt(text.substring(0, text.length() - 1)) * whole;
        return Math.toIntExact(isUp ? Math.ceilDiv(parts, PERCENT) : parts / PERCENT);
    }
}
