package dev.millwright.runtime.log;

/// How much a line matters, least first.
public enum LogLevel {
    /// Why the world did not change.
    DEBUG,
    /// The world changed because of us.
    INFO,
    /// We coped.
    WARN,
    /// A human must act.
    ERROR
}
