package dev.millwright.providers.aws.removal;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.SequencedMap;

/// Whether a controller is at work, judged by what it writes.
///
/// A lease that is renewed has a new version every few seconds. Times in it are those of another
/// clock and say nothing. Where there is no lease, as with a controller that runs without one, its
/// deeds tell.
final class Pulse {

    /// Longer than a new leader takes to follow one that died.
    static final Duration QUIET_MAX = Duration.ofSeconds(30);

    private @Nullable SequencedMap<String, String> last;
    private Instant changedAt = Instant.EPOCH;

    /// @param deeds the versions of what only a controller writes
    void seen(SequencedMap<String, String> deeds, Instant now) {
        if (!deeds.equals(last)) {
            last = deeds;
            changedAt = now;
        }
    }

    boolean isStill(Instant now) {
        return last != null && !now.isBefore(changedAt.plus(QUIET_MAX));
    }
}
