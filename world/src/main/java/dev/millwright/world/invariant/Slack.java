package dev.millwright.world.invariant;

import dev.millwright.world.fault.Fault;

import java.time.Duration;
import java.util.Set;

/// How wrong the operator may be about what is and what time it is. Nobody can act on what has not
/// been told yet; the faults of a world say how late that may be.
///
/// @param viewLag how old its picture of the cluster may be when it acts on it
/// @param clockError how far its clock may be off
public record Slack(Duration viewLag, Duration clockError) {

    /// A watch takes milliseconds, and a step of many effects a few seconds.
    public static final Slack CALM = new Slack(Duration.ofSeconds(5), Duration.ofSeconds(1));

    /// The longest gap of a watch, and the list after it.
    private static final Duration GAP = Duration.ofSeconds(61);

    private static final Duration LATE = Duration.ofSeconds(21);

    /// A step of a few writes, some of which take eight seconds or are waited for in vain for ten.
    private static final Duration SLOW_STEP = Duration.ofSeconds(30);

    /// A leader that stood still may act until the lease runs out by its own reckoning.
    private static final Duration STALL = Duration.ofSeconds(15);

    private static final Duration JUMP = Duration.ofSeconds(90);

    public static Slack of(Set<Fault> faults) {
        var lag = CALM.viewLag;
        lag = faults.contains(Fault.WATCH_GAP) ? lag.plus(GAP) : lag;
        lag = faults.contains(Fault.WATCH_LATE) ? lag.plus(LATE) : lag;
        lag = faults.contains(Fault.STALL) ? lag.plus(STALL) : lag;
        if (faults.contains(Fault.API_SLOW)
                || faults.contains(Fault.API_LOST)
                || faults.contains(Fault.API_ERROR)) {
            lag = lag.plus(SLOW_STEP);
        }
        var error = CALM.clockError;
        return new Slack(lag, faults.contains(Fault.CLOCK_JUMP) ? error.plus(JUMP) : error);
    }
}
