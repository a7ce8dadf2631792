package dev.millwright.runtime.loop;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All controllers of a process, each in its loop. They start together once the caches are filled
/// and this process leads, and stop together.
public final class Loops {

    private final Map<String, ControllerLoop> byName = new LinkedHashMap<>();
    private final Outside outside;

    /// `tuned` gives each controller its own outside: a log that names it, calls that are counted
    /// for it.
    public Loops(
            List<Controller> controllers,
            View view,
            Outside outside,
            Tuning tuned,
            InstantSource clock) {
        this.outside = outside;
        for (var controller : controllers) {
            var own = tuned.of(controller.name(), outside.withBell(this::ring));
            var runner = new EffectRunner(view, own, new ThreadBranches());
            var before =
                    byName.put(
                            controller.name(),
                            new ControllerLoop(
                                    controller,
                                    view,
                                    runner,
                                    clock,
                                    own.diary(),
                                    (ending, took) ->
                                            tuned.ended(controller.name(), ending, took)));
            if (before != null) {
                throw new IllegalArgumentException(
                        "two controllers are called %s".formatted(controller.name()));
            }
        }
    }

    /// What the outside of one controller is, and who hears how its steps end.
    @FunctionalInterface
    public interface Tuning {
        Outside of(String controller, Outside outside);

        default void ended(String controller, Ending ending, Duration took) {}

        Tuning NONE = (_, outside) -> outside;
    }

    /// A controller that is not there, because its gate is off, hears nothing.
    public void ring(String controller, ObjectName key) {
        var loop = byName.get(controller);
        if (loop != null) {
            loop.ring(key);
        }
    }

    public void start() {
        byName.values().forEach(ControllerLoop::start);
        outside.diary()
                .say(LogLevel.INFO, "started controllers", List.of("controllers", byName.size()));
    }

    /// The controllers that take no more keys although nobody stopped them.
    public List<String> dead() {
        return byName.values().stream()
                .filter(ControllerLoop::isDead)
                .map(ControllerLoop::name)
                .toList();
    }

    /// All at once, so that the bound holds for the whole.
    public void stop(Duration most) throws InterruptedException {
        var stopping = new ArrayList<Thread>();
        for (var loop : byName.values()) {
            stopping.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            loop.stop(most);
                                        } catch (InterruptedException stopped) {
                                            Thread.currentThread().interrupt();
                                        }
                                    }));
        }
        for (var thread : stopping) {
            thread.join(most);
        }
    }
}
