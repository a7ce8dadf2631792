package dev.millwright.cli.demo;

import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.terminal.AnsiText;
import dev.millwright.dashboard.terminal.TerminalView;
import dev.millwright.dashboard.terminal.TerminalView.Screen;
import dev.millwright.dashboard.terminal.ViewState;

import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Paints pictures over one another on a terminal, on the screen that editors use, so that what
/// stood there before comes back at the end.
public final class LiveScreen implements Consumer<Picture>, AutoCloseable {

    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";

    /// Terminals that know these two show a frame all at once; others pass over them.
    private static final String FRAME_BEGINS = "\u001b[?2026h\u001b[H";

    private static final String FRAME_ENDS = "\u001b[J\u001b[?2026l";
    private static final String LINE_ENDS = "\u001b[K";

    private final PrintWriter out;
    private final Supplier<Screen> screen;
    private final Supplier<ViewState> state;
    private final boolean isColoured;
    private final String footnote;
    private boolean isOpen = true;

    /// The footnote is said beside the picture's title, and says where the page is.
    public LiveScreen(
            PrintWriter out,
            Supplier<Screen> screen,
            Supplier<ViewState> state,
            boolean isColoured,
            String footnote) {
        this.out = out;
        this.screen = screen;
        this.state = state;
        this.isColoured = isColoured;
        this.footnote = footnote;
        out.print(ENTER);
        out.flush();
    }

    @Override
    public void accept(Picture picture) {
        var titled =
                footnote.isEmpty() ? picture : picture.withTitle(picture.title() + "  " + footnote);
        var lines =
                AnsiText.lines(TerminalView.render(titled, screen.get(), state.get()), isColoured);
        var text = new StringBuilder(FRAME_BEGINS);
        for (var index = 0; index < lines.size(); index++) {
            text.append(index == 0 ? "" : "\r\n").append(lines.get(index)).append(LINE_ENDS);
        }
        out.print(text.append(FRAME_ENDS));
        out.flush();
    }

    @Override
    public void close() {
        if (isOpen) {
            isOpen = false;
            out.print(LEAVE);
            out.flush();
        }
    }
}
