package dev.millwright.cli.demo;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Reads keys as they are pressed. Terminals hand over whole lines and show what is typed; the
/// system's `stty` changes that, and gives it back at the end. Ctrl-C stays the signal that it is.
public final class Keyboard implements AutoCloseable {

    private static final File TERMINAL = new File("/dev/tty");
    private static final int STTY_SECONDS_MAX = 2;

    private final String before;
    private final InputStream keys;

    private Keyboard(String before, InputStream keys) {
        this.before = before;
        this.keys = keys;
    }

    /// Null where there is no terminal or no `stty`: then the view has no keys.
    public static @Nullable Keyboard open() {
        var before = stty(List.of("-g"));
        if (before == null || before.isBlank()) {
            return null;
        }
        try {
            var keys = new FileInputStream(TERMINAL);
            if (stty(List.of("-icanon", "-echo", "min", "1", "time", "0")) == null) {
                keys.close();
                return null;
            }
            return new Keyboard(before.strip(), keys);
        } catch (IOException none) {
            return null;
        }
    }

    /// Listens until the process ends: a read of a terminal cannot be called off.
    public void listen(KeyActions actions) {
        Thread.ofPlatform().daemon().name("keys").start(() -> read(keys, actions));
    }

    static void read(InputStream from, KeyActions actions) {
        var reader = new Key.Reader();
        try {
            for (var next = from.read(); next >= 0; next = from.read()) {
                var key = reader.key(next);
                if (key != null) {
                    actions.press(key);
                }
            }
        } catch (IOException closed) {
            // The terminal is gone, and the demo ends by the signal that says so.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stty(List.of(before));
    }

    /// What it printed; null when it failed.
    private static @Nullable String stty(List<String> arguments) {
        var command = new ArrayList<>(List.of("stty"));
        command.addAll(arguments);
        try {
            var process =
                    new ProcessBuilder(command)
                            .redirectInput(TERMINAL)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            var text =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!process.waitFor(STTY_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return null;
            }
            return process.exitValue() == 0 ? text : null;
        } catch (IOException none) {
            return null;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
