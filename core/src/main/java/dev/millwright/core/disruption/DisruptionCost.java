package dev.millwright.core.disruption;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/// What it costs to take a node away, in pods: moving an ordinary pod costs one.
public final class DisruptionCost {

    /// The annotation by which a pod says what its deletion costs, a whole number of 32 bits.
    public static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

    /// A deletion cost of so much is worth one pod, and so is a priority of so much.
    private static final double DELETION_COST_UNIT = 1 << 27;

    private static final double PRIORITY_UNIT = 1 << 25;
    private static final double COST_MAX = 10;

    private static final Pattern WHOLE_NUMBER = Pattern.compile("[-+]?[0-9]{1,10}");

    private DisruptionCost() {}

    /// The cost of moving one pod, between -10 and 10. A deletion cost that is no number counts as
    /// none.
    public static double ofPod(@Nullable String deletionCost, int priority) {
        var cost = 1 + deletionCost(deletionCost) / DELETION_COST_UNIT + priority / PRIORITY_UNIT;
        return Math.clamp(cost, -COST_MAX, COST_MAX);
    }

    private static double deletionCost(@Nullable String text) {
        if (text == null || !WHOLE_NUMBER.matcher(text).matches()) {
            return 0;
        }
        var number = Long.parseLong(text);
        return number == (int) number ? number : 0;
    }

    /// The share of its life that a node has yet before it, from 0 to 1. A node that does not
    /// expire has all of it.
    public static double lifetimeRemaining(
            @Nullable Duration expireAfter, Instant createdAt, Instant now) {
        if (expireAfter == null) {
            return 1;
        }
        if (expireAfter.isZero()) {
            return 0;
        }
        var age = Duration.between(createdAt, now);
        var left = expireAfter.minus(age);
        return Math.clamp((double) left.toSeconds() / expireAfter.toSeconds(), 0.0, 1.0);
    }
}
