package dev.millwright.kube.time;

import java.time.Duration;

/// Waits. Tests wait by moving their clock.
@FunctionalInterface
public interface Sleeper {

    void sleep(Duration duration) throws InterruptedException;

    static Sleeper system() {
        return Thread::sleep;
    }
}
