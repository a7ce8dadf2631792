package dev.millwright.cli.world;

import dev.millwright.world.fault.Fault;
import dev.millwright.world.invariant.Breach;
import dev.millwright.world.scenario.Scenario;
import dev.millwright.world.scenario.Scenarios;
import dev.millwright.world.story.Scene;
import dev.millwright.world.story.Setting;
import dev.millwright.world.story.Shrinker;
import dev.millwright.world.story.Story;
import dev.millwright.world.story.Theatre;
import dev.millwright.world.story.Trial;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// Plays worlds of many seeds, each by one thread.
public final class Season {

    /// Every so many seeds one is played again: with the same log, and without restarts.
    private static final int THOROUGH_EVERY = 20;

    /// Failures kept with their seed; all are counted.
    private static final int FAILURES_MAX = 1_000;

    /// Failures, each of another invariant, that are shrunk to a story.
    private static final int STORIES_MAX = 3;

    /// What is asked for.
    ///
    /// @param scenario null means that seeds go round all of them
    /// @param threads worlds at once
    /// @param isShrinking whether failures are shrunk to stories
    public record Programme(
            SeedRange seeds,
            @Nullable Scenario scenario,
            Set<Fault> faults,
            Duration length,
            int pods,
            int threads,
            boolean isShrinking) {

        public Setting setting(long seed) {
            return new Setting(
                    seed, scenario == null ? Scenarios.of(seed) : scenario, faults, length, pods);
        }
    }

    /// One seed that broke one invariant, the first time it did.
    public record Failure(long seed, String scenario, Breach breach) {}

    /// How far it has come, and what the world that ended last broke.
    public record Progress(long played, long count, long broken, List<Failure> latest) {
        public Progress {
            latest = List.copyOf(latest);
        }
    }

    /// What came of it.
    ///
    /// @param broken pairs of seed and invariant
    /// @param stories in words, of the first failures
    public record Review(
            long seeds,
            long broken,
            List<Failure> failures,
            List<String> stories,
            long pods,
            long launches,
            long evictions,
            double pricePerHourMean) {
        public Review {
            failures = List.copyOf(failures);
            stories = List.copyOf(stories);
        }
    }

    private final Theatre theatre;
    private final Programme programme;
    private final List<Failure> failures = new ArrayList<>();
    private long played;
    private long broken;
    private long pods;
    private long launches;
    private long evictions;
    private double price;

    public Season(Theatre theatre, Programme programme) {
        this.theatre = theatre;
        this.programme = programme;
    }

    public Review play(Consumer<Progress> progress) throws InterruptedException {
        var seeds = programme.seeds();
        try (var threads = Executors.newFixedThreadPool(programme.threads())) {
            try {
                playAll(new ExecutorCompletionService<>(threads), progress);
            } catch (InterruptedException stopped) {
                threads.shutdownNow();
                throw stopped;
            }
        }
        failures.sort(
                Comparator.comparingLong(Failure::seed)
                        .thenComparing(each -> each.breach().invariant()));
        return new Review(
                seeds.count(),
                broken,
                failures,
                stories(),
                pods,
                launches,
                evictions,
                played == 0 ? 0 : price / played);
    }

    /// As many are under way as there are threads, and no more wait.
    private void playAll(ExecutorCompletionService<Trial> worlds, Consumer<Progress> progress)
            throws InterruptedException {
        var seeds = programme.seeds();
        var next = seeds.from();
        var underWay = 0;
        while (next <= seeds.to() || underWay > 0) {
            while (next <= seeds.to() && underWay < programme.threads()) {
                var seed = next;
                worlds.submit(() -> trial(seed));
                next++;
                underWay++;
            }
            var latest = add(result(worlds));
            underWay--;
            progress.accept(new Progress(played, seeds.count(), broken, latest));
        }
    }

    private Trial trial(long seed) {
        return Trial.of(theatre, programme.setting(seed), seed % THOROUGH_EVERY == 0);
    }

    private static Trial result(ExecutorCompletionService<Trial> worlds)
            throws InterruptedException {
        try {
            return worlds.take().get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a world threw, which is a bug", failed.getCause());
        }
    }

    private List<Failure> add(Trial trial) {
        played++;
        pods += trial.ending().pods();
        launches += trial.ending().launches();
        evictions += trial.ending().evictions();
        price += trial.ending().pricePerHourMean();
        var first = new LinkedHashMap<String, Breach>();
        trial.breaches().forEach(breach -> first.putIfAbsent(breach.invariant(), breach));
        broken += first.size();
        var latest = new ArrayList<Failure>();
        for (var breach : first.values()) {
            latest.add(
                    new Failure(trial.setting().seed(), trial.setting().scenario().name(), breach));
        }
        if (failures.size() + latest.size() <= FAILURES_MAX) {
            failures.addAll(latest);
        }
        return latest;
    }

    private List<String> stories() {
        if (!programme.isShrinking()) {
            return List.of();
        }
        var stories = new LinkedHashMap<String, String>();
        for (var failure : failures) {
            var invariant = failure.breach().invariant();
            var isToldByOneWorld =
                    !invariant.equals(Trial.SAME_LOG) && !invariant.equals(Trial.SAME_OUTCOME);
            if (isToldByOneWorld
                    && stories.size() < STORIES_MAX
                    && !stories.containsKey(invariant)) {
                var scene = Scene.of(programme.setting(failure.seed()));
                var shrunk = Shrinker.shrink(theatre::play, scene, failure.breach());
                stories.put(invariant, Story.of(theatre, shrunk));
            }
        }
        return List.copyOf(stories.values());
    }
}
