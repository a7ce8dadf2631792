package dev.millwright.kube.client;

import dev.millwright.kube.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// Counts what the answers of one server have taken of its client's budget.
final class AnswerBudget {

    private final ApiSettings.@Nullable Budget budget;
    private final Ticker ticker;
    private final long openedNanos;
    private final AtomicLong bytes = new AtomicLong();

    AnswerBudget(ApiSettings.@Nullable Budget budget, Ticker ticker) {
        this.budget = budget;
        this.ticker = ticker;
        this.openedNanos = ticker.nanos();
    }

    boolean isBounded() {
        return budget != null;
    }

    /// The wanted time, or what is left if that is less.
    ///
    /// @throws SocketTimeoutException when none is left
    Duration timeout(Duration wanted) throws SocketTimeoutException {
        if (budget == null) {
            return wanted;
        }
        var left = budget.timeMax().minus(Duration.ofNanos(ticker.nanos() - openedNanos));
        if (left.isNegative() || left.isZero()) {
            throw new SocketTimeoutException(
                    "its answers took longer than %d s in all"
                            .formatted(budget.timeMax().toSeconds()));
        }
        return left.compareTo(wanted) < 0 ? left : wanted;
    }

    InputStream bounded(InputStream body) {
        return budget == null ? body : new Counted(body, budget.bytesMax());
    }

    private final class Counted extends FilterInputStream {

        private final long bytesMax;

        Counted(InputStream body, long bytesMax) {
            super(body);
            this.bytesMax = bytesMax;
        }

        @Override
        public int read() throws IOException {
            var read = super.read();
            if (read >= 0) {
                count(1);
            }
            return read;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            var read = super.read(buffer, offset, length);
            if (read > 0) {
                count(read);
            }
            return read;
        }

        private void count(int read) throws IOException {
            if (bytes.addAndGet(read) > bytesMax) {
                throw new IOException(
                        "its answers have more than %d bytes in all".formatted(bytesMax));
            }
        }
    }
}
