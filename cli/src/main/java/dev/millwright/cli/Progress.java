package dev.millwright.cli;

import java.time.Duration;

/// Says on standard error what is being done: one line that changes on a terminal, plain lines
/// elsewhere, nothing when quiet.
final class Progress implements AutoCloseable {

    /// How often the line of a long step is written anew.
    private static final Duration TICK = Duration.ofSeconds(1);

    private final Terminal terminal;
    private String step = "";
    private Thread ticker = Thread.ofVirtual().unstarted(() -> {});

    Progress(Terminal terminal) {
        this.terminal = terminal;
    }

    void step(String text) {
        if (terminal.isQuiet()) {
            return;
        }
        stop();
        step = text;
        if (terminal.isProgressLineUpdated()) {
            write(step);
            ticker = Thread.ofVirtual().start(this::tick);
        } else {
            terminal.note(step);
        }
    }

    private void tick() {
        var began = System.nanoTime();
        try {
            while (true) {
                Thread.sleep(TICK);
                var seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
                write("%s %d s".formatted(step, seconds));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(String text) {
        terminal.err().flush();
        terminal.progress().print("\r\u001b[K");
        terminal.progress().flush();
        terminal.err().print(text);
        terminal.err().flush();
    }

    private void stop() {
        ticker.interrupt();
        try {
            ticker.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (!terminal.isQuiet() && terminal.isProgressLineUpdated()) {
            stop();
            write("");
        }
    }
}
