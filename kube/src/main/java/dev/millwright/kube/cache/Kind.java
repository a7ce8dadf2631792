package dev.millwright.kube.cache;

import dev.millwright.core.cluster.DaemonSet;
import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.cluster.Workload;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.AttachmentObject;
import dev.millwright.kube.object.BufferObject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Kept;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.object.OverlayObject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.kube.object.RawObject;
import dev.millwright.kube.object.ScalableObject;

import java.util.SequencedMap;
import java.util.function.BiFunction;

/// A resource together with how its objects are read: the key to its cache.
///
/// Two kinds are the same when their resource and view are; a resource may be kept in two views.
public final class Kind<T extends KubeObject> {

    public static final Kind<PodObject> POD = of(ResourceType.POD, ObjectReader::pod);
    public static final Kind<NodeObject> NODE = of(ResourceType.NODE, ObjectReader::node);
    public static final Kind<ClaimObject> NODE_CLAIM =
            of(ResourceType.NODE_CLAIM, ObjectReader::claim);
    public static final Kind<PoolObject> NODE_POOL = of(ResourceType.NODE_POOL, ObjectReader::pool);
    public static final Kind<OverlayObject> NODE_OVERLAY =
            of(ResourceType.NODE_OVERLAY, ObjectReader::overlay);
    public static final Kind<BufferObject> CAPACITY_BUFFER =
            of(ResourceType.CAPACITY_BUFFER, ObjectReader::buffer);
    public static final Kind<Kept<String>> NAMESPACE =
            of(ResourceType.NAMESPACE, ObjectReader::bare);
    public static final Kind<Kept<DaemonSet>> DAEMON_SET =
            of(ResourceType.DAEMON_SET, ObjectReader::daemonSet);
    public static final Kind<Kept<DisruptionBudget>> POD_DISRUPTION_BUDGET =
            of(ResourceType.POD_DISRUPTION_BUDGET, ObjectReader::disruptionBudget);
    public static final Kind<Kept<Storage.VolumeClaim>> PERSISTENT_VOLUME_CLAIM =
            of(ResourceType.PERSISTENT_VOLUME_CLAIM, ObjectReader::volumeClaim);
    public static final Kind<Kept<Storage.Volume>> PERSISTENT_VOLUME =
            of(ResourceType.PERSISTENT_VOLUME, ObjectReader::volume);
    public static final Kind<Kept<Storage.StorageClass>> STORAGE_CLASS =
            of(ResourceType.STORAGE_CLASS, ObjectReader::storageClass);
    public static final Kind<Kept<SequencedMap<String, Integer>>> CSI_NODE =
            of(ResourceType.CSI_NODE, ObjectReader::csiNode);
    public static final Kind<AttachmentObject> VOLUME_ATTACHMENT =
            of(ResourceType.VOLUME_ATTACHMENT, ObjectReader::attachment);
    public static final Kind<Kept<Pod>> POD_TEMPLATE =
            of(ResourceType.POD_TEMPLATE, ObjectReader::podTemplate);
    public static final Kind<ScalableObject> DEPLOYMENT = scalable(ResourceType.DEPLOYMENT);
    public static final Kind<ScalableObject> REPLICA_SET = scalable(ResourceType.REPLICA_SET);
    public static final Kind<ScalableObject> STATEFUL_SET = scalable(ResourceType.STATEFUL_SET);
    public static final Kind<Kept<Workload>> SERVICE =
            workload(ResourceType.SERVICE, Workload.Kind.SERVICE);
    public static final Kind<Kept<Workload>> REPLICATION_CONTROLLER_SELECTOR =
            workload(ResourceType.REPLICATION_CONTROLLER, Workload.Kind.REPLICATION_CONTROLLER);
    public static final Kind<Kept<Workload>> REPLICA_SET_SELECTOR =
            workload(ResourceType.REPLICA_SET, Workload.Kind.REPLICA_SET);
    public static final Kind<Kept<Workload>> STATEFUL_SET_SELECTOR =
            workload(ResourceType.STATEFUL_SET, Workload.Kind.STATEFUL_SET);

    private final ResourceType type;
    private final BiFunction<ObjectReader, Value.Mapping, T> reading;

    private Kind(ResourceType type, BiFunction<ObjectReader, Value.Mapping, T> reading) {
        this.type = type;
        this.reading = reading;
    }

    private static <T extends KubeObject> Kind<T> of(
            ResourceType type, BiFunction<ObjectReader, Value.Mapping, T> reading) {
        return new Kind<>(type, reading);
    }

    /// The classes of one provider's kind. One call a kind: the value is its key.
    public static Kind<NodeClassObject> nodeClass(ResourceType type) {
        return of(type, ObjectReader::nodeClass);
    }

    /// Of a kind whose own module reads its fields. One call a kind: the value is its key.
    public static Kind<RawObject> raw(ResourceType type) {
        return of(type, (_, object) -> RawObject.of(object));
    }

    private static Kind<ScalableObject> scalable(ResourceType type) {
        return of(type, (reader, object) -> reader.scalable(object, type.kind()));
    }

    private static Kind<Kept<Workload>> workload(ResourceType type, Workload.Kind kind) {
        return of(type, (reader, object) -> reader.workload(object, kind));
    }

    public ResourceType type() {
        return type;
    }

    public T read(ObjectReader reader, Value.Mapping object) {
        return reading.apply(reader, object);
    }

    @Override
    public String toString() {
        return type.toString();
    }
}
