package dev.millwright.testing.e2e.world;

import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.world.World;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.http.KubeFront;
import dev.millwright.world.http.WorldThread;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A world whose time passes some hundred times as fast as ours, on a thread of its own, with its
/// API on loopback.
final class RunningWorld implements AutoCloseable {

    private static final Duration STEP = Duration.ofSeconds(5);
    private static final long STEP_MILLIS = 20;

    private final LinkedBlockingQueue<Runnable> questions = new LinkedBlockingQueue<>();
    private final World world;
    private final KubeFront front;
    private final Thread thread;
    private volatile boolean isOver;

    RunningWorld() {
        var types =
                Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT).stream()
                        .filter(type -> type.name().startsWith("m5."))
                        .toList();
        this.world = new World(WorldSettings.of(1, types), _ -> {});
        try {
            this.front = KubeFront.open(world.store(), world.agenda(), new Asking(), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        this.thread = Thread.ofPlatform().name("world").start(this::run);
    }

    KubeFront front() {
        return front;
    }

    private final class Asking implements WorldThread {

        @Override
        public <T> T ask(Supplier<T> question) throws InterruptedException {
            var answer = new CompletableFuture<T>();
            questions.add(
                    () -> {
                        try {
                            answer.complete(question.get());
                        } catch (RuntimeException failure) {
                            answer.completeExceptionally(failure);
                        }
                    });
            try {
                return answer.get();
            } catch (ExecutionException failure) {
                if (failure.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw new IllegalStateException(failure);
            }
        }
    }

    private void run() {
        try {
            while (!isOver) {
                var question = questions.poll(STEP_MILLIS, TimeUnit.MILLISECONDS);
                if (question != null) {
                    question.run();
                } else {
                    world.run(STEP);
                }
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        front.close();
        isOver = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
