package dev.millwright.world.story;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.ExecutionException;

/// Worlds with everything that can go wrong, none of which may break an invariant.
final class SeedsProperties {

    private static final long FIRST_SEEDS = 6;
    private static final long ALL_SEEDS = 500;

    @Test
    void noSeedBreaksAnInvariant() throws InterruptedException, ExecutionException {
        assertThat(ManyWorlds.with(Map.of()).breaches(1, FIRST_SEEDS)).isEmpty();
    }

    @Test
    @Tag("long")
    void noneOfManySeedsBreaksAnInvariant() throws InterruptedException, ExecutionException {
        assertThat(ManyWorlds.with(Map.of()).breaches(FIRST_SEEDS + 1, ALL_SEEDS)).isEmpty();
    }
}
