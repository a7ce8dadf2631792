package dev.millwright.controllers.settings;

/// How many objects a controller looks at side by side, and how often it may come back to them.
public final class Concurrency {

    /// Cores at which a controller reaches its greatest concurrency.
    private static final int CORES_MAX = 60;

    /// A pause lets this many seconds' worth of permits pile up.
    private static final int BURST_SECONDS = 10;

    private Concurrency() {}

    /// A rate in the long run and what may come at once after a pause.
    public record Rate(int perSecond, int burst) {}

    /// `least` on one core, `most` on sixty, in a straight line between; a part of a core counts
    /// whole.
    public static int scale(int least, int most, double cores) {
        var slope = (most - least) / (CORES_MAX - 1.0);
        var steps = (int) Math.ceil(cores) - 1;
        return Math.clamp((int) (slope * steps) + (long) least, least, most);
    }

    /// The rate that stands to `concurrency` as `rateLeast` stands to `concurrencyLeast`.
    public static Rate rate(int rateLeast, int concurrencyLeast, int concurrency) {
        var perSecond = (int) Math.ceil(concurrency * ((double) rateLeast / concurrencyLeast));
        return new Rate(perSecond, perSecond * BURST_SECONDS);
    }
}
