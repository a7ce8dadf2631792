package dev.millwright.runtime.log;

import org.jspecify.annotations.Nullable;

/// Takes lines for people who look after the cluster: a constant lower-case phrase, then pairs of a
/// key and a value.
public interface Log {

    void say(LogLevel level, String message, @Nullable Object... keyValues);

    /// The same log under a longer name: `controller` becomes `controller.provisioner`.
    Log named(String name);

    /// The same log with these pairs on every line.
    Log with(@Nullable Object... keyValues);

    default void debug(String message, @Nullable Object... keyValues) {
        say(LogLevel.DEBUG, message, keyValues);
    }

    default void info(String message, @Nullable Object... keyValues) {
        say(LogLevel.INFO, message, keyValues);
    }

    default void warn(String message, @Nullable Object... keyValues) {
        say(LogLevel.WARN, message, keyValues);
    }

    default void error(String message, @Nullable Object... keyValues) {
        say(LogLevel.ERROR, message, keyValues);
    }
}
