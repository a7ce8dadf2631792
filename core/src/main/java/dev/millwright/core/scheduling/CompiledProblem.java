package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The problem with everything worked out that no decision of a pass changes: pods in the order
/// they are tried and told apart by class, pools as templates, nodes with what they have left.
/// Passes share it.
final class CompiledProblem {

    private final SchedulingProblem problem;
    private final PodIntake intake;
    private final RequirementSpace space;
    private final ResourceSpace resources;
    private final List<NodePool> pools;
    private final List<PoolTemplate> templates;
    private final List<String> poolsWithoutTypes;
    private final List<NodeRoom> rooms;
    private final PodBatch batch;
    private final Map<String, Map<String, List<List<Taint>>>> universe;
    private final boolean canToleratePreference;

    CompiledProblem(SchedulingProblem problem) {
        this.problem = problem;
        var snapshot = problem.snapshot();
        var vocabulary = problem.policy().vocabulary();
        this.intake = PodIntake.of(problem);
        this.space = new RequirementSpace(vocabulary.wellKnown());
        this.pools =
                problem.nodePools().stream()
                        .filter(NodePool::isOpenForPods)
                        .sorted(NodePool.ORDER)
                        .toList();
        this.canToleratePreference =
                pools.stream()
                        .flatMap(pool -> pool.template().taints().stream())
                        .anyMatch(taint -> taint.effect() == Effect.PREFER_NO_SCHEDULE);
        var daemons = daemons();
        this.rooms = rooms(daemons);
        var spread = new DefaultSpread(problem.policy().defaultSpread(), snapshot);
        this.batch = PodBatch.of(intake.pods().stream().map(spread::apply).toArray(Pod[]::new));
        this.resources = resourceSpace(daemons);
        this.templates = templates(daemons);
        this.poolsWithoutTypes =
                pools.stream()
                        .map(NodePool::name)
                        .filter(
                                name ->
                                        templates.stream()
                                                .noneMatch(
                                                        template -> template.name().equals(name)))
                        .toList();
        this.universe = reachableDomains();
        batch.classify(
                snapshot, space, resources, new VolumeReader(snapshot.storage(), problem.policy()));
    }

    private List<Pod> daemons() {
        var snapshot = problem.snapshot();
        return snapshot.daemonSets().stream()
                .map(daemonSet -> daemonSet.representative(snapshot.pods()))
                .filter(
                        pod ->
                                !(pod.hasResourceClaims()
                                        && problem.policy().ignoresResourceClaims()))
                .toList();
    }

    private List<NodeRoom> rooms(List<Pod> daemons) {
        var snapshot = problem.snapshot();
        var byNode = new HashMap<String, List<Pod>>();
        for (var pod : snapshot.pods()) {
            var nodeName = pod.state().nodeName();
            if (nodeName != null) {
                byNode.computeIfAbsent(nodeName, _ -> new ArrayList<>()).add(pod);
            }
        }
        var volumes = new VolumeReader(snapshot.storage(), problem.policy());
        return snapshot.nodes().stream()
                .filter(node -> !node.isMarkedForDeletion())
                .filter(node -> !problem.removed().contains(node.name()))
                .sorted(
                        Comparator.comparing((StateNode node) -> !node.isInitialized())
                                .thenComparing(StateNode::name))
                .map(
                        node ->
                                NodeRoom.of(
                                        node,
                                        byNode.getOrDefault(node.name(), List.of()),
                                        daemons,
                                        volumes,
                                        problem.policy().vocabulary()))
                .toList();
    }

    private ResourceSpace resourceSpace(List<Pod> daemons) {
        var demands = new ArrayList<>(batch.requests());
        daemons.forEach(daemon -> demands.add(daemon.requests()));
        pools.forEach(pool -> demands.add(pool.limits()));
        var supplies = new ArrayList<Resources>();
        rooms.forEach(room -> supplies.add(room.available()));
        for (var pool : pools) {
            for (var type : catalog(pool)) {
                supplies.add(type.capacity());
                type.allocatableGroups().forEach(group -> supplies.add(group.allocatable()));
            }
        }
        return ResourceSpace.of(demands, supplies);
    }

    private List<InstanceType> catalog(NodePool pool) {
        return problem.catalogs().getOrDefault(pool.name(), List.of());
    }

    private List<PoolTemplate> templates(List<Pod> daemons) {
        var vocabulary = problem.policy().vocabulary();
        var templates = new ArrayList<PoolTemplate>();
        for (var pool : pools) {
            var promises = pool.nodeRequirements(vocabulary);
            var types =
                    catalog(pool).stream()
                            .sorted(Comparator.comparing(InstanceType::name))
                            .filter(
                                    type ->
                                            PoolTypes.isUsable(
                                                    type, promises, vocabulary.wellKnown()))
                            .toList();
            var isLenient = problem.policy().minValues() == MinValues.BEST_EFFORT;
            if (types.isEmpty()
                    || (!isLenient && PoolTypes.unmetMinValues(types, promises) != null)) {
                continue;
            }
            var groups = DaemonGroup.of(pool, types, daemons, vocabulary);
            templates.add(new PoolTemplate(pool, groups, space, resources, space.number(promises)));
        }
        return List.copyOf(templates);
    }

    /// Every value of every key that a node of some pool could have, with the taints one must
    /// tolerate to reach it.
    private Map<String, Map<String, List<List<Taint>>>> reachableDomains() {
        var vocabulary = problem.policy().vocabulary();
        Map<String, Map<String, List<List<Taint>>>> result = new TreeMap<>();
        for (var pool : pools) {
            var taints = pool.template().taints();
            var promised = pool.domainRequirements(vocabulary);
            for (var type : catalog(pool)) {
                for (var requirement : type.requirements().all()) {
                    var own = promised.orNull(requirement.key());
                    var both = own == null ? requirement : own.intersection(requirement);
                    both.values().forEach(value -> reach(result, both.key(), value, taints));
                }
            }
            for (var requirement : promised.all()) {
                if (!requirement.isComplement()) {
                    requirement
                            .values()
                            .forEach(value -> reach(result, requirement.key(), value, taints));
                }
            }
        }
        return result;
    }

    private static void reach(
            Map<String, Map<String, List<List<Taint>>>> universe,
            String key,
            String domain,
            List<Taint> taints) {
        var ways =
                universe.computeIfAbsent(key, _ -> new TreeMap<>())
                        .computeIfAbsent(domain, _ -> new ArrayList<>());
        if (!ways.contains(taints)) {
            ways.add(taints);
        }
    }

    SchedulingProblem problem() {
        return problem;
    }

    PodIntake intake() {
        return intake;
    }

    RequirementSpace space() {
        return space;
    }

    ResourceSpace resources() {
        return resources;
    }

    /// Pools that may launch nodes for pods, in the order they are tried, whether or not any type
    /// is left to them.
    List<NodePool> pools() {
        return pools;
    }

    List<PoolTemplate> templates() {
        return templates;
    }

    List<String> poolsWithoutTypes() {
        return poolsWithoutTypes;
    }

    List<NodeRoom> rooms() {
        return rooms;
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

    Map<String, Map<String, List<List<Taint>>>> universe() {
        return universe;
    }

    boolean canToleratePreference() {
        return canToleratePreference;
    }
}
