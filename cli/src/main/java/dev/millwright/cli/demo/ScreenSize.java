package dev.millwright.cli.demo;

import dev.millwright.dashboard.terminal.TerminalView.Screen;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// How large the terminal is. Java does not tell, so the system's `stty` is asked, again and again
/// because people pull at corners of windows.
public final class ScreenSize implements Supplier<Screen>, AutoCloseable {

    private static final Duration STEP = Duration.ofSeconds(1);
    private static final int WIDTH_DEFAULT = 110;
    private static final int HEIGHT_DEFAULT = 36;

    private final boolean isUnicode;
    private final Thread asker;
    private volatile Screen screen;
    private volatile boolean isAsked = true;

    public ScreenSize(Map<String, String> environment, boolean isUnicode) {
        this.isUnicode = isUnicode;
        this.screen =
                new Screen(
                        number(environment.getOrDefault("COLUMNS", ""), WIDTH_DEFAULT),
                        number(environment.getOrDefault("LINES", ""), HEIGHT_DEFAULT),
                        isUnicode);
        ask();
        this.asker = Thread.ofVirtual().start(this::keepAsking);
    }

    @Override
    public Screen get() {
        return screen;
    }

    private void keepAsking() {
        try {
            while (isAsked) {
                Thread.sleep(STEP);
                ask();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Where there is no `stty` or no terminal, what was known before stays.
    private void ask() {
        try {
            var process =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(new File("/dev/tty"))
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            var text =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!process.waitFor(1, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            var parts = text.strip().split(" ", -1);
            if (parts.length == 2) {
                screen =
                        new Screen(
                                number(parts[1], screen.width()),
                                number(parts[0], screen.height()),
                                isUnicode);
            }
        } catch (IOException none) {
            isAsked = false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static int number(String text, int otherwise) {
        try {
            var number = Integer.parseInt(text);
            return number > 0 ? number : otherwise;
        } catch (NumberFormatException none) {
            return otherwise;
        }
    }

    @Override
    public void close() {
        asker.interrupt();
    }
}
