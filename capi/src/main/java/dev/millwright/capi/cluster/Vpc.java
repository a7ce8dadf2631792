package dev.millwright.capi.cluster;

import dev.millwright.capi.apply.WorkspaceState;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// How it stands with the VPC of a CAPTCluster.
sealed interface Vpc {

    /// Nobody has asked for it yet.
    record Unowned() implements Vpc {}

    /// What the spec says cannot be done; a person has to change something.
    record Faulty(String reason, String message) implements Vpc {}

    record Existing(String id) implements Vpc {}

    /// By Terraform; no state before there is a Workspace.
    record Made(@Nullable RawObject apply, @Nullable WorkspaceState state) implements Vpc {

        boolean isAvailable() {
            return state != null && state.isAvailable();
        }

        @Nullable String error() {
            return state == null ? null : state.error();
        }
    }
}
