package dev.millwright.cli.plan;

import dev.millwright.core.disruption.Machine;
import dev.millwright.core.disruption.Machine.Standing;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePoolHash;
import dev.millwright.kube.object.PoolObject;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Set;

/// Which nodes the operator would find drifted at once when their pool is changed.
final class Drifting {

    private Drifting() {}

    /// The machine, marked when its pool would not buy it any more.
    static Machine of(Machine machine, @Nullable NodePool pool, Instant now) {
        return pool == null
                        || machine.standing().driftedAt() != null
                        || !machine.node().isManaged()
                        || Requirements.ofLabels(machine.node().labels())
                                .isCompatible(
                                        Requirements.of(pool.template().requirements()), Set.of())
                ? machine
                : marked(machine, now);
    }

    /// The same, and when its pool's template is another than it was made from.
    static Machine of(Machine machine, @Nullable PoolObject pool, Instant now) {
        if (pool == null || machine.standing().driftedAt() != null) {
            return machine;
        }
        var claim = machine.node().claim();
        var hash = claim == null ? null : claim.annotations().get(AnnotationKeys.NODE_POOL_HASH);
        var version =
                claim == null
                        ? null
                        : claim.annotations().get(AnnotationKeys.NODE_POOL_HASH_VERSION);
        return hash != null && NodePoolHash.VERSION.equals(version) && !hash.equals(pool.hash())
                ? marked(machine, now)
                : of(machine, pool.pool(), now);
    }

    private static Machine marked(Machine machine, Instant now) {
        var standing = machine.standing();
        return new Machine(
                machine.node(),
                new Standing(
                        standing.claimUid(),
                        standing.isReady(),
                        standing.isInstanceTerminating(),
                        standing.isQueued(),
                        standing.isNominated(),
                        standing.virtualPods(),
                        now,
                        standing.isReturning(),
                        standing.isConsolidatable(),
                        standing.terminationGracePeriod(),
                        standing.health()),
                machine.pods());
    }
}
