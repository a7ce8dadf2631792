package dev.millwright.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.lease.ElectionWorld.Belief;
import dev.millwright.testing.kit.generator.Seeds;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// At most one leader acts, by what each believes of itself at that moment.
final class LeaderElectionProperties {

    private static final int SEEDS = 1_000;

    private static @Nullable String faultOf(long seed) {
        Belief last = null;
        for (var belief : new ElectionWorld(seed, 2 + (int) (seed % 2)).run()) {
            if (last != null
                    && last.candidate() != belief.candidate()
                    && belief.from() < last.until()) {
                return "%s while %s".formatted(belief, last);
            }
            if (last == null || belief.until() > last.until()) {
                last = belief;
            }
        }
        return null;
    }

    @Test
    void neverDoTwoBelieveToLeadAtOnce() {
        Seeds.forEach(SEEDS, LeaderElectionProperties::faultOf);
    }

    @Test
    void somebodyLeadsHalfOfTheTimeInSpiteOfAllFaults() {
        var led = Duration.ZERO;
        for (var seed = 0; seed < 100; seed++) {
            for (var belief : new ElectionWorld(seed, 3).run()) {
                led = led.plus(ElectionWorld.length(belief));
            }
        }

        assertThat(led).isGreaterThan(Duration.ofMinutes(250));
    }
}
