package dev.millwright.controllers.disruption;

import dev.millwright.controllers.nodepool.DisruptionControls;
import dev.millwright.controllers.nodepool.PoolBudgets;
import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.disruption.DisruptionCost;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.disruption.Machine.MovedPod;
import dev.millwright.core.disruption.Machine.Standing;
import dev.millwright.core.disruption.PoolRules;
import dev.millwright.core.disruption.PoolRules.Consolidation;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.policy.CapacityBuffer;
import dev.millwright.core.policy.CapacityMix;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.DriftAnswer;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// Reads from the caches what a decision about nodes is made from.
public final class Survey {

    private final Marks marks;
    private final DisruptionQueue queue;
    private final Catalogs catalogs;
    private final Function<View, List<CapacityBuffer>> buffers;
    private final SchedulingPolicy policy;
    private final boolean isSpotToSpot;
    private final Settings.Consolidation consolidation;

    /// Consolidates as Karpenter does, unless a pool says otherwise.
    public Survey(
            Marks marks,
            DisruptionQueue queue,
            Catalogs catalogs,
            Function<View, List<CapacityBuffer>> buffers,
            SchedulingPolicy policy,
            boolean isSpotToSpot) {
        this(
                marks,
                queue,
                catalogs,
                buffers,
                policy,
                isSpotToSpot,
                Settings.Consolidation.KARPENTER);
    }

    public Survey(
            Marks marks,
            DisruptionQueue queue,
            Catalogs catalogs,
            Function<View, List<CapacityBuffer>> buffers,
            SchedulingPolicy policy,
            boolean isSpotToSpot,
            Settings.Consolidation consolidation) {
        this.marks = marks;
        this.queue = queue;
        this.catalogs = catalogs;
        this.buffers = buffers;
        this.policy = policy;
        this.isSpotToSpot = isSpotToSpot;
        this.consolidation = consolidation;
    }

    public DisruptionProblem of(View view, Instant now) {
        var snapshot = new ClusterState(marks).snapshot(view, now);
        var pools =
                view.pools().stream()
                        .filter(pool -> view.isManaged(pool.pool().template().nodeClassRef()))
                        .toList();
        var rules = new TreeMap<String, PoolRules>();
        var freeze = Freezes.ofCluster(view);
        pools.forEach(pool -> rules.put(pool.pool().name(), rules(pool, freeze)));
        var types = types(pools);
        return new DisruptionProblem(
                        new SchedulingProblem(
                                snapshot.withPods(withVirtual(snapshot.pods(), view, now)),
                                pools.stream().map(PoolObject::pool).toList(),
                                types,
                                policy),
                        snapshot.nodes().stream().map(node -> machine(view, node, now)).toList(),
                        rules,
                        isSpotToSpot)
                .withPast(queue.moves().past(view, types, !queue.entries().isEmpty(), now));
    }

    private List<Pod> withVirtual(List<Pod> pods, View view, Instant now) {
        var waiting = buffers.apply(view);
        if (waiting.isEmpty()) {
            return pods;
        }
        var all = new ArrayList<>(pods);
        waiting.forEach(buffer -> all.addAll(buffer.virtualPods(now)));
        return all;
    }

    private PoolRules rules(PoolObject pool, @Nullable Freeze freeze) {
        return new PoolRules(
                pool.pool(),
                PoolBudgets.of(pool),
                pool.disruption().consolidateAfter(),
                Consolidation.of(pool.disruption().policy().text()),
                DisruptionControls.of(pool).within(freeze),
                isWholeFleet(pool) ? consolidation.horizon() : null,
                CapacityMix.of(pool.meta().annotations()).mix());
    }

    /// As the pool says; a word that is none leaves it to the operator's setting.
    private boolean isWholeFleet(PoolObject pool) {
        var own = pool.meta().annotation(ControlKeys.CONSOLIDATION);
        return switch (own == null ? "" : own) {
            case "cheapest" -> true;
            case "karpenter" -> false;
            default -> consolidation.isWholeFleet();
        };
    }

    /// A pool whose types cannot be told is left out: its nodes stay.
    private SequencedMap<String, List<InstanceType>> types(List<PoolObject> pools) {
        var types = new TreeMap<String, List<InstanceType>>();
        for (var pool : pools) {
            if (catalogs.of(pool.pool()) instanceof CatalogAnswer.Types(var found)) {
                types.put(pool.pool().name(), found);
            }
        }
        return types;
    }

    private Machine machine(View view, StateNode node, Instant now) {
        var claim = node.claim() == null ? null : view.claim(node.claim().name());
        var pods =
                node.node() == null
                        ? List.<MovedPod>of()
                        : view.podsOn(node.name()).stream()
                                .map(
                                        pod ->
                                                new MovedPod(
                                                        pod.pod(),
                                                        DisruptionCost.ofPod(
                                                                pod.meta()
                                                                        .annotation(
                                                                                DisruptionCost
                                                                                        .DELETION_COST),
                                                                pod.priority())))
                                .toList();
        return new Machine(node, standing(view, node, claim, now), pods);
    }

    private Standing standing(View view, StateNode node, @Nullable ClaimObject claim, Instant now) {
        var object = node.node() == null ? null : view.node(node.name());
        var isReady = object != null && object.isReady();
        if (claim == null) {
            return new Standing(
                    "",
                    isReady,
                    false,
                    false,
                    false,
                    0,
                    null,
                    false,
                    false,
                    null,
                    Health.of(object, null, queue.reboots(), now));
        }
        var conditions = claim.conditions();
        var found = conditions.find(ClaimObject.DRIFTED);
        var drifted = found != null && found.isTrue() ? found : null;
        return new Standing(
                claim.meta().uid(),
                isReady,
                conditions.isTrue(ClaimObject.INSTANCE_TERMINATING),
                queue.holds(claim.name().name()),
                marks.isNominated(node.name(), now),
                marks.virtualPodsOn(node.name()),
                drifted == null ? null : drifted.changedAt(),
                drifted != null && drifted.reason().equals(DriftAnswer.SPOT_AVAILABLE),
                conditions.isTrue(ClaimObject.CONSOLIDATABLE),
                claim.spec().terminationGracePeriod(),
                Health.of(object, claim, queue.reboots(), now));
    }
}
