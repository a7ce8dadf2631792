package dev.millwright.world.http;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Questions that wait for the world's thread, which answers them whenever it likes: between two
/// steps of time, or while it waits for the next.
public final class Questions implements WorldThread, AutoCloseable {

    /// Questions that wait at once; who asks beyond that waits to ask.
    private static final int WAITING_MAX = 256;

    /// How long somebody waits until he looks whether the world has ended.
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final BlockingQueue<Runnable> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private volatile boolean isOver;

    @Override
    public <T> T ask(Supplier<T> question) throws InterruptedException {
        var answer = new CompletableFuture<T>();
        Runnable asked =
                () -> {
                    try {
                        answer.complete(question.get());
                    } catch (RuntimeException failure) {
                        answer.completeExceptionally(failure);
                    }
                };
        while (!waiting.offer(asked, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            checkOpen();
        }
        while (true) {
            checkOpen();
            try {
                return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                // Whether the world goes on is asked for above.
            } catch (ExecutionException failure) {
                throw failure.getCause() instanceof RuntimeException cause
                        ? cause
                        : new IllegalStateException(failure);
            }
        }
    }

    private void checkOpen() throws InterruptedException {
        if (isOver || Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("the world has ended");
        }
    }

    /// For the world's thread: answers one question, if one comes in this time. Returns whether one
    /// did.
    public boolean answer(Duration patience) throws InterruptedException {
        var question = waiting.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (question == null) {
            return false;
        }
        question.run();
        return true;
    }

    /// Whoever still waits is told that nobody will answer.
    @Override
    public void close() {
        isOver = true;
    }
}
