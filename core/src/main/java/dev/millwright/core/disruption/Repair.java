package dev.millwright.core.disruption;

import dev.millwright.core.disruption.Command.Order;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.Command.Terms;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.RepairPolicy.Action;
import dev.millwright.core.scheduling.StaticCapacity.Counts;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Reboots or replaces nodes that stay sick longer than their cloud tolerates, within the pool's
/// budgets, the most urgent one first.
///
/// A node's annotation that forbids disruption does not keep a sick one; one that forbids repair
/// does. Pods that must not be disturbed keep it only where nothing bounds how long they may stay.
final class Repair {

    private final DisruptionProblem problem;
    private final DisruptionOptions options;
    private final Map<String, Counts> counts;

    private Repair(
            DisruptionProblem problem, DisruptionOptions options, Map<String, Counts> counts) {
        this.problem = problem;
        this.options = options;
        this.counts = counts;
    }

    /// Healthy nodes are kept without a word, whatever else is the matter with them.
    static Candidacy candidacy(DisruptionProblem problem, RepairRules rules) {
        var candidates = new ArrayList<Candidate>();
        var kept = new TreeMap<String, KeepReason>();
        for (var machine : problem.machines()) {
            var diagnosis = rules.diagnosis(machine.standing().health(), problem.now());
            if (diagnosis == null) {
                kept.put(machine.name(), new KeepReason.NotSick());
                continue;
            }
            var reason = Candidacy.blocked(problem, machine, DisruptionMethod.REPAIR.manner());
            if (reason == null) {
                reason = vetoed(machine);
            }
            if (reason == null
                    && diagnosis.drainMax() == null
                    && machine.standing().terminationGracePeriod() == null
                    && problem.blockedByPods(machine) != null) {
                reason = new KeepReason.DrainUnbounded();
            }
            var pool = problem.pools().get(machine.nodePool());
            if (reason == null && pool != null) {
                candidates.add(problem.candidate(machine, pool));
            } else if (reason != null) {
                kept.put(machine.name(), reason);
            }
        }
        return new Candidacy(candidates, kept);
    }

    private static @Nullable KeepReason vetoed(Machine machine) {
        var node = machine.node().node();
        return node != null && "true".equals(node.annotations().get(LabelKeys.DO_NOT_REPAIR))
                ? new KeepReason.RepairForbidden()
                : null;
    }

    /// One command at most. `counts` are the claims of static pools.
    static Decision decide(
            DisruptionProblem problem,
            Candidacy candidacy,
            Allowances allowances,
            DisruptionOptions options,
            Map<String, Counts> counts) {
        return new Repair(problem, options, counts).decide(candidacy, allowances);
    }

    private Decision decide(Candidacy candidacy, Allowances allowances) {
        var kept = new TreeMap<>(candidacy.kept());
        var left = allowances;
        var breaker = new Breaker(problem, options.repair());
        Command command = null;
        var isWithheld = false;
        for (var candidate : byUrgency(candidacy.candidates())) {
            if (command != null) {
                kept.put(candidate.name(), new KeepReason.NotItsTurn());
                continue;
            }
            var pool = candidate.nodePool();
            var frozen = breaker.frozen(pool);
            // A node that runs nothing yet needs no budget: there is nothing to protect on it.
            var isBudgeted = candidate.machine().node().isInitialized();
            if (frozen != null) {
                kept.put(candidate.name(), frozen);
            } else if (isBudgeted && !left.isLeft(pool)) {
                isWithheld = true;
                kept.put(candidate.name(), left.spent(pool));
            } else {
                command = command(candidate, kept);
            }
        }
        if (command != null && command.candidates().getFirst().machine().node().isInitialized()) {
            left = left.less(command.candidates().getFirst().nodePool());
        }
        return new Decision(
                DisruptionMethod.REPAIR,
                command == null ? List.of() : List.of(command),
                kept,
                candidacy.candidates().size(),
                left,
                isWithheld);
    }

    private List<Candidate> byUrgency(List<Candidate> candidates) {
        return candidates.stream()
                .sorted(
                        Comparator.comparingDouble(
                                        (Candidate each) -> -diagnosis(each).urgency(problem.now()))
                                .thenComparingDouble(Candidate::cost)
                                .thenComparing(Candidate::name))
                .toList();
    }

    private Diagnosis diagnosis(Candidate candidate) {
        var found =
                options.repair().diagnosis(candidate.machine().standing().health(), problem.now());
        if (found == null) {
            throw new IllegalStateException("node %s is not sick".formatted(candidate.name()));
        }
        return found;
    }

    private @Nullable Command command(Candidate candidate, SequencedMap<String, KeepReason> kept) {
        var diagnosis = diagnosis(candidate);
        if (diagnosis.action() == Action.REBOOT) {
            return command(candidate, Order.REBOOT, List.of(), List.of());
        }
        return candidate.pool().pool().isStatic()
                ? staticCommand(candidate, kept)
                : dynamicCommand(candidate, kept);
    }

    private @Nullable Command staticCommand(
            Candidate candidate, SequencedMap<String, KeepReason> kept) {
        var pool = candidate.nodePool();
        var counted = counts.getOrDefault(pool, new Counts(0, 0, 0, 0));
        var refusal = StaticDrift.refusal(candidate, counted, 0);
        if (refusal == null) {
            return command(
                    candidate,
                    Order.REPLACEMENT_FIRST,
                    List.of(new Replacement.Template(pool)),
                    List.of());
        }
        if (options.isRepairTerminateFirst() && StaticDrift.mayGoFirst(candidate, refusal)) {
            return command(candidate, Order.TERMINATE_FIRST, List.of(), List.of());
        }
        kept.put(candidate.name(), refusal);
        return null;
    }

    /// Also pods that must not be disturbed are planned for: they leave when their time is over.
    private @Nullable Command dynamicCommand(
            Candidate candidate, SequencedMap<String, KeepReason> kept) {
        var outcome =
                new Simulation(problem.scheduling().withGuardedPods())
                        .without(List.of(candidate.name()));
        if (!outcome.isEveryoneHoused()) {
            kept.put(candidate.name(), new KeepReason.PodsHomeless(outcome.homeless()));
            return null;
        }
        return command(
                candidate,
                Order.REPLACEMENT_FIRST,
                outcome.plan().claims().stream()
                        .<Replacement>map(Replacement.Planned::new)
                        .toList(),
                outcome.nominated());
    }

    private Command command(
            Candidate candidate,
            Order order,
            List<Replacement> replacements,
            List<String> nominated) {
        var diagnosis = diagnosis(candidate);
        var drainMax = diagnosis.drainMax(candidate.machine().standing().terminationGracePeriod());
        return new Command(
                DisruptionMethod.REPAIR,
                List.of(candidate),
                replacements,
                nominated,
                new Terms(order, drainMax, diagnosis));
    }
}
