package dev.millwright.core.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.testing.kit.checker.PlanChecker;
import dev.millwright.testing.kit.optimum.SmallProblems;
import dev.millwright.testing.kit.optimum.SmallProblems.Kind;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// A fee is as if each machine of the pool were dearer by it: the same nodes are bought, and the
/// same is proven of them. `-Dmillwright.seedTimes=50` tries so many times as many seeds.
@Tag("seeds")
final class NodeFeeProperties {

    private static final int SEEDS = 4 * Integer.getInteger("millwright.seedTimes", 1);
    private static final int PODS_MAX = 10;

    /// One fee by the setting, and one more for each pool after the first.
    private static SchedulingProblem withFees(SchedulingProblem problem) {
        var pools = new ArrayList<>(problem.nodePools());
        for (var index = 1; index < pools.size(); index++) {
            pools.set(index, pools.get(index).withNodeFee(0.03 * index));
        }
        return problem.withNodePools(pools).withPolicy(problem.policy().withNodeFee(0.05));
    }

    private static SchedulingProblem withDearerMachines(SchedulingProblem problem) {
        var catalogs = new TreeMap<String, List<InstanceType>>();
        problem.catalogs()
                .forEach(
                        (pool, types) ->
                                catalogs.put(
                                        pool,
                                        types.stream()
                                                .map(type -> dearer(type, problem, pool))
                                                .toList()));
        return new SchedulingProblem(
                        problem.snapshot(), problem.nodePools(), catalogs, problem.policy())
                .withoutNodeFees();
    }

    private static InstanceType dearer(InstanceType type, SchedulingProblem problem, String pool) {
        var fee = problem.nodeFeePerHour(pool);
        return type.withOfferings(
                type.offerings().stream().map(offering -> dearer(offering, fee)).toList());
    }

    private static Offering dearer(Offering offering, double fee) {
        return offering.withOverlaidPrice(offering.pricePerHour() + fee);
    }

    private static List<String> nodes(Plan plan) {
        return plan.claims().stream()
                .map(
                        claim ->
                                "%s %s %s"
                                        .formatted(
                                                claim.nodePool(),
                                                claim.types().stream()
                                                        .map(PlannedClaim.TypeOption::name)
                                                        .toList(),
                                                claim.pods()))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFeeIsAsIfMachinesWereDearer(Kind kind) {
        for (long seed = 0; seed < SEEDS; seed++) {
            var problem = withFees(SmallProblems.of(kind, seed, PODS_MAX));
            var plan = Planner.plan(problem);
            var dearer = Planner.plan(withDearerMachines(problem));

            assertThat(nodes(plan)).as("seed %d", seed).isEqualTo(nodes(dearer));
            assertThat(plan.spendPerHour())
                    .as("seed %d", seed)
                    .isCloseTo(dearer.pricePerHour(), within(1e-9));
            assertThat(plan.lowerBoundPerHour())
                    .as("seed %d", seed)
                    .isCloseTo(dearer.lowerBoundPerHour(), within(1e-9));
            assertThat(PlanChecker.check(problem, plan)).as("seed %d", seed).isEmpty();
        }
    }
}
