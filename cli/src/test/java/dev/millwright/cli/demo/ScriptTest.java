package dev.millwright.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.world.chance.Chance;

import org.junit.jupiter.api.Test;

import java.util.Comparator;

class ScriptTest {

    @Test
    void aRoundIsInOrderAndEndsBeforeTheNext() {
        var beats = Script.round(1, Chance.of(1));
        assertThat(beats).isSortedAccordingTo(Comparator.comparing(Script.Beat::after));
        assertThat(beats.getLast().after()).isLessThan(Script.ROUND);
    }

    @Test
    void aRoundHasGrowthABurstLossesANewVersionAndDecline() {
        assertThat(Script.round(1, Chance.of(1)))
                .hasAtLeastOneElementOfType(Script.Beat.Burst.class)
                .hasAtLeastOneElementOfType(Script.Beat.Roll.class)
                .hasAtLeastOneElementOfType(Script.Beat.Loss.class)
                .anyMatch(beat -> beat instanceof Script.Beat.Scale scale && scale.replicas() > 30)
                .anyMatch(beat -> beat instanceof Script.Beat.Scale scale && scale.replicas() == 0);
    }

    @Test
    void theSeedDecidesTheNumbers() {
        assertThat(Script.round(1, Chance.of(1))).isEqualTo(Script.round(1, Chance.of(1)));
        assertThat(Script.round(1, Chance.of(1))).isNotEqualTo(Script.round(1, Chance.of(2)));
    }
}
