package dev.millwright.kube.time;

/// A clock that only measures: it never jumps when somebody sets the time of day.
@FunctionalInterface
public interface Ticker {

    /// Nanoseconds since some moment that is the same for the whole process.
    long nanos();

    static Ticker system() {
        return System::nanoTime;
    }
}
