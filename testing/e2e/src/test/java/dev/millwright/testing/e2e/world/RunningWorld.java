package dev.millwright.testing.e2e.world;

import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.world.World;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.http.KubeFront;
import dev.millwright.world.http.Questions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/// A world whose time passes some hundred times as fast as ours, on a thread of its own, with its
/// API on loopback.
final class RunningWorld implements AutoCloseable {

    private static final Duration STEP = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Questions questions = new Questions();
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
            this.front = KubeFront.open(world.store(), world.agenda(), questions, 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        this.thread = Thread.ofPlatform().name("world").start(this::run);
    }

    KubeFront front() {
        return front;
    }

    private void run() {
        try {
            while (!isOver) {
                if (!questions.answer(PAUSE)) {
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
        questions.close();
        isOver = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
