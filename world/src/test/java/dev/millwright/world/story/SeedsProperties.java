package dev.millwright.world.story;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.ExecutionException;

/// Worlds with everything that can go wrong, none of which may break an invariant.
final class SeedsProperties {

    private static final int SEEDS = 500;

    @Test
    void noSeedBreaksAnInvariant() throws InterruptedException, ExecutionException {
        assertThat(new ManyWorlds(Theatre.ec2()).breaches(SEEDS)).isEmpty();
    }
}
