package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.quantity.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The problem with everything worked out that no decision of a pass changes: pods in the order they are tried and told
/// apart by class, pools as templates, nodes with what they have left. Passes share it.
final class CompiledProblem {

    /// What tells a class of pods apart.
    private record ClassKey(
            String namespace,
            Map<String, String> labels,
            PodPlacement placement,
            Resources requests,
            List<HostPort> hostPorts,
            @Nullable String uniqueUid,
            boolean hasResourceClaims,
            boolean isFreeToMove) {}

    /// A class before any pass: one of its pods, its labels as selectors see them, and how many there are.
    record ClassSeed(Pod sample, Map<String, String> labels, long[] requests, PodVolumes volumes, boolean isFreeToMove) {}

    private final SchedulingProblem problem;
    private final PodIntake intake;
    private final RequirementSpace space;
    private final ResourceSpace resources;
    private final List<NodePool> pools;
    private final List<PoolTemplate> templates;
    private final List<String> poolsWithoutTypes;
    private final List<NodeRoom> rooms;
    private final Pod[] pods;
    private final int[] classOf;
    private final List<ClassSeed> classes = new ArrayList<>();
    private final Map<String, Map<String, List<List<Taint>>>> universe;
    private final boolean canToleratePreference;

    CompiledProblem(SchedulingProblem problem) {
        this.problem = problem;
        var snapshot = problem.snapshot();
        var vocabulary = problem.policy().vocabulary();
        this.intake = PodIntake.of(snapshot, problem.policy());
        this.space = new RequirementSpace(vocabulary.wellKnown());
        this.pools =
                problem.nodePools().stream()
                        .filter(NodePool::isOpenForPods)
                        .filter(pool -> !problem.catalogs().getOrDefault(pool.name(), List.of()).isEmpty())
                        .sorted(NodePool.ORDER)
                        .toList();
        this.canToleratePreference =
                pools.stream()
                        .flatMap(pool -> pool.template().taints().stream())
                        .anyMatch(taint -> taint.effect() == Effect.PREFER_NO_SCHEDULE);
        var daemons = daemons();
        this.rooms = rooms(daemons);
        var spread = new DefaultSpread(problem.policy().defaultSpread(), snapshot);
        var batch = intake.pods().stream().map(spread::apply).toArray(Pod[]::new);
        this.resources = resourceSpace(batch, daemons);
        this.templates = templates(daemons);
        this.poolsWithoutTypes =
                pools.stream()
                        .map(NodePool::name)
                        .filter(name -> templates.stream().noneMatch(template -> template.name().equals(name)))
                        .toList();
        this.universe = reachableDomains();
        this.pods = queued(batch);
        this.classOf = new int[pods.length];
        classify();
    }

    private List<Pod> daemons() {
        var snapshot = problem.snapshot();
        return snapshot.daemonSets().stream()
                .map(daemonSet -> daemonSet.representative(snapshot.pods()))
                .filter(pod -> !(pod.hasResourceClaims() && problem.policy().ignoresResourceClaims()))
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

    private ResourceSpace resourceSpace(Pod[] batch, List<Pod> daemons) {
        Set<Resources> demands = new HashSet<>();
        for (var pod : batch) {
            demands.add(pod.requests());
        }
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
                            .filter(type -> PoolTypes.isUsable(type, promises, vocabulary.wellKnown()))
                            .toList();
            var isLenient = problem.policy().minValues() == MinValues.BEST_EFFORT;
            if (types.isEmpty() || (!isLenient && PoolTypes.unmetMinValues(types, promises) != null)) {
                continue;
            }
            var groups = DaemonGroup.of(pool, types, daemons, vocabulary);
            templates.add(new PoolTemplate(pool, groups, space, resources, space.number(promises)));
        }
        return List.copyOf(templates);
    }

    /// Every value of every key that a node of some pool could have, with the taints one must tolerate to reach it.
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

    private Pod[] queued(Pod[] batch) {
        var order =
                Comparator.comparing((Pod pod) -> pod.requests().amount(Resources.CPU))
                        .thenComparing(pod -> pod.requests().amount(Resources.MEMORY))
                        .reversed()
                        .thenComparing(Pod::createdAt)
                        .thenComparing(Pod::uid)
                        .thenComparing(Pod::name);
        Arrays.sort(batch, order);
        return batch;
    }

    private void classify() {
        var placements = new IdentityHashMap<PodPlacement, PodPlacement>();
        var equalPlacements = new HashMap<PodPlacement, PodPlacement>();
        for (var pod : pods) {
            placements.computeIfAbsent(
                    pod.placement(), own -> equalPlacements.computeIfAbsent(own, same -> same));
        }
        var selectorKeys = selectorKeys(equalPlacements.keySet());
        var numbers = new LinkedHashMap<ClassKey, Integer>();
        var volumes = new VolumeReader(problem.snapshot().storage(), problem.policy());
        var goingNodes = new HashSet<String>();
        for (var node : problem.snapshot().nodes()) {
            if (node.isMarkedForDeletion()) {
                goingNodes.add(node.name());
            }
        }
        for (var index = 0; index < pods.length; index++) {
            var pod = pods[index];
            var isFree =
                    pod.state().phase() == dev.millwright.core.cluster.PodState.Phase.PENDING
                            || goingNodes.contains(pod.state().nodeName());
            var labels = new TreeMap<>(pod.labels());
            labels.keySet().retainAll(selectorKeys);
            var key =
                    new ClassKey(
                            pod.name().namespace(),
                            labels,
                            placements.getOrDefault(pod.placement(), pod.placement()),
                            pod.requests(),
                            pod.hostPorts(),
                            pod.volumes().isEmpty() ? null : pod.uid(),
                            pod.hasResourceClaims(),
                            isFree);
            classOf[index] =
                    numbers.computeIfAbsent(
                            key,
                            _ -> {
                                classes.add(
                                        new ClassSeed(
                                                pod,
                                                labels,
                                                resources.count(pod.requests()),
                                                volumes.read(pod, space),
                                                isFree));
                                return classes.size() - 1;
                            });
        }
    }

    /// Labels that no selector looks at cannot tell two pods apart.
    private Set<String> selectorKeys(Set<PodPlacement> placements) {
        var keys = new TreeSet<String>();
        placements.forEach(placement -> addSelectorKeys(placement, keys));
        for (var pod : problem.snapshot().pods()) {
            pod.placement().podAntiAffinity().required().forEach(term -> addKeys(term.selector(), keys));
        }
        return keys;
    }

    private static void addSelectorKeys(PodPlacement placement, Set<String> keys) {
        for (var constraint : placement.spread()) {
            addKeys(constraint.selector(), keys);
            keys.addAll(constraint.matchLabelKeys());
        }
        for (var affinity : List.of(placement.podAffinity(), placement.podAntiAffinity())) {
            affinity.required().forEach(term -> addKeys(term.selector(), keys));
            affinity.preferred().forEach(weighted -> addKeys(weighted.term().selector(), keys));
        }
    }

    private static void addKeys(@Nullable Selector selector, Set<String> keys) {
        if (selector != null) {
            keys.addAll(selector.keys());
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

    /// Pools that may launch nodes for pods, in the order they are tried, whether or not any type is left to them.
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
        return pods.length;
    }

    Pod pod(int index) {
        return pods[index];
    }

    int classOf(int index) {
        return classOf[index];
    }

    List<ClassSeed> classes() {
        return classes;
    }

    Map<String, Map<String, List<List<Taint>>>> universe() {
        return universe;
    }

    boolean canToleratePreference() {
        return canToleratePreference;
    }
}
