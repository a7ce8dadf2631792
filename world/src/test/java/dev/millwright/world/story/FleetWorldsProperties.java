package dev.millwright.world.story;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.ExecutionException;

/// Worlds with everything that can go wrong whose fleets are consolidated as a whole: no price
/// rises by it, nothing goes in circles, and no other invariant breaks.
final class FleetWorldsProperties {

    private static final long FIRST_SEEDS = 2;
    private static final long ALL_SEEDS = 100;
    private static final Map<String, String> FLAGS = Map.of("consolidation", "cheapest");

    @Test
    void noSeedBreaksAnInvariant() throws InterruptedException, ExecutionException {
        assertThat(ManyWorlds.with(FLAGS).breaches(1, FIRST_SEEDS)).isEmpty();
    }

    @Test
    @Tag("long")
    void noneOfManySeedsBreaksAnInvariant() throws InterruptedException, ExecutionException {
        assertThat(ManyWorlds.with(FLAGS).breaches(FIRST_SEEDS + 1, ALL_SEEDS)).isEmpty();
    }
}
