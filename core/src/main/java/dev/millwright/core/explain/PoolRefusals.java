package dev.millwright.core.explain;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.PoolExplanation.Fix;
import dev.millwright.core.explain.SmallestSet.Trial;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.Simulator;
import dev.millwright.core.scheduling.WaitReason;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// The pods that wait and that a pool refuses, by reason, and what of the pool would have to change
/// for the commonest.
final class PoolRefusals {

    /// Reasons that are shown, the commonest first.
    private static final int GROUPS_MAX = 5;

    /// Plans that are made for one answer; each is of the whole cluster.
    static final int PLANS_MAX = 60;

    /// Pods that are refused for the same reason; the first by name speaks for all.
    private record Group(String reason, List<ObjectName> pods, Refusal refusal) {}

    private final SchedulingProblem problem;
    private final String pool;
    private final List<Group> groups;
    private final List<ObjectName> keptOff = new ArrayList<>();

    PoolRefusals(SchedulingProblem problem, String pool) {
        this.problem = problem;
        this.pool = pool;
        this.groups = groups(plan(problem));
    }

    private static Plan plan(SchedulingProblem of) {
        return new Simulator(of).without(List.of(), Packing.FIRST_FIT);
    }

    private List<Group> groups(Plan plan) {
        var byReason = new TreeMap<String, Group>();
        for (var waiting : plan.waiting()) {
            var refusal = refusal(waiting.reason());
            if (refusal != null && isKeptOff(waiting.pod())) {
                keptOff.add(waiting.pod());
            } else if (refusal != null) {
                var reason = refusal.getClass().getSimpleName();
                byReason.computeIfAbsent(
                                reason + detail(refusal),
                                _ -> new Group(reason, new ArrayList<>(), refusal))
                        .pods()
                        .add(waiting.pod());
            }
        }
        return byReason.values().stream()
                .sorted(Comparator.comparingInt((Group group) -> -group.pods().size()))
                .toList();
    }

    /// Whether the pool's taints keep the pod off, as they are there to do.
    private boolean isKeptOff(ObjectName name) {
        var isolation = new Isolation(problem, pod(name));
        return problem.nodePools().stream()
                .anyMatch(each -> each.name().equals(pool) && isolation.isKeptOff(each));
    }

    private @Nullable Refusal refusal(WaitReason reason) {
        if (reason instanceof WaitReason.Refused(var pools)) {
            for (var each : pools) {
                if (each.nodePool().equals(pool)) {
                    return each.refusal();
                }
            }
        }
        return null;
    }

    /// What tells one refusal from another of its kind.
    private static String detail(Refusal refusal) {
        return switch (refusal) {
            case Refusal.Untolerated(var taint) -> taint.toString();
            case Refusal.Requirement(var mismatch) -> mismatch.key();
            case Refusal.Volume(var mismatch) -> mismatch.key();
            case Refusal.Topology topology -> topology.kind() + topology.key();
            case Refusal.MinValues(var key, _, _) -> key;
            case Refusal.VolumeLimit(var driver, _, _) -> driver;
            case Refusal.NoInstanceType _,
                    Refusal.HostPorts _,
                    Refusal.Limit _,
                    Refusal.NodeLimit _,
                    Refusal.NoTypesLeft _ ->
                    "";
        };
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    List<PoolFinding> findings() {
        var findings = new ArrayList<PoolFinding>();
        groups.stream()
                .limit(GROUPS_MAX)
                .map(
                        group ->
                                new PoolFinding.Refuses(
                                        group.reason(),
                                        group.pods().size(),
                                        group.pods().getFirst(),
                                        group.refusal().explain()))
                .forEach(findings::add);
        if (!keptOff.isEmpty()) {
            findings.add(new PoolFinding.KeepsOff(keptOff.size(), keptOff.getFirst()));
        }
        return findings;
    }

    /// Changes of this pool alone that give a pod of the commonest reason a place.
    Fix fix() {
        var group = groups.getFirst();
        var pod = pod(group.pods().getFirst());
        var search =
                new SmallestSet<PoolChange, Boolean>(
                        PoolChange::effort, PoolPurchase.CHANGES_MAX, PLANS_MAX);
        var found =
                search.search(
                        remedies(problem, pod, group.refusal()), changes -> trial(changes, pod));
        return found == null
                ? new Fix.None(
                        "no change of the pool alone gives pod %s a place; see millwright explain pod %s"
                                .formatted(pod.name(), pod.name()))
                : new Fix.Buying(needed(found.changes(), pod));
    }

    private Pod pod(ObjectName name) {
        return problem.snapshot().pods().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Trial<PoolChange, Boolean> trial(List<PoolChange> changes, Pod pod) {
        var changed = applied(changes, pod);
        var reason = reason(changed, pod);
        if (reason == null) {
            return new Trial.Enough<>(true);
        }
        var refusal = refusal(reason);
        return new Trial.More<>(refusal == null ? List.of() : remedies(changed, pod, refusal));
    }

    private static @Nullable WaitReason reason(SchedulingProblem of, Pod pod) {
        return plan(of).waiting().stream()
                .filter(waiting -> waiting.pod().equals(pod.name()))
                .map(waiting -> waiting.reason())
                .findFirst()
                .orElse(null);
    }

    private SchedulingProblem applied(List<PoolChange> changes, Pod pod) {
        var changed = problem;
        for (var change : changes) {
            changed = change.applied(changed, pod);
        }
        return changed;
    }

    private List<PoolChange> remedies(SchedulingProblem of, Pod pod, Refusal refusal) {
        var alone = new WaitReason.Refused(List.of(new WaitReason.PoolRefusal(pool, refusal)));
        var found = new ArrayList<PoolChange>();
        for (var change : Remedies.of(of, pod, alone)) {
            if (change instanceof PoolChange ofPool && !(change instanceof PoolChange.DropTaint)) {
                found.add(ofPool);
            }
        }
        return found;
    }

    private List<PoolChange> needed(List<PoolChange> changes, Pod pod) {
        for (var change : changes) {
            var fewer = changes.stream().filter(each -> !each.equals(change)).toList();
            if (!fewer.isEmpty() && reason(applied(fewer, pod), pod) == null) {
                return needed(fewer, pod);
            }
        }
        return changes;
    }
}
