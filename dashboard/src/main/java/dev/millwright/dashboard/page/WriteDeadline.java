package dev.millwright.dashboard.page;

import org.jspecify.annotations.Nullable;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Ends writes whose reader does not read. A socket has a time limit for reading alone; what a
/// write waits for is ended by interrupting its thread, which closes the connection.
final class WriteDeadline implements AutoCloseable {

    private final Duration writeMax;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofVirtual().name("dashboard-writes").factory());

    WriteDeadline(Duration writeMax) {
        this.writeMax = writeMax;
    }

    OutputStream of(OutputStream out) {
        return new Timed(out);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    @FunctionalInterface
    private interface Writing {
        void write() throws IOException;
    }

    private final class Timed extends FilterOutputStream {

        Timed(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int one) throws IOException {
            within(() -> out.write(one));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            within(() -> out.write(bytes, offset, length));
        }

        @Override
        public void flush() throws IOException {
            within(out::flush);
        }

        private void within(Writing writing) throws IOException {
            var writer = Thread.currentThread();
            var isOver = new AtomicBoolean();
            var alarm =
                    timer.schedule(
                            () -> {
                                if (isOver.compareAndSet(false, true)) {
                                    writer.interrupt();
                                }
                            },
                            writeMax.toMillis(),
                            TimeUnit.MILLISECONDS);
            @Nullable IOException failure = null;
            try {
                writing.write();
            } catch (IOException broken) {
                failure = broken;
            }
            alarm.cancel(false);
            if (!isOver.compareAndSet(false, true)) {
                // The interrupt is ours, comes at once, and has closed the connection.
                while (!Thread.interrupted()) {
                    Thread.onSpinWait();
                }
                throw new SocketTimeoutException("the reader took longer than " + writeMax);
            }
            if (failure != null) {
                throw failure;
            }
        }
    }
}
