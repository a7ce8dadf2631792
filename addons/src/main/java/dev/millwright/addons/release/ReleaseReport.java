package dev.millwright.addons.release;

import dev.millwright.addons.object.AddonConditions;
import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.Canonical;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.object.Summary;
import dev.millwright.addons.port.StoredRelease;
import dev.millwright.addons.port.Trouble;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.ConditionList;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// What a proxy's status is to say, and the write that makes it so; none when it says so already.
final class ReleaseReport {

    private final ReleaseProxy proxy;
    private final Instant now;
    private ConditionList conditions;
    private String status;
    private long revision;

    ReleaseReport(ReleaseProxy proxy, Instant now) {
        this.proxy = proxy;
        this.now = now;
        this.conditions = proxy.conditions();
        this.status = proxy.object().status().at("status").text("");
        this.revision = proxy.revision();
    }

    private ReleaseReport with(String type, Status value, String reason, String message) {
        conditions = conditions.with(type, value, reason, message, proxy.meta().generation(), now);
        return this;
    }

    ReleaseReport clusterAvailable() {
        return with(AddonConditions.CLUSTER_AVAILABLE, Status.TRUE, AddonConditions.AVAILABLE, "");
    }

    ReleaseReport clusterUnavailable(String reason, String message) {
        return with(AddonConditions.CLUSTER_AVAILABLE, Status.FALSE, reason, message);
    }

    ReleaseReport notReady(String reason, String message) {
        return with(AddonConditions.RELEASE_READY, Status.FALSE, reason, message);
    }

    ReleaseReport ready() {
        return with(
                AddonConditions.RELEASE_READY, Status.TRUE, AddonConditions.RELEASE_IS_READY, "");
    }

    /// What Helm says of the release; null when there is none.
    ReleaseReport stored(@Nullable StoredRelease stored) {
        status = stored == null ? "" : stored.status();
        if (stored != null && stored.isDeployed()) {
            revision = stored.revision();
        }
        return this;
    }

    /// @param reason for what is wrong with the release itself
    ReleaseReport trouble(Trouble trouble, String reason) {
        return switch (trouble.cause()) {
            case KUBECONFIG ->
                    clusterUnavailable(AddonConditions.KUBECONFIG_FAILED, trouble.message());
            case CREDENTIALS ->
                    clusterUnavailable(AddonConditions.CREDENTIALS_FAILED, trouble.message());
            case AUTHORITY ->
                    clusterUnavailable(AddonConditions.AUTHORITY_FAILED, trouble.message());
            case VALUES, HELM -> clusterAvailable().notReady(reason, trouble.message());
        };
    }

    Step step() {
        var summary =
                Summary.ofTypes(
                        List.of(
                                part(AddonConditions.CLUSTER_AVAILABLE),
                                part(AddonConditions.RELEASE_READY)));
        var all =
                conditions.with(
                        AddonConditions.READY,
                        summary.status(),
                        summary.reason(),
                        summary.message(),
                        proxy.meta().generation(),
                        now);
        var tree =
                Tree.of()
                        .put("conditions", all.value())
                        .put("observedGeneration", proxy.meta().generation());
        if (status.isEmpty()) {
            tree.putNothing("status");
        } else {
            tree.put("status", status);
        }
        if (revision > 0) {
            tree.put("revision", revision);
        }
        return isSaid(all) ? Step.DONE : Step.of(new Effect.Write(patch(tree)));
    }

    private Summary.Part part(String type) {
        return new Summary.Part(type, conditions.find(type));
    }

    private boolean isSaid(ConditionList all) {
        return Canonical.json(all.value()).equals(Canonical.json(proxy.conditions().value()))
                && proxy.isObserved()
                && proxy.revision() == revision
                && proxy.object().status().at("status").text("").equals(status);
    }

    private ApiWrite patch(Tree tree) {
        return new ApiWrite.Patch(
                AddonTypes.RELEASE_PROXY.type(),
                proxy.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.STATUS,
                Tree.of("status", tree).mapping());
    }
}
