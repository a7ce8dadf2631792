package dev.millwright.world.story;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.world.fault.Fault;
import dev.millwright.world.invariant.Breach;
import dev.millwright.world.invariant.EndState;
import dev.millwright.world.scenario.Scenarios;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

final class TrialTest {

    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    private static final Theatre THEATRE = Theatre.ec2();

    private static Ending ending(String digest) {
        return new Ending(List.of(), state(1), digest, 1, 0, 0, 0, 0, 0);
    }

    private static EndState state(int running) {
        return new EndState(
                new TreeMap<>(Map.of("Deployment default/web", running)),
                new TreeMap<>(),
                List.of());
    }

    private static Setting setting(EnumSet<Fault> faults) {
        return new Setting(
                2,
                Objects.requireNonNull(Scenarios.find("spot-storm")),
                faults,
                Duration.ofMinutes(20),
                12);
    }

    @Test
    void theSameSeedGivesTheSameLogAndRestartsChangeNoOutcome() {
        var trial = Trial.of(THEATRE, setting(EnumSet.of(Fault.CRASH, Fault.LEADER_CHANGE)), true);

        assertThat(trial.breaches()).isEmpty();
        assertThat(trial.ending().calm().running()).isNotEmpty();
    }

    @Test
    void anotherFaultGivesAnotherLog() {
        var calm = Trial.of(THEATRE, setting(EnumSet.noneOf(Fault.class)), false);
        var stormy = Trial.of(THEATRE, setting(EnumSet.of(Fault.API_SLOW)), false);

        assertThat(calm.ending().digest()).isNotEqualTo(stormy.ending().digest());
    }

    @Test
    void logsThatDifferAreSeen() {
        assertThat(Trial.sameLog(ending("1"), ending("1"), NOON)).isEmpty();
        assertThat(Trial.sameLog(ending("1"), ending("2"), NOON))
                .extracting(Breach::invariant)
                .containsExactly("same-log");
    }

    @Test
    void outcomesThatDifferAreSeen() {
        assertThat(Trial.sameOutcome(state(2), state(2), NOON)).isEmpty();
        assertThat(Trial.sameOutcome(state(2), state(1), NOON))
                .extracting(Breach::invariant)
                .containsExactly("same-outcome");
    }
}
