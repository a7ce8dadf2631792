package dev.millwright.world.story;

import dev.millwright.world.invariant.Breach;
import dev.millwright.world.invariant.EndState;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What became of a world.
///
/// @param breaches the first ones; none in a sound world
/// @param calm the state after the calm, before users deleted everything, or at the end of a world
///   that ended sooner
/// @param digest of the whole log
public record Ending(
        List<Breach> breaches,
        EndState calm,
        String digest,
        long happenings,
        long pods,
        long launches,
        long terminations,
        long evictions,
        double pricePerHourMean) {

    public Ending {
        breaches = List.copyOf(breaches);
    }

    public boolean isSound() {
        return breaches.isEmpty();
    }

    /// The first breach of the invariant, or null.
    public @Nullable Breach breach(String invariant) {
        return breaches.stream()
                .filter(each -> each.invariant().equals(invariant))
                .findFirst()
                .orElse(null);
    }
}
