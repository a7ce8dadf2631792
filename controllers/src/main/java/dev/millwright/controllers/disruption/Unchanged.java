package dev.millwright.controllers.disruption;

import dev.millwright.controllers.state.Marks;
import dev.millwright.core.disruption.Method;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/// Remembers what the cluster looked like when a method found nothing, so that it is not asked the
/// same again. After a while it is asked all the same: prices change without an object.
final class Unchanged {

    private static final Duration TRUSTED_FOR = Duration.ofMinutes(5);

    private record Sight(long fingerprint, Instant at) {}

    private final Map<Method, Sight> nothingFound = new EnumMap<>(Method.class);

    boolean isSo(Method method, long fingerprint, Instant now) {
        var sight = nothingFound.get(method);
        return sight != null
                && sight.fingerprint() == fingerprint
                && now.isBefore(sight.at().plus(TRUSTED_FOR));
    }

    void nothingFound(Method method, long fingerprint, Instant now) {
        nothingFound.put(method, new Sight(fingerprint, now));
    }

    /// All that a consolidation depends on and that objects or marks say, in one number. It does
    /// not depend on the order of objects.
    static long fingerprint(View view, Marks marks, Instant now) {
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
