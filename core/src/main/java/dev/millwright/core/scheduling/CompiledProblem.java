package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.scheduling.Plan.WaitingPod;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The problem with everything worked out that no decision of a pass changes: pods in the order
/// they are tried and told apart by class, pools as templates, nodes with what they have left.
/// Passes share it.
final class CompiledProblem {

    private final SchedulingProblem problem;
    private final Ground ground;
    private final Residents residents;
    private final List<Ground.Place> places;
    private final PodBatch batch;

    CompiledProblem(SchedulingProblem problem) {
        this(problem, Residents.of(problem), null);
    }

    /// @param residents of the same cluster
    /// @param shared the ground of the same cluster, or null to work it out for these pods alone
    CompiledProblem(SchedulingProblem problem, Residents residents, @Nullable Ground shared) {
        this.problem = problem;
        var snapshot = problem.snapshot();
        this.residents = residents;
        var spread = new DefaultSpread(problem.policy().defaultSpread(), snapshot);
        this.batch =
                PodBatch.of(
                        residents.toPlace(problem).stream().map(spread::apply).toArray(Pod[]::new));
        this.ground = shared == null ? new Ground(problem, residents, batch.requests()) : shared;
        this.places =
                problem.removed().isEmpty() ? ground.places() : ground.places(problem.removed());
        batch.classify(
                residents,
                ground.space(),
                ground.resources(),
                new VolumeReader(snapshot.storage(), problem.policy()));
    }

    SchedulingProblem problem() {
        return problem;
    }

    /// Pods that wait and cannot be planned for.
    List<WaitingPod> rejected() {
        return residents.rejected();
    }

    Ground ground() {
        return ground;
    }

    RequirementSpace space() {
        return ground.space();
    }

    ResourceSpace resources() {
        return ground.resources();
    }

    /// Pools that may launch nodes for pods, in the order they are tried, whether or not any type
    /// is left to them.
    List<NodePool> pools() {
        return ground.pools();
    }

    List<PoolTemplate> templates() {
        return ground.templates();
    }

    List<String> poolsWithoutTypes() {
        return ground.poolsWithoutTypes();
    }

    /// The nodes that may take pods, in the order they are tried.
    List<Ground.Place> places() {
        return places;
    }

    int podCount() {
        return batch.size();
    }

    Pod pod(int index) {
        return batch.pod(index);
    }

    int classOf(int index) {
        return batch.classOf(index);
    }

    List<PodBatch.ClassSeed> classes() {
        return batch.classes();
    }

    boolean canToleratePreference() {
        return ground.canToleratePreference();
    }
}
