package dev.millwright.core.scheduling;

/// The decision of the core: which nodes to launch for pods that wait. The same problem gives the same plan, everywhere.
public final class Planner {

    private Planner() {}

    public static Plan plan(SchedulingProblem problem) {
        if (problem.nodePools().isEmpty()) {
            return new Plan(java.util.List.of(), java.util.List.of(), java.util.List.of(), 0, 0, problem.policy().packing());
        }
        throw new IllegalStateException("being written: " + problem.nodePools().size());
    }
}
