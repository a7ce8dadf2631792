package dev.millwright.testing.architecture.broken.controllers.sleep;

/// A step that waits by itself.
public final class Sleeper {

    static void nap() throws InterruptedException {
        Thread.sleep(1);
    }
}
