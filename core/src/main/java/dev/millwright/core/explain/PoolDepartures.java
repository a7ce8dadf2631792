package dev.millwright.core.explain;

import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Allowances.Allowance;
import dev.millwright.core.disruption.Candidacy;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.MethodCase;
import dev.millwright.core.disruption.SingleNode;
import dev.millwright.core.explain.PoolExplanation.Fix;
import dev.millwright.core.explain.SmallestSet.Trial;
import dev.millwright.core.policy.NodePoolBudgets.Reason;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Whether nodes of a pool may go by choice, and why those stay that do.
final class PoolDepartures {

    /// Changes that a person may be asked to make together.
    static final int CHANGES_MAX = 4;

    /// Decisions that are made for one answer.
    static final int DECISIONS_MAX = 200;

    /// Steps of the look at single nodes; those it does not come to are told as such.
    private static final long EFFORT_MAX = 10_000_000L;

    private static final List<Reason> VOLUNTARY =
            List.of(Reason.EMPTY, Reason.UNDERUTILIZED, Reason.DRIFTED);

    private final DisruptionProblem problem;
    private final String pool;

    PoolDepartures(DisruptionProblem problem, String pool) {
        this.problem = problem;
        this.pool = pool;
    }

    /// Whether none of its nodes may go for some reason, whatever else goes on.
    boolean isClosed() {
        return isClosed(problem);
    }

    private boolean isClosed(DisruptionProblem of) {
        return VOLUNTARY.stream()
                .map(reason -> Allowances.of(of, reason))
                .anyMatch(
                        allowances -> {
                            var allowance = allowances.byPool().get(pool);
                            return allowance != null && allowance.isClosed();
                        });
    }

    // ---- what is so

    List<PoolFinding> findings() {
        var findings = new ArrayList<>(closed());
        findings.addAll(spent());
        findings.addAll(nodes());
        return findings;
    }

    private List<PoolFinding> closed() {
        var reasons = new LinkedHashMap<KeepReason, List<Reason>>();
        for (var reason : VOLUNTARY) {
            var why = Allowances.of(problem, reason).closed(pool);
            if (why != null) {
                reasons.computeIfAbsent(why, _ -> new ArrayList<>()).add(reason);
            }
        }
        var findings = new ArrayList<PoolFinding>();
        reasons.forEach((why, all) -> findings.add(new PoolFinding.Closed(all, why)));
        return findings;
    }

    private List<PoolFinding> spent() {
        var rules = problem.pools().get(pool);
        if (rules == null) {
            return List.of();
        }
        var findings = new ArrayList<PoolFinding>();
        var budgets = rules.budgets().budgets();
        for (var index = 0; index < budgets.size(); index++) {
            var budget = budgets.get(index);
            var reasons = new ArrayList<Reason>();
            var last = new ArrayList<Allowance>();
            for (var reason : VOLUNTARY) {
                var allowance = open(problem, reason);
                if (allowance != null
                        && budget.isAbout(reason)
                        && budget.allowed(allowance.nodes(), problem.now())
                                <= allowance.disrupting()) {
                    reasons.add(reason);
                    last.add(allowance);
                }
            }
            if (!reasons.isEmpty()) {
                findings.add(
                        new PoolFinding.BudgetSpent(
                                index,
                                budget.allowed(last.getFirst().nodes(), problem.now()),
                                last.getFirst().disrupting(),
                                reasons,
                                budget.activeUntil(problem.now())));
            }
        }
        return findings;
    }

    /// What budgets allow of a pool that has nodes and that nothing else closes.
    private @Nullable Allowance open(DisruptionProblem of, Reason reason) {
        var allowances = Allowances.of(of, reason);
        var allowance = allowances.byPool().get(pool);
        return allowance == null || allowance.nodes() == 0 || allowances.closed(pool) != null
                ? null
                : allowance;
    }

    /// Its nodes by what the way that would take them says: an empty one goes by emptiness.
    private List<PoolFinding> nodes() {
        var empty =
                new MethodCase(
                                problem,
                                DisruptionMethod.EMPTINESS,
                                DisruptionOptions.NONE,
                                MethodCase.Memory.NONE)
                        .decide(own(candidacy(DisruptionMethod.EMPTINESS)));
        var single =
                SingleNode.decide(
                        problem,
                        own(candidacy(DisruptionMethod.SINGLE_NODE)),
                        Allowances.of(problem, Reason.UNDERUTILIZED),
                        Set.of(),
                        EFFORT_MAX);
        var going = new TreeSet<String>();
        going.addAll(taken(empty));
        going.addAll(taken(single));
        var kept = new TreeMap<String, KeepReason>();
        for (var machine : problem.machines()) {
            var name = machine.name();
            if (machine.nodePool().equals(pool) && !going.contains(name)) {
                var reason = single.kept().get(name);
                kept.put(
                        name,
                        reason == null || reason instanceof KeepReason.Empty
                                ? empty.kept().getOrDefault(name, new KeepReason.NotReached())
                                : reason);
            }
        }
        var findings = new ArrayList<PoolFinding>();
        if (!going.isEmpty()) {
            findings.add(new PoolFinding.NodesGo(going.size(), going.getFirst()));
        }
        findings.addAll(counted(kept));
        return findings;
    }

    private Candidacy candidacy(DisruptionMethod method) {
        return MethodCase.candidacy(problem, method, DisruptionOptions.NONE);
    }

    private Candidacy own(Candidacy candidacy) {
        return new Candidacy(
                candidacy.candidates().stream()
                        .filter(each -> each.nodePool().equals(pool))
                        .toList(),
                candidacy.kept());
    }

    private static List<String> taken(Decision decision) {
        return decision.commands().stream().flatMap(command -> command.nodes().stream()).toList();
    }

    /// The commonest first; of each kind the first node by name speaks for all.
    private static List<PoolFinding> counted(SequencedMap<String, KeepReason> kept) {
        var names = new TreeMap<String, List<String>>();
        kept.forEach(
                (name, reason) ->
                        names.computeIfAbsent(reason.label(), _ -> new ArrayList<>()).add(name));
        return names.values().stream()
                .sorted(Comparator.comparingInt((List<String> each) -> -each.size()))
                .<PoolFinding>map(
                        each ->
                                new PoolFinding.NodesKept(
                                        kept.getOrDefault(
                                                each.getFirst(), new KeepReason.NotReached()),
                                        each.size(),
                                        each.getFirst()))
                .toList();
    }

    // ---- what would let them go

    Fix fix() {
        var found =
                new SmallestSet<NodeChange, Boolean>(NodeChange::effort, CHANGES_MAX, DECISIONS_MAX)
                        .search(remedies(problem), this::trial);
        return found == null ? new Fix.None(why()) : new Fix.Leaving(found.changes());
    }

    private Trial<NodeChange, Boolean> trial(List<NodeChange> changes) {
        var changed = problem;
        for (var change : changes) {
            changed = change.applied(changed);
        }
        return isClosed(changed) ? new Trial.More<>(remedies(changed)) : new Trial.Enough<>(true);
    }

    private List<NodeChange> remedies(DisruptionProblem of) {
        var rules = of.pools().get(pool);
        if (rules == null) {
            return List.of();
        }
        var found = new LinkedHashSet<NodeChange>();
        var freeze = rules.controls().freeze();
        if (freeze != null) {
            found.add(new NodeChange.Unfreeze(pool, freeze.where()));
        }
        var budgets = rules.budgets().budgets();
        for (var index = 0; index < budgets.size(); index++) {
            if (budgets.get(index).problem() != null) {
                found.add(new NodeChange.DropBudget(pool, index));
            }
            for (var reason : VOLUNTARY) {
                var allowance = open(of, reason);
                if (allowance != null
                        && budgets.get(index).isAbout(reason)
                        && budgets.get(index).allowed(allowance.nodes(), of.now()) == 0) {
                    found.add(new NodeChange.RaiseBudget(pool, index, allowance.disrupting() + 1));
                }
            }
        }
        return List.copyOf(found);
    }

    private String why() {
        return closed().stream()
                .map(PoolFinding::explain)
                .findFirst()
                .orElse("nothing more is known");
    }
}
