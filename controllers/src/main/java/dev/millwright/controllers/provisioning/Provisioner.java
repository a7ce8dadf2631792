package dev.millwright.controllers.provisioning;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.policy.CapacityBuffer;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.CatalogAnswer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// The pass: waits for the batch to end, plans for all pods that wait, and has the claims made.
public final class Provisioner implements Controller {

    public static final String NAME = "provisioner";

    /// While the cloud owes an answer: soon enough for a person, seldom enough for a processor.
    private static final Duration UNSYNCED_RECHECK = Duration.ofMillis(100);

    private final Batch batch;
    private final ClusterState state;
    private final Catalogs catalogs;
    private final Function<View, List<CapacityBuffer>> buffers;
    private final SchedulingPolicy policy;
    private final PlanEffects effects;
    private final LongSupplier nanos;

    /// `nanos` only measures how long planning took; no decision depends on it.
    public Provisioner(
            Batch batch,
            ClusterState state,
            Catalogs catalogs,
            Function<View, List<CapacityBuffer>> buffers,
            SchedulingPolicy policy,
            PlanEffects effects,
            LongSupplier nanos) {
        this.batch = batch;
        this.state = state;
        this.catalogs = catalogs;
        this.buffers = buffers;
        this.policy = policy;
        this.effects = effects;
        this.nanos = nanos;
    }

    @Override
    public String name() {
        return NAME;
    }

    /// It is called by triggers.
    @Override
    public List<Watch<?>> watches() {
        return List.of();
    }

    @Override
    public Pace pace() {
        return Pace.of(1);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var wait = batch.remaining(now);
        if (wait == null) {
            return Step.DONE;
        }
        if (!wait.isZero()) {
            return Step.again(wait);
        }
        if (!ClusterState.isSynced(view)) {
            return Step.again(UNSYNCED_RECHECK);
        }
        var doubt = effects.doubt(view, now);
        if (!doubt.isZero()) {
            return Step.again(doubt);
        }
        batch.close();
        return pass(view, now);
    }

    private Step pass(View view, Instant now) {
        var begun = nanos.getAsLong();
        var snapshot = state.snapshot(view, now);
        var waiting = buffers.apply(view);
        var isIdle =
                waiting.isEmpty()
                        && snapshot.nodes().stream().noneMatch(each -> each.isMarkedForDeletion())
                        && snapshot.pods().stream().noneMatch(pod -> pod.state().isProvisionable());
        if (isIdle) {
            return Step.of(duration(begun)).followedBy(effects.ofNothing());
        }
        var said = new ArrayList<Effect>();
        var pools = pools(view);
        var types = types(pools, said);
        var problem =
                new SchedulingProblem(
                        snapshot.withPods(withVirtual(snapshot.pods(), waiting, now)),
                        pools.stream().map(PoolObject::pool).toList(),
                        types,
                        policy);
        var plan = Planner.plan(problem);
        said.add(duration(begun));
        said.add(new AutoscalerEffect.Decided(new Deliberation.Provisioning(problem, plan)));
        return Step.of(said)
                .followedBy(effects.of(new PlanEffects.Pass(view, problem, plan, waiting, now)));
    }

    private static List<Pod> withVirtual(
            List<Pod> pods, List<CapacityBuffer> buffers, Instant now) {
        if (buffers.isEmpty()) {
            return pods;
        }
        var all = new ArrayList<>(pods);
        buffers.forEach(buffer -> all.addAll(buffer.virtualPods(now)));
        return all;
    }

    private Effect duration(long begunNanos) {
        return new Effect.Observe(
                Families.SCHEDULER_DURATION, (nanos.getAsLong() - begunNanos) / 1e9, List.of(NAME));
    }

    private static List<PoolObject> pools(View view) {
        return view.pools().stream()
                .filter(pool -> view.isManaged(pool.pool().template().nodeClassRef()))
                .toList();
    }

    /// A pool whose types cannot be told sits this pass out; the others go on.
    private SequencedMap<String, List<InstanceType>> types(
            List<PoolObject> pools, List<Effect> said) {
        var types = new TreeMap<String, List<InstanceType>>();
        for (var pool : pools) {
            if (!pool.pool().isOpenForPods()) {
                continue;
            }
            switch (catalogs.of(pool.pool())) {
                case CatalogAnswer.Types(var found) -> types.put(pool.pool().name(), found);
                case CatalogAnswer.Unevaluated() ->
                        said.add(
                                new Effect.Say(
                                        LogLevel.DEBUG,
                                        "skipping nodepool, overlays are not evaluated yet",
                                        "NodePool",
                                        pool.pool().name()));
                case CatalogAnswer.Failed(var message) ->
                        said.add(
                                new Effect.Say(
                                        LogLevel.ERROR,
                                        "skipping nodepool, unable to resolve instance types",
                                        "NodePool",
                                        pool.pool().name(),
                                        "error",
                                        message));
            }
        }
        return types;
    }
}
