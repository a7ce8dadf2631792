package dev.millwright.capi.apply;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// What a Workspace says of itself.
public record WorkspaceState(RawObject workspace) {

    public static final String READY = "Ready";
    public static final String SYNCED = "Synced";
    public static final String RUNNING = "Running";

    /// Characters of an error that is passed on: a whole standard error is too long for a status.
    private static final int ERROR_LENGTH_MAX = 1_024;

    /// Whether what it makes is there, though perhaps not as its spec has it by now.
    public boolean isAvailable() {
        return workspace.conditions().isTrue(READY);
    }

    /// A change of its spec that Terraform has not run for is not ready, whatever the condition
    /// still says of the one before.
    public boolean isReady() {
        var ready = workspace.conditions().find(READY);
        return ready != null && ready.isTrue() && isCurrent(ready);
    }

    public boolean isSynced() {
        return workspace.conditions().isTrue(SYNCED);
    }

    /// Whether Terraform is at work.
    public boolean isRunning() {
        return workspace.conditions().isTrue(RUNNING);
    }

    /// Whether whoever runs it has seen that it is paused.
    public boolean isPauseSeen() {
        var synced = workspace.conditions().find(SYNCED);
        return synced != null && synced.reason().equals("ReconcilePaused");
    }

    /// A controller that does not say which generation it saw is believed.
    private boolean isCurrent(Condition condition) {
        return condition.observedGeneration() == 0
                || condition.observedGeneration() == workspace.meta().generation();
    }

    /// Why Terraform failed last, shortened; null when it did not.
    public @Nullable String error() {
        for (var type : new String[] {SYNCED, READY}) {
            var condition = workspace.conditions().find(type);
            if (condition != null
                    && condition.status() == Condition.Status.FALSE
                    && !condition.message().isEmpty()
                    && !isPauseSeen()) {
                return shortened(condition.message());
            }
        }
        return null;
    }

    static String shortened(String message) {
        return message.length() <= ERROR_LENGTH_MAX
                ? message
                : message.substring(0, ERROR_LENGTH_MAX) + "…";
    }

    /// The reason of Ready, which CAPT shows as the state; empty before there is one.
    public String state() {
        var ready = workspace.conditions().find(READY);
        return ready == null ? "" : ready.reason();
    }

    public Field provider() {
        return workspace.status().at("atProvider");
    }

    public Field output(String name) {
        return provider().at("outputs").at(name);
    }

    public String hash() {
        var hash = workspace.meta().annotation(Marks.RENDERED_HASH);
        return hash == null ? "" : hash;
    }
}
