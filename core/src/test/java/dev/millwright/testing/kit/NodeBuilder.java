package dev.millwright.testing.kit;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.NodeClaim;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A machine in the making: an initialised node of the pool `default` with 4 cpus, 4Gi and 5 pod
/// slots, until told otherwise.
///
/// `kept` is what of its resources pods do not get; `reported` is what the kubelet says in place of
/// the machine's true resources; `ownTaints` stand on the Node alone, not on its claim.
public record NodeBuilder(
        String name,
        Stage stage,
        SequencedMap<String, String> labels,
        List<Taint> taints,
        List<Taint> startupTaints,
        List<Taint> ownTaints,
        Resources resources,
        Resources kept,
        Resources reported,
        SequencedMap<String, Integer> volumeLimits,
        boolean isTerminating,
        boolean isMarkedForDeletion)
        implements ClusterPart {

    /// How far a machine has come. An unmanaged one has no claim.
    public enum Stage {
        LAUNCHED,
        UNREGISTERED,
        REGISTERED,
        INITIALIZED,
        UNMANAGED
    }

    static NodeBuilder named(String name) {
        return new NodeBuilder(
                name,
                Stage.INITIALIZED,
                new TreeMap<>(Map.of(LabelKeys.NODE_POOL, "default")),
                List.of(),
                List.of(),
                List.of(),
                Resources.parse("cpu", "4", "memory", "4Gi", "pods", "5"),
                Resources.NONE,
                Resources.NONE,
                new TreeMap<>(),
                false,
                false);
    }

    // Stage ------------------------------------------------------------------------------------

    /// A claim whose machine has shown no Node yet.
    public NodeBuilder inFlight() {
        return stage(Stage.LAUNCHED);
    }

    /// Its Node is there, but bears none of the claim's labels yet.
    public NodeBuilder unregistered() {
        return stage(Stage.UNREGISTERED);
    }

    public NodeBuilder registered() {
        return stage(Stage.REGISTERED);
    }

    public NodeBuilder initialized() {
        return stage(Stage.INITIALIZED);
    }

    /// Somebody else's node: no claim, no pool.
    public NodeBuilder unmanaged() {
        return stage(Stage.UNMANAGED).withoutLabel(LabelKeys.NODE_POOL);
    }

    public NodeBuilder terminating() {
        return new NodeBuilder(
                name,
                stage,
                labels,
                taints,
                startupTaints,
                ownTaints,
                resources,
                kept,
                reported,
                volumeLimits,
                true,
                isMarkedForDeletion);
    }

    public NodeBuilder markedForDeletion() {
        return new NodeBuilder(
                name,
                stage,
                labels,
                taints,
                startupTaints,
                ownTaints,
                resources,
                kept,
                reported,
                volumeLimits,
                isTerminating,
                true);
    }

    // Labels -----------------------------------------------------------------------------------

    public NodeBuilder pool(String pool) {
        return label(LabelKeys.NODE_POOL, pool);
    }

    public NodeBuilder zone(String zone) {
        return label(LabelKeys.ZONE, zone);
    }

    public NodeBuilder capacityType(String capacityType) {
        return label(LabelKeys.CAPACITY_TYPE, capacityType);
    }

    public NodeBuilder label(String key, String value) {
        return labels(PodBuilder.plus(labels, key, value));
    }

    public NodeBuilder withoutLabel(String key) {
        var fewer = new TreeMap<>(labels);
        fewer.remove(key);
        return labels(fewer);
    }

    private NodeBuilder labels(SequencedMap<String, String> others) {
        return new NodeBuilder(
                name,
                stage,
                others,
                taints,
                startupTaints,
                ownTaints,
                resources,
                kept,
                reported,
                volumeLimits,
                isTerminating,
                isMarkedForDeletion);
    }

    // Taints -----------------------------------------------------------------------------------

    /// A taint the machine was made with: on its claim and on its Node.
    public NodeBuilder taint(Taint taint) {
        return taints(PodBuilder.plus(taints, taint), startupTaints, ownTaints);
    }

    /// A taint that goes when the machine is initialised: declared by the claim, borne by the Node.
    public NodeBuilder startupTaint(Taint taint) {
        return taints(taints, PodBuilder.plus(startupTaints, taint), ownTaints);
    }

    /// A taint somebody else put on the Node.
    public NodeBuilder nodeTaint(Taint taint) {
        return taints(taints, startupTaints, PodBuilder.plus(ownTaints, taint));
    }

    private NodeBuilder taints(List<Taint> made, List<Taint> startup, List<Taint> own) {
        return new NodeBuilder(
                name,
                stage,
                labels,
                made,
                startup,
                own,
                resources,
                kept,
                reported,
                volumeLimits,
                isTerminating,
                isMarkedForDeletion);
    }

    // Resources --------------------------------------------------------------------------------

    public NodeBuilder cpu(String quantity) {
        return resource(Resources.CPU, quantity);
    }

    public NodeBuilder memory(String quantity) {
        return resource(Resources.MEMORY, quantity);
    }

    public NodeBuilder podSlots(int count) {
        return resource(Resources.PODS, Integer.toString(count));
    }

    public NodeBuilder resource(String resource, String quantity) {
        return resources(resources.with(resource, Quantity.parse(quantity)), kept, reported);
    }

    /// What the kubelet reports of one resource, e.g. zero devices before their plugin runs.
    public NodeBuilder reports(String resource, String quantity) {
        return resources(resources, kept, reported.with(resource, Quantity.parse(quantity)));
    }

    private NodeBuilder resources(Resources whole, Resources overhead, Resources byKubelet) {
        return new NodeBuilder(
                name,
                stage,
                labels,
                taints,
                startupTaints,
                ownTaints,
                whole,
                overhead,
                byKubelet,
                volumeLimits,
                isTerminating,
                isMarkedForDeletion);
    }

    public NodeBuilder volumeLimit(String driver, int count) {
        var limits = new TreeMap<>(volumeLimits);
        limits.put(driver, count);
        return new NodeBuilder(
                name,
                stage,
                labels,
                taints,
                startupTaints,
                ownTaints,
                resources,
                kept,
                reported,
                limits,
                isTerminating,
                isMarkedForDeletion);
    }

    /// A machine of this type bought this way, with the labels and the room that gives.
    public NodeBuilder bought(InstanceType type, Offering offering) {
        var known = new TreeMap<>(labels);
        type.requirements().all().stream()
                .filter(requirement -> !requirement.isComplement())
                .filter(requirement -> requirement.values().size() == 1)
                .forEach(
                        requirement ->
                                known.put(requirement.key(), requirement.values().getFirst()));
        known.put(LabelKeys.INSTANCE_TYPE, type.name());
        known.put(LabelKeys.ZONE, offering.zone());
        known.put(LabelKeys.CAPACITY_TYPE, offering.capacityType());
        return labels(known).resources(type.capacity(), type.overhead().total(), reported);
    }

    // Rebuilding -------------------------------------------------------------------------------

    public NodeBuilder stage(Stage other) {
        return new NodeBuilder(
                name,
                other,
                labels,
                taints,
                startupTaints,
                ownTaints,
                resources,
                kept,
                reported,
                volumeLimits,
                isTerminating,
                isMarkedForDeletion);
    }

    public StateNode build() {
        var state =
                switch (stage) {
                    case LAUNCHED -> StateNode.of(null, claim());
                    case UNREGISTERED -> StateNode.of(bareNode(), claim());
                    case REGISTERED -> StateNode.of(node(stageLabels(false)), claim());
                    case INITIALIZED -> StateNode.of(node(stageLabels(true)), claim());
                    case UNMANAGED -> StateNode.of(node(withHost(labels)), null);
                };
        return isMarkedForDeletion ? state.markedForDeletion() : state;
    }

    private NodeClaim claim() {
        return new NodeClaim(
                name,
                "fake://" + name,
                labels,
                new TreeMap<>(),
                taints,
                startupTaints,
                resources,
                resources.minus(kept),
                isTerminating);
    }

    private Node bareNode() {
        return node(withHost(new TreeMap<>()));
    }

    private Node node(SequencedMap<String, String> nodeLabels) {
        var all = new ArrayList<>(taints);
        all.addAll(startupTaints);
        all.addAll(ownTaints);
        return new Node(
                name,
                "fake://" + name,
                nodeLabels,
                new TreeMap<>(),
                all,
                resources.overriddenBy(reported),
                resources.minus(kept).overriddenBy(reported),
                volumeLimits,
                isTerminating);
    }

    private SequencedMap<String, String> stageLabels(boolean isInitialized) {
        var known = withHost(labels);
        known.put(LabelKeys.REGISTERED, "true");
        if (isInitialized) {
            known.put(LabelKeys.INITIALIZED, "true");
        }
        return known;
    }

    private SequencedMap<String, String> withHost(SequencedMap<String, String> some) {
        var known = new TreeMap<>(some);
        known.putIfAbsent(LabelKeys.HOSTNAME, name);
        return known;
    }
}
