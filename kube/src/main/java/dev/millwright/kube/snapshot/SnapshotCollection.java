package dev.millwright.kube.snapshot;

import dev.millwright.core.cluster.DaemonSet;
import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.cluster.Workload;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.NodeOverlay;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.field.FieldTable;
import dev.millwright.kube.field.UnknownFields;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.translation.LabelTranslation;
import dev.millwright.kube.translation.NodePoolTranslation;
import dev.millwright.kube.translation.NodeTranslation;
import dev.millwright.kube.translation.ObjectMeta;
import dev.millwright.kube.translation.PlacementTranslation;
import dev.millwright.kube.translation.PodMaker;
import dev.millwright.kube.translation.PodTranslation;
import dev.millwright.kube.translation.StorageTranslation;
import dev.millwright.kube.translation.WorkloadTranslation;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The objects of all files, each translated as soon as it is read: the text's tree is dropped at
/// once.
final class SnapshotCollection {

    private record ObjectKey(String kind, ObjectName name) {}

    private final Faults faults;
    private final PodTranslation podTranslation;
    private final NodeTranslation nodeTranslation;
    private final NodePoolTranslation nodePoolTranslation;
    private final StorageTranslation storageTranslation;
    private final WorkloadTranslation workloadTranslation;
    private final PlacementTranslation placementTranslation;
    private final ObjectReader objectReader;
    private final Map<ObjectKey, Position> seen = new HashMap<>();

    final List<NodePool> nodePools = new ArrayList<>();
    final List<Node> nodes = new ArrayList<>();
    final List<NodeTranslation.ClaimedNode> claims = new ArrayList<>();
    final List<Pod> pods = new ArrayList<>();
    final List<PodMaker> makers = new ArrayList<>();
    final List<DaemonSet> daemonSets = new ArrayList<>();
    final List<Workload> workloads = new ArrayList<>();
    final List<DisruptionBudget> budgets = new ArrayList<>();
    final List<OfferedType> types = new ArrayList<>();
    final List<NodeOverlay> overlays = new ArrayList<>();
    final List<PoolCatalogues.ClassOfKind> classes = new ArrayList<>();
    final SequencedMap<String, Map<String, String>> namespaces = new TreeMap<>();
    final SequencedMap<ObjectName, Storage.VolumeClaim> volumeClaims = new TreeMap<>();
    final SequencedMap<String, Storage.Volume> volumes = new TreeMap<>();
    final SequencedMap<String, Storage.StorageClass> storageClasses = new TreeMap<>();
    final SequencedMap<String, SequencedMap<String, Integer>> volumeLimits = new TreeMap<>();
    final SequencedMap<String, Integer> ignoredKinds = new TreeMap<>();
    final UnknownFields unknownFields = new UnknownFields(FieldTable.ofApi());
    FileOptions options = FileOptions.NONE;
    @Nullable String name;

    SnapshotCollection(LabelVocabulary vocabulary, Faults faults) {
        this.faults = faults;
        var labels = new LabelTranslation(vocabulary);
        objectReader = new ObjectReader(vocabulary);
        placementTranslation = new PlacementTranslation(labels);
        podTranslation = new PodTranslation(placementTranslation);
        nodeTranslation = new NodeTranslation(labels);
        nodePoolTranslation = new NodePoolTranslation(labels);
        storageTranslation = new StorageTranslation(placementTranslation);
        workloadTranslation = new WorkloadTranslation(labels, podTranslation);
    }

    ObjectSink sink(String file) {
        return new ObjectSink(file, this, faults);
    }

    void ignore(String kind) {
        ignoredKinds.merge(kind, 1, Integer::sum);
    }

    void addProblemPod(Value value, int index) {
        var pod = podTranslation.problemPod(Field.root("pods[%d]".formatted(index), value, faults));
        isFirst("Pod", pod.name(), Field.root("Pod " + pod.name(), value, faults));
        pods.add(pod);
    }

    void addType(Value value, int index) {
        var field = Field.root("instanceTypes[%d]".formatted(index), value, faults);
        var type = OfferedType.of(field);
        isFirst("instance type", new ObjectName("", type.name()), field);
        types.add(type);
    }

    void addOptions(Field field) {
        if (!options.equals(FileOptions.NONE)) {
            field.fault("options are given twice; keep one of them");
        }
        options = FileOptions.of(field, placementTranslation);
    }

    /// A problem file has one pool that asks for nothing.
    void addProblemPool(Field field) {
        if (isFirst("NodePool", new ObjectName("", "default"), field.named("NodePool default"))) {
            nodePools.add(
                    new NodePool(
                            "default",
                            0,
                            Resources.NONE,
                            new NodePool.Template(
                                    new TreeMap<>(),
                                    new TreeMap<>(),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    NodePoolTranslation.CLASS_DEFAULT),
                            null,
                            true,
                            false));
        }
    }

    private boolean isFirst(String kind, ObjectName name, Field field) {
        var before = seen.putIfAbsent(new ObjectKey(kind, name), field.position());
        if (before != null) {
            field.fault("was read at %s already; keep one of them".formatted(before));
        }
        return before == null;
    }

    void add(ObjectKind kind, Field object) {
        var meta = ObjectMeta.of(object, kind.isNamespaced());
        if (!meta.name().name().isEmpty() && !isFirst(kind.text(), meta.name(), object)) {
            return;
        }
        switch (kind) {
            case NODE_POOL -> nodePools.add(nodePoolTranslation.nodePool(object, meta));
            case NODE_CLAIM -> claims.add(nodeTranslation.claim(object, meta));
            case NODE_OVERLAY -> overlays.add(nodePoolTranslation.overlay(object, meta));
            case EC2_NODE_CLASS, KWOK_NODE_CLASS -> addClass(kind, object);
            case NODE -> nodes.add(nodeTranslation.node(object, meta));
            case POD -> pods.add(podTranslation.pod(object, meta));
            case NAMESPACE -> namespaces.put(meta.name().name(), meta.labels());
            case CSI_NODE ->
                    volumeLimits.put(meta.name().name(), nodeTranslation.volumeLimits(object));
            case PERSISTENT_VOLUME ->
                    volumes.put(meta.name().name(), storageTranslation.volume(object, meta));
            case PERSISTENT_VOLUME_CLAIM ->
                    volumeClaims.put(meta.name(), storageTranslation.claim(object, meta));
            case STORAGE_CLASS ->
                    storageClasses.put(
                            meta.name().name(), storageTranslation.storageClass(object, meta));
            case SERVICE, REPLICATION_CONTROLLER, REPLICA_SET, STATEFUL_SET, DEPLOYMENT, JOB ->
                    addWorkload(kind, object, meta);
            case DAEMON_SET -> daemonSets.add(workloadTranslation.daemonSet(object, meta));
            case POD_DISRUPTION_BUDGET -> budgets.add(workloadTranslation.budget(object, meta));
        }
    }

    private void addClass(ObjectKind kind, Field object) {
        if (object.value() instanceof Value.Mapping written) {
            classes.add(
                    new PoolCatalogues.ClassOfKind(kind.text(), objectReader.nodeClass(written)));
        }
    }

    private void addWorkload(ObjectKind kind, Field object, ObjectMeta meta) {
        var workload =
                switch (kind) {
                    case SERVICE ->
                            workloadTranslation.selectingByLabels(
                                    object, meta, Workload.Kind.SERVICE);
                    case REPLICATION_CONTROLLER ->
                            workloadTranslation.selectingByLabels(
                                    object, meta, Workload.Kind.REPLICATION_CONTROLLER);
                    case REPLICA_SET ->
                            workloadTranslation.selecting(object, meta, Workload.Kind.REPLICA_SET);
                    case STATEFUL_SET ->
                            workloadTranslation.selecting(object, meta, Workload.Kind.STATEFUL_SET);
                    default -> null;
                };
        if (workload != null) {
            workloads.add(workload);
        }
        var maker =
                switch (kind) {
                    case DEPLOYMENT, REPLICA_SET, STATEFUL_SET ->
                            workloadTranslation.replicated(object, meta, kind.text());
                    case JOB -> workloadTranslation.job(object, meta);
                    default -> null;
                };
        if (maker != null) {
            makers.add(maker);
        }
    }
}
