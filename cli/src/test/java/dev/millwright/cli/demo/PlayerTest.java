package dev.millwright.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Controls.Outcome;
import dev.millwright.dashboard.picture.Picture;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

class PlayerTest {

    private final List<Picture> seen = new ArrayList<>();

    private Picture play(Player player, Duration limit) throws InterruptedException {
        return player.play(limit, () -> false, List.of(seen::add));
    }

    private static double seconds(Picture picture) {
        return Duration.between(TickingShow.START, picture.pace().now()).toMillis() / 1000.0;
    }

    @Test
    void timeRunsAsFastAsTold() throws InterruptedException {
        var show = new TickingShow(0);
        var last = play(new Player(show, show, 60), Duration.ofSeconds(2));
        assertThat(seconds(last)).isCloseTo(120, within(9.0));
        assertThat(last.pace().speed()).isEqualTo(60);
    }

    @Test
    void whatASlowMachineCannotPlayIsNotMadeUpFor() throws InterruptedException {
        var show = new TickingShow(0.1);
        var last = play(new Player(show, show, 60), Duration.ofSeconds(10));
        assertThat(seconds(last)).isBetween(50.0, 130.0);
        assertThat(seen).hasSizeGreaterThan(10);
    }

    @Test
    void aShowEndsWhenToldTo() throws InterruptedException {
        var show = new TickingShow(0);
        var last =
                new Player(show, show, 60).play(null, () -> seen.size() >= 3, List.of(seen::add));
        assertThat(seen).hasSize(4).endsWith(last);
    }

    @Test
    void aPausedShowStandsStillAndStillListens() throws InterruptedException {
        var show = new TickingShow(0);
        var player = new Player(show, show, 60);
        try (var visitors = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked =
                    visitors.submit(
                            () ->
                                    List.of(
                                            player.controls().carryOut(new Action.Pause(true)),
                                            player.controls().carryOut(new Action.Interrupt("n"))));
            var last = player.play(null, asked::isDone, List.of());
            assertThat(last.pace().isPaused()).isTrue();
            assertThat(asked.resultNow())
                    .containsExactly(
                            new Outcome.Done("Time stands still."), new Outcome.Done("done"));
        }
        assertThat(show.asked).containsExactly(new Action.Interrupt("n"));
    }

    @Test
    void anotherSpeedHoldsFromNowOn() throws InterruptedException {
        var show = new TickingShow(0);
        var player = new Player(show, show, 1);
        try (var visitors = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = visitors.submit(() -> player.controls().carryOut(new Action.Speed(3_600)));
            player.play(null, asked::isDone, List.of());
        }
        var before = show.now();
        play(player, Duration.ofSeconds(2));
        assertThat(Duration.between(before, show.now())).isGreaterThan(Duration.ofMinutes(100));
    }
}
