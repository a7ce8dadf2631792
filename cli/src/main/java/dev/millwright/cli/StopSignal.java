package dev.millwright.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Carries the wish to stop from whoever has it to who runs, and the exit code back.
final class StopSignal {

    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int exitCode = Failures.EXIT_CODE;

    void request() {
        requested.countDown();
    }

    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /// Returns when somebody wants a stop.
    void await() throws InterruptedException {
        requested.await();
    }

    /// Says that what ran has ended.
    void end(int code) {
        exitCode = code;
        ended.countDown();
    }

    /// The code of what ran; that of a failure if it does not end in time.
    int exitCode(Duration within) throws InterruptedException {
        var isInTime = ended.await(within.toMillis(), TimeUnit.MILLISECONDS);
        return isInTime ? exitCode : Failures.EXIT_CODE;
    }
}
