package dev.millwright.capi.machine.deployment;

import dev.millwright.capi.machine.membership.WaitReason;
import dev.millwright.capi.machine.object.MachineFacts;
import dev.millwright.capi.machine.object.Pausing;
import dev.millwright.capi.machine.object.Refusal;
import dev.millwright.capi.machine.object.SelectorText;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// What a deployment says of itself.
final class DeploymentStatus {

    private static final String READY = "Ready";
    private static final String AVAILABLE = "Available";

    private DeploymentStatus() {}

    /// The write, and when to look again though nothing changes.
    static Step of(
            RawObject deployment,
            DeploymentSpec spec,
            Revisions revisions,
            boolean isBegun,
            Instant now) {
        var counts = Counts.of(revisions, spec, now);
        var generation = deployment.meta().generation();
        var bounds = spec.bounds();
        var progress =
                Progress.of(
                        deployment.conditions().find(Progress.CONDITION),
                        new Progress.Look(
                                Counts.of(deployment.status()),
                                counts,
                                bounds.replicas(),
                                isBegun,
                                revisions.newest() != null),
                        spec,
                        generation,
                        now);
        var isComplete = revisions.newest() != null && counts.isComplete(bounds.replicas());
        var isServing = counts.available() >= bounds.least();
        var conditions =
                Pausing.running(deployment)
                        .with(
                                AVAILABLE,
                                isServing ? Status.TRUE : Status.FALSE,
                                isServing
                                        ? "MinimumReplicasAvailable"
                                        : "MinimumReplicasUnavailable",
                                "%d machines are available, wanted at least %d"
                                        .formatted(counts.available(), bounds.least()),
                                generation,
                                now)
                        .with(
                                READY,
                                isComplete ? Status.TRUE : Status.FALSE,
                                isComplete ? "RolledOut" : progress.reason(),
                                isComplete ? "" : progress.message(),
                                generation,
                                now)
                        .with(progress);
        var wanted = revisions.all().stream().mapToInt(Revisions.Revision::wanted).sum();
        var tree =
                Tree.of()
                        .put("observedGeneration", generation)
                        .put("replicas", counts.total())
                        .put("updatedReplicas", counts.updated())
                        .put("readyReplicas", counts.ready())
                        .put("availableReplicas", counts.available())
                        .put("unavailableReplicas", Math.max(0, wanted - counts.available()))
                        .put("selector", SelectorText.of(spec.template().selector()))
                        .put("conditions", conditions.value())
                        .putNothing("failureReason")
                        .putNothing("failureMessage");
        return Step.of(
                        ObjectPatches.statusIfChanged(
                                CaptTypes.MACHINE_DEPLOYMENT, deployment, tree))
                .thenAgain(next(progress, spec, revisions, now));
    }

    private static @Nullable Duration next(
            Condition progress, DeploymentSpec spec, Revisions revisions, Instant now) {
        var available =
                revisions.all().stream()
                        .flatMap(revision -> revision.live().stream())
                        .map((MachineFacts each) -> each.untilAvailable(spec.minReady(), now));
        return Stream.concat(Stream.of(Progress.untilLate(progress, spec, now)), available)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /// It has no machines yet, and why.
    static List<Effect> waiting(RawObject deployment, WaitReason wait, Instant now) {
        var generation = deployment.meta().generation();
        var conditions =
                Pausing.running(deployment)
                        .with(READY, Status.FALSE, wait.reason(), wait.message(), generation, now);
        return ObjectPatches.statusIfChanged(
                CaptTypes.MACHINE_DEPLOYMENT,
                deployment,
                Tree.of()
                        .put("observedGeneration", generation)
                        .put("conditions", conditions.value())
                        .putNothing("failureReason")
                        .putNothing("failureMessage"));
    }

    /// Nothing was done about it, so nothing counts as observed.
    static List<Effect> refused(RawObject deployment, String fault, Instant now) {
        var conditions =
                Pausing.running(deployment)
                        .with(
                                READY,
                                Status.FALSE,
                                Refusal.REASON,
                                fault,
                                deployment.meta().generation(),
                                now);
        return ObjectPatches.statusIfChanged(
                CaptTypes.MACHINE_DEPLOYMENT,
                deployment,
                Tree.of()
                        .put("conditions", conditions.value())
                        .put("failureReason", Refusal.REASON)
                        .put("failureMessage", fault));
    }

    /// A name was taken by a set of something else; the next try has another.
    static List<Effect> collided(RawObject deployment, long collisions) {
        return ObjectPatches.statusIfChanged(
                CaptTypes.MACHINE_DEPLOYMENT,
                deployment,
                Tree.of().put("collisionCount", collisions));
    }
}
