package dev.millwright.capi.controlplane;

import dev.millwright.capi.apply.WorkspaceState;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// How far a control plane has come.
sealed interface Progress {

    /// Not there yet, and nothing is wrong.
    record Waiting(String reason, String message) implements Progress {}

    /// Not there, and this is why. With a failure reason Cluster API is told, too.
    record Failed(String reason, String message, boolean isTold) implements Progress {}

    /// The EKS cluster is there. Settled is one that is as the spec has it by now.
    record Running(Endpoint endpoint, boolean isSettled, @Nullable String error)
            implements Progress {}

    /// Progress with the EKS cluster's apply and Workspace, as far as they are there.
    record Report(
            Progress progress, @Nullable RawObject apply, @Nullable WorkspaceState workspace) {}
}
