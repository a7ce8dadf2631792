package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What plans for one cluster share, whichever of its nodes they do without: pools as templates,
/// what each node has left, the pods that are bound. A simulation of a thousand removals works it
/// out once.
final class Ground {

    /// A node that may take pods; `supply` is what it has left, counted. Nobody changes it. One
    /// that has less than nothing left is not usable.
    record Place(NodeRoom room, long[] supply, boolean isUsable) {
        String name() {
            return room.node().name();
        }
    }

    /// A pod that is bound, with the node it is on.
    record BoundPod(Pod pod, StateNode node) {}

    private final SchedulingProblem problem;
    private final RequirementSpace space;
    private final ResourceSpace resources;
    private final List<NodePool> pools;
    private final List<PoolTemplate> templates;
    private final List<String> poolsWithoutTypes;
    private final List<Place> places;
    private final Map<String, Map<String, List<List<Taint>>>> domains = new HashMap<>();
    private final boolean canToleratePreference;
    private final List<BoundPod> boundPods;
    private final List<BoundPod> keepingAway;

    /// @param requests what the pods of all plans on this ground ask for
    Ground(SchedulingProblem problem, Residents residents, List<Resources> requests) {
        this.problem = problem;
        this.space = new RequirementSpace(problem.policy().vocabulary().wellKnown());
        this.pools =
                problem.nodePools().stream()
                        .filter(NodePool::isOpenForPods)
                        .sorted(NodePool.ORDER)
                        .toList();
        this.canToleratePreference =
                pools.stream()
                        .flatMap(pool -> pool.template().taints().stream())
                        .anyMatch(taint -> taint.effect() == Effect.PREFER_NO_SCHEDULE);
        var daemons = daemons(problem);
        var rooms = rooms(problem, residents, daemons);
        this.resources = resourceSpace(requests, daemons, rooms);
        this.places =
                rooms.stream()
                        .map(
                                room ->
                                        new Place(
                                                room,
                                                resources.supply(room.available()),
                                                !room.available().hasNegative()))
                        .toList();
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
        this.boundPods = boundPods(problem);
        this.keepingAway =
                boundPods.stream()
                        .filter(bound -> !bound.pod().state().isTerminal())
                        .filter(
                                bound ->
                                        !bound.pod()
                                                .placement()
                                                .podAntiAffinity()
                                                .required()
                                                .isEmpty())
                        .toList();
    }

    /// For plans without any of the cluster's nodes.
    static Ground ofAll(SchedulingProblem problem, Residents residents) {
        var requests = new LinkedHashSet<Resources>();
        for (var pod : problem.snapshot().pods()) {
            if (!pod.state().isTerminal()) {
                requests.add(pod.requests());
            }
        }
        return new Ground(problem, residents, List.copyOf(requests));
    }

    private static List<Pod> daemons(SchedulingProblem problem) {
        var snapshot = problem.snapshot();
        return snapshot.daemonSets().stream()
                .map(daemonSet -> daemonSet.representative(snapshot.pods()))
                .filter(
                        pod ->
                                !(pod.hasResourceClaims()
                                        && problem.policy().ignoresResourceClaims()))
                .toList();
    }

    private static List<NodeRoom> rooms(
            SchedulingProblem problem, Residents residents, List<Pod> daemons) {
        var snapshot = problem.snapshot();
        var volumes = new VolumeReader(snapshot.storage(), problem.policy());
        return snapshot.nodes().stream()
                .filter(node -> !node.isMarkedForDeletion())
                .sorted(
                        Comparator.comparing((StateNode node) -> !node.isInitialized())
                                .thenComparing(StateNode::name))
                .map(
                        node ->
                                NodeRoom.of(
                                        node,
                                        residents.on(node.name()),
                                        daemons,
                                        volumes,
                                        problem.policy().vocabulary()))
                .toList();
    }

    private static List<BoundPod> boundPods(SchedulingProblem problem) {
        var nodes = new HashMap<String, StateNode>();
        for (var node : problem.snapshot().nodes()) {
            if (node.node() != null) {
                nodes.put(node.name(), node);
            }
        }
        var bound = new ArrayList<BoundPod>();
        for (var pod : problem.snapshot().pods()) {
            var nodeName = pod.state().nodeName();
            var node = nodeName == null ? null : nodes.get(nodeName);
            if (node != null) {
                bound.add(new BoundPod(pod, node));
            }
        }
        return bound;
    }

    private ResourceSpace resourceSpace(
            List<Resources> requests, List<Pod> daemons, List<NodeRoom> rooms) {
        var demands = new ArrayList<>(requests);
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
            templates.add(
                    new PoolTemplate(
                            pool,
                            groups,
                            space,
                            resources,
                            space.number(promises),
                            problem.nodeFeePerHour(pool.name())));
        }
        return List.copyOf(templates);
    }

    /// Every value of the key that a node of some pool could have, with the taints one must
    /// tolerate to reach it. Few keys are ever asked for.
    Map<String, List<List<Taint>>> domains(String key) {
        return domains.computeIfAbsent(key, this::reachable);
    }

    private Map<String, List<List<Taint>>> reachable(String key) {
        var vocabulary = problem.policy().vocabulary();
        var reached = new TreeMap<String, List<List<Taint>>>();
        for (var pool : pools) {
            var taints = pool.template().taints();
            var promised = pool.domainRequirements(vocabulary).orNull(key);
            for (var type : catalog(pool)) {
                var offered = type.requirements().orNull(key);
                if (offered != null) {
                    reach(
                            reached,
                            promised == null ? offered : promised.intersection(offered),
                            taints);
                }
            }
            if (promised != null && !promised.isComplement()) {
                reach(reached, promised, taints);
            }
        }
        return reached;
    }

    private static void reach(
            Map<String, List<List<Taint>>> reached, Requirement requirement, List<Taint> taints) {
        for (var domain : requirement.values()) {
            var ways = reached.computeIfAbsent(domain, _ -> new ArrayList<>());
            if (!ways.contains(taints)) {
                ways.add(taints);
            }
        }
    }

    RequirementSpace space() {
        return space;
    }

    ResourceSpace resources() {
        return resources;
    }

    List<NodePool> pools() {
        return pools;
    }

    List<PoolTemplate> templates() {
        return templates;
    }

    List<String> poolsWithoutTypes() {
        return poolsWithoutTypes;
    }

    /// All nodes that stay, initialised ones first, then by name.
    List<Place> places() {
        return places;
    }

    /// The same without some.
    List<Place> places(Set<String> removed) {
        var names = new HashSet<>(removed);
        var rest = new ArrayList<Place>(places.size());
        for (var place : places) {
            if (!names.contains(place.name())) {
                rest.add(place);
            }
        }
        return rest;
    }

    boolean canToleratePreference() {
        return canToleratePreference;
    }

    List<BoundPod> boundPods() {
        return boundPods;
    }

    /// Those of the bound pods that keep others away.
    List<BoundPod> keepingAway() {
        return keepingAway;
    }
}
