package dev.millwright.kube.snapshot;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.NodeClaim;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodVolume;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.OverlayEvaluation;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.translation.NodeTranslation;
import dev.millwright.kube.translation.PodMaker;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Joins what was read: nodes with their claims, makers with their pods, pools with their
/// catalogue.
final class SnapshotAssembly {

    private static final int KINDS_SHOWN_MAX = 20;

    /// Kinds of Karpenter alone that v1 has under other names.
    private static final String CLASS_BEFORE_V1 = "AWSNodeTemplate";

    private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

    private final SnapshotCollection read;
    private final PoolCatalogues catalogue;

    SnapshotAssembly(SnapshotCollection read, PoolCatalogues catalogue) {
        this.read = read;
        this.catalogue = catalogue;
    }

    SnapshotFile file(String nameFallback) {
        var name = read.name == null ? nameFallback : read.name;
        var snapshot = snapshot();
        var answer = read.types.isEmpty() ? bought(name, snapshot) : own();
        var overlaid =
                OverlayEvaluation.evaluate(
                        read.overlays, read.nodePools, answer.byPool(), answer.vocabulary());
        return new SnapshotFile(
                name,
                new SchedulingProblem(
                        snapshot,
                        read.nodePools,
                        overlaid.catalogs(),
                        read.options.policy(answer.vocabulary())),
                notes(answer, overlaid, gated(snapshot.pods())),
                answer.origins());
    }

    private PoolCatalogues.Answer bought(String name, Snapshot snapshot) {
        var answer =
                catalogue.of(
                        new PoolCatalogues.Cluster(
                                name, snapshot, read.nodePools, read.overlays, read.classes));
        return new PoolCatalogues.Answer(
                answer.byPool(),
                answer.vocabulary().withWellKnown(read.options.wellKnownLabels()),
                answer.origins(),
                answer.notes());
    }

    private PoolCatalogues.Answer own() {
        var vocabulary = ownVocabulary();
        var types = catalogue.priced(ownTypes(vocabulary));
        var byPool = new TreeMap<String, List<InstanceType>>();
        read.nodePools.forEach(pool -> byPool.put(pool.name(), types));
        return new PoolCatalogues.Answer(byPool, vocabulary, PriceOrigins.OWN, List.of());
    }

    private boolean isAnyReserved() {
        return read.types.stream().anyMatch(OfferedType::isReserved);
    }

    private LabelVocabulary ownVocabulary() {
        var vocabulary = read.options.vocabulary(catalogue.vocabulary().reservationIdKey());
        return isAnyReserved()
                ? vocabulary.withWellKnown(List.of(vocabulary.reservationIdKey()))
                : vocabulary;
    }

    private List<InstanceType> ownTypes(LabelVocabulary vocabulary) {
        var isAnyReserved = isAnyReserved();
        return read.types.stream()
                .map(
                        type ->
                                type.instanceType(
                                        vocabulary, read.options.wellKnownLabels(), isAnyReserved))
                .toList();
    }

    private Snapshot snapshot() {
        var makers = effectiveMakers();
        var pods = new ArrayList<>(read.pods);
        makers.forEach(maker -> pods.addAll(maker.pods()));
        return new Snapshot(
                nodes(),
                pods,
                read.daemonSets,
                namespaces(pods),
                new Storage(volumeClaims(makers, pods), read.volumes, read.storageClasses),
                read.budgets,
                read.workloads);
    }

    /// Those whose pods the files do not show. A ReplicaSet whose Deployment is there makes none
    /// itself.
    private List<PodMaker> effectiveMakers() {
        var made = new MadePods(read.pods);
        var names = new HashSet<String>();
        read.makers.forEach(
                maker ->
                        names.add(
                                key(
                                        maker.name().namespace(),
                                        maker.identity().kind(),
                                        maker.name().name())));
        return read.makers.stream()
                .filter(maker -> maker.count() > 0 && !made.has(maker))
                .filter(
                        maker -> {
                            var owner = maker.owner();
                            return owner == null
                                    || !names.contains(
                                            key(
                                                    maker.name().namespace(),
                                                    owner.kind(),
                                                    owner.name()));
                        })
                .toList();
    }

    private static String key(String namespace, String kind, String name) {
        return namespace + "/" + kind + "/" + name;
    }

    /// Every namespace in use is there, and bears its name as a label, as the API server sees to.
    private SequencedMap<String, Map<String, String>> namespaces(List<Pod> pods) {
        var namespaces = new TreeMap<String, Map<String, String>>();
        read.namespaces.forEach((name, labels) -> namespaces.put(name, named(name, labels)));
        for (var pod : pods) {
            namespaces.computeIfAbsent(
                    pod.name().namespace(), name -> named(name, new TreeMap<>()));
        }
        return namespaces;
    }

    private static Map<String, String> named(String name, Map<String, String> labels) {
        var all = new TreeMap<>(labels);
        all.putIfAbsent(NAMESPACE_NAME, name);
        return all;
    }

    /// Claims of the files, and those a controller would make with the pods that wait.
    private SequencedMap<ObjectName, Storage.VolumeClaim> volumeClaims(
            List<PodMaker> makers, List<Pod> pods) {
        var claims = new TreeMap<>(read.volumeClaims);
        for (var maker : makers) {
            maker.claims().forEach(claim -> claims.putIfAbsent(claim.name(), claim));
        }
        for (var pod : pods) {
            for (var volume : pod.volumes()) {
                if (volume instanceof PodVolume.Ephemeral(_, var storageClass)
                        && !pod.state().isBound()) {
                    claims.computeIfAbsent(
                            volume.claim(pod.name()),
                            name ->
                                    new Storage.VolumeClaim(
                                            name, null, storageClass, false, false, false));
                }
            }
        }
        return claims;
    }

    private List<StateNode> nodes() {
        var byProviderId = new HashMap<String, NodeClaim>();
        var byNodeName = new HashMap<String, NodeClaim>();
        for (var claimed : read.claims) {
            byProviderId.put(claimed.claim().providerId(), claimed.claim());
            byNodeName.put(claimed.nodeName(), claimed.claim());
        }
        byProviderId.remove("");
        byNodeName.remove("");
        var joined = new HashSet<String>();
        var states = new ArrayList<StateNode>();
        for (var node : read.nodes) {
            var claim = claim(node, byProviderId, byNodeName);
            if (claim != null) {
                joined.add(claim.name());
            }
            states.add(StateNode.of(withVolumeLimits(node), claim));
        }
        read.claims.stream()
                .filter(claimed -> !joined.contains(claimed.claim().name()) && isLaunched(claimed))
                .forEach(claimed -> states.add(StateNode.of(null, claimed.claim())));
        return states;
    }

    private static @Nullable NodeClaim claim(
            Node node, Map<String, NodeClaim> byProviderId, Map<String, NodeClaim> byNodeName) {
        var claim = byProviderId.get(node.providerId());
        return claim != null ? claim : byNodeName.get(node.name());
    }

    /// A claim the provider has not answered yet holds nothing; Karpenter does not count it either.
    private static boolean isLaunched(NodeTranslation.ClaimedNode claimed) {
        var claim = claimed.claim();
        return !claim.providerId().isEmpty()
                || !claim.capacity().isEmpty()
                || !claim.allocatable().isEmpty();
    }

    private Node withVolumeLimits(Node node) {
        var limits = read.volumeLimits.get(node.name());
        return limits == null ? node : NodeTranslation.withVolumeLimits(node, limits);
    }

    /// How many pods each scheduling gate holds back; a pod may have several.
    private static SequencedMap<String, Integer> gated(List<Pod> pods) {
        var counts = new TreeMap<String, Integer>();
        for (var pod : pods) {
            if (!pod.state().isBound() && pod.state().isActive()) {
                pod.state().gates().forEach(gate -> counts.merge(gate, 1, Integer::sum));
            }
        }
        return counts;
    }

    private List<String> notes(
            PoolCatalogues.Answer answer,
            OverlayEvaluation overlaid,
            SequencedMap<String, Integer> gated) {
        var notes = new ArrayList<>(answer.notes());
        gated.forEach(
                (gate, count) ->
                        notes.add(
                                "scheduling gate %s holds back %d pod%s, for which nothing is planned"
                                        .formatted(gate, count, count == 1 ? "" : "s")));
        if (!read.ignoredKinds.isEmpty()) {
            var count = read.ignoredKinds.values().stream().mapToInt(Integer::intValue).sum();
            var kinds =
                    read.ignoredKinds.entrySet().stream()
                            .limit(KINDS_SHOWN_MAX)
                            .map(entry -> entry.getKey() + " " + entry.getValue())
                            .collect(Collectors.joining(", "));
            notes.add(
                    "left out %d object%s of kinds a plan does not look at: %s"
                            .formatted(count, count == 1 ? "" : "s", kinds));
            if (read.ignoredKinds.containsKey(CLASS_BEFORE_V1)) {
                notes.add(
                        "%s is a kind before v1; `millwright migrate -f FILE` makes it v1"
                                .formatted(CLASS_BEFORE_V1));
            }
        }
        read.unknownFields.found().stream()
                .limit(Faults.SHOWN_MAX)
                .forEach(unknown -> notes.add(unknown.fault().toString()));
        var untold = read.unknownFields.found().size() - Faults.SHOWN_MAX;
        if (untold > 0) {
            notes.add("and %d more unknown fields; --strict refuses them".formatted(untold));
        }
        overlaid.outcomes()
                .forEach(
                        (name, outcome) ->
                                notes.add("NodeOverlay %s: %s".formatted(name, outcome.explain())));
        return notes;
    }
}
