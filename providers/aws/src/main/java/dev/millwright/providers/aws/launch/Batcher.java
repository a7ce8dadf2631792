package dev.millwright.providers.aws.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// Gathers questions that come close together and asks them as one.
///
/// The first question opens a window; it closes when no other has come for a while, when it has
/// been open for long, or when it is full. Then the questions that may go together are asked in one
/// call, each such group at once with the others.
///
/// @param <Q> a question
/// @param <A> its answer; failures are answers too
final class Batcher<Q, A> {

    /// When a window closes.
    record Window(Duration idle, Duration max, int items) {}

    /// Asks several questions at once. Answers are in the order of the questions, one each.
    @FunctionalInterface
    interface Call<Q, A> {
        List<A> ask(List<Q> questions);
    }

    /// Hears of every call that was made.
    @FunctionalInterface
    interface Listener {
        void asked(int questions, Duration windowOpen);
    }

    /// Calls under way at once.
    private static final int CALLS_MAX = 100;

    private record Waiting<Q, A>(Q question, CompletableFuture<A> answer) {}

    private final Window window;
    private final Function<Q, Object> bucket;
    private final Call<Q, A> call;
    private final Executor executor;
    private final Listener listener;
    private final Semaphore calls = new Semaphore(CALLS_MAX);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private List<Waiting<Q, A>> waiting = new ArrayList<>();

    /// @param bucket questions with equal buckets go together
    /// @param executor runs each call, and keeps the window; it must not run them in the caller
    Batcher(
            Window window,
            Function<Q, Object> bucket,
            Call<Q, A> call,
            Executor executor,
            Listener listener) {
        this.window = window;
        this.bucket = bucket;
        this.call = call;
        this.executor = executor;
        this.listener = listener;
    }

    /// Waits until the question has been asked along with its neighbours.
    A ask(Q question) {
        var answer = new CompletableFuture<A>();
        lock.lock();
        try {
            waiting.add(new Waiting<>(question, answer));
            if (waiting.size() == 1) {
                executor.execute(this::keepWindow);
            } else {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        return answer.join();
    }

    private void keepWindow() {
        var openedAt = System.nanoTime();
        List<Waiting<Q, A>> gathered;
        lock.lock();
        try {
            awaitClosing(openedAt);
            gathered = waiting;
            waiting = new ArrayList<>();
        } finally {
            lock.unlock();
        }
        var open = Duration.ofNanos(System.nanoTime() - openedAt);
        var buckets = new LinkedHashMap<Object, List<Waiting<Q, A>>>();
        for (var each : gathered) {
            buckets.computeIfAbsent(bucket.apply(each.question()), _ -> new ArrayList<>())
                    .add(each);
        }
        for (var together : buckets.sequencedValues()) {
            executor.execute(() -> askTogether(together, open));
        }
    }

    private void awaitClosing(long openedAt) {
        var closesAt = openedAt + window.max().toNanos();
        var idleAt = openedAt + window.idle().toNanos();
        var seen = waiting.size();
        while (waiting.size() < window.items()) {
            var left = Math.min(closesAt, idleAt) - System.nanoTime();
            if (left <= 0) {
                return;
            }
            try {
                var _ = changed.awaitNanos(left);
            } catch (InterruptedException _) {
                // Whoever waits for an answer gets one sooner.
                return;
            }
            if (waiting.size() > seen) {
                seen = waiting.size();
                idleAt = System.nanoTime() + window.idle().toNanos();
            }
        }
    }

    /// Nobody is left waiting, whatever becomes of the call.
    private void askTogether(List<Waiting<Q, A>> together, Duration open) {
        calls.acquireUninterruptibly();
        try {
            listener.asked(together.size(), open);
            var answers = call.ask(together.stream().map(Waiting::question).toList());
            for (var i = 0; i < together.size(); i++) {
                together.get(i).answer().complete(answers.get(i));
            }
        } catch (RuntimeException failure) {
            together.forEach(each -> each.answer().completeExceptionally(failure));
        } finally {
            calls.release();
        }
    }
}
