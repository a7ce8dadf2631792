package dev.millwright.capi.machine.roll;

/// How many machines a deployment wants, how many more there may be while it rolls, and how many of
/// those it wants may be missing.
public record Bounds(int replicas, int surge, int unavailable) {

    public Bounds {
        if (replicas < 0 || surge < 0 || unavailable < 0 || (surge == 0 && unavailable == 0)) {
            throw new IllegalArgumentException(
                    "bounds %d, surge %d, unavailable %d leave no way to roll"
                            .formatted(replicas, surge, unavailable));
        }
    }

    /// Surge is rounded up and unavailability down. Where rounding leaves neither, one machine may
    /// be missing: a rollout must be able to move.
    public static Bounds of(int replicas, Share surge, Share unavailable) {
        var more = surge.ceiling(replicas);
        var missing = unavailable.floor(replicas);
        return new Bounds(replicas, more, more == 0 && missing == 0 ? 1 : missing);
    }

    /// Available machines that a rollout leaves at least.
    public int least() {
        return Math.max(0, replicas - unavailable);
    }

    /// Machines that a rollout makes at most.
    public int most() {
        return (int) Math.min(Integer.MAX_VALUE, (long) replicas + surge);
    }

    /// As [#most], but a deployment that wants none gets none.
    int allowed() {
        return replicas == 0 ? 0 : most();
    }
}
