package dev.millwright.runtime.loop;

import dev.millwright.runtime.step.Step.Ending;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Carries out steps that do not depend on each other on virtual threads, a bounded number at once.
public final class ThreadBranches implements EffectRunner.Branches {

    @Override
    public List<Ending> run(List<Supplier<Ending>> steps, int atOnce) {
        var permits = new Semaphore(atOnce);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Callable<Ending>>();
            for (var step : steps) {
                calls.add(() -> permitted(step, permits));
            }
            return threads.invokeAll(calls).stream().map(ThreadBranches::ending).toList();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return List.of(new Ending.Retry());
        }
    }

    private static Ending permitted(Supplier<Ending> step, Semaphore permits)
            throws InterruptedException {
        permits.acquire();
        try {
            return step.get();
        } finally {
            permits.release();
        }
    }

    private static Ending ending(Future<Ending> future) {
        return future.state() == Future.State.SUCCESS
                ? future.resultNow()
                : new Ending.Failed("a step threw: " + future.exceptionNow());
    }
}
