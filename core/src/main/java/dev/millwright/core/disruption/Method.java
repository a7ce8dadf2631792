package dev.millwright.core.disruption;

import dev.millwright.core.policy.NodePoolBudgets.Reason;

import java.util.Locale;

/// The ways to find nodes to take away, in the order they are tried: the first that finds some ends
/// the pass.
public enum Method {
    REPAIR(Reason.UNHEALTHY, "", Manner.REPAIR),
    EMPTINESS(Reason.EMPTY, "empty", Manner.GRACEFUL),
    STATIC_DRIFT(Reason.DRIFTED, "", Manner.EVENTUAL),
    DRIFT(Reason.DRIFTED, "", Manner.EVENTUAL),
    WHOLE_FLEET(Reason.UNDERUTILIZED, "fleet", Manner.GRACEFUL),
    MULTI_NODE(Reason.UNDERUTILIZED, "multi", Manner.GRACEFUL),
    SINGLE_NODE(Reason.UNDERUTILIZED, "single", Manner.GRACEFUL);

    /// How pods that must not be disturbed are met. `GRACEFUL` leaves their node alone; `EVENTUAL`
    /// takes it when its claim says how long they may stay; `REPAIR` takes also one that is guarded
    /// itself, or not initialised.
    public enum Manner {
        GRACEFUL,
        EVENTUAL,
        REPAIR
    }

    private final Reason reason;
    private final String consolidationType;
    private final Manner manner;

    Method(Reason reason, String consolidationType, Manner manner) {
        this.reason = reason;
        this.consolidationType = consolidationType;
        this.manner = manner;
    }

    /// As a person reads it.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    public Reason reason() {
        return reason;
    }

    /// As metrics tell it; empty for drift, which is no consolidation.
    public String consolidationType() {
        return consolidationType;
    }

    public Manner manner() {
        return manner;
    }
}
