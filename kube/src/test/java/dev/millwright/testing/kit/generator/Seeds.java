package dev.millwright.testing.kit.generator;

import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/// Seeds from zero on, so many for each property. `-Dmillwright.seedTimes=4` tries so many times as
/// many, `-Dmillwright.seeds=FROM..TO` others.
public final class Seeds {

    /// Failing seeds told at most; the others are likely to fail for the same reasons.
    private static final int SHOWN_MAX = 5;

    private static final int TIMES = Integer.getInteger("millwright.seedTimes", 1);

    private Seeds() {}

    /// Whether a run is one for many seeds, as `make test-all` is. `make test` tries few.
    public static boolean areMany() {
        return TIMES > 1;
    }

    /// Checks a property, which answers what is wrong or null; a failure tells the seeds.
    public static void forEach(int count, LongFunction<@Nullable String> property) {
        var range = System.getProperty("millwright.seeds", "0.." + count * TIMES);
        var dots = range.indexOf("..");
        var from = Long.parseLong(range.substring(0, dots));
        var to = Long.parseLong(range.substring(dots + 2));
        var faults = new ArrayList<String>();
        for (var seed = from; seed < to; seed++) {
            var fault = attempt(seed, property);
            if (fault != null) {
                faults.add("seed %d: %s".formatted(seed, fault));
            }
        }
        List<String> shown = faults.subList(0, Math.min(SHOWN_MAX, faults.size()));
        Assertions.assertThat(shown).as("%d of %d seeds fail", faults.size(), to - from).isEmpty();
    }

    private static @Nullable String attempt(long seed, LongFunction<@Nullable String> property) {
        try {
            return property.apply(seed);
        } catch (RuntimeException failure) {
            return failure.toString();
        }
    }
}
