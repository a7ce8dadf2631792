package dev.millwright.core.disruption;

import dev.millwright.core.cluster.DisruptionBudgets;
import dev.millwright.core.cluster.DisruptionBudgets.Verdict;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.disruption.DisruptionMethod.Manner;
import dev.millwright.core.label.LabelKeys;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/// Which nodes may be taken away at all, and of the others why not.
///
/// `kept` has a reason for every machine that is no candidate, by name.
public record Candidacy(List<Candidate> candidates, SequencedMap<String, KeepReason> kept) {

    public Candidacy {
        candidates = List.copyOf(candidates);
    }

    /// Without those named, which stay for the reasons given.
    public Candidacy without(Map<String, KeepReason> others) {
        if (others.isEmpty()) {
            return this;
        }
        var all = new TreeMap<>(kept);
        all.putAll(others);
        return new Candidacy(
                candidates.stream().filter(each -> !others.containsKey(each.name())).toList(), all);
    }

    /// Those that nothing forbids and that the method wants: `unwanted` is its reason not to, or
    /// null.
    static Candidacy of(
            DisruptionProblem problem,
            Manner manner,
            Function<Candidate, @Nullable KeepReason> unwanted) {
        var candidates = new ArrayList<Candidate>();
        var kept = new TreeMap<String, KeepReason>();
        for (var machine : problem.machines()) {
            var reason = blocked(problem, machine, manner);
            var pool = problem.pools().get(machine.nodePool());
            if (reason == null && pool != null) {
                var candidate = problem.candidate(machine, pool);
                reason = unwanted.apply(candidate);
                if (reason == null) {
                    candidates.add(candidate);
                }
            }
            if (reason != null) {
                kept.put(machine.name(), reason);
            }
        }
        return new Candidacy(candidates, kept);
    }

    /// What forbids to take the machine away, or null.
    static @Nullable KeepReason blocked(DisruptionProblem problem, Machine machine, Manner manner) {
        var reason = blockedByItself(machine, manner);
        if (reason == null) {
            reason = blockedByPool(problem, machine, manner);
        }
        return reason != null || isPodsOverridden(machine, manner)
                ? reason
                : problem.blockedByPods(machine);
    }

    private static boolean isPodsOverridden(Machine machine, Manner manner) {
        return switch (manner) {
            case GRACEFUL -> false;
            case EVENTUAL -> machine.standing().terminationGracePeriod() != null;
            case REPAIR -> true;
        };
    }

    private static @Nullable KeepReason blockedByItself(Machine machine, Manner manner) {
        var node = machine.node();
        var standing = machine.standing();
        if (standing.isQueued()) {
            return new KeepReason.Queued();
        }
        if (!node.isManaged()) {
            return new KeepReason.NotManaged();
        }
        if (node.node() == null) {
            return new KeepReason.WithoutNode();
        }
        if (standing.health().isRebooting()) {
            return new KeepReason.Rebooting();
        }
        if (node.isMarkedForDeletion() || standing.isInstanceTerminating()) {
            return new KeepReason.Going();
        }
        if (!node.isInitialized()) {
            // Nobody else would ever replace a node that registered and never came up.
            return manner == Manner.REPAIR && node.isRegistered()
                    ? null
                    : new KeepReason.NotInitialized();
        }
        if (standing.isNominated()) {
            return new KeepReason.Nominated();
        }
        return manner != Manner.REPAIR
                        && "true".equals(node.node().annotations().get(LabelKeys.DO_NOT_DISRUPT))
                ? new KeepReason.NodeGuarded()
                : null;
    }

    private static @Nullable KeepReason blockedByPool(
            DisruptionProblem problem, Machine machine, Manner manner) {
        var pool = machine.nodePool();
        if (pool.isEmpty()) {
            return new KeepReason.WithoutPoolLabel();
        }
        var rules = problem.pools().get(pool);
        if (rules == null) {
            return new KeepReason.PoolUnknown(pool);
        }
        var freeze = rules.controls().freeze();
        if (freeze != null && manner != Manner.REPAIR) {
            return new KeepReason.Frozen(freeze);
        }
        return problem.types(pool).isEmpty() ? new KeepReason.PoolWithoutTypes(pool) : null;
    }

    /// Annotations before budgets: of daemons and of pods that the kubelet runs, too.
    ///
    /// @param movesByCopy whether the pod goes without an eviction, which budgets have no say in
    static @Nullable KeepReason blockedByPods(
            Machine machine, DisruptionBudgets budgets, Predicate<Pod> movesByCopy, Instant now) {
        for (var moved : machine.pods()) {
            if (moved.pod().isGuarded(now)) {
                return new KeepReason.PodGuarded(moved.pod().name());
            }
        }
        for (var moved : machine.pods()) {
            var name = moved.pod().name();
            if (movesByCopy.test(moved.pod())) {
                continue;
            }
            switch (budgets.atPresent(moved.pod())) {
                case Verdict.Free() -> {}
                case Verdict.Blocked(var budget) -> {
                    return new KeepReason.PodBudgetSpent(name, budget);
                }
                case Verdict.Contested(var several) -> {
                    return new KeepReason.PodBudgetsContested(name, several);
                }
            }
        }
        return null;
    }
}
