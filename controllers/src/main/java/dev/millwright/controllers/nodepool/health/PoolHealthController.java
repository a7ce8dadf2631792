package dev.millwright.controllers.nodepool.health;

import dev.millwright.controllers.nodepool.PoolPatches;
import dev.millwright.controllers.nodepool.PoolWatches;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.List;

/// Begins a pool's registration health anew when the pool or its class has changed: what failed
/// before may work now.
///
/// Who registers or gives up nodes says how it went; see [PoolHealth].
public final class PoolHealthController implements Controller {

    private static final String AWAITING = "AwaitingReconciliation";

    private final List<Kind<NodeClassObject>> classKinds;
    private final PoolHealth health;
    private final double cores;

    public PoolHealthController(
            List<Kind<NodeClassObject>> classKinds, PoolHealth health, double cores) {
        this.classKinds = List.copyOf(classKinds);
        this.health = health;
        this.cores = cores;
    }

    @Override
    public String name() {
        return "nodepool.registrationhealth";
    }

    @Override
    public List<Watch<?>> watches() {
        return PoolWatches.ofPoolsAndClasses(classKinds);
    }

    @Override
    public Pace pace() {
        return Pace.of(Concurrency.scale(10, 1000, cores));
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var pool = view.pool(key.name());
        if (pool == null) {
            health.retain(view.pools().stream().map(each -> each.meta().uid()).toList());
            return Step.DONE;
        }
        var nodeClass = view.nodeClass(pool.pool().template().nodeClassRef());
        if (nodeClass == null) {
            return Step.DONE;
        }
        var generation = nodeClass.meta().generation();
        var before = pool.conditions();
        recall(pool.meta().uid(), before.status(PoolObject.REGISTRATION_HEALTHY));
        if (!isStale(pool, generation)) {
            return Step.DONE;
        }
        var after =
                before.with(
                        PoolObject.REGISTRATION_HEALTHY,
                        Status.UNKNOWN,
                        AWAITING,
                        "no node has registered since the pool or its class changed",
                        now);
        var body =
                Tree.of("metadata", pool.meta().locked())
                        .put(
                                "status",
                                Tree.of()
                                        .put("nodeClassObservedGeneration", generation)
                                        .put("conditions", after.value()));
        return Step.of(
                new Effect.Write(PoolPatches.status(pool, body)),
                new Effect.Remember(
                        "forget registrations of NodePool " + key.name(),
                        () -> health.forget(pool.meta().uid())));
    }

    /// A restart forgets what nodes did; the condition tells it again.
    private void recall(String uid, Status told) {
        if (health.status(uid) != PoolHealth.Status.UNKNOWN) {
            return;
        }
        switch (told) {
            case TRUE -> health.record(uid, true);
            case FALSE -> {
                health.record(uid, false);
                health.record(uid, false);
            }
            case UNKNOWN -> {}
        }
    }

    private static boolean isStale(PoolObject pool, long classGeneration) {
        var told = pool.conditions().find(PoolObject.REGISTRATION_HEALTHY);
        var seen = pool.status().nodeClassObservedGeneration();
        return told == null
                || told.observedGeneration() != pool.meta().generation()
                || (seen == null ? 0 : seen) != classGeneration;
    }
}
