package dev.millwright.kube.client;

import io.fabric8.kubernetes.client.http.AsyncBody;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The body of an answer as a stream to block on. One piece is asked for at a time, so a slow
/// reader slows the server instead of filling memory.
///
/// A read waits for a piece no longer than its bound: a server that stops talking without hanging
/// up is noticed here.
final class BodyStream extends InputStream implements AsyncBody.Consumer<List<ByteBuffer>> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private List<ByteBuffer> pieces = List.of();
    private int piece;
    private boolean isEnded;
    private boolean isAsked;
    private @Nullable Throwable failure;
    private @Nullable AsyncBody body;
    private Bound bound = () -> Duration.ZERO;

    /// How long the next read may wait; zero or less when time is up.
    @FunctionalInterface
    interface Bound {
        Duration left();
    }

    /// Begins to read. Until then the server is not asked for a byte.
    void open(AsyncBody opened, Bound readBound) {
        lock.lock();
        try {
            body = opened;
            bound = readBound;
        } finally {
            lock.unlock();
        }
        var ignored = opened.done().whenComplete((done, thrown) -> ended(thrown));
    }

    @Override
    public void consume(List<ByteBuffer> arrived, AsyncBody from) {
        lock.lock();
        try {
            pieces = arrived;
            piece = 0;
            isAsked = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void ended(@Nullable Throwable thrown) {
        lock.lock();
        try {
            isEnded = true;
            failure = thrown;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length == 0) {
            return 0;
        }
        lock.lock();
        try {
            var next = awaitPiece();
            if (next == null) {
                return -1;
            }
            var count = Math.min(length, next.remaining());
            next.get(buffer, offset, count);
            return count;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted while reading an answer")
                            .initCause(interrupted);
        } finally {
            lock.unlock();
        }
    }

    /// A piece with bytes in it, or null at the end.
    private @Nullable ByteBuffer awaitPiece() throws IOException, InterruptedException {
        var left = bound.left().toNanos();
        while (true) {
            while (piece < pieces.size() && !pieces.get(piece).hasRemaining()) {
                piece++;
            }
            if (piece < pieces.size()) {
                return pieces.get(piece);
            }
            if (isEnded) {
                if (failure != null) {
                    throw new IOException("the connection broke inside an answer", failure);
                }
                return null;
            }
            if (left <= 0) {
                throw new SocketTimeoutException("the server fell silent inside an answer");
            }
            if (isAsked) {
                left = changed.awaitNanos(left);
            } else {
                ask(); // The piece may be there already and come at once, on this thread.
            }
        }
    }

    private void ask() {
        isAsked = true;
        Objects.requireNonNull(body, "a body is opened before it is read").consume();
    }

    /// Hangs up, unless the answer was read to its end.
    @Override
    public void close() {
        AsyncBody opened;
        lock.lock();
        try {
            opened = isEnded ? null : body;
        } finally {
            lock.unlock();
        }
        if (opened != null) {
            opened.cancel();
        }
    }
}
