package dev.millwright.runtime.loop;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/// Runs one controller: takes keys from its queue, each on a virtual thread of its own, and puts
/// them back as their steps end.
///
/// A step that throws is a bug; it is told, and the loop goes on with the next key.
final class ControllerLoop {

    private final Controller controller;
    private final View view;
    private final EffectRunner runner;
    private final InstantSource clock;
    private final Outside.Diary diary;
    private final BiConsumer<Ending, Duration> ended;
    private final WorkQueue queue;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int running;
    private boolean isStopped;
    private volatile @Nullable Thread dispatcher;

    ControllerLoop(
            Controller controller,
            View view,
            EffectRunner runner,
            InstantSource clock,
            Outside.Diary diary) {
        this(controller, view, runner, clock, diary, (_, _) -> {});
    }

    /// `ended` hears how each step ended, and how long it took.
    ControllerLoop(
            Controller controller,
            View view,
            EffectRunner runner,
            InstantSource clock,
            Outside.Diary diary,
            BiConsumer<Ending, Duration> ended) {
        this.controller = controller;
        this.view = view;
        this.runner = runner;
        this.clock = clock;
        this.diary = diary;
        this.ended = ended;
        this.queue = new WorkQueue(controller.pace());
    }

    String name() {
        return controller.name();
    }

    /// Looks at what is there, and from now on at what changes.
    void start() {
        controller.watches().forEach(this::watch);
        controller.initialKeys().forEach(this::ring);
        dispatcher = Thread.ofVirtual().name(controller.name()).start(this::dispatch);
    }

    private <T extends KubeObject> void watch(Controller.Watch<T> watch) {
        view.cache(watch.kind())
                .listen(change -> watch.keys().of(view, change).forEach(this::ring));
    }

    void ring(ObjectName key) {
        lock.lock();
        try {
            queue.add(key);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Whether it takes no more keys although nobody stopped it.
    boolean isDead() {
        lock.lock();
        try {
            return !isStopped
                    && dispatcher != null
                    && dispatcher.getState() == Thread.State.TERMINATED;
        } finally {
            lock.unlock();
        }
    }

    /// Takes no new keys and waits for those being looked at, up to the bound.
    void stop(Duration most) throws InterruptedException {
        var nanos = most.toNanos();
        lock.lock();
        try {
            isStopped = true;
            changed.signalAll();
            while (running > 0 && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
        if (dispatcher != null) {
            dispatcher.interrupt();
        }
    }

    private void dispatch() {
        try {
            while (true) {
                var key = next();
                if (key == null) {
                    return;
                }
                Thread.ofVirtual().name(controller.name()).start(() -> look(key));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// The next key, or null once the loop has been stopped.
    private @Nullable ObjectName next() throws InterruptedException {
        lock.lock();
        try {
            while (!isStopped) {
                var key = queue.take(clock.instant());
                if (key != null) {
                    running++;
                    return key;
                }
                var at = queue.nextAt();
                if (at == null) {
                    changed.await();
                } else {
                    awaitUntil(at);
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // The loop is the caller's, which asks the queue again.
    private void awaitUntil(Instant at) throws InterruptedException {
        var nanos = Duration.between(clock.instant(), at).toNanos();
        if (nanos > 0) {
            var _ = changed.awaitNanos(nanos);
        }
    }

    private void look(ObjectName key) {
        Ending ending = new Ending.Retry();
        var began = System.nanoTime();
        try {
            ending = runner.run(controller.step(view, key, clock.instant()));
        } catch (RuntimeException bug) {
            diary.say(
                    LogLevel.ERROR,
                    "a step threw, which is a bug; it is tried again",
                    List.of("key", key.toString(), "error", bug.toString(), "trace", trace(bug)));
        } finally {
            settle(key, ending);
            ended.accept(ending, Duration.ofNanos(System.nanoTime() - began));
        }
    }

    private static String trace(RuntimeException bug) {
        var text = new StringBuilder();
        for (var frame : bug.getStackTrace()) {
            if (text.length() > 2_000) {
                break;
            }
            text.append(frame).append(' ');
        }
        return text.toString();
    }

    private void settle(ObjectName key, Ending ending) {
        if (ending instanceof Ending.Failed(var message)) {
            diary.say(
                    LogLevel.ERROR,
                    "reconciler error",
                    List.of("key", key.toString(), "error", message));
        }
        lock.lock();
        try {
            queue.settle(key, ending, clock.instant());
            running--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
