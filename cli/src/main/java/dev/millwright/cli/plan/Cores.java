package dev.millwright.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntConsumer;

/// Does the same with many things, on all cores of this machine.
public final class Cores {

    private Cores() {}

    /// In the order of what was given.
    ///
    /// @param done hears how many are done; from any thread, one at a time
    public static <A, B> List<B> map(List<A> all, Function<A, B> work, IntConsumer done)
            throws InterruptedException {
        var count = new AtomicInteger();
        var threads = Math.clamp(all.size(), 1, Runtime.getRuntime().availableProcessors());
        try (var executor = Executors.newFixedThreadPool(threads)) {
            var calls = new ArrayList<Callable<B>>();
            for (var each : all) {
                calls.add(
                        () -> {
                            var result = work.apply(each);
                            synchronized (count) {
                                done.accept(count.incrementAndGet());
                            }
                            return result;
                        });
            }
            var results = new ArrayList<B>();
            for (var future : executor.invokeAll(calls)) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(failure.getCause());
        }
    }
}
