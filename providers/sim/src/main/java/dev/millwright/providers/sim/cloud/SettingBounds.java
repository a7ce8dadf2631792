package dev.millwright.providers.sim.cloud;

import java.time.Duration;

/// Checks of single settings. They stand outside [SimSettings]: a part that called them there would
/// begin to initialise the whole, whose constants need the part's own, which are not there yet.
final class SettingBounds {

    private SettingBounds() {}

    static void checkRate(String name, double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException(
                    "%s %s: wanted a share from 0 to 1".formatted(name, rate));
        }
    }

    static void checkFrequency(String name, double frequency) {
        if (!(frequency >= 0) || Double.isInfinite(frequency)) {
            throw new IllegalArgumentException(
                    "%s %s: wanted a number of at least 0".formatted(name, frequency));
        }
    }

    static void checkDuration(String name, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    "%s %s must not be negative".formatted(name, duration));
        }
    }
}
