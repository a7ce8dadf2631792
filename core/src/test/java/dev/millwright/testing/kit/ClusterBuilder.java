package dev.millwright.testing.kit;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// A cluster in the making, with what its pools can buy and the operator's choices.
///
/// Without a word about pools there is one, `default`; without a word about machines every pool
/// buys from [FakeCatalogue#standard()].
public record ClusterBuilder(
        List<ClusterPart> parts,
        boolean hasDefaultPool,
        List<InstanceType> catalogue,
        SequencedMap<String, List<InstanceType>> ownCatalogues,
        SequencedMap<String, Map<String, String>> namespaces,
        SchedulingPolicy policy) {

    static final ClusterBuilder EMPTY =
            new ClusterBuilder(
                    List.of(),
                    true,
                    FakeCatalogue.standard(),
                    new TreeMap<>(),
                    new TreeMap<>(Map.of("default", Map.of())),
                    SchedulingPolicy.DEFAULT
                            .withVocabulary(FakeCatalogue.VOCABULARY)
                            .withPacking(PackingOfRun.or(Packing.FIRST_FIT)));

    public ClusterBuilder {
        parts = List.copyOf(parts);
        catalogue = List.copyOf(catalogue);
        ownCatalogues = Collections.unmodifiableSequencedMap(new TreeMap<>(ownCatalogues));
        namespaces = Collections.unmodifiableSequencedMap(new TreeMap<>(namespaces));
    }

    public ClusterBuilder with(ClusterPart... more) {
        return with(Arrays.asList(more));
    }

    public ClusterBuilder with(List<? extends ClusterPart> more) {
        var all = new ArrayList<>(parts);
        all.addAll(more);
        return new ClusterBuilder(
                all, hasDefaultPool, catalogue, ownCatalogues, namespaces, policy);
    }

    /// Changes every machine of the cluster, e.g. to initialise it.
    public ClusterBuilder eachNode(UnaryOperator<NodeBuilder> change) {
        var changed =
                parts.stream()
                        .map(part -> part instanceof NodeBuilder node ? change.apply(node) : part)
                        .toList();
        return new ClusterBuilder(
                changed, hasDefaultPool, catalogue, ownCatalogues, namespaces, policy);
    }

    public ClusterBuilder eachPod(UnaryOperator<PodBuilder> change) {
        var changed =
                parts.stream()
                        .map(part -> part instanceof PodBuilder pod ? change.apply(pod) : part)
                        .toList();
        return new ClusterBuilder(
                changed, hasDefaultPool, catalogue, ownCatalogues, namespaces, policy);
    }

    public ClusterBuilder withoutNodePools() {
        return new ClusterBuilder(parts, false, catalogue, ownCatalogues, namespaces, policy);
    }

    /// What every pool without a catalogue of its own can buy.
    public ClusterBuilder selling(List<InstanceType> types) {
        return new ClusterBuilder(parts, hasDefaultPool, types, ownCatalogues, namespaces, policy);
    }

    public ClusterBuilder selling(InstanceTypeBuilder... types) {
        return selling(Arrays.stream(types).map(InstanceTypeBuilder::build).toList());
    }

    /// What this pool alone can buy.
    public ClusterBuilder sellingTo(String pool, List<InstanceType> types) {
        var catalogues = new TreeMap<>(ownCatalogues);
        catalogues.put(pool, List.copyOf(types));
        return new ClusterBuilder(parts, hasDefaultPool, catalogue, catalogues, namespaces, policy);
    }

    public ClusterBuilder namespace(String name, Map<String, String> labels) {
        var more = new TreeMap<>(namespaces);
        more.put(name, Map.copyOf(labels));
        return new ClusterBuilder(parts, hasDefaultPool, catalogue, ownCatalogues, more, policy);
    }

    public ClusterBuilder policy(UnaryOperator<SchedulingPolicy> change) {
        return new ClusterBuilder(
                parts, hasDefaultPool, catalogue, ownCatalogues, namespaces, change.apply(policy));
    }

    public ClusterBuilder ignoringPreferences() {
        return policy(each -> each.withPreferences(SchedulingPolicy.Preferences.IGNORE));
    }

    public ClusterBuilder bestEffortMinValues() {
        return policy(each -> each.withMinValues(SchedulingPolicy.MinValues.BEST_EFFORT));
    }

    public ClusterBuilder reservations(SchedulingPolicy.Reservations reservations) {
        return policy(each -> each.withReservations(reservations));
    }

    public ClusterBuilder packing(SchedulingPolicy.Packing packing) {
        return policy(each -> each.withPacking(packing));
    }

    // Acting -----------------------------------------------------------------------------------

    /// One pass of the planner over this cluster.
    public Plan plan() {
        return Planner.plan(problem());
    }

    /// The cluster after the plan was carried out: its claims are machines under way, named by pool
    /// and number (`default-1`) in the plan's order, and its pods run on them or on the nodes they
    /// were given.
    public ClusterBuilder after(Plan plan) {
        var launched = new ArrayList<NodeBuilder>();
        var nodeOfPod = new TreeMap<ObjectName, String>();
        var number = all(NodeBuilder.class).size();
        for (var claim : plan.claims()) {
            number++;
            var node = launch(claim, claim.nodePool() + "-" + number);
            launched.add(node);
            claim.pods().forEach(pod -> nodeOfPod.put(pod, node.name()));
        }
        plan.existing()
                .forEach(place -> place.pods().forEach(pod -> nodeOfPod.put(pod, place.node())));
        return eachPod(
                        pod -> {
                            var node = nodeOfPod.get(pod.pod().name());
                            return node == null ? pod : pod.onNode(node);
                        })
                .with(launched);
    }

    /// The machine a cloud gives for a claim: its cheapest option, with the labels it promises.
    private NodeBuilder launch(PlannedClaim claim, String name) {
        var option = claim.cheapest();
        var type =
                types(claim.nodePool()).stream()
                        .filter(each -> each.name().equals(option.name()))
                        .findFirst()
                        .orElseThrow();
        var pool = pool(claim.nodePool()).nodePool();
        var node =
                NodeBuilder.named(name)
                        .pool(claim.nodePool())
                        .registered()
                        .bought(
                                type,
                                Offering.of(
                                        option.zone(),
                                        option.capacityType(),
                                        option.pricePerHour()));
        for (var label : pool.template().labels().entrySet()) {
            node = node.label(label.getKey(), label.getValue());
        }
        for (var requirement : claim.requirements().all()) {
            var isOpen =
                    !node.labels().containsKey(requirement.key())
                            && !requirement.key().equals(LabelKeys.HOSTNAME)
                            && !requirement.key().equals(LabelKeys.REGISTERED)
                            && !requirement.key().equals(LabelKeys.INITIALIZED);
            if (isOpen && !requirement.anyValue().isEmpty()) {
                node = node.label(requirement.key(), requirement.anyValue());
            }
        }
        for (var taint : pool.template().taints()) {
            node = node.taint(taint);
        }
        for (var taint : pool.template().startupTaints()) {
            node = node.startupTaint(taint);
        }
        return node;
    }

    // Building ---------------------------------------------------------------------------------

    public SchedulingProblem problem() {
        var pools = pools();
        var catalogues = new TreeMap<String, List<InstanceType>>();
        pools.forEach(
                pool -> catalogues.put(pool.nodePool().name(), types(pool.nodePool().name())));
        return new SchedulingProblem(
                snapshot(),
                pools.stream().map(NodePoolBuilder::nodePool).toList(),
                catalogues,
                policy);
    }

    private List<NodePoolBuilder> pools() {
        var pools = all(NodePoolBuilder.class);
        return pools.isEmpty() && hasDefaultPool ? List.of(Given.nodePool("default")) : pools;
    }

    private NodePoolBuilder pool(String name) {
        return pools().stream()
                .filter(pool -> pool.nodePool().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<InstanceType> types(String pool) {
        return ownCatalogues.getOrDefault(pool, catalogue);
    }

    private <T extends ClusterPart> List<T> all(Class<T> kind) {
        return parts.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public Snapshot snapshot() {
        var pods = all(PodBuilder.class).stream().map(PodBuilder::pod).toList();
        var known = new TreeMap<>(namespaces);
        pods.forEach(pod -> known.putIfAbsent(pod.name().namespace(), Map.of()));
        return new Snapshot(
                all(NodeBuilder.class).stream().map(NodeBuilder::build).toList(),
                pods,
                all(DaemonSetBuilder.class).stream().map(DaemonSetBuilder::build).toList(),
                known,
                storage(),
                all(BudgetBuilder.class).stream().map(BudgetBuilder::budget).toList(),
                all(WorkloadBuilder.class).stream().map(WorkloadBuilder::workload).toList(),
                Given.NOON);
    }

    private Storage storage() {
        var claims = new TreeMap<ObjectName, Storage.VolumeClaim>();
        all(VolumeClaimBuilder.class)
                .forEach(each -> claims.put(each.claim().name(), each.claim()));
        var volumes = new TreeMap<String, Storage.Volume>();
        all(VolumeBuilder.class).forEach(each -> volumes.put(each.volume().name(), each.volume()));
        var classes = new TreeMap<String, Storage.StorageClass>();
        all(StorageClassBuilder.class)
                .forEach(each -> classes.put(each.storageClass().name(), each.storageClass()));
        return new Storage(claims, volumes, classes);
    }
}
