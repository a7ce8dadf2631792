package dev.millwright.addons.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.rollout.RolloutPlan.Advice;
import dev.millwright.addons.rollout.RolloutPlan.Progress;
import dev.millwright.addons.rollout.RolloutPlan.Target;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class WavesTest {

    private static final RolloutPlan PLAN = new RolloutPlan(2, Duration.ofMinutes(5));
    private static final Progress UNTOUCHED = new Progress.Untouched();
    private static final Progress UNDER_WAY = new Progress.UnderWay();
    private static final Progress PROVEN = new Progress.Proven(Duration.ofMinutes(5));

    private static Advice advise(Target... targets) {
        return Waves.advise(PLAN, List.of(targets));
    }

    private static Target canary(Progress progress) {
        return new Target("canary", 0, progress);
    }

    private static Target other(String name, Progress progress) {
        return new Target(name, 1, progress);
    }

    @Test
    void theCanaryGoesFirst() {
        assertThat(advise(other("a", UNTOUCHED), canary(UNTOUCHED)))
                .isEqualTo(new Advice.Go(List.of("canary")));
    }

    @Test
    void nobodyFollowsACanaryThatIsUnderWay() {
        assertThat(advise(other("a", UNTOUCHED), canary(UNDER_WAY)))
                .isInstanceOf(Advice.Wait.class);
    }

    @Test
    void aCanaryMustBeReadyForAWhile() {
        var young = new Progress.Proven(Duration.ofMinutes(3));
        assertThat(advise(other("a", UNTOUCHED), canary(young)))
                .isEqualTo(new Advice.Wait(0, Duration.ofMinutes(2)));
    }

    @Test
    void aProvenCanaryIsFollowedByAsManyAsMayGoAtOnce() {
        assertThat(
                        advise(
                                canary(PROVEN),
                                other("c", UNTOUCHED),
                                other("a", UNTOUCHED),
                                other("b", UNTOUCHED)))
                .isEqualTo(new Advice.Go(List.of("a", "b")));
    }

    @Test
    void thoseUnderWayCountAmongThoseAtOnce() {
        assertThat(
                        advise(
                                canary(PROVEN),
                                other("a", UNDER_WAY),
                                other("b", UNTOUCHED),
                                other("c", UNTOUCHED)))
                .isEqualTo(new Advice.Go(List.of("b")));
    }

    @Test
    void theFirstFailureStopsAllThatWereNotBegun() {
        assertThat(
                        advise(
                                canary(PROVEN),
                                other("a", new Progress.Failed("timed out")),
                                other("b", UNTOUCHED)))
                .isEqualTo(new Advice.Stopped("a", "timed out", 1));
    }

    @Test
    void aFailureWithNothingLeftToBeginStopsNothing() {
        assertThat(advise(canary(PROVEN), other("a", new Progress.Failed("timed out"))))
                .isEqualTo(new Advice.Go(List.of()));
    }

    @Test
    void aNewClusterOfADoneRolloutIsBegunAtOnce() {
        assertThat(advise(canary(PROVEN), other("a", PROVEN), other("b", UNTOUCHED)))
                .isEqualTo(new Advice.Go(List.of("b")));
    }

    @Test
    void withoutWavesAllGoAtOnce() {
        var targets = List.of(new Target("a", 0, UNTOUCHED), new Target("b", 0, UNTOUCHED));
        assertThat(Waves.advise(RolloutPlan.ALL_AT_ONCE, targets))
                .isEqualTo(new Advice.Go(List.of("a", "b")));
    }
}
