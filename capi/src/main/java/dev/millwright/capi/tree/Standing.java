package dev.millwright.capi.tree;

import dev.millwright.capi.object.ClusterApi;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// How an object is, why, and what was last said about it.
///
/// @param message an error, or what is waited for; empty when all is well
/// @param progress of the run of Terraform that is under way, empty when there is none
public record Standing(State state, String reason, String message, String progress) {

    public enum State {
        READY("Ready"),
        RUNNING("Running"),
        WAITING("Waiting"),
        PAUSED("Paused"),
        FAILED("Failed"),
        DELETING("Deleting"),
        MISSING("Missing"),
        TAINTED("Tainted"),
        /// Nothing is known but that it is there.
        PRESENT("");

        private final String word;

        State(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    static final Standing PRESENT = new Standing(State.PRESENT, "", "", "");
    static final Standing TAINTED =
            new Standing(State.TAINTED, "Tainted", "is made anew by the next apply", "");

    /// Conditions of which the first that there is tells whether an object is ready.
    private static final List<String> READY = List.of("Ready", "Available", "VPCReady");

    /// Conditions that tell of a failure by being true.
    private static final List<String> FAILURES = List.of("Failed", "VPCFailed");

    private static final String RUNNING = "Running";
    private static final String SYNCED = "Synced";
    private static final String SYNC_ERROR = "ReconcileError";
    private static final String CROSSPLANE_PAUSED = "crossplane.io/paused";

    static Standing missing(String what) {
        return new Standing(State.MISSING, "NotFound", what, "");
    }

    static Standing of(RawObject object) {
        var run = object.conditions().find(RUNNING);
        var running = run != null && run.isTrue() ? run : null;
        var progress = message(running);
        var failure = failure(object);
        var ready = ready(object);
        if (object.meta().isDeleting()) {
            var told = failure != null ? failure : ready;
            return new Standing(State.DELETING, reason(told, "Deleting"), message(told), progress);
        }
        if (isPaused(object)) {
            return new Standing(State.PAUSED, "Paused", "", progress);
        }
        if (running != null) {
            return new Standing(State.RUNNING, running.reason(), message(failure), progress);
        }
        if (failure != null) {
            return new Standing(State.FAILED, failure.reason(), failure.message(), "");
        }
        if (ready == null) {
            return flagged(object);
        }
        return ready.isTrue()
                ? new Standing(State.READY, "", "", "")
                : new Standing(State.WAITING, ready.reason(), ready.message(), "");
    }

    /// Of an object without conditions that would tell.
    private static Standing flagged(RawObject object) {
        var status = object.status();
        if (status.at("ready").isTrue() || isProvisioned(object)) {
            return new Standing(State.READY, "", "", "");
        }
        var phase = status.at("phase").text("");
        var isKnown = status.at("ready").isPresent() || !phase.isEmpty();
        return isKnown ? new Standing(State.WAITING, phase, "", "") : PRESENT;
    }

    private static boolean isProvisioned(RawObject object) {
        var initialization = object.status().at("initialization");
        return initialization.at("provisioned").isTrue()
                || initialization.at("controlPlaneInitialized").isTrue();
    }

    private static @Nullable Condition ready(RawObject object) {
        for (var type : READY) {
            var condition = object.conditions().find(type);
            if (condition != null) {
                return condition;
            }
        }
        return null;
    }

    private static @Nullable Condition failure(RawObject object) {
        for (var type : FAILURES) {
            var condition = object.conditions().find(type);
            if (condition != null && condition.isTrue()) {
                return condition;
            }
        }
        var synced = object.conditions().find(SYNCED);
        if (synced != null && !synced.isTrue() && synced.reason().equals(SYNC_ERROR)) {
            return synced;
        }
        var reason = object.status().at("failureReason").text("");
        var message = object.status().at("failureMessage").text("");
        return reason.isEmpty() && message.isEmpty()
                ? null
                : new Condition(
                        "Failed",
                        Condition.Status.TRUE,
                        reason,
                        message,
                        object.meta().createdAt(),
                        0);
    }

    private static boolean isPaused(RawObject object) {
        return object.meta().annotation(ClusterApi.PAUSED) != null
                || "true".equals(object.meta().annotation(CROSSPLANE_PAUSED))
                || object.spec().at("paused").isTrue();
    }

    private static String reason(@Nullable Condition told, String otherwise) {
        return told == null || told.isTrue() || told.reason().isEmpty() ? otherwise : told.reason();
    }

    private static String message(@Nullable Condition told) {
        return told == null ? "" : told.message();
    }
}
