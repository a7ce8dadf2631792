package dev.millwright.core.scheduling;

import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan.WaitingPod;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The decision of the core: which nodes to launch for pods that wait. The same problem gives the
/// same plan, everywhere.
public final class Planner {

    private Planner() {}

    public static Plan plan(SchedulingProblem problem) {
        var compiled = new CompiledProblem(problem);
        if (compiled.pools().isEmpty()) {
            return withoutPools(compiled);
        }
        var firstFit = firstFit(compiled);
        var plan = write(firstFit);
        if (problem.policy().packing() == Packing.FIRST_FIT) {
            return bounded(plan, compiled, firstFit, null);
        }
        var search = new CheapestSearch(compiled, firstFit);
        var cheapest = search.search();
        var other = cheapest.equals(firstFit) ? plan : write(cheapest);
        return isCheaper(other, plan)
                ? bounded(other, compiled, cheapest, search.exact())
                : bounded(plan, compiled, firstFit, search.exact());
    }

    private static Plan bounded(
            Plan plan,
            CompiledProblem compiled,
            CheapestSearch.Solution solution,
            @Nullable ExactSearch exact) {
        return plan.claims().isEmpty()
                ? plan
                : plan.withLowerBound(LowerBound.perHour(compiled, solution, exact));
    }

    /// What the pods of a problem without nodes cost at the least; no plan is written.
    static double leastPerHour(SchedulingProblem problem) {
        var compiled = new CompiledProblem(problem);
        return compiled.pools().isEmpty()
                ? 0
                : LowerBound.perHour(
                        compiled, firstFit(compiled, new ClaimOrder.LeastRise()), null);
    }

    /// Places pods as the packing says, with one look for a cheaper one at most, and proves nothing
    /// about the price.
    static Plan simulate(CompiledProblem compiled) {
        if (compiled.pools().isEmpty()) {
            return withoutPools(compiled);
        }
        var stable = firstFit(compiled, new ClaimOrder.Stable());
        var kept =
                stable.pass().claims().size() > ClaimOrder.Stable.CLAIMS_MAX
                        ? firstFit(compiled, new ClaimOrder.LeastRise())
                        : stable;
        var plan = write(kept);
        if (compiled.problem().policy().packing() == Packing.FIRST_FIT) {
            return plan;
        }
        var cheapest = new CheapestSearch(compiled, kept).simulate();
        var other = cheapest.equals(kept) ? plan : write(cheapest);
        return isCheaper(other, plan) ? other : plan;
    }

    /// Places pods as if nobody had planned for them: the smallest first, each where most is free.
    static Plan scatter(CompiledProblem compiled) {
        if (compiled.pools().isEmpty()) {
            return withoutPools(compiled);
        }
        var pass = new Pass(compiled, new ClaimOrder.LeastRise(), 0);
        pass.scatter();
        var outcomes = new FirstFit(pass);
        outcomes.place(IntStream.range(0, compiled.podCount()).boxed().toList().reversed());
        return write(new CheapestSearch.Solution(pass, outcomes));
    }

    private static Plan write(CheapestSearch.Solution solution) {
        return new PlanWriter(solution.pass(), solution.outcomes()).write();
    }

    /// What is written may leave pods waiting that the pass had placed, when too few types can be
    /// named at launch. The other plan counts only if it leaves no more of them.
    private static boolean isCheaper(Plan other, Plan firstFit) {
        var waiting = firstFit.waiting().stream().map(WaitingPod::pod).collect(Collectors.toSet());
        var isNoWorse = other.waiting().stream().map(WaitingPod::pod).allMatch(waiting::contains);
        var saved = firstFit.spendPerHour() - other.spendPerHour();
        return isNoWorse
                && (other.waiting().size() < firstFit.waiting().size()
                        || saved > 0
                        || (saved >= -FleetChoice.HAIR * firstFit.spendPerHour()
                                && other.claims().size() < firstFit.claims().size()));
    }

    /// With few claims Karpenter's order is known to the letter, and is kept unless the other order
    /// places the same pods on the same nodes for less.
    private static CheapestSearch.Solution firstFit(CompiledProblem compiled) {
        var cheaper = firstFit(compiled, new ClaimOrder.LeastRise());
        if (cheaper.pass().claims().size() > ClaimOrder.Stable.CLAIMS_MAX) {
            return cheaper;
        }
        var kept = firstFit(compiled, new ClaimOrder.Stable());
        return cheaper.isCheaperThan(kept) && cheaper.hasSamePodsOnNodes(kept) ? cheaper : kept;
    }

    private static CheapestSearch.Solution firstFit(CompiledProblem compiled, ClaimOrder order) {
        var pass = new Pass(compiled, order, 0);
        var firstFit = new FirstFit(pass);
        firstFit.place(IntStream.range(0, compiled.podCount()).boxed().toList());
        return new CheapestSearch.Solution(pass, firstFit);
    }

    /// Without a pool to buy from nothing is looked at, not even nodes that are there, as with
    /// Karpenter.
    private static Plan withoutPools(CompiledProblem compiled) {
        var waiting = new ArrayList<>(compiled.rejected());
        for (var pod = 0; pod < compiled.podCount(); pod++) {
            waiting.add(new WaitingPod(compiled.pod(pod).name(), new WaitReason.NoNodePools()));
        }
        waiting.sort(Comparator.comparing(WaitingPod::pod));
        return new Plan(List.of(), List.of(), waiting, 0, 0, compiled.problem().policy().packing());
    }
}
