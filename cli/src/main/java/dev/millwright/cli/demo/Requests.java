package dev.millwright.cli.demo;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Controls;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Hands what visitors ask for from the page's threads to the one that plays, and the outcome back.
final class Requests implements Controls {

    /// More than people can click; a program that asks for more is told to wait.
    private static final int WAITING_MAX = 64;

    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    /// An action on its way, and what came of it.
    private static final class Request {
        private final Action action;
        private final CountDownLatch answered = new CountDownLatch(1);
        private volatile @Nullable Outcome outcome;

        private Request(Action action) {
            this.action = action;
        }

        private void answer(Outcome found) {
            outcome = found;
            answered.countDown();
        }
    }

    private final BlockingQueue<Request> queue = new ArrayBlockingQueue<>(WAITING_MAX);

    @Override
    public Outcome carryOut(Action action) throws InterruptedException {
        var request = new Request(action);
        if (!queue.offer(request)) {
            return new Outcome.Refused("too much at once; try again in a second");
        }
        var isAnswered = request.answered.await(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
        var outcome = request.outcome;
        return isAnswered && outcome != null
                ? outcome
                : new Outcome.Refused("the demo is too busy to answer, or is ending");
    }

    /// Waits for the first request, no longer than told, and carries out all there are.
    boolean serve(Duration wait, Function<Action, Outcome> carryOut) throws InterruptedException {
        var request = queue.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
        var isSome = request != null;
        while (request != null) {
            request.answer(carryOut.apply(request.action));
            request = queue.poll();
        }
        return isSome;
    }
}
