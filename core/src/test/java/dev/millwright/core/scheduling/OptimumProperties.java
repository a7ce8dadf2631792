package dev.millwright.core.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.kit.checker.PlanChecker;
import dev.millwright.testing.kit.optimum.Optimum;
import dev.millwright.testing.kit.optimum.SmallProblems;
import dev.millwright.testing.kit.optimum.SmallProblems.Kind;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// How far plans and their lower bounds are from the true optimum of small problems.
/// `-Dmillwright.seedTimes=50` tries so many times as many seeds, `-Dmillwright.pods=16` larger
/// problems.
@Tag("seeds")
final class OptimumProperties {

    private static final int SEEDS = 8 * Integer.getInteger("millwright.seedTimes", 1);
    private static final int PODS_MAX = Integer.getInteger("millwright.pods", 10);
    private static final double TOLERANCE = 1e-6;

    /// What is promised, as parts of the optimum.
    private static final double PRICE_MOST = 1.05;

    private static final double PRICE_MEAN_MOST = 1.01;
    private static final double BOUND_MEAN_LEAST = 0.97;
    private static final double BOUND_TOPOLOGY_MEAN_LEAST = 0.93;

    /// One plan beside the optimum. `bound` and `price` are parts of the optimum.
    record Measured(long seed, double bound, double price, boolean isWaiting, String fault) {}

    static Measured measure(Kind kind, long seed) {
        var problem = SmallProblems.of(kind, seed, PODS_MAX);
        var least = Optimum.pricePerHour(problem, Optimum.Choice.ANY_POOL);
        var ordered = Optimum.pricePerHour(problem, Optimum.Choice.HEAVIEST_POOL);
        var plan = Planner.plan(problem);
        var isWaiting = !plan.waiting().isEmpty();
        return new Measured(
                seed,
                least == 0 ? 1 : plan.lowerBoundPerHour() / least,
                ordered == 0 ? 1 : plan.pricePerHour() / ordered,
                isWaiting || Double.isInfinite(ordered),
                fault(problem, plan, least));
    }

    private static String fault(SchedulingProblem problem, Plan plan, double least) {
        if (plan.waiting().isEmpty() && plan.lowerBoundPerHour() > least + TOLERANCE) {
            return "says at least %s, %s is possible".formatted(plan.lowerBoundPerHour(), least);
        }
        var ofMany = ofMany(problem);
        if (plan.waiting().isEmpty() && ofMany > least + TOLERANCE) {
            return "says at least %s of many pods, %s is possible".formatted(ofMany, least);
        }
        var violations = PlanChecker.check(problem, plan);
        return violations.isEmpty() ? "" : violations.toString();
    }

    /// What large problems are bounded by.
    private static double ofMany(SchedulingProblem problem) {
        var compiled = new CompiledProblem(problem);
        var pods = IntStream.range(0, compiled.podCount()).boxed().toList();
        return LowerBound.ofMany(new FleetModels(compiled).ofMusts(pods));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void noBoundIsAboveTheOptimumAndPlansAreNearIt(Kind kind) {
        var all = new ArrayList<Measured>();
        for (long seed = 0; seed < SEEDS; seed++) {
            all.add(measure(kind, seed));
        }
        System.out.println(figures(kind, all));

        var faults = all.stream().filter(each -> !each.fault().isEmpty()).toList();
        assertThat(faults).isEmpty();
        assertThat(served(all)).isNotEmpty().allMatch(each -> each.price() < PRICE_MOST);
        assertThat(mean(all, Measured::price)).isLessThan(PRICE_MEAN_MOST);
        assertThat(mean(all, Measured::bound))
                .isGreaterThan(kind.hasTopology() ? BOUND_TOPOLOGY_MEAN_LEAST : BOUND_MEAN_LEAST);
    }

    private static List<Measured> served(List<Measured> all) {
        return all.stream().filter(each -> !each.isWaiting()).toList();
    }

    private static double mean(List<Measured> all, ToDoubleFunction<Measured> figure) {
        return served(all).stream().mapToDouble(figure).average().orElse(Double.NaN);
    }

    static String figures(Kind kind, List<Measured> all) {
        var served = served(all);
        var bound = served.stream().mapToDouble(Measured::bound).summaryStatistics();
        var price = served.stream().mapToDouble(Measured::price).summaryStatistics();
        return String.format(
                Locale.ROOT,
                "%-14s %d problems, %d left out; bound ÷ optimum %.4f (least %.4f); "
                        + "cheapest ÷ optimum %.4f (most %.4f)",
                kind,
                all.size(),
                all.size() - served.size(),
                bound.getAverage(),
                bound.getMin(),
                price.getAverage(),
                price.getMax());
    }
}
