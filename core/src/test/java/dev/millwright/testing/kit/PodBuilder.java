package dev.millwright.testing.kit;

import dev.millwright.core.cluster.Container;
import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodAffinity;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.cluster.PodVolume;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A pod in the making. Every word gives a new builder, so that one may serve as a model for many.
///
/// A fresh pod waits for a node, asks for nothing but its slot and was made at [Given#NOON].
public record PodBuilder(Pod pod) implements ClusterPart {

    static PodBuilder named(String name) {
        return new PodBuilder(
                new Pod(
                        new ObjectName("default", name),
                        "uid-" + name,
                        Given.NOON,
                        new TreeMap<>(),
                        new TreeMap<>(),
                        Resources.of(Resources.PODS, Quantity.ONE),
                        PodPlacement.ANYWHERE,
                        List.of(),
                        List.of(),
                        false,
                        PodState.WAITING));
    }

    // Identity ---------------------------------------------------------------------------------

    /// The same pod under another name, with the uid that belongs to it.
    public PodBuilder named(ObjectName name) {
        return new PodBuilder(
                new Pod(
                        name,
                        "uid-" + name.name(),
                        pod.createdAt(),
                        pod.labels(),
                        pod.annotations(),
                        pod.requests(),
                        pod.placement(),
                        pod.hostPorts(),
                        pod.volumes(),
                        pod.hasResourceClaims(),
                        pod.state()));
    }

    public PodBuilder renamed(String name) {
        return named(new ObjectName(pod.name().namespace(), name));
    }

    public PodBuilder namespace(String namespace) {
        return named(new ObjectName(namespace, pod.name().name()));
    }

    public PodBuilder createdAt(Instant instant) {
        return new PodBuilder(
                new Pod(
                        pod.name(),
                        pod.uid(),
                        instant,
                        pod.labels(),
                        pod.annotations(),
                        pod.requests(),
                        pod.placement(),
                        pod.hostPorts(),
                        pod.volumes(),
                        pod.hasResourceClaims(),
                        pod.state()));
    }

    public PodBuilder label(String key, String value) {
        return with(
                plus(pod.labels(), key, value), pod.annotations(), pod.requests(), pod.placement());
    }

    public PodBuilder labels(Map<String, String> labels) {
        var more = new TreeMap<>(pod.labels());
        more.putAll(labels);
        return with(more, pod.annotations(), pod.requests(), pod.placement());
    }

    public PodBuilder annotation(String key, String value) {
        return with(
                pod.labels(), plus(pod.annotations(), key, value), pod.requests(), pod.placement());
    }

    // Resources --------------------------------------------------------------------------------

    public PodBuilder cpu(String quantity) {
        return resource(Resources.CPU, quantity);
    }

    public PodBuilder memory(String quantity) {
        return resource(Resources.MEMORY, quantity);
    }

    public PodBuilder resource(String name, String quantity) {
        return requests(pod.requests().with(name, Quantity.parse(quantity)));
    }

    public PodBuilder requests(Resources requests) {
        return with(pod.labels(), pod.annotations(), requests, pod.placement());
    }

    /// Requests as Kubernetes adds them up from containers.
    public PodBuilder containers(List<Container> containers, List<Container> initContainers) {
        return requests(Container.podRequests(containers, initContainers, null, Resources.NONE));
    }

    public PodBuilder hostPort(int port) {
        return hostPort(new HostPort("", port, ""));
    }

    public PodBuilder hostPort(HostPort port) {
        return with(plus(pod.hostPorts(), port), pod.volumes(), pod.hasResourceClaims());
    }

    public PodBuilder claim(String volumeClaim) {
        return volume(new PodVolume.Claim(volumeClaim));
    }

    public PodBuilder ephemeral(String volumeName, @Nullable String storageClass) {
        return volume(new PodVolume.Ephemeral(volumeName, storageClass));
    }

    public PodBuilder volume(PodVolume volume) {
        return with(pod.hostPorts(), plus(pod.volumes(), volume), pod.hasResourceClaims());
    }

    /// The pod asks for devices by resource claims.
    public PodBuilder resourceClaims() {
        return with(pod.hostPorts(), pod.volumes(), true);
    }

    // Nodes ------------------------------------------------------------------------------------

    public PodBuilder nodeSelector(String key, String value) {
        var placement = pod.placement();
        return placement(placement.withNodeSelector(plus(placement.nodeSelector(), key, value)));
    }

    /// One required term; every further call adds an alternative to it.
    public PodBuilder requires(Requirement... expressions) {
        return required(NodeAffinity.Term.of(expressions));
    }

    /// A required term that also names fields of nodes.
    public PodBuilder requiresFields(Requirement... expressions) {
        return required(new NodeAffinity.Term(List.of(expressions), true));
    }

    private PodBuilder required(NodeAffinity.Term term) {
        var affinity = pod.placement().nodeAffinity();
        return placement(
                pod.placement()
                        .withNodeAffinity(
                                new NodeAffinity(
                                        plus(affinity.required(), term), affinity.preferred())));
    }

    public PodBuilder prefers(int weight, Requirement... expressions) {
        var affinity = pod.placement().nodeAffinity();
        var wish = new NodeAffinity.Preferred(weight, NodeAffinity.Term.of(expressions));
        return placement(
                pod.placement()
                        .withNodeAffinity(
                                new NodeAffinity(
                                        affinity.required(), plus(affinity.preferred(), wish))));
    }

    /// Tolerates exactly this taint.
    public PodBuilder tolerates(Taint taint) {
        return tolerates(
                new Toleration(taint.key(), Toleration.Match.EQUAL, taint.value(), taint.effect()));
    }

    public PodBuilder tolerates(Toleration toleration) {
        var placement = pod.placement();
        return placement(placement.withTolerations(plus(placement.tolerations(), toleration)));
    }

    public PodBuilder toleratesEverything() {
        return tolerates(new Toleration("", Toleration.Match.EXISTS, "", null));
    }

    // Other pods -------------------------------------------------------------------------------

    /// A hard spread over pods with the labels this pod has so far.
    public PodBuilder spread(String key, int maxSkew) {
        return spread(key, maxSkew, pod.labels());
    }

    public PodBuilder spread(String key, int maxSkew, Map<String, String> labels) {
        return spread(SpreadConstraint.of(key, maxSkew, true, Selector.ofLabels(labels)));
    }

    /// A spread that schedules anyway, over pods with the labels this pod has so far.
    public PodBuilder softSpread(String key, int maxSkew) {
        return softSpread(key, maxSkew, pod.labels());
    }

    public PodBuilder softSpread(String key, int maxSkew, Map<String, String> labels) {
        return spread(SpreadConstraint.of(key, maxSkew, false, Selector.ofLabels(labels)));
    }

    public PodBuilder spread(SpreadConstraint constraint) {
        var placement = pod.placement();
        return placement(placement.withSpread(plus(placement.spread(), constraint)));
    }

    public PodBuilder podAffinity(String key, Map<String, String> labels) {
        return podAffinity(term(key, labels));
    }

    public PodBuilder podAffinity(PodAffinity.Term term) {
        return placement(
                pod.placement().withPodAffinity(required(pod.placement().podAffinity(), term)));
    }

    public PodBuilder prefersPodAffinity(int weight, String key, Map<String, String> labels) {
        return prefersPodAffinity(weight, term(key, labels));
    }

    public PodBuilder prefersPodAffinity(int weight, PodAffinity.Term term) {
        return placement(
                pod.placement()
                        .withPodAffinity(preferred(pod.placement().podAffinity(), weight, term)));
    }

    public PodBuilder podAntiAffinity(String key, Map<String, String> labels) {
        return podAntiAffinity(term(key, labels));
    }

    public PodBuilder podAntiAffinity(PodAffinity.Term term) {
        return placement(
                pod.placement()
                        .withPodAntiAffinity(required(pod.placement().podAntiAffinity(), term)));
    }

    public PodBuilder prefersPodAntiAffinity(int weight, String key, Map<String, String> labels) {
        return prefersPodAntiAffinity(weight, term(key, labels));
    }

    public PodBuilder prefersPodAntiAffinity(int weight, PodAffinity.Term term) {
        return placement(
                pod.placement()
                        .withPodAntiAffinity(
                                preferred(pod.placement().podAntiAffinity(), weight, term)));
    }

    private static PodAffinity.Term term(String key, Map<String, String> labels) {
        return PodAffinity.Term.of(key, Selector.ofLabels(labels));
    }

    private static PodAffinity required(PodAffinity affinity, PodAffinity.Term term) {
        return new PodAffinity(plus(affinity.required(), term), affinity.preferred());
    }

    private static PodAffinity preferred(PodAffinity affinity, int weight, PodAffinity.Term term) {
        return new PodAffinity(
                affinity.required(),
                plus(affinity.preferred(), new PodAffinity.Weighted(weight, term)));
    }

    // Life -------------------------------------------------------------------------------------

    /// Runs on the node of this name.
    public PodBuilder onNode(String node) {
        var state = pod.state();
        return state(
                new PodState(
                        Phase.RUNNING,
                        node,
                        null,
                        state.isTerminating(),
                        false,
                        state.isKnownNotReady(),
                        Given.NOON,
                        state.owners()));
    }

    public PodBuilder phase(Phase phase) {
        var state = pod.state();
        return state(
                new PodState(
                        phase,
                        state.nodeName(),
                        state.nominatedNodeName(),
                        state.isTerminating(),
                        state.isMarkedUnschedulable(),
                        state.isKnownNotReady(),
                        state.startedAt(),
                        state.owners()));
    }

    public PodBuilder terminating() {
        var state = pod.state();
        return state(
                new PodState(
                        state.phase(),
                        state.nodeName(),
                        state.nominatedNodeName(),
                        true,
                        state.isMarkedUnschedulable(),
                        state.isKnownNotReady(),
                        state.startedAt(),
                        state.owners()));
    }

    /// Not ready, as its condition says.
    public PodBuilder notReady() {
        var state = pod.state();
        return state(
                new PodState(
                        state.phase(),
                        state.nodeName(),
                        state.nominatedNodeName(),
                        state.isTerminating(),
                        state.isMarkedUnschedulable(),
                        true,
                        state.startedAt(),
                        state.owners()));
    }

    /// Not looked at by kube-scheduler yet.
    public PodBuilder unseen() {
        return state(
                new PodState(
                        Phase.PENDING,
                        null,
                        null,
                        false,
                        false,
                        false,
                        null,
                        pod.state().owners()));
    }

    /// Waits for others to leave the node of this name.
    public PodBuilder nominatedFor(String node) {
        return state(
                new PodState(
                        Phase.PENDING, null, node, false, true, false, null, pod.state().owners()));
    }

    /// Controlled by an object of this kind, e.g. `ownedBy("ReplicaSet", "web")`.
    public PodBuilder ownedBy(String kind, String name) {
        return ownedBy(new Owner(apiVersion(kind), kind, name, "uid-" + name, true));
    }

    public PodBuilder ownedBy(Owner owner) {
        return state(pod.state().withOwners(plus(pod.state().owners(), owner)));
    }

    private static String apiVersion(String kind) {
        return switch (kind) {
            case "DaemonSet", "ReplicaSet", "StatefulSet", "Deployment" -> "apps/v1";
            case "Job" -> "batch/v1";
            default -> "v1";
        };
    }

    // Rebuilding -------------------------------------------------------------------------------

    public PodBuilder placement(PodPlacement placement) {
        return new PodBuilder(pod.withPlacement(placement));
    }

    public PodBuilder state(PodState state) {
        return new PodBuilder(pod.withState(state));
    }

    private PodBuilder with(
            SequencedMap<String, String> labels,
            SequencedMap<String, String> annotations,
            Resources requests,
            PodPlacement placement) {
        return new PodBuilder(
                new Pod(
                        pod.name(),
                        pod.uid(),
                        pod.createdAt(),
                        labels,
                        annotations,
                        requests,
                        placement,
                        pod.hostPorts(),
                        pod.volumes(),
                        pod.hasResourceClaims(),
                        pod.state()));
    }

    private PodBuilder with(
            List<HostPort> hostPorts, List<PodVolume> volumes, boolean hasResourceClaims) {
        return new PodBuilder(
                new Pod(
                        pod.name(),
                        pod.uid(),
                        pod.createdAt(),
                        pod.labels(),
                        pod.annotations(),
                        pod.requests(),
                        pod.placement(),
                        hostPorts,
                        volumes,
                        hasResourceClaims,
                        pod.state()));
    }

    static SequencedMap<String, String> plus(
            SequencedMap<String, String> map, String key, String value) {
        var more = new TreeMap<>(map);
        more.put(key, value);
        return more;
    }

    static <T> List<T> plus(List<T> list, T element) {
        var more = new ArrayList<>(list);
        more.add(element);
        return List.copyOf(more);
    }
}
