package dev.millwright.core.disruption;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.disruption.KeepReason.Homeless;
import dev.millwright.core.policy.CapacityBuffer;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.Simulator;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What becomes of pods when nodes are taken away: a plan for the cluster without them.
///
/// It is made once for a cluster and asked for many sets of nodes.
final class Simulation {

    /// A plan without the nodes. `homeless` are pods that run and would not any more; pods that
    /// waited before may go on waiting. `nominated` are the nodes that stay and take pods that are
    /// real.
    record Outcome(Plan plan, List<Homeless> homeless, List<String> nominated) {
        Outcome {
            homeless = List.copyOf(homeless);
            nominated = List.copyOf(nominated);
        }

        boolean isEveryoneHoused() {
            return homeless.isEmpty();
        }
    }

    private final Simulator simulator;
    private final Map<ObjectName, Pod> pods = new HashMap<>();
    private final Map<String, StateNode> nodes = new HashMap<>();

    Simulation(SchedulingProblem problem) {
        this.simulator = new Simulator(problem);
        problem.snapshot().pods().forEach(pod -> pods.put(pod.name(), pod));
        problem.snapshot().nodes().forEach(node -> nodes.put(node.name(), node));
    }

    /// The node the pod runs on; null of a pod that waits, or that nobody knows.
    @Nullable String nodeOf(ObjectName name) {
        var pod = pods.get(name);
        return pod == null ? null : pod.state().nodeName();
    }

    Outcome without(Collection<String> names) {
        return without(names, Packing.FIRST_FIT);
    }

    Outcome without(Collection<String> names, Packing packing) {
        return outcome(simulator.without(names, packing));
    }

    /// Where pods go when nobody packs them.
    Outcome scatteredWithout(Collection<String> names) {
        return outcome(simulator.scatteredWithout(names));
    }

    private Outcome outcome(Plan plan) {
        var homeless = new ArrayList<Homeless>();
        for (var waiting : plan.waiting()) {
            if (isRunning(waiting.pod())) {
                homeless.add(new Homeless(waiting.pod(), waiting.reason().explain()));
            }
        }
        for (var placement : plan.existing()) {
            if (!isUnfinished(placement.node())) {
                continue;
            }
            for (var pod : placement.pods()) {
                if (isRunning(pod) && !isFromGoingNode(pod)) {
                    homeless.add(
                            new Homeless(
                                    pod,
                                    "it would go to node %s, which is not initialised yet"
                                            .formatted(placement.node())));
                }
            }
        }
        return new Outcome(plan, homeless, nominated(plan));
    }

    private List<String> nominated(Plan plan) {
        return plan.existing().stream()
                .filter(placement -> placement.pods().stream().anyMatch(this::isReal))
                .map(Plan.ExistingPlacement::node)
                .toList();
    }

    boolean isReal(ObjectName name) {
        var pod = pods.get(name);
        return pod != null && !CapacityBuffer.isVirtual(pod);
    }

    private boolean isRunning(ObjectName name) {
        var pod = pods.get(name);
        return pod != null && !pod.state().isProvisionable();
    }

    private boolean isUnfinished(String node) {
        var known = nodes.get(node);
        return known != null && known.isManaged() && !known.isInitialized();
    }

    private boolean isFromGoingNode(ObjectName name) {
        var pod = pods.get(name);
        var node = pod == null ? null : nodes.get(pod.state().nodeName());
        return node != null && node.isMarkedForDeletion();
    }
}
