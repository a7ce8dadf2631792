package dev.millwright.runtime.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Reflectors;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cluster.FakeApi;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

final class LivenessTest {

    private static final Duration WAIT_MAX = Duration.ofMinutes(2);

    private final FakeClock clock = new FakeClock();
    private Reflectors reflectors;

    /// Its keys are never looked at: the loop's clock is what matters.
    private record Idle() implements Controller {
        @Override
        public String name() {
            return "node.idle";
        }

        @Override
        public List<Watch<?>> watches() {
            return List.of();
        }

        @Override
        public Pace pace() {
            return Pace.of(1);
        }

        @Override
        public Step step(View view, ObjectName key, Instant now) {
            throw new AssertionError("no key was given");
        }
    }

    private Loops loops(InstantSource own) {
        var outside =
                new Outside(
                        new FakeApi(clock),
                        _ -> {},
                        Meter.NONE,
                        (_, _, _) -> {},
                        (_, _) -> {},
                        () -> true,
                        Outside.Mode.ACT);
        return new Loops(
                List.of(new Idle()), View.only(List.of()), outside, Loops.Tuning.NONE, own);
    }

    private Liveness liveness(Sleeper watchdogSleeper) {
        reflectors = new Reflectors(List.of(), clock, watchdogSleeper);
        return new Liveness(reflectors);
    }

    private static Sleeper forEver() {
        return _ -> new CountDownLatch(1).await();
    }

    /// What is wrong, as soon as anything is: threads end in their own time.
    private static List<String> problems(Liveness liveness) {
        var deadline = System.nanoTime() + WAIT_MAX.toNanos();
        var problems = problemsNow(liveness);
        while (problems.isEmpty() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
            problems = problemsNow(liveness);
        }
        return problems;
    }

    private static List<String> problemsNow(Liveness liveness) {
        return liveness.checks().stream().map(Check::problemNow).filter(Objects::nonNull).toList();
    }

    @AfterEach
    void close() {
        reflectors.close();
    }

    @Test
    void aProcessWhoseThreadsRunIsAlive() throws InterruptedException {
        var liveness = liveness(forEver());
        reflectors.start();
        var loops = loops(clock);
        loops.start();
        liveness.watch(loops);
        assertThat(problemsNow(liveness)).isEmpty();

        loops.stop(WAIT_MAX);
        assertThat(problemsNow(liveness)).isEmpty();
    }

    @Test
    void aProcessThatHasNotBegunIsAlive() {
        assertThat(problemsNow(liveness(forEver()))).isEmpty();
    }

    @Test
    void aControllerWhoseThreadDiedIsNamed() {
        var liveness = liveness(forEver());
        var loops =
                loops(
                        () -> {
                            throw new IllegalStateException("a clock that broke");
                        });
        loops.start();
        liveness.watch(loops);
        assertThat(problems(liveness)).singleElement().asString().contains("[node.idle]");
    }

    @Test
    void aDeadWatchdogIsNoticed() {
        var liveness =
                liveness(
                        _ -> {
                            throw new IllegalStateException("a sleeper that broke");
                        });
        reflectors.start();
        assertThat(problems(liveness)).singleElement().asString().contains("watches has died");
    }
}
