package dev.millwright.kube.snapshot;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.testing.kit.checker.PlanChecker;
import dev.millwright.testing.kit.generator.Seeds;
import dev.millwright.testing.kit.generator.Shuffled;
import dev.millwright.testing.kit.generator.Worlds;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What every plan promises. `make test-all` tries 600 seeds of each.
@Tag("seeds")
class PlanProperties {

    private static final int SEEDS = Seeds.areMany() ? 50 : 16;
    private static final int LARGE_SEEDS = Seeds.areMany() ? 4 : 2;
    private static final int LARGE_SIZE = 300;

    private static final double PRICE_TOLERANCE = 1e-9;

    private static SchedulingProblem world(long seed, int size, Packing packing) {
        var problem = Worlds.random(seed, size);
        return problem.withPolicy(problem.policy().withPacking(packing));
    }

    private static @Nullable String violations(SchedulingProblem problem) {
        var violations = PlanChecker.check(problem, Planner.plan(problem));
        return violations.isEmpty() ? null : violations.toString();
    }

    @Test
    void everyFirstFitPlanKeepsItsPromises() {
        Seeds.forEach(SEEDS, seed -> violations(world(seed, Worlds.SMALL, Packing.FIRST_FIT)));
    }

    @Test
    void everyCheapestPlanKeepsItsPromises() {
        Seeds.forEach(SEEDS, seed -> violations(world(seed, Worlds.SMALL, Packing.CHEAPEST)));
    }

    @Test
    void everyLargePlanKeepsItsPromises() {
        Seeds.forEach(LARGE_SEEDS, seed -> violations(world(seed, LARGE_SIZE, Packing.FIRST_FIT)));
    }

    @Test
    void theOrderOfTheInputDoesNotMatterToFirstFit() {
        Seeds.forEach(
                SEEDS, seed -> orderFault(world(seed, Worlds.SMALL, Packing.FIRST_FIT), seed));
    }

    @Test
    void theOrderOfTheInputDoesNotMatterToTheCheapestPlan() {
        Seeds.forEach(
                SEEDS / 2, seed -> orderFault(world(seed, Worlds.SMALL, Packing.CHEAPEST), seed));
    }

    private static @Nullable String orderFault(SchedulingProblem problem, long seed) {
        return fault(
                "told in another order it is another plan",
                Planner.plan(problem),
                Planner.plan(Shuffled.of(problem, seed)));
    }

    @Test
    void theSameProblemGivesTheSamePlanTwice() {
        Seeds.forEach(
                SEEDS / 2,
                seed ->
                        fault(
                                "the second plan is another",
                                Planner.plan(world(seed, Worlds.SMALL, Packing.CHEAPEST)),
                                Planner.plan(world(seed, Worlds.SMALL, Packing.CHEAPEST))));
    }

    private static @Nullable String fault(String problem, Plan one, Plan other) {
        return one.toString().equals(other.toString())
                ? null
                : "%s:%n%s%n%s".formatted(problem, one, other);
    }

    @Test
    void theCheapestPlanCostsNoMoreThanFirstFitForTheSamePods() {
        Seeds.forEach(SEEDS, PlanProperties::priceFault);
    }

    private static @Nullable String priceFault(long seed) {
        var firstFit = Planner.plan(world(seed, Worlds.SMALL, Packing.FIRST_FIT));
        var cheapest = Planner.plan(world(seed, Worlds.SMALL, Packing.CHEAPEST));
        var missing = new TreeSet<>(waiting(cheapest));
        missing.removeAll(waiting(firstFit));
        if (!missing.isEmpty()) {
            return "only the cheapest plan leaves %s waiting".formatted(missing);
        }
        var isDearer =
                cheapest.pricePerHour() > firstFit.pricePerHour() + PRICE_TOLERANCE
                        && waiting(cheapest).equals(waiting(firstFit));
        return isDearer
                ? "cheapest costs %s, first fit %s"
                        .formatted(cheapest.pricePerHour(), firstFit.pricePerHour())
                : null;
    }

    private static Set<ObjectName> waiting(Plan plan) {
        return plan.waiting().stream().map(Plan.WaitingPod::pod).collect(Collectors.toSet());
    }

    @Test
    void noPlanCostsLessThanTheLowerBoundOfTheOther() {
        Seeds.forEach(SEEDS, PlanProperties::boundFault);
    }

    /// A bound proven for one plan holds for every other that places the same pods on new nodes.
    private static @Nullable String boundFault(long seed) {
        var firstFit = Planner.plan(world(seed, Worlds.SMALL, Packing.FIRST_FIT));
        var cheapest = Planner.plan(world(seed, Worlds.SMALL, Packing.CHEAPEST));
        if (!onNewNodes(firstFit).equals(onNewNodes(cheapest))) {
            return null;
        }
        var bound = Math.max(firstFit.lowerBoundPerHour(), cheapest.lowerBoundPerHour());
        var least = Math.min(firstFit.pricePerHour(), cheapest.pricePerHour());
        return least < bound - PRICE_TOLERANCE
                ? "a plan costs %s, below the bound %s".formatted(least, bound)
                : null;
    }

    private static Set<ObjectName> onNewNodes(Plan plan) {
        return plan.claims().stream()
                .flatMap(claim -> claim.pods().stream())
                .collect(Collectors.toSet());
    }
}
