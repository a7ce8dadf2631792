package dev.millwright.core.explain;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.PodChange.Neighbours;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.Simulator;
import dev.millwright.core.scheduling.WaitReason;
import dev.millwright.core.scheduling.WaitReason.PoolRefusal;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;

/// Everything for which each pool refuses a pod. The planner names the first obstacle of a pool;
/// that one is taken away in thought, and the planner is asked again for this pod and pool alone.
final class PoolObstacles {

    /// Of one pool.
    private static final int OBSTACLES_MAX = 6;

    /// Plans for all pools together; each is for one pod.
    private static final int PLANS_MAX = 40;

    private static final Quantity PLENTY = Quantity.ofUnits(1_000_000_000_000L);

    private final SchedulingProblem problem;
    private final Pod pod;
    private int plans;

    PoolObstacles(SchedulingProblem problem, Pod pod) {
        var alone =
                problem.snapshot().pods().stream()
                        .filter(each -> each.state().isBound() || each.name().equals(pod.name()))
                        .toList();
        this.problem = problem.withSnapshot(problem.snapshot().withPods(alone));
        this.pod = pod;
    }

    /// The same refusals, each followed by what else the pool would refuse the pod for.
    WaitReason all(WaitReason reason) {
        if (!(reason instanceof WaitReason.Refused(var refusals))) {
            return reason;
        }
        var all = new ArrayList<PoolRefusal>();
        for (var first : refusals) {
            for (var refusal : obstacles(first)) {
                all.add(new PoolRefusal(first.nodePool(), refusal));
            }
        }
        return new WaitReason.Refused(all);
    }

    private List<Refusal> obstacles(PoolRefusal first) {
        var found = new LinkedHashSet<Refusal>();
        var next = first.refusal();
        var changed = only(first.nodePool());
        while (next != null && found.size() < OBSTACLES_MAX && found.add(next)) {
            var changes = away(first.nodePool(), next);
            if (changes.isEmpty() || plans++ >= PLANS_MAX) {
                break;
            }
            for (var change : changes) {
                changed = change.applied(changed, pod);
            }
            next = refusal(changed);
        }
        return List.copyOf(found);
    }

    private SchedulingProblem only(String pool) {
        return problem.withNodePools(
                problem.nodePools().stream().filter(each -> each.name().equals(pool)).toList());
    }

    private @Nullable Refusal refusal(SchedulingProblem changed) {
        for (var waiting : new Simulator(changed).without(List.of(), Packing.FIRST_FIT).waiting()) {
            if (waiting.pod().equals(pod.name())
                    && waiting.reason() instanceof WaitReason.Refused(var pools)) {
                return pools.getFirst().refusal();
            }
        }
        return null;
    }

    /// What takes the obstacle away, however much that gives up; none where nothing is behind it.
    private List<Change> away(String pool, Refusal refusal) {
        return switch (refusal) {
            case Refusal.Untolerated(var taint) -> List.of(new PodChange.Tolerate(taint));
            case Refusal.Requirement(var mismatch) ->
                    List.of(new PodChange.DropDemand(mismatch.key()));
            case Refusal.Volume(var mismatch) ->
                    List.of(new PoolChange.DropRequirement(pool, mismatch.key()));
            case Refusal.Topology topology ->
                    List.of(
                            new PodChange.LoosenSpread(topology.key()),
                            new PodChange.DropNeighbours(Neighbours.NEAR, topology.key()),
                            new PodChange.DropNeighbours(Neighbours.FAR, topology.key()));
            case Refusal.HostPorts _ -> List.of(PodChange.DropHostPorts.of(pod));
            case Refusal.Limit _, Refusal.NodeLimit _ -> unlimited(pool);
            case Refusal.MinValues(var key, _, _) ->
                    List.of(new PoolChange.LowerMinValues(pool, key, 0));
            case Refusal.NoInstanceType _, Refusal.VolumeLimit _, Refusal.NoTypesLeft _ ->
                    List.of();
        };
    }

    private List<Change> unlimited(String pool) {
        return problem.nodePools().stream()
                .filter(each -> each.name().equals(pool))
                .<Change>map(each -> new PoolChange.RaiseLimits(pool, plenty(each)))
                .toList();
    }

    private static Resources plenty(NodePool pool) {
        var limits = new TreeMap<String, Quantity>();
        pool.limits().names().forEach(name -> limits.put(name, PLENTY));
        return new Resources(limits);
    }
}
