package dev.millwright.spi;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.OverlayEvaluation;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// A cloud whose catalogue shows what NodeOverlays make of it. Everything else is the cloud's own.
///
/// Overlays are laid on the catalogue of the moment, not on the one they were evaluated with: an
/// offering that ran out since is out here too.
public final class OverlaidCloud implements CloudProvider {

    /// Pools whose catalogue is kept; beyond it all are worked out again.
    private static final int POOLS_MAX = 10_000;

    private final CloudProvider cloud;
    private final OverlayStore store;
    private final ConcurrentHashMap<String, Overlaid> overlaidByPool = new ConcurrentHashMap<>();

    /// A pool's catalogue, and all that it was made from.
    private record Overlaid(
            NodePool nodePool,
            List<InstanceType> plain,
            OverlayStore.Laid laid,
            CatalogAnswer.Types answer) {

        /// By identity: a catalogue is the same list until it changes, and to compare two of them
        /// takes longer than to lay overlays.
        @SuppressWarnings("ReferenceEquality")
        boolean isMadeFrom(NodePool pool, List<InstanceType> types, OverlayStore.Laid overlays) {
            return plain == types && laid == overlays && nodePool.equals(pool);
        }
    }

    public OverlaidCloud(CloudProvider cloud, OverlayStore store) {
        this.cloud = cloud;
        this.store = store;
    }

    @Override
    public CloudTraits traits() {
        return cloud.traits();
    }

    @Override
    public NoticesAnswer notices() {
        return cloud.notices();
    }

    @Override
    public List<RegistrationHook> registrationHooks() {
        return cloud.registrationHooks();
    }

    @Override
    public LaunchAnswer launch(MachineClaim claim) {
        return cloud.launch(claim);
    }

    @Override
    public TerminateAnswer terminate(MachineClaim claim) {
        return cloud.terminate(claim);
    }

    @Override
    public FindAnswer find(String providerId) {
        return cloud.find(providerId);
    }

    @Override
    public ListAnswer list() {
        return cloud.list();
    }

    @Override
    public DriftAnswer drift(MachineClaim claim) {
        return cloud.drift(claim);
    }

    @Override
    public RebootAnswer reboot(MachineClaim claim, String operation) {
        return cloud.reboot(claim, operation);
    }

    @Override
    public CatalogAnswer catalog(NodePool nodePool) {
        var laid = store.laid();
        return switch (cloud.catalog(nodePool)) {
            case CatalogAnswer.Types types -> {
                if (!laid.nodePools().contains(nodePool.name())) {
                    yield new CatalogAnswer.Unevaluated();
                }
                yield laid.overlays().isEmpty() ? types : overlaid(nodePool, types.types(), laid);
            }
            case CatalogAnswer.Unevaluated unevaluated -> unevaluated;
            case CatalogAnswer.Failed failed -> failed;
        };
    }

    private CatalogAnswer overlaid(
            NodePool nodePool, List<InstanceType> types, OverlayStore.Laid laid) {
        @Nullable Overlaid known = overlaidByPool.get(nodePool.name());
        if (known != null && known.isMadeFrom(nodePool, types, laid)) {
            return known.answer();
        }
        var catalogs = new TreeMap<String, List<InstanceType>>();
        catalogs.put(nodePool.name(), types);
        var evaluation =
                OverlayEvaluation.evaluate(
                        laid.overlays(), List.of(nodePool), catalogs, cloud.traits().vocabulary());
        var answer =
                new CatalogAnswer.Types(evaluation.catalogs().getOrDefault(nodePool.name(), types));
        if (overlaidByPool.size() >= POOLS_MAX) {
            overlaidByPool.clear();
        }
        overlaidByPool.put(nodePool.name(), new Overlaid(nodePool, types, laid, answer));
        return answer;
    }
}
