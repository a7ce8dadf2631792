package dev.millwright.controllers.disruption;

import dev.millwright.controllers.state.Marks;
import dev.millwright.core.disruption.FleetNumber;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PodObject;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// The cluster in numbers, by which a pass sees whether something changed. They do not depend on
/// the order of objects.
public final class ClusterFingerprint {

    private ClusterFingerprint() {}

    /// All that a consolidation depends on and that objects or marks say.
    public static long of(View view, Marks marks, Instant now) {
        var sum = 0L;
        for (var pod : view.pods()) {
            if (!pod.isTerminal() && !pod.nodeName().isEmpty()) {
                sum += Fingerprint.of(pod.meta().uid(), pod.nodeName(), pod.isDeleting());
            }
        }
        for (var node : view.nodes()) {
            sum += node(node, marks.isNominated(node.name().name(), now));
        }
        for (var claim : view.claims()) {
            var conditions = claim.conditions();
            sum +=
                    Fingerprint.of(
                            claim.meta().uid(),
                            claim.providerId(),
                            claim.isDeleting(),
                            marks.isMarked(claim.providerId()),
                            conditions.isTrue(ClaimObject.CONSOLIDATABLE),
                            conditions.isTrue(ClaimObject.INITIALIZED));
        }
        var isFrozen = Freezes.ofCluster(view) != null;
        for (var pool : view.pools()) {
            sum +=
                    Fingerprint.of(
                            pool.meta().uid(),
                            pool.meta().generation(),
                            pool.pool().isReady(),
                            isFrozen || pool.meta().annotation(ControlKeys.FREEZE) != null);
        }
        if (view.keeps(Kind.NODE_OVERLAY)) {
            for (var overlay : view.cache(Kind.NODE_OVERLAY).all()) {
                sum += Fingerprint.of(overlay.meta().uid(), overlay.meta().generation());
            }
        }
        if (view.keeps(Kind.POD_DISRUPTION_BUDGET)) {
            for (var budget : view.cache(Kind.POD_DISRUPTION_BUDGET).all()) {
                sum += Fingerprint.of(budget.meta().uid(), budget.value().disruptionsAllowed() > 0);
            }
        }
        return sum;
    }

    /// What people ask for: pods of workloads, and pools. Null while pods are on the move: then
    /// they come and go for another reason.
    static @Nullable Long wanted(View view) {
        if (view.pods().stream().anyMatch(ClusterFingerprint::isOnTheMove)) {
            return null;
        }
        var sum = 0L;
        for (var pod : view.pods()) {
            if (pod.isActive()) {
                var controller = pod.pod().state().controller();
                sum +=
                        FleetNumber.of(
                                controller == null ? pod.name().toString() : controller.uid());
            }
        }
        for (var pool : view.pools()) {
            sum += FleetNumber.of(pool.meta().uid() + pool.meta().generation());
        }
        return sum;
    }

    private static boolean isOnTheMove(PodObject pod) {
        return pod.isActive() ? pod.nodeName().isEmpty() : !pod.isTerminal();
    }

    private static long node(NodeObject node, boolean isNominated) {
        @Nullable String guard =
                node.meta().annotation(dev.millwright.core.label.LabelKeys.DO_NOT_DISRUPT);
        return Fingerprint.of(
                node.meta().uid(),
                node.isInitialized(),
                node.isDeleting(),
                isNominated,
                guard == null ? "" : guard);
    }
}
