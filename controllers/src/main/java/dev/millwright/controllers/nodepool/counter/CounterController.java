package dev.millwright.controllers.nodepool.counter;

import dev.millwright.controllers.nodepool.PoolPatches;
import dev.millwright.controllers.nodepool.PoolUsage;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/// Writes what a pool's machines add up to.
public final class CounterController implements Controller {

    private static final Duration RECOUNT = Duration.ofSeconds(5);
    private static final Duration RECOUNT_UNSYNCED = Duration.ofSeconds(1);

    /// What a pool without nodes has, too, so that a reader finds a number.
    private static final Resources NOTHING =
            new Resources(
                    Map.of(
                            Resources.CPU, Quantity.ZERO,
                            Resources.MEMORY, Quantity.ZERO,
                            Resources.PODS, Quantity.ZERO,
                            Resources.EPHEMERAL_STORAGE, Quantity.ZERO,
                            Resources.NODES, Quantity.ZERO));

    /// What a count depends on.
    private static final List<Kind<?>> COUNTED =
            List.of(Kind.NODE_POOL, Kind.NODE_CLAIM, Kind.NODE);

    /// The state of the cluster in which a pool was counted and found to say so.
    private final Map<ObjectName, Long> counted = new ConcurrentHashMap<>();

    private final Marks marks;
    private final double cores;

    public CounterController(Marks marks, double cores) {
        this.marks = marks;
        this.cores = cores;
    }

    @Override
    public String name() {
        return "nodepool.counter";
    }

    /// Only a new pool: an old one is counted again by itself.
    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(
                        Kind.NODE_POOL,
                        (_, change) -> change.isCreation() ? List.of(change.name()) : List.of()));
    }

    @Override
    public Pace pace() {
        return Pace.of(Concurrency.scale(10, 1000, cores));
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var pool = view.pool(key.name());
        if (pool == null || !view.isManaged(pool.pool().template().nodeClassRef())) {
            counted.remove(key);
            return Step.DONE;
        }
        if (!ClusterState.isSynced(view)) {
            return Step.again(RECOUNT_UNSYNCED);
        }
        var revision = view.revision(COUNTED) + marks.revision();
        if (Objects.equals(counted.get(key), revision)) {
            return Step.again(RECOUNT);
        }
        var resources = NOTHING.plus(PoolUsage.of(view, marks, key.name()));
        var nodes = resources.amount(Resources.NODES).units();
        if (pool.status().resources().equals(resources) && pool.status().nodes() == nodes) {
            counted.put(key, revision);
            return Step.again(RECOUNT);
        }
        var body =
                Tree.of("status", Tree.of("resources", patch(pool, resources)).put("nodes", nodes));
        return Step.of(new Effect.Write(PoolPatches.status(pool, body))).thenAgain(RECOUNT);
    }

    /// A resource that no node has any more is taken away by a null.
    private static Tree patch(PoolObject pool, Resources after) {
        var tree = Tree.of();
        for (var name : pool.status().resources().amounts().keySet()) {
            if (!after.has(name)) {
                tree.putNothing(name);
            }
        }
        after.amounts().forEach((name, amount) -> tree.put(name, Resources.render(name, amount)));
        return tree;
    }
}
