package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodAffinity;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.SchedulingPolicy.Preferences;
import dev.millwright.core.scheduling.Ground.BoundPod;
import dev.millwright.core.scheduling.TopologyGroup.Identity;
import dev.millwright.core.scheduling.TopologyGroup.Kind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// All topology constraints of one pass and the pods they count.
///
/// A group is made when a pod first states its constraint, and then counts the pods that are bound
/// already. Groups of pods that keep others away (*inverse* groups) are kept apart: they bind pods
/// that state nothing themselves.
final class Topology {

    private final LabelVocabulary vocabulary;
    private final Preferences preferences;
    private final RequirementSpace space;
    private final Ground ground;
    private final Snapshot snapshot;
    private final List<StateNode> destinations;
    private @Nullable Map<String, Integer> places;
    private final List<BoundPod> boundPods;
    private final Set<String> batch;
    private final Map<String, TopologyKey> keys = new LinkedHashMap<>();
    private final Map<Identity, TopologyGroup> byIdentity = new HashMap<>();
    private final List<TopologyGroup> groups = new ArrayList<>();
    private final Map<Identity, TopologyGroup> inverseByIdentity = new HashMap<>();
    private final List<TopologyGroup> inverseGroups = new ArrayList<>();

    /// @param destinations the nodes that may take pods, in the order of their places
    /// @param batch the pods to be placed; where they are now does not count
    Topology(
            SchedulingProblem problem,
            RequirementSpace space,
            Ground ground,
            List<StateNode> destinations,
            Set<String> batch) {
        this.vocabulary = problem.policy().vocabulary();
        this.preferences = problem.policy().preferences();
        this.space = space;
        this.ground = ground;
        this.snapshot = problem.snapshot();
        this.destinations = destinations;
        this.boundPods = ground.boundPods();
        this.batch = batch;
        for (var bound : ground.keepingAway()) {
            if (!batch.contains(bound.pod().uid())) {
                keepAway(bound);
            }
        }
    }

    /// Notes where a bound pod that keeps others away is.
    private void keepAway(BoundPod bound) {
        for (var group : inverse(bound.pod(), bound.pod().placement())) {
            var domain = bound.node().labels().get(group.key().name());
            if (domain == null) {
                continue;
            }
            if (group.isHostname()) {
                recordHost(group, bound.node(), domain);
            } else {
                group.record(group.key().number(domain));
            }
        }
    }

    private void recordHost(TopologyGroup group, StateNode node, String host) {
        var place = places().get(node.name());
        if (place == null) {
            group.recordHostElsewhere(host);
        } else {
            group.recordHost(place);
        }
    }

    /// Places by node; most passes ask for none.
    private Map<String, Integer> places() {
        var known = places;
        if (known == null) {
            known = new HashMap<>();
            for (var place = 0; place < destinations.size(); place++) {
                known.put(destinations.get(place).name(), place);
            }
            places = known;
        }
        return known;
    }

    /// The groups of the pod's required anti-affinity, as they bind other pods.
    List<TopologyGroup> inverse(Pod pod, PodPlacement placement) {
        var result = new ArrayList<TopologyGroup>();
        for (var term : placement.podAntiAffinity().required()) {
            var identity = identity(Kind.ANTI_AFFINITY, term, pod);
            var group = inverseByIdentity.get(identity);
            if (group == null) {
                group =
                        new TopologyGroup(
                                identity, inverseGroups.size(), key(term.topologyKey()), null);
                seed(group, placement);
                inverseByIdentity.put(identity, group);
                inverseGroups.add(group);
            }
            if (!result.contains(group)) {
                result.add(group);
            }
        }
        return result;
    }

    /// The groups whose constraints the pod states itself, made where they are new.
    List<TopologyGroup> owned(Pod pod, PodPlacement placement) {
        var result = new ArrayList<TopologyGroup>();
        for (var constraint : placement.spread()) {
            if (preferences == Preferences.RESPECT || constraint.isHard()) {
                add(result, spread(constraint, pod, placement));
            }
        }
        affinity(Kind.AFFINITY, placement.podAffinity(), pod, placement, result);
        affinity(Kind.ANTI_AFFINITY, placement.podAntiAffinity(), pod, placement, result);
        return result;
    }

    private static void add(List<TopologyGroup> groups, TopologyGroup group) {
        if (!groups.contains(group)) {
            groups.add(group);
        }
    }

    private TopologyGroup spread(SpreadConstraint constraint, Pod pod, PodPlacement placement) {
        var selector = constraint.selector();
        for (var labelKey : constraint.matchLabelKeys()) {
            var value = pod.labels().get(labelKey);
            if (value != null && selector != null) {
                selector =
                        selector.and(
                                new Selector.Expression(labelKey, Operator.IN, List.of(value)));
            }
        }
        var identity =
                new Identity(
                        Kind.SPREAD,
                        constraint.topologyKey(),
                        List.of(pod.name().namespace()),
                        selector,
                        constraint.maxSkew(),
                        NodeFilter.of(constraint, placement, vocabulary));
        return group(identity, placement, constraint.minDomains());
    }

    private void affinity(
            Kind kind,
            PodAffinity affinity,
            Pod pod,
            PodPlacement placement,
            List<TopologyGroup> into) {
        for (var term : affinity.required()) {
            add(into, group(identity(kind, term, pod), placement, null));
        }
        if (preferences == Preferences.RESPECT) {
            for (var weighted : affinity.preferred()) {
                add(into, group(identity(kind, weighted.term(), pod), placement, null));
            }
        }
    }

    private Identity identity(Kind kind, PodAffinity.Term term, Pod pod) {
        return new Identity(
                kind,
                term.topologyKey(),
                namespaces(term, pod.name().namespace()),
                term.selector(),
                Integer.MAX_VALUE,
                NodeFilter.EVERY_NODE);
    }

    private List<String> namespaces(PodAffinity.Term term, String own) {
        var selector = term.namespaceSelector();
        if (selector == null) {
            return term.namespaces().isEmpty() ? List.of(own) : term.namespaces();
        }
        var selected = new TreeSet<>(term.namespaces());
        snapshot.namespaces()
                .forEach(
                        (name, labels) -> {
                            if (selector.matches(labels)) {
                                selected.add(name);
                            }
                        });
        return List.copyOf(selected);
    }

    private TopologyGroup group(
            Identity identity, PodPlacement placement, @Nullable Integer minDomains) {
        var known = byIdentity.get(identity);
        if (known != null) {
            return known;
        }
        var group = new TopologyGroup(identity, groups.size(), key(identity.key()), minDomains);
        seed(group, placement);
        seedFromNodes(group);
        countBound(group);
        byIdentity.put(identity, group);
        groups.add(group);
        return group;
    }

    private TopologyKey key(String name) {
        return keys.computeIfAbsent(name, key -> new TopologyKey(key, space));
    }

    /// Domains that new nodes could have. A domain reached only through taints counts when the pod
    /// tolerates them.
    private void seed(TopologyGroup group, PodPlacement placement) {
        var isEvery = group.identity().filter().taintsPolicy() == SpreadConstraint.Inclusion.IGNORE;
        ground.domains(group.key().name())
                .forEach(
                        (domain, taintSets) -> {
                            if (isEvery || isReachable(taintSets, placement)) {
                                group.know(group.key().number(domain));
                            }
                        });
    }

    private static boolean isReachable(List<List<Taint>> taintSets, PodPlacement placement) {
        return taintSets.stream()
                .anyMatch(
                        taints -> Taint.firstUntolerated(taints, placement.tolerations()) == null);
    }

    private void seedFromNodes(TopologyGroup group) {
        if (group.isHostname()) {
            return;
        }
        for (var destination : destinations) {
            var node = destination.node();
            var domain = destination.labels().get(group.key().name());
            if (node != null
                    && domain != null
                    && group.identity()
                            .filter()
                            .matches(node.taints(), vocabulary.labels(node.labels()))) {
                group.know(group.key().number(domain));
            }
        }
    }

    private void countBound(TopologyGroup group) {
        for (var bound : boundPods) {
            var pod = bound.pod();
            var node = bound.node().node();
            if (node == null
                    || batch.contains(pod.uid())
                    || pod.state().isTerminal()
                    || pod.state().isTerminating()
                    || !counts(group, pod)) {
                continue;
            }
            var domain = node.labels().get(group.key().name());
            if (domain == null && group.isHostname()) {
                domain = node.name();
            }
            if (domain == null
                    || !group.identity()
                            .filter()
                            .matches(node.taints(), vocabulary.labels(node.labels()))) {
                continue;
            }
            if (group.isHostname()) {
                recordHost(group, bound.node(), domain);
            } else {
                group.record(group.key().number(domain));
            }
        }
    }

    /// An absent selector selects no pod of the batch, yet counts every bound pod of the namespace,
    /// as Karpenter does.
    private static boolean counts(TopologyGroup group, Pod pod) {
        return group.identity().selector() == null
                ? group.identity().namespaces().contains(pod.name().namespace())
                : group.selects(pod.name().namespace(), pod.labels());
    }

    List<TopologyGroup> groups() {
        return groups;
    }

    List<TopologyGroup> inverseGroups() {
        return inverseGroups;
    }

    /// Keys other than the host name that some group looks at.
    List<TopologyKey> sharedKeys() {
        return keys.values().stream().filter(key -> !key.isHostname()).toList();
    }

    /// Records that a pod came to a node in the making.
    void recordClaim(TopologyGroup group, int place, int set) {
        if (group.isHostname()) {
            group.recordHost(place);
            return;
        }
        var requirement = space.at(set).orNull(group.key().name());
        if (requirement == null || requirement.isComplement()) {
            return;
        }
        if (group.kind() == Kind.ANTI_AFFINITY || requirement.values().size() == 1) {
            for (var value : requirement.values()) {
                group.record(group.key().number(value));
            }
        }
    }

    /// Records that a pod came to a node that is there.
    void recordNode(TopologyGroup group, int place, Requirements labels) {
        if (group.isHostname()) {
            group.recordHost(place);
            return;
        }
        var requirement = labels.orNull(group.key().name());
        if (requirement != null && !requirement.values().isEmpty()) {
            group.record(group.key().number(requirement.values().getFirst()));
        }
    }
}
