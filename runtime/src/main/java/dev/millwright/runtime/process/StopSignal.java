package dev.millwright.runtime.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Carries the wish to stop from whoever has it to who runs, and the exit code back.
public final class StopSignal {

    /// What a process ends with that did not end well.
    private static final int FAILED = 1;

    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int exitCode = FAILED;

    public void request() {
        requested.countDown();
    }

    public boolean isRequested() {
        return requested.getCount() == 0;
    }

    /// Returns when somebody wants a stop.
    public void await() throws InterruptedException {
        requested.await();
    }

    /// Says that what ran has ended.
    public void end(int code) {
        exitCode = code;
        ended.countDown();
    }

    /// The code of what ran; that of a failure if it does not end in time.
    public int exitCode(Duration within) throws InterruptedException {
        var isInTime = ended.await(within.toMillis(), TimeUnit.MILLISECONDS);
        return isInTime ? exitCode : FAILED;
    }
}
