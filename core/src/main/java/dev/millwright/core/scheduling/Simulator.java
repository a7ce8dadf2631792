package dev.millwright.core.scheduling;

import dev.millwright.core.policy.SchedulingPolicy.Packing;

import java.util.Collection;

/// Plans for a cluster as if some of its nodes were gone, many times over. What does not depend on
/// which they are is worked out once.
public final class Simulator {

    /// Steps for a cheaper packing. A simulation is one of hundreds: a few pods are packed well by
    /// so many, and more would not be worth the wait.
    private static final long EFFORT_MAX = 20_000;

    private final SchedulingProblem problem;
    private final Residents residents;
    private final Ground ground;

    public Simulator(SchedulingProblem problem) {
        this.problem = problem;
        this.residents = Residents.of(problem);
        this.ground = Ground.ofAll(problem, residents);
    }

    /// New nodes are packed as told; the plan proves nothing about its price.
    public Plan without(Collection<String> nodes, Packing packing) {
        var policy = problem.policy().withPacking(packing).withEffort(EFFORT_MAX);
        return Planner.simulate(
                new CompiledProblem(problem.without(nodes).withPolicy(policy), residents, ground));
    }

    /// Pods are not packed at all, but go where most room is, the smallest first. What fits even so
    /// will fit whatever kube-scheduler does.
    public Plan scatteredWithout(Collection<String> nodes) {
        return Planner.scatter(new CompiledProblem(problem.without(nodes), residents, ground));
    }
}
