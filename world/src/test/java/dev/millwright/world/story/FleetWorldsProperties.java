package dev.millwright.world.story;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.world.WorldSettings;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.scenario.Scenarios;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;

/// Worlds with everything that can go wrong whose fleets are consolidated as a whole: no price
/// rises by it, nothing goes in circles, and no other invariant breaks.
final class FleetWorldsProperties {

    private static final int SEEDS = 100;
    private static final int THOROUGH_EVERY = 50;
    private static final int PODS = 30;
    private static final Duration LENGTH = Duration.ofMinutes(45);
    private static final Theatre THEATRE =
            Theatre.ec2().with(WorldSettings.operator(Map.of("consolidation", "cheapest")));

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
