package dev.millwright.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.terminal.TerminalView.Screen;
import dev.millwright.dashboard.terminal.ViewState;

import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

class LiveScreenTest {

    private static final Picture EMPTY = Picture.empty("demo", TickingShow.START);

    private final StringWriter text = new StringWriter();

    private LiveScreen screen(boolean isColoured) {
        return new LiveScreen(
                new PrintWriter(text),
                () -> new Screen(80, 24, true),
                () -> ViewState.STILL,
                isColoured,
                "http://127.0.0.1:8642/");
    }

    @Test
    void theTerminalIsGivenBackAsItWas() {
        var screen = screen(false);
        screen.accept(EMPTY);
        screen.close();
        screen.close();
        assertThat(text.toString())
                .startsWith("\u001b[?1049h\u001b[?25l")
                .endsWith("\u001b[?25h\u001b[?1049l")
                .containsOnlyOnce("\u001b[?1049l");
    }

    @Test
    void aFrameIsPaintedOverTheLastOne() {
        try (var screen = screen(false)) {
            screen.accept(EMPTY);
        }
        assertThat(text.toString())
                .contains("\u001b[Hmillwright  demo  http://127.0.0.1:8642/")
                .contains("\u001b[K\r\n")
                .contains("\u001b[J")
                .doesNotContain("\u001b[1m");
    }

    @Test
    void coloursComeOnlyWhenWanted() {
        try (var screen = screen(true)) {
            screen.accept(EMPTY);
        }
        assertThat(text.toString()).contains("\u001b[1mmillwright\u001b[0m");
    }

    @Test
    void withoutATerminalThereAreLinesNowAndThen() {
        List<String> lines = new ArrayList<>();
        var clock = new TickingShow(0);
        var progress = new ProgressLines(lines::add, clock);
        IntStream.range(0, 2_500).forEach(_ -> progress.accept(EMPTY));
        assertThat(lines)
                .hasSize(2)
                .startsWith(
                        "06:00:00  0 nodes, 0 pods running, 0 waiting, $0.0000 an hour, lower bound $0.0000");
    }
}
