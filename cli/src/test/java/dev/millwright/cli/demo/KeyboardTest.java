package dev.millwright.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Controls.Outcome;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.terminal.ViewState;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

final class KeyboardTest {

    private final List<Action> asked = new ArrayList<>();
    private final AtomicInteger quits = new AtomicInteger();
    private final KeyActions actions =
            new KeyActions(
                    action -> {
                        asked.add(action);
                        return new Outcome.Done("done");
                    },
                    quits::incrementAndGet,
                    at(60, false));

    private static Picture at(double speed, boolean isPaused) {
        return Picture.empty("demo", TickingShow.START)
                .withPace(new Picture.Pace(TickingShow.START, TickingShow.START, speed, isPaused));
    }

    private void typed(String text) {
        Keyboard.read(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)), actions);
    }

    @Test
    void qQuits() {
        typed("q");
        assertThat(quits).hasValue(1);
    }

    @Test
    void spaceStopsTimeAndLetsItGoOn() {
        typed(" ");
        actions.accept(at(60, true));
        typed(" ");
        assertThat(asked).containsExactly(new Action.Pause(true), new Action.Pause(false));
    }

    @Test
    void arrowsScrollAndChangeTheSpeed() {
        typed("\u001b[B\u001bOB\u001b[A");
        assertThat(actions.get()).isEqualTo(ViewState.FIRST.scrolled(1));
        typed("\u001b[C\u001b[D");
        assertThat(asked).containsExactly(new Action.Speed(120), new Action.Speed(30));
    }

    @Test
    void theSpeedStaysWithinItsBounds() {
        actions.accept(at(Action.SPEED_MAX, false));
        typed("+");
        actions.accept(at(Action.SPEED_MIN, false));
        typed("-");
        assertThat(asked)
                .containsExactly(
                        new Action.Speed(Action.SPEED_MAX), new Action.Speed(Action.SPEED_MIN));
    }

    @Test
    void lettersChangeTheView() {
        typed("s?l");
        assertThat(actions.get())
                .isEqualTo(ViewState.FIRST.withNextOrder().withHelpToggled().withLegendToggled());
    }

    @Test
    void otherKeysDoNothing() {
        typed("x\u001b[5~\u001b[Z\u00e4\r\n");
        assertThat(asked).isEmpty();
        assertThat(quits).hasValue(0);
        assertThat(actions.get()).isEqualTo(ViewState.FIRST);
    }
}
