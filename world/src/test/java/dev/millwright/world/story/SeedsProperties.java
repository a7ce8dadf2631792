package dev.millwright.world.story;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.world.fault.Fault;
import dev.millwright.world.scenario.Scenarios;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;

/// Worlds with everything that can go wrong, none of which may break an invariant. One that does is
/// told as a story by `millwright world --seeds SEED --hours 0.75 --pods 30`.
final class SeedsProperties {

    private static final int SEEDS = 500;
    private static final int THOROUGH_EVERY = 50;
    private static final int PODS = 30;
    private static final Duration LENGTH = Duration.ofMinutes(45);
    private static final Theatre THEATRE = Theatre.ec2();

    private static List<String> breaches(long seed) {
        var setting =
                new Setting(seed, Scenarios.of(seed), EnumSet.allOf(Fault.class), LENGTH, PODS);
        return Trial.of(THEATRE, setting, seed % THOROUGH_EVERY == 0).breaches().stream()
                .map(breach -> "seed %d: %s".formatted(seed, breach))
                .toList();
    }

    @Test
    void noSeedBreaksAnInvariant() throws InterruptedException, ExecutionException {
        var worlds =
                LongStream.rangeClosed(1, SEEDS)
                        .mapToObj(seed -> (Callable<List<String>>) () -> breaches(seed))
                        .toList();
        var broken = new ArrayList<String>();
        var processors = Runtime.getRuntime().availableProcessors();
        try (var threads = Executors.newFixedThreadPool(processors)) {
            for (var world : threads.invokeAll(worlds)) {
                broken.addAll(world.get());
            }
        }

        assertThat(broken).isEmpty();
    }
}
