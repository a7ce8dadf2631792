package dev.millwright.runtime.log;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Writes each line as a JSON object, thinned out when a phrase repeats.
public final class JsonLog implements Log {

    /// The name at the root, as Karpenter's.
    private static final String ROOT = "controller";

    /// The recorder of events says at debug what the events say already.
    private static final String EVENTS = "events";

    /// Frames that say nothing about where a line comes from.
    private static final List<String> OURS = List.of(JsonLog.class.getName(), Log.class.getName());

    private final Shared shared;
    private final String name;
    private final LogFields fields;

    /// What is written and where, and of which build it tells.
    public record Shape(LogLevel least, LogOutputs lines, LogOutputs failures, String commit) {}

    /// What all names of one log have in common. One line at a time.
    private static final class Shared {
        private final Shape shape;
        private final InstantSource clock;
        private final Sampling sampling = new Sampling();
        private final ReentrantLock lock = new ReentrantLock();
        private long linesLost;

        private Shared(Shape shape, InstantSource clock) {
            this.shape = shape;
            this.clock = clock;
        }
    }

    public JsonLog(Shape shape, InstantSource clock) {
        this(new Shared(shape, clock), ROOT, LogFields.NONE);
    }

    private JsonLog(Shared shared, String name, LogFields fields) {
        this.shared = shared;
        this.name = name;
        this.fields = fields;
    }

    @Override
    public Log named(String more) {
        return new JsonLog(shared, name + "." + more, fields);
    }

    @Override
    public Log with(@Nullable Object... keyValues) {
        return new JsonLog(shared, name, fields.plus(keyValues));
    }

    @Override
    public void say(LogLevel level, String message, @Nullable Object... keyValues) {
        var least = shared.shape.least();
        var isEcho = level == LogLevel.DEBUG && name.endsWith("." + EVENTS);
        if (level.compareTo(least) < 0 || isEcho) {
            return;
        }
        var now = shared.clock.instant();
        var caller = least == LogLevel.DEBUG ? caller() : "";
        var head = new JsonLine.Head(level, now, name, caller, message, shared.shape.commit());
        shared.lock.lock();
        try {
            if (shared.sampling.isWritten(level, message, now)) {
                write(head, fields.plus(keyValues));
            }
        } finally {
            shared.lock.unlock();
        }
    }

    /// A log that cannot be written must not stop what it tells of: the failure goes to the other
    /// outputs, and the next line that can be written says how many were lost.
    private void write(JsonLine.Head head, LogFields pairs) {
        var all = shared.linesLost == 0 ? pairs : pairs.plus("log-lines-lost", shared.linesLost);
        try {
            shared.shape.lines().write(JsonLine.of(head, all));
            shared.linesLost = 0;
        } catch (IOException failure) {
            shared.linesLost++;
            tell(head, failure);
        }
    }

    private void tell(JsonLine.Head head, IOException failure) {
        var pairs = LogFields.NONE.plus("lost", head.message(), "error", failure);
        var line =
                new JsonLine.Head(
                        LogLevel.ERROR, head.time(), ROOT, "", "log line lost", head.commit());
        try {
            shared.shape.failures().write(JsonLine.of(line, pairs));
        } catch (IOException deaf) {
            // Counted already: the next line that can be written tells of it.
        }
    }

    /// Where in our code the line was said, as `package/File.java:12`.
    private static String caller() {
        return StackWalker.getInstance()
                .walk(
                        frames ->
                                frames.filter(frame -> !OURS.contains(frame.getClassName()))
                                        .findFirst()
                                        .map(JsonLog::place)
                                        .orElse(""));
    }

    private static String place(StackWalker.StackFrame frame) {
        var owner = frame.getClassName();
        var folder = owner.substring(0, Math.max(0, owner.lastIndexOf('.')));
        return "%s/%s:%d"
                .formatted(
                        folder.substring(folder.lastIndexOf('.') + 1),
                        frame.getFileName(),
                        frame.getLineNumber());
    }
}
