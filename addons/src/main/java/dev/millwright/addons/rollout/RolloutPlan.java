package dev.millwright.addons.rollout;

import java.time.Duration;
import java.util.List;

/// How a change goes out: waves of clusters one after another, so many clusters at once, and the
/// next wave only when the one before has been ready for a while.
///
/// @param atOnce clusters of a wave that may be under change together
/// @param healthyFor how long every release of a wave has been ready before the next begins
public record RolloutPlan(int atOnce, Duration healthyFor) {

    public RolloutPlan {
        if (atOnce < 1) {
            throw new IllegalArgumentException(
                    "rollout of %d clusters at once; wanted at least 1".formatted(atOnce));
        }
        if (healthyFor.isNegative()) {
            throw new IllegalArgumentException(
                    "rollout wants releases healthy for %s; wanted no negative duration"
                            .formatted(healthyFor));
        }
    }

    /// Every cluster at once, as without waves.
    public static final RolloutPlan ALL_AT_ONCE = new RolloutPlan(Integer.MAX_VALUE, Duration.ZERO);

    /// A cluster as a rollout sees it.
    ///
    /// @param wave its place in the order, 0 the first
    public record Target(String cluster, int wave, Progress progress) {}

    /// How far a cluster is with the change.
    public sealed interface Progress {

        /// It runs what was before, or nothing.
        record Untouched() implements Progress {}

        /// It was given the change and is not ready yet.
        record UnderWay() implements Progress {}

        /// It was given the change and could not take it.
        record Failed(String message) implements Progress {}

        /// It runs the change; `readyFor` counts since its release became ready.
        record Proven(Duration readyFor) implements Progress {}
    }

    /// What a rollout may do now.
    public sealed interface Advice {

        /// These clusters get the change now; the others are under way or done.
        record Go(List<String> clusters) implements Advice {
            public Go {
                clusters = List.copyOf(clusters);
            }
        }

        /// Nothing may be begun before a wave has been ready long enough.
        record Wait(int wave, Duration atMost) implements Advice {}

        /// A cluster failed: no other gets the change until it is ready or the change is another.
        record Stopped(String cluster, String message, int untouched) implements Advice {}
    }
}
