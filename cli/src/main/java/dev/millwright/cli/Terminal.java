package dev.millwright.cli;

import java.io.ByteArrayOutputStream;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Where a command reads and writes, and what the other end can show.
final class Terminal {

    private static final int WIDTH_DEFAULT = 110;
    private static final int WIDTH_MIN = 60;
    private static final int WIDTH_MAX = 400;

    private final InputStream in;
    private final PrintWriter screen;
    private final PrintWriter progress;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean isInTerminal;
    private final boolean isOutTerminal;
    private final boolean isErrTerminal;
    private final Map<String, String> environment;
    private boolean isQuiet;
    private boolean isDebug;

    Terminal(
            InputStream in,
            PrintWriter out,
            PrintWriter err,
            boolean isInTerminal,
            boolean isOutTerminal,
            boolean isErrTerminal,
            Map<String, String> environment) {
        this.in = in;
        this.isInTerminal = isInTerminal;
        this.isOutTerminal = isOutTerminal;
        this.isErrTerminal = isErrTerminal;
        this.environment = Map.copyOf(environment);
        this.screen = out;
        this.progress = err;
        this.out = new PrintWriter(new PlainWriter(out, isColoured()));
        this.err = new PrintWriter(new PlainWriter(err, isColoured()));
    }

    /// For a file or pipe without a person behind it.
    static Terminal ofStreams(
            InputStream in, PrintWriter out, PrintWriter err, Map<String, String> environment) {
        return new Terminal(in, out, err, false, false, false, environment);
    }

    static Terminal ofProcess() {
        return new Terminal(
                System.in,
                writer(FileDescriptor.out),
                writer(FileDescriptor.err),
                isTerminal(0),
                isTerminal(1),
                isTerminal(2),
                System.getenv());
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8),
                false);
    }

    /// Java tells only whether input and output both are terminals. Where the system shows what a
    /// descriptor is, each counts for itself, so that `kubectl … | millwright simulate -` has
    /// colours.
    private static boolean isTerminal(int descriptor) {
        try {
            var target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException notShown) {
            return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
        }
    }

    InputStream in() {
        return in;
    }

    PrintWriter out() {
        return out;
    }

    PrintWriter err() {
        return err;
    }

    /// Standard output for what paints it over; nothing is filtered.
    PrintWriter screen() {
        return screen;
    }

    /// Standard error for a line that is painted over; nothing is filtered.
    PrintWriter progress() {
        return progress;
    }

    Map<String, String> environment() {
        return environment;
    }

    void flush() {
        out.flush();
        err.flush();
    }

    void setQuiet(boolean isQuiet) {
        this.isQuiet = isQuiet;
    }

    void setDebug(boolean isDebug) {
        this.isDebug = isDebug;
    }

    boolean isQuiet() {
        return isQuiet;
    }

    boolean isDebug() {
        return isDebug || !environment.getOrDefault("MILLWRIGHT_DEBUG", "").isEmpty();
    }

    /// Whether somebody is there to answer a question.
    boolean isPersonThere() {
        return isInTerminal && isErrTerminal;
    }

    /// The answer to a question, without the spaces around it; empty when there is none.
    String ask(String question) throws IOException {
        err.print(question);
        err.flush();
        var answer = new ByteArrayOutputStream();
        for (var read = in.read(); read >= 0 && read != '\n'; read = in.read()) {
            answer.write(read);
        }
        return answer.toString(StandardCharsets.UTF_8).strip();
    }

    boolean isColoured() {
        return isOutTerminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /// Whether standard output can be painted over.
    boolean isScreen() {
        return isOutTerminal && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    boolean isProgressLineUpdated() {
        return isErrTerminal && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /// Whether block characters can be shown, by the locale's usual three variables.
    boolean isUnicode() {
        for (var name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            var value = environment.getOrDefault(name, "");
            if (!value.isEmpty()) {
                var encoding = value.toUpperCase(Locale.ROOT);
                return encoding.contains("UTF-8") || encoding.contains("UTF8");
            }
        }
        return false;
    }

    int width() {
        try {
            var columns = Integer.parseInt(environment.getOrDefault("COLUMNS", ""));
            return Math.clamp(columns, WIDTH_MIN, WIDTH_MAX);
        } catch (NumberFormatException unknown) {
            return WIDTH_DEFAULT;
        }
    }

    /// Why a command failed, which nobody asks to be spared.
    void complain(String text) {
        out.flush();
        err.println("millwright: " + PlainWriter.oneLine(text));
        err.flush();
    }

    /// A line a person should see, unless they asked for quiet.
    void note(String text) {
        if (!isQuiet) {
            err.println("millwright: " + PlainWriter.oneLine(text));
            err.flush();
        }
    }
}
