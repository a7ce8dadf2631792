package dev.millwright.providers.aws.offering;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.NodeOverlay;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.OverlayEvaluation;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.OverlayObject;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// What NodeOverlays make of the types that a launch chooses from: a plan was made by their prices,
/// and EC2 is to be asked in their order.
public final class Overlays {

    /// Pools whose types are kept; beyond it all are worked out again.
    private static final int POOLS_MAX = 1_000;

    private final View view;
    private final LabelVocabulary vocabulary;
    private final ConcurrentHashMap<String, Laid> laidByPool = new ConcurrentHashMap<>();

    private record Laid(
            NodePool pool,
            List<InstanceType> plain,
            List<NodeOverlay> overlays,
            List<InstanceType> overlaid) {

        /// Types by identity: a catalogue is the same list until it changes.
        @SuppressWarnings("ReferenceEquality")
        boolean isMadeFrom(NodePool other, List<InstanceType> from, List<NodeOverlay> by) {
            return plain == from && overlays.equals(by) && pool.equals(other);
        }
    }

    /// @param view keeps NodeOverlays only while their gate is on
    public Overlays(View view, LabelVocabulary vocabulary) {
        this.view = view;
        this.vocabulary = vocabulary;
    }

    /// Those without fault or conflict, by their conditions.
    static List<NodeOverlay> sound(View view) {
        if (!view.keeps(Kind.NODE_OVERLAY)) {
            return List.of();
        }
        return view.cache(Kind.NODE_OVERLAY).all().stream()
                .filter(overlay -> overlay.conditions().isTrue(OverlayObject.VALIDATION_SUCCEEDED))
                .map(OverlayObject::overlay)
                .sorted(NodeOverlay.ORDER)
                .toList();
    }

    /// The types as the pool sees them.
    ///
    /// @param poolName null, or a pool that is gone: then nothing is laid
    public List<InstanceType> lay(@Nullable String poolName, List<InstanceType> plain) {
        var overlays = sound(view);
        var object = poolName == null ? null : view.pool(poolName);
        if (overlays.isEmpty() || object == null) {
            return plain;
        }
        var pool = object.pool();
        var known = laidByPool.get(pool.name());
        if (known != null && known.isMadeFrom(pool, plain, overlays)) {
            return known.overlaid();
        }
        var catalogs = new TreeMap<String, List<InstanceType>>();
        catalogs.put(pool.name(), plain);
        var overlaid =
                OverlayEvaluation.evaluate(overlays, List.of(pool), catalogs, vocabulary)
                        .catalogs()
                        .getOrDefault(pool.name(), plain);
        if (laidByPool.size() >= POOLS_MAX) {
            laidByPool.clear();
        }
        laidByPool.put(pool.name(), new Laid(pool, plain, overlays, overlaid));
        return overlaid;
    }
}
