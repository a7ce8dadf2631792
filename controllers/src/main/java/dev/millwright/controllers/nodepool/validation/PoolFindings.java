package dev.millwright.controllers.nodepool.validation;

import dev.millwright.controllers.nodepool.DisruptionControls;
import dev.millwright.controllers.nodepool.PoolBudgets;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.policy.CapacityMix;
import dev.millwright.core.policy.NodeFee;
import dev.millwright.core.policy.NodePoolBudgets.Times;
import dev.millwright.core.policy.SpotReturn;
import dev.millwright.kube.object.PoolObject;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What is wrong with a pool that the API server let pass.
///
/// A fault closes the pool. A warning does not: nodes are made all the same, and only what the
/// warning is about stays undone.
record PoolFindings(List<String> faults, List<String> warnings) {

    private static final String BUDGETS = "spec.disruption.budgets";

    PoolFindings {
        faults = List.copyOf(faults);
        warnings = List.copyOf(warnings);
    }

    static PoolFindings of(PoolObject pool, LabelVocabulary vocabulary, Instant now) {
        var faults =
                pool.faults().stream()
                        .filter(fault -> fault.startsWith("spec"))
                        .filter(fault -> !fault.startsWith(BUDGETS))
                        .distinct()
                        .toList();
        var warnings = new ArrayList<>(unknownValues(pool, vocabulary));
        DisruptionControls.problems(pool).stream()
                .filter(problem -> !faults.contains(problem))
                .map("%s; until it is mended no node of the pool is disrupted"::formatted)
                .forEach(warnings::add);
        warnings.addAll(ignored(pool));
        warnings.addAll(unending(pool, now));
        return new PoolFindings(faults, warnings);
    }

    private static List<String> unknownValues(PoolObject pool, LabelVocabulary vocabulary) {
        var warnings = new ArrayList<String>();
        for (var requirement : pool.pool().template().requirements()) {
            var known = vocabulary.knownValues().get(requirement.key());
            if (known == null || requirement.operator() != Operator.IN) {
                continue;
            }
            var unknown =
                    requirement.values().stream().filter(value -> !known.contains(value)).toList();
            if (!unknown.isEmpty() && unknown.size() < requirement.values().size()) {
                warnings.add(
                        "spec.template.spec.requirements: label %s knows no value %s and goes without; wanted one of %s"
                                .formatted(requirement.key(), unknown, known));
            }
        }
        return warnings;
    }

    /// Wishes about spot and fees that make no sense.
    private static List<String> ignored(PoolObject pool) {
        var annotations = pool.meta().annotations();
        return Stream.of(
                        CapacityMix.of(annotations).problems(),
                        SpotReturn.of(annotations).problems(),
                        NodeFee.of(annotations).problems())
                .flatMap(List::stream)
                .map("%s; until it is mended it is ignored"::formatted)
                .toList();
    }

    /// Budgets whose schedule never comes.
    private static List<String> unending(PoolObject pool, Instant now) {
        var budgets = PoolBudgets.of(pool);
        var warnings = new ArrayList<String>();
        for (var index = 0; index < budgets.budgets().size(); index++) {
            var times = budgets.budgets().get(index).times();
            if (times instanceof Times.Windows(var schedule, _)
                    && schedule.nextAfter(now) == null) {
                warnings.add(
                        "spec.disruption.budgets[%d]: schedule \"%s\" never comes, so the budget is always on"
                                .formatted(index, schedule));
            }
        }
        return warnings;
    }
}
