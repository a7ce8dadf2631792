package dev.millwright.world.story;

import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.scenario.Scenarios;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;

/// Small worlds of many seeds with everything that can go wrong, on all processors. One that breaks
/// an invariant is told as a story by `millwright world --seeds SEED --hours 0.75 --pods 30
/// --packing PACKING`.
///
/// Seeds that are odd are packed by the default, the others as Karpenter would.
record ManyWorlds(Theatre cheapest, Theatre firstFit) {

    /// Odd, so that both packings are looked at thoroughly.
    private static final int THOROUGH_EVERY = 25;

    private static final int PODS = 30;
    private static final Duration LENGTH = Duration.ofMinutes(45);

    /// @param flags what the operator is told besides
    static ManyWorlds with(Map<String, String> flags) {
        return new ManyWorlds(theatre(flags, Packing.CHEAPEST), theatre(flags, Packing.FIRST_FIT));
    }

    private static Theatre theatre(Map<String, String> flags, Packing packing) {
        var all = new TreeMap<>(flags);
        all.put("packing", packing.text());
        return Theatre.ec2().with(WorldSettings.operator(all));
    }

    /// What the seeds broke, both ends included.
    List<String> breaches(long first, long last) throws InterruptedException, ExecutionException {
        var worlds =
                LongStream.rangeClosed(first, last)
                        .mapToObj(seed -> (Callable<List<String>>) () -> breachesOf(seed))
                        .toList();
        var broken = new ArrayList<String>();
        var processors = Runtime.getRuntime().availableProcessors();
        try (var threads = Executors.newFixedThreadPool(processors)) {
            for (var world : threads.invokeAll(worlds)) {
                broken.addAll(world.get());
            }
        }
        return broken;
    }

    private List<String> breachesOf(long seed) {
        var setting =
                new Setting(seed, Scenarios.of(seed), EnumSet.allOf(Fault.class), LENGTH, PODS);
        var packing = seed % 2 == 0 ? Packing.FIRST_FIT : Packing.CHEAPEST;
        var theatre =
                switch (packing) {
                    case FIRST_FIT -> firstFit;
                    case CHEAPEST -> cheapest;
                };
        return Trial.of(theatre, setting, seed % THOROUGH_EVERY == 0).breaches().stream()
                .map(breach -> "seed %d, --packing %s: %s".formatted(seed, packing.text(), breach))
                .toList();
    }
}
