package dev.millwright.testing.kit.checker;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.SchedulingProblem;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What the rules look up again and again: the pods that must be answered, the places they got, the
/// pools that count.
final class Facts {

    /// A place a pod has in the plan. `index` is its turn among the pods of the place.
    record Placed(Pod pod, Place place, int index) {}

    /// A node or a claim seen as the label values its node may have. A host name is always one
    /// value.
    record Place(String name, Requirements labels, @Nullable PlannedClaim claim) {

        Requirement on(String key) {
            return labels.on(key);
        }

        /// The one value the key has here, or null where it has none or several.
        @Nullable String decided(String key) {
            var requirement = labels.orNull(key);
            return requirement == null
                            || requirement.isComplement()
                            || requirement.values().size() != 1
                    ? null
                    : requirement.values().getFirst();
        }

        /// The values the key may still take here; null where nothing bounds them.
        @Nullable List<String> possible(String key) {
            var requirement = labels.orNull(key);
            return requirement == null || requirement.isComplement() ? null : requirement.values();
        }
    }

    private final SchedulingProblem problem;
    private final Plan plan;
    private final SequencedMap<ObjectName, Pod> pods = new TreeMap<>();
    private final SequencedMap<String, StateNode> nodes = new TreeMap<>();
    private final SequencedMap<String, NodePool> pools = new TreeMap<>();
    private final List<Placed> placed = new ArrayList<>();

    Facts(SchedulingProblem problem, Plan plan) {
        this.problem = problem;
        this.plan = plan;
        problem.snapshot().pods().forEach(pod -> pods.put(pod.name(), pod));
        problem.snapshot().nodes().forEach(node -> nodes.put(node.name(), node));
        problem.nodePools().stream()
                .filter(NodePool::isOpenForPods)
                .filter(pool -> !typesOf(pool).isEmpty())
                .forEach(pool -> pools.put(pool.name(), pool));
        collectExisting();
        collectClaims();
    }

    private void collectExisting() {
        for (var existing : plan.existing()) {
            var node = nodes.get(existing.node());
            if (node != null) {
                collect(existing.pods(), placeOf(node));
            }
        }
    }

    private void collectClaims() {
        for (var index = 0; index < plan.claims().size(); index++) {
            collect(plan.claims().get(index).pods(), placeOf(index));
        }
    }

    private void collect(List<ObjectName> names, Place place) {
        for (var index = 0; index < names.size(); index++) {
            var pod = pods.get(names.get(index));
            if (pod != null) {
                placed.add(new Placed(pod, place, index));
            }
        }
    }

    Place placeOf(StateNode node) {
        var labels =
                vocabulary()
                        .labels(node.labels())
                        .replace(Requirement.in(LabelKeys.HOSTNAME, node.hostName()));
        return new Place("node " + node.name(), labels, null);
    }

    Place placeOf(int claimIndex) {
        var claim = plan.claims().get(claimIndex);
        var name = "claim " + claimIndex + " of " + claim.nodePool();
        return new Place(
                name,
                claim.requirements().replace(Requirement.in(LabelKeys.HOSTNAME, name)),
                claim);
    }

    SchedulingProblem problem() {
        return problem;
    }

    Plan plan() {
        return plan;
    }

    LabelVocabulary vocabulary() {
        return problem.policy().vocabulary();
    }

    /// Pools that may give pods nodes: open, and evaluated by their provider.
    SequencedMap<String, NodePool> pools() {
        return pools;
    }

    List<InstanceType> typesOf(NodePool pool) {
        return problem.catalogs().getOrDefault(pool.name(), List.of());
    }

    @Nullable StateNode node(String name) {
        return nodes.get(name);
    }

    SequencedMap<String, StateNode> nodes() {
        return nodes;
    }

    /// @throws IllegalArgumentException when the plan names a pod the problem does not have
    Pod pod(ObjectName name) {
        var pod = pods.get(name);
        if (pod == null) {
            throw new IllegalArgumentException("pod %s is not part of the problem".formatted(name));
        }
        return pod;
    }

    List<Pod> knownPods(List<ObjectName> names) {
        return names.stream().filter(pods::containsKey).map(this::pod).toList();
    }

    List<Placed> placed() {
        return placed;
    }

    /// Whether a wish not to be scheduled may be given up: the solver learns that only from pools.
    boolean isPreferNoScheduleGivenUp() {
        return pools.values().stream()
                .flatMap(pool -> pool.template().taints().stream())
                .anyMatch(taint -> taint.effect() == Effect.PREFER_NO_SCHEDULE);
    }

    /// Pods the plan must answer.
    SequencedMap<ObjectName, Pod> batch() {
        var batch = new LinkedHashMap<ObjectName, Pod>();
        for (var pod : pods.values()) {
            if (pod.state().isProvisionable() || Leaving.mustMove(this, pod)) {
                batch.put(pod.name(), pod);
            }
        }
        return batch;
    }

    /// Bound pods that stay where they are, as far as topology counts them.
    List<Placed> staying() {
        var batch = batch();
        var staying = new ArrayList<Placed>();
        for (var pod : pods.values()) {
            var state = pod.state();
            var nodeName = state.nodeName();
            if (nodeName == null
                    || state.isTerminal()
                    || state.isTerminating()
                    || batch.containsKey(pod.name())
                    || Leaving.mayMove(this, pod)) {
                continue;
            }
            var stateNode = nodes.get(nodeName);
            if (stateNode != null && stateNode.node() != null) {
                staying.add(new Placed(pod, placeOf(stateNode), -1));
            }
        }
        return staying;
    }

    List<Pod> boundTo(StateNode node) {
        return pods.values().stream()
                .filter(pod -> node.name().equals(pod.state().nodeName()))
                .filter(pod -> !pod.state().isTerminal())
                .toList();
    }
}
