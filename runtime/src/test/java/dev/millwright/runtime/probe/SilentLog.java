package dev.millwright.runtime.probe;

import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.log.LogLevel;

import org.jspecify.annotations.Nullable;

/// Hears everything and says nothing.
record SilentLog() implements Log {

    @Override
    public void say(LogLevel level, String message, @Nullable Object... keyValues) {}

    @Override
    public Log named(String name) {
        return this;
    }

    @Override
    public Log with(@Nullable Object... keyValues) {
        return this;
    }
}
