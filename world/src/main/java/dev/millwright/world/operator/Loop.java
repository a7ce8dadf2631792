package dev.millwright.world.operator;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.loop.WorkQueue;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// One controller at work in a process, with the queue that it has on a real cluster.
final class Loop {

    private static final int FRAMES_SHOWN_MAX = 12;

    private final Controller controller;
    private final OperatorProcess process;
    private final WorkQueue queue;
    private Agenda.@Nullable Booking look;
    private Instant lookAt = Instant.MAX;

    Loop(Controller controller, OperatorProcess process) {
        this.controller = controller;
        this.process = process;
        this.queue = new WorkQueue(controller.pace());
    }

    void start() {
        controller.watches().forEach(this::watch);
        controller.initialKeys().forEach(this::ring);
    }

    private <T extends KubeObject> void watch(Controller.Watch<T> watch) {
        var view = process.view();
        view.cache(watch.kind())
                .listen(change -> watch.keys().of(view, change).forEach(this::ring));
    }

    void ring(ObjectName key) {
        queue.add(key);
        lookAfter(Duration.ZERO);
    }

    /// The clock jumped: what was due then may be due now.
    void clockJumped() {
        lookAfter(Duration.ZERO);
    }

    private void lookAfter(Duration wait) {
        var at = process.now().plus(wait);
        if (look != null) {
            if (!at.isBefore(lookAt)) {
                return;
            }
            look.cancel();
        }
        lookAt = at;
        look = process.life().after(wait, this::look);
    }

    private void look() {
        look = null;
        for (var key = queue.take(process.clock().instant());
                key != null;
                key = queue.take(process.clock().instant())) {
            begin(key);
        }
        var next = queue.nextAt();
        if (next != null) {
            var wait = Duration.between(process.clock().instant(), next);
            lookAfter(wait.isNegative() ? Duration.ZERO : wait);
        }
    }

    private void begin(ObjectName key) {
        Step step;
        try {
            step = controller.step(process.view(), key, process.clock().instant());
        } catch (RuntimeException bug) {
            threw(key, bug);
            settle(key, new Ending.Retry());
            return;
        }
        new Errand(process, controller.name(), step, ending -> settle(key, ending)).go();
    }

    private void threw(ObjectName key, RuntimeException bug) {
        process.say(
                LogLevel.ERROR,
                Errand.THREW,
                List.of("controller", controller.name(), "key", key, "error", bug, "at", at(bug)));
    }

    static List<StackTraceElement> at(RuntimeException bug) {
        return List.of(bug.getStackTrace()).stream().limit(FRAMES_SHOWN_MAX).toList();
    }

    private void settle(ObjectName key, Ending ending) {
        if (ending instanceof Ending.Failed(var message)) {
            process.say(
                    LogLevel.ERROR,
                    "reconciler error",
                    List.of("controller", controller.name(), "key", key, "error", message));
        }
        queue.settle(key, ending, process.clock().instant());
        lookAfter(Duration.ZERO);
    }
}
