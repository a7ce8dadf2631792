package dev.millwright.testing.kit.log;

import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.log.LogFields;
import dev.millwright.runtime.log.LogLevel;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Keeps every line, at every level, in the order they were said.
public final class RecordingLog implements Log {

    private final List<Line> lines;
    private final String name;
    private final LogFields fields;

    public record Line(LogLevel level, String logger, String message, LogFields fields) {}

    public RecordingLog() {
        this(new CopyOnWriteArrayList<>(), "", LogFields.NONE);
    }

    private RecordingLog(List<Line> lines, String name, LogFields fields) {
        this.lines = lines;
        this.name = name;
        this.fields = fields;
    }

    @Override
    public void say(LogLevel level, String message, @Nullable Object... keyValues) {
        lines.add(new Line(level, name, message, fields.plus(keyValues)));
    }

    @Override
    public Log named(String more) {
        return new RecordingLog(lines, name.isEmpty() ? more : name + "." + more, fields);
    }

    @Override
    public Log with(@Nullable Object... keyValues) {
        return new RecordingLog(lines, name, fields.plus(keyValues));
    }

    public List<Line> lines() {
        return List.copyOf(lines);
    }

    /// The phrases of one level.
    public List<String> messages(LogLevel level) {
        return lines.stream().filter(line -> line.level() == level).map(Line::message).toList();
    }
}
