package dev.millwright.testing.kit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestWatcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;

/// Adds to `target/conformance/PROCESS.tsv`: a line of id, result and test for every id a test is
/// tagged with. JUnit finds it by itself; no test names it.
public final class ConformanceRecorder implements BeforeAllCallback, TestWatcher {

    private static final Path FILE =
            Path.of("target", "conformance", ProcessHandle.current().pid() + ".tsv");
    private static final Pattern ID =
            Pattern.compile("[A-Z](-[A-Z]+-)?[0-9]+|AWS-[A-Z][0-9]+[a-z]*");
    private static final Namespace OURS = Namespace.create(ConformanceRecorder.class);

    /// Lines of one run of JUnit, added when it closes its root. Of several processes each may run
    /// it for one class after another.
    private static final class Sheet implements AutoCloseable {
        private final SortedSet<String> lines = new ConcurrentSkipListSet<>();

        @Override
        public void close() {
            try {
                Files.createDirectories(FILE.getParent());
                Files.write(FILE, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        sheet(context);
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        record(context, "pass");
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        record(context, "fail");
    }

    @Override
    public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
        record(context, "fail");
    }

    private static void record(ExtensionContext context, String result) {
        var test =
                "%s.%s %s"
                        .formatted(
                                context.getRequiredTestClass().getSimpleName(),
                                context.getRequiredTestMethod().getName(),
                                context.getDisplayName().replaceAll("\\s+", " "));
        context.getTags().stream()
                .filter(tag -> ID.matcher(tag).matches())
                .forEach(id -> sheet(context).lines.add(id + "\t" + result + "\t" + test));
    }

    private static Sheet sheet(ExtensionContext context) {
        return context.getRoot()
                .getStore(OURS)
                .computeIfAbsent(Sheet.class, type -> new Sheet(), Sheet.class);
    }
}
