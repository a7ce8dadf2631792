package dev.millwright.core.explain;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.PodExplanation.Fix;
import dev.millwright.core.explain.PodExplanation.Verdict;
import dev.millwright.core.explain.PodExplanation.Way;
import dev.millwright.core.explain.SmallestSet.Found;
import dev.millwright.core.explain.SmallestSet.Trial;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.Simulator;
import dev.millwright.core.scheduling.WaitReason;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Says why a pod waits, and searches the smallest sets of changes that give it a place.
///
/// The search is best first: fewer changes before more, easier before harder. From each plan in
/// which the pod still waits, the reasons lead to the next changes; so what it answers was planned
/// with, and whatever is smaller was planned with before. Changes that let the pod in where nodes
/// are set apart are looked at only when no others help.
public final class PodExplainer {

    /// Changes that a person may be asked to make together.
    static final int CHANGES_MAX = 3;

    /// Plans that are made for one answer.
    static final int PLANS_MAX = 400;

    /// Ways that are told.
    static final int WAYS_MAX = 3;

    /// Plans that are made to find others when one way is found.
    private static final int MORE_PLANS_MAX = 24;

    private final SchedulingProblem problem;
    private final int plansMax;
    private int plans;

    public PodExplainer(SchedulingProblem problem) {
        this(problem, PLANS_MAX);
    }

    /// @param plansMax plans that are made for one answer
    public PodExplainer(SchedulingProblem problem, int plansMax) {
        this.problem = problem;
        this.plansMax = plansMax;
    }

    /// @return null when the cluster has no such pod
    public @Nullable PodExplanation explain(ObjectName name) {
        var pod = find(problem, name);
        if (pod == null) {
            return null;
        }
        // The operator's own plan, so that the node named here is the one that is bought.
        return switch (verdict(Planner.plan(problem), pod)) {
            case Verdict.Waits(var reason) ->
                    new PodExplanation(
                            name,
                            new Verdict.Waits(new PoolObstacles(problem, pod).all(reason)),
                            fix(pod, reason));
            case Verdict.Settled settled -> new PodExplanation(name, settled, null);
            case Verdict.Fits fits -> new PodExplanation(name, fits, null);
            case Verdict.GetsNode gets -> new PodExplanation(name, gets, null);
            case Verdict.NotOurs not -> new PodExplanation(name, not, null);
        };
    }

    /// What gives the pod a place; null when it does not wait, or the cluster has no such pod.
    public @Nullable Fix advise(ObjectName name) {
        var pod = find(problem, name);
        return pod != null && verdict(problem, pod) instanceof Verdict.Waits(var reason)
                ? fix(pod, reason)
                : null;
    }

    private static @Nullable Pod find(SchedulingProblem problem, ObjectName name) {
        return problem.snapshot().pods().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private Verdict verdict(SchedulingProblem with, Pod pod) {
        return verdict(plan(with), pod);
    }

    private static Verdict verdict(Plan plan, Pod pod) {
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
        var nodeName = pod.state().nodeName();
        return nodeName == null ? new Verdict.NotOurs(notOurs(pod)) : new Verdict.Settled(nodeName);
    }

    private static String notOurs(Pod pod) {
        var gates = pod.state().gates();
        return gates.isEmpty()
                ? "kube-scheduler has not found it unschedulable, or it is being deleted"
                : "scheduling gate%s %s hold%s it back until %s taken away from spec.schedulingGates"
                        .formatted(
                                gates.size() == 1 ? "" : "s",
                                String.join(", ", gates),
                                gates.size() == 1 ? "s" : "",
                                gates.size() == 1 ? "it is" : "they are");
    }

    private Plan plan(SchedulingProblem with) {
        plans++;
        return new Simulator(with).without(List.of(), Packing.FIRST_FIT);
    }

    private Fix fix(Pod pod, WaitReason reason) {
        plans = 1; // The one that found the reason.
        var found = search(pod, reason, false, plansMax / 2);
        if (found.isEmpty()) {
            found = search(pod, reason, true, plansMax - plans);
        }
        if (found.isEmpty()) {
            return new Fix.None(why(reason));
        }
        var before = plan(problem).pricePerHour();
        var first = found.getFirst().changes();
        return new Fix.Found(
                found.stream()
                        .map(Found::changes)
                        .filter(changes -> !adoptsSlip(changes, first))
                        .map(changes -> needed(changes, pod))
                        .distinct()
                        .map(
                                changes ->
                                        new Way(
                                                changes,
                                                plan(applied(changes, pod)).pricePerHour()
                                                        - before))
                        .toList());
    }

    /// Whether nodes would get the label that is a slip of the pen and better mended.
    private static boolean adoptsSlip(List<Change> changes, List<Change> first) {
        return changes.stream()
                .anyMatch(
                        change ->
                                change instanceof PoolChange.AddLabel(_, var key, _)
                                        && first.stream()
                                                .anyMatch(
                                                        each ->
                                                                each
                                                                                instanceof
                                                                                PodChange
                                                                                        .RenameLabel(
                                                                                        var from,
                                                                                        _)
                                                                        && from.equals(key)));
    }

    /// @param opensIsolation whether changes are looked at that let the pod in where nodes are set
    ///   apart
    private List<Found<Change, Boolean>> search(
            Pod pod, WaitReason reason, boolean opensIsolation, int trialsMax) {
        var isolation = new Isolation(problem, pod);
        return new SmallestSet<Change, Boolean>(Change::effort, CHANGES_MAX, trialsMax)
                .search(
                        open(remedies(problem, pod, reason), isolation, opensIsolation),
                        changes -> trial(changes, pod, isolation, opensIsolation),
                        new SmallestSet.Choice<>(WAYS_MAX, MORE_PLANS_MAX, Change::topic));
    }

    private static List<Change> open(
            List<Change> changes, Isolation isolation, boolean opensIsolation) {
        return opensIsolation
                ? changes
                : changes.stream()
                        .filter(change -> !isolation.isOpenedBy(List.of(change)))
                        .toList();
    }

    private Trial<Change, Boolean> trial(
            List<Change> changes, Pod pod, Isolation isolation, boolean opensIsolation) {
        var changed = applied(changes, pod);
        return switch (verdict(changed, pod)) {
            case Verdict.Waits(var next) ->
                    new Trial.More<>(open(remedies(changed, pod, next), isolation, opensIsolation));
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
            case WaitReason.Invalid(var fault) ->
                    fault.startsWith("PersistentVolumeClaim ")
                            ? fault + "; nothing is planned for the pod before that claim is mended"
                            : fault;
            case WaitReason.ReservationPending(_) -> "it is tried again in the next pass by itself";
            case WaitReason.NodePoolsWithoutTypes(_),
                    WaitReason.Refused(_),
                    WaitReason.OptedOut(),
                    WaitReason.MinValuesLost(_, _) ->
                    plans >= plansMax
                            ? "no change was found in %d plans".formatted(plansMax)
                            : "no set of up to %d changes that we know of helps"
                                    .formatted(CHANGES_MAX);
        };
    }
}
