package dev.millwright.kube.webhook;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Ends transfers whose other side sends nothing, or reads nothing. The server has a time limit for
/// requests alone, and a long one; what a transfer waits for is ended by interrupting its thread,
/// which closes the connection.
final class TransferDeadline implements AutoCloseable {

    private final Duration transferMax;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofVirtual().name("webhook-transfers").factory());

    TransferDeadline(Duration transferMax) {
        this.transferMax = transferMax;
    }

    @FunctionalInterface
    interface Transfer<T> {
        T bytes() throws IOException;
    }

    <T> T within(Transfer<T> transfer) throws IOException {
        var thread = Thread.currentThread();
        var isOver = new AtomicBoolean();
        var alarm =
                timer.schedule(
                        () -> {
                            if (isOver.compareAndSet(false, true)) {
                                thread.interrupt();
                            }
                        },
                        transferMax.toMillis(),
                        TimeUnit.MILLISECONDS);
        @Nullable IOException failure = null;
        @Nullable T done = null;
        try {
            done = transfer.bytes();
        } catch (IOException broken) {
            failure = broken;
        }
        alarm.cancel(false);
        if (!isOver.compareAndSet(false, true)) {
            // The interrupt is ours, comes at once, and has closed the connection.
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
            throw new SocketTimeoutException("a transfer took longer than " + transferMax);
        }
        if (failure != null || done == null) {
            throw failure == null ? new IOException("nothing was transferred") : failure;
        }
        return done;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
