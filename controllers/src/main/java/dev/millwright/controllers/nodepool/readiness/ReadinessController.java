package dev.millwright.controllers.nodepool.readiness;

import dev.millwright.controllers.nodepool.PoolPatches;
import dev.millwright.controllers.nodepool.PoolWatches;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.Conditions;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Tells in the pool's condition `NodeClassReady` what its NodeClass says of itself.
public final class ReadinessController implements Controller {

    private final List<Kind<NodeClassObject>> classKinds;
    private final double cores;

    public ReadinessController(List<Kind<NodeClassObject>> classKinds, double cores) {
        this.classKinds = List.copyOf(classKinds);
        this.cores = cores;
    }

    @Override
    public String name() {
        return "nodepool.readiness";
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
        if (pool == null || !view.isManaged(reference(pool))) {
            return Step.DONE;
        }
        var before = pool.conditions();
        var after = after(before, reference(pool), view.nodeClass(reference(pool)), now);
        return after.equals(before)
                ? Step.DONE
                : Step.of(new Effect.Write(PoolPatches.conditions(pool, after)));
    }

    private static NodeClassRef reference(PoolObject pool) {
        return pool.pool().template().nodeClassRef();
    }

    private static Conditions after(
            Conditions before,
            NodeClassRef reference,
            @Nullable NodeClassObject nodeClass,
            Instant now) {
        var named = "%s %s".formatted(reference.kind(), reference.name());
        if (nodeClass == null) {
            return unready(
                    before,
                    "NodeClassNotFound",
                    named + " is not there; make it, or name another in spec.template.spec",
                    now);
        }
        if (nodeClass.meta().isDeleting()) {
            return unready(
                    before,
                    "NodeClassTerminating",
                    named + " is being deleted; name another in spec.template.spec",
                    now);
        }
        var ready = nodeClass.ready();
        return switch (ready.status()) {
            case TRUE -> before.withTrue(PoolObject.NODE_CLASS_READY, now);
            case FALSE ->
                    unready(
                            before,
                            ready.reason().isEmpty() ? "NodeClassNotReady" : ready.reason(),
                            ready.message(),
                            now);
            case UNKNOWN ->
                    unready(
                            before,
                            "NodeClassReadinessUnknown",
                            named + " does not say yet whether it is ready",
                            now);
        };
    }

    private static Conditions unready(
            Conditions before, String reason, String message, Instant now) {
        return before.with(PoolObject.NODE_CLASS_READY, Status.FALSE, reason, message, now);
    }
}
