package dev.millwright.core.explain;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.PodExplanation.Fix;
import dev.millwright.core.explain.PodExplanation.Verdict;
import dev.millwright.core.explain.SmallestSet.Trial;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.Simulator;
import dev.millwright.core.scheduling.WaitReason;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Says why a pod waits, and searches the smallest set of changes that gives it a place.
///
/// The search is best first: fewer changes before more, easier before harder. From each plan in
/// which the pod still waits, the reasons lead to the next changes; so what it answers was planned
/// with, and whatever is smaller was planned with before.
public final class PodExplainer {

    /// Changes that a person may be asked to make together.
    static final int CHANGES_MAX = 3;

    /// Plans that are made for one answer.
    static final int PLANS_MAX = 400;

    private final SchedulingProblem problem;
    private int plans;

    public PodExplainer(SchedulingProblem problem) {
        this.problem = problem;
    }

    /// @return null when the cluster has no such pod
    public @Nullable PodExplanation explain(ObjectName name) {
        var pod = find(problem, name);
        if (pod == null) {
            return null;
        }
        plans = 0;
        var verdict = verdict(problem, pod);
        return new PodExplanation(
                name,
                verdict,
                verdict instanceof Verdict.Waits(var reason) ? fix(pod, reason) : null);
    }

    private static @Nullable Pod find(SchedulingProblem problem, ObjectName name) {
        return problem.snapshot().pods().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private Verdict verdict(SchedulingProblem with, Pod pod) {
        var nodeName = pod.state().nodeName();
        var plan = plan(with);
        for (var waiting : plan.waiting()) {
            if (waiting.pod().equals(pod.name())) {
                return new Verdict.Waits(waiting.reason());
            }
        }
        for (var existing : plan.existing()) {
            if (existing.pods().contains(pod.name())) {
                return new Verdict.Fits(existing.node());
            }
        }
        for (var claim : plan.claims()) {
            if (claim.pods().contains(pod.name())) {
                var cheapest = claim.cheapest();
                return new Verdict.GetsNode(
                        claim.nodePool(),
                        cheapest.name(),
                        cheapest.zone(),
                        cheapest.pricePerHour());
            }
        }
        return nodeName != null
                ? new Verdict.Settled(nodeName)
                : new Verdict.NotOurs(
                        "kube-scheduler has not found it unschedulable, or it is being deleted");
    }

    private Plan plan(SchedulingProblem with) {
        plans++;
        return new Simulator(with).without(List.of(), Packing.FIRST_FIT);
    }

    private Fix fix(Pod pod, WaitReason reason) {
        var search = new SmallestSet<Change, Boolean>(Change::effort, CHANGES_MAX, PLANS_MAX - 1);
        var found = search.search(remedies(problem, pod, reason), changes -> trial(changes, pod));
        return found == null
                ? new Fix.None(why(reason))
                : new Fix.Found(needed(found.changes(), pod));
    }

    private Trial<Change, Boolean> trial(List<Change> changes, Pod pod) {
        var changed = applied(changes, pod);
        return switch (verdict(changed, pod)) {
            case Verdict.Waits(var next) -> new Trial.More<>(remedies(changed, pod, next));
            case Verdict.Fits _, Verdict.GetsNode _ -> new Trial.Enough<>(true);
            case Verdict.Settled _, Verdict.NotOurs _ -> new Trial.More<>(List.of());
        };
    }

    private static List<Change> remedies(SchedulingProblem changed, Pod pod, WaitReason reason) {
        var now = find(changed, pod.name());
        return Remedies.of(changed, now == null ? pod : now, reason);
    }

    private SchedulingProblem applied(List<Change> changes, Pod pod) {
        var changed = problem;
        for (var change : changes) {
            changed = change.applied(changed, pod);
        }
        return changed;
    }

    /// Without those that turn out to change nothing: an early step of the search may have been
    /// made good by a later one.
    private List<Change> needed(List<Change> changes, Pod pod) {
        for (var change : changes) {
            if (changes.size() > 1) {
                var fewer = changes.stream().filter(each -> !each.equals(change)).toList();
                var verdict = verdict(applied(fewer, pod), pod);
                if (verdict instanceof Verdict.Fits || verdict instanceof Verdict.GetsNode) {
                    return needed(fewer, pod);
                }
            }
        }
        return changes;
    }

    private String why(WaitReason reason) {
        return switch (reason) {
            case WaitReason.NoNodePools() ->
                    "no NodePool is ready; a change to the pod or a pool's requirements cannot help";
            case WaitReason.ResourceClaimsUnsupported() ->
                    "pods with resource claims are not planned for yet";
            case WaitReason.Invalid(var fault) -> fault;
            case WaitReason.ReservationPending(_) -> "it is tried again in the next pass by itself";
            case WaitReason.NodePoolsWithoutTypes(_),
                    WaitReason.Refused(_),
                    WaitReason.OptedOut(),
                    WaitReason.MinValuesLost(_, _) ->
                    plans >= PLANS_MAX
                            ? "no change was found in %d plans".formatted(PLANS_MAX)
                            : "no set of up to %d changes that we know of helps"
                                    .formatted(CHANGES_MAX);
        };
    }
}
