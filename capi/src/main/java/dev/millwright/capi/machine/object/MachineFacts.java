package dev.millwright.capi.machine.object;

import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// What sets and deployments want to know of a machine.
///
/// @param readySince null while it is not ready
public record MachineFacts(RawObject object, @Nullable Instant readySince) {

    private static final String READY = "Ready";

    /// A machine whose owner says ready without a time has been so since it was made.
    public static MachineFacts of(RawObject machine) {
        if (!machine.status().at("ready").isTrue()) {
            return new MachineFacts(machine, null);
        }
        var condition = machine.conditions().find(READY);
        if (condition != null) {
            return new MachineFacts(machine, condition.changedAt());
        }
        var changed = machine.status().at("lastTransitionTime").instant();
        return new MachineFacts(machine, changed == null ? machine.meta().createdAt() : changed);
    }

    public boolean isReady() {
        return readySince != null;
    }

    public boolean isLive() {
        return !object.meta().isDeleting();
    }

    /// Whether it has been ready for so long.
    public boolean isAvailable(Duration minReady, Instant now) {
        return readySince != null && !readySince.plus(minReady).isAfter(now);
    }

    /// Until it counts as available; null when nothing but time is not what it lacks.
    public @Nullable Duration untilAvailable(Duration minReady, Instant now) {
        return readySince == null || isAvailable(minReady, now)
                ? null
                : Duration.between(now, readySince.plus(minReady));
    }
}
