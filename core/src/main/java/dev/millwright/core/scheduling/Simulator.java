package dev.millwright.core.scheduling;

import java.util.Collection;

/// Plans for a cluster as if some of its nodes were gone, many times over. What does not depend on
/// which they are is worked out once.
public final class Simulator {

    private final SchedulingProblem problem;
    private final Residents residents;
    private final Ground ground;

    public Simulator(SchedulingProblem problem) {
        this.problem = problem;
        this.residents = Residents.of(problem);
        this.ground = Ground.ofAll(problem, residents);
    }

    /// Places pods as Karpenter does; the plan proves nothing about its price.
    public Plan without(Collection<String> nodes) {
        return Planner.simulate(new CompiledProblem(problem.without(nodes), residents, ground));
    }
}
