package dev.millwright.controllers.nodepool;

import dev.millwright.core.policy.PoolControls;
import dev.millwright.kube.object.PoolObject;

import java.util.List;
import java.util.stream.Stream;

/// What a pool says beside its budgets about taking its nodes away, as core reckons with it.
public final class DisruptionControls {

    /// Fields that say when and how nodes go.
    private static final List<String> FIELDS =
            List.of(
                    "spec.disruption",
                    "spec.template.spec.expireAfter",
                    "spec.template.spec.terminationGracePeriod");

    private static final String BUDGETS = "spec.disruption.budgets";

    private DisruptionControls() {}

    public static PoolControls of(PoolObject pool) {
        return PoolControls.of(pool.name().name(), pool.meta().annotations())
                .and(
                        pool.faults().stream()
                                .filter(fault -> FIELDS.stream().anyMatch(fault::startsWith))
                                .distinct()
                                .toList());
    }

    /// All for which no node of the pool goes by choice until it is mended, each told once.
    public static List<String> problems(PoolObject pool) {
        var budgets = PoolBudgets.of(pool).problems();
        return Stream.concat(
                        budgets.stream().map(problem -> "spec.disruption." + problem),
                        of(pool).problems().stream()
                                .filter(
                                        problem ->
                                                budgets.isEmpty() || !problem.startsWith(BUDGETS)))
                .toList();
    }
}
