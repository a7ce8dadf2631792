package dev.millwright.controllers.nodeclaim.podevents;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// Stamps `lastPodEventTime`, from which `consolidateAfter` runs. Pods of daemons do not count:
/// they come and go with the node.
///
/// Its keys are nodes, so that a hundred pods that are bound at once are one step. A pod that was
/// bound before this process saw it is no event unless it was bound after the last stamp: a restart
/// must not keep every node for another `consolidateAfter`. Such keys are marked by [#SEEN].
public final class PodEventsController implements Controller {

    /// Nearer events are one event.
    private static final Duration APART = Duration.ofSeconds(10);

    private static final int AT_ONCE = 1;

    /// In place of a namespace: somebody's pods were seen on the node, perhaps not for the first
    /// time.
    private static final String SEEN = "seen";

    @Override
    public String name() {
        return "nodeclaim.podevents";
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE);
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(new Watch<>(Kind.POD, PodEventsController::ofPod));
    }

    /// A pod that vanishes is no event: it was one when it began to end.
    private static List<ObjectName> ofPod(View view, Change<PodObject> change) {
        var before = change.before();
        var after = change.after();
        if (after == null || after.nodeName().isEmpty() || isDaemon(after)) {
            return List.of();
        }
        if (before == null) {
            return List.of(new ObjectName(SEEN, after.nodeName()));
        }
        var isEvent =
                before.nodeName().isEmpty()
                        || before.isTerminal() != after.isTerminal()
                        || before.isDeleting() != after.isDeleting();
        return isEvent ? List.of(new ObjectName("", after.nodeName())) : List.of();
    }

    private static boolean isDaemon(PodObject pod) {
        return pod.pod().state().isOwnedByDaemonSet();
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var node = view.node(key.name());
        var claim = node == null ? null : view.claimOf(node);
        if (claim == null || !view.isManaged(claim.spec().nodeClassRef())) {
            return Step.DONE;
        }
        var last = claim.status().lastPodEventAt();
        if (last != null && Duration.between(last, now).compareTo(APART) < 0) {
            return Step.DONE;
        }
        if (key.namespace().equals(SEEN) && last != null && !hasCome(view, key.name(), last)) {
            return Step.DONE;
        }
        return Step.of(new Effect.Write(stamp(claim, now)));
    }

    private static boolean hasCome(View view, String node, Instant last) {
        return view.podsOn(node).stream()
                .filter(pod -> !isDaemon(pod))
                .anyMatch(pod -> !cameAt(pod).isBefore(last.plus(APART)));
    }

    private static Instant cameAt(PodObject pod) {
        return pod.scheduledAt() != null ? pod.scheduledAt() : pod.meta().createdAt();
    }

    private static ApiWrite stamp(ClaimObject claim, Instant now) {
        var moment = now.truncatedTo(ChronoUnit.SECONDS).toString();
        return new ApiWrite.Patch(
                ResourceType.NODE_CLAIM,
                claim.name(),
                PatchKind.MERGE,
                Subresource.STATUS,
                Tree.of("status", Tree.of("lastPodEventTime", moment)).mapping());
    }
}
