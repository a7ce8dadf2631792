package dev.millwright.capi.machine.infrastructure;

import dev.millwright.capi.machine.membership.ClusterMembership;
import dev.millwright.capi.machine.membership.WaitReason;
import dev.millwright.capi.machine.object.Clusters;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// How far an object is: ready, or not and why.
record Standing(boolean isReady, String reason, String message) {

    static final Standing READY = new Standing(true, "Ready", "");

    static Standing waiting(String reason, String message) {
        return new Standing(false, reason, message);
    }

    /// What is waited for; null when there is nothing. What was begun goes on though the control
    /// plane has lost its status, as in a move.
    ///
    /// @param isBegun whether the apply is there
    static @Nullable Standing held(
            View view, Employer employer, ClusterMembership membership, boolean isBegun) {
        var held =
                switch (employer) {
                    case Employer.Core(var owner) -> heldByContract(owner, membership);
                    case Employer.Nobody(), Employer.NotYet() -> null;
                };
        var wait = held == null && !isBegun ? WaitReason.of(view, membership) : null;
        return wait == null ? held : waiting(wait.reason(), wait.message());
    }

    /// What core's contract has a provider wait for.
    private static @Nullable Standing heldByContract(
            RawObject owner, ClusterMembership membership) {
        var cluster = membership.cluster();
        if (cluster == null) {
            return waiting(
                    "WaitingForCluster",
                    "Cluster %s is not there".formatted(owner.spec().at("clusterName").text("")));
        }
        if (!Clusters.hasInfrastructure(cluster)) {
            return waiting(
                    "WaitingForClusterInfrastructure",
                    "the infrastructure of Cluster %s is not ready"
                            .formatted(cluster.name().name()));
        }
        return Employer.bootstrapSecret(owner).isEmpty()
                ? waiting(
                        "WaitingForBootstrapData",
                        "%s names no bootstrap.dataSecretName yet".formatted(owner.name()))
                : null;
    }

    /// What the apply says of itself.
    static Standing of(ApplyUpkeep upkeep) {
        if (!upkeep.problem().isEmpty()) {
            return waiting("ApplyNotOurs", upkeep.problem());
        }
        var apply = upkeep.apply();
        if (apply == null) {
            return waiting("Applying", "the apply was just made");
        }
        // A failure after it was ready, of a later plan say, is the apply's to tell.
        if (apply.status().at("applied").isTrue() && apply.conditions().isTrue("Ready")) {
            return READY;
        }
        for (var condition : apply.conditions().all()) {
            if (condition.status() == Status.FALSE && isFailure(condition.reason())) {
                return waiting("ApplyFailed", condition.message());
            }
        }
        return waiting("Applying", "apply %s is not ready".formatted(apply.name().name()));
    }

    private static boolean isFailure(String reason) {
        return reason.equals("ReconcileError") || reason.equals("Unavailable");
    }
}
