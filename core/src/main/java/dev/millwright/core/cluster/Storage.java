package dev.millwright.core.cluster;

import dev.millwright.core.label.Requirement;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The cluster's volumes, claims and storage classes.
public record Storage(
        SequencedMap<ObjectName, VolumeClaim> claims,
        SequencedMap<String, Volume> volumes,
        SequencedMap<String, StorageClass> classes) {

    public static final Storage NONE =
            new Storage(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    /// A PersistentVolumeClaim. Without a class name at all the cluster's default class is meant;
    /// an empty name means none.
    public record VolumeClaim(
            ObjectName name,
            @Nullable String volumeName,
            @Nullable String storageClassName,
            boolean isLost,
            boolean isTerminating,
            boolean isBindCompleted) {}

    /// A PersistentVolume. `driver` is its CSI driver (in-tree ones translated), absent for other
    /// kinds of volume.
    public record Volume(
            String name,
            @Nullable String driver,
            boolean isLocal,
            boolean isTerminating,
            List<List<Requirement>> nodeAffinity) {
        public Volume {
            nodeAffinity = nodeAffinity.stream().map(List::copyOf).toList();
        }
    }

    /// A StorageClass; `driver` is its provisioner (in-tree ones translated).
    public record StorageClass(
            String name,
            String driver,
            boolean isImmediate,
            boolean isDefault,
            Instant createdAt,
            List<List<Requirement>> allowedTopologies) {
        public StorageClass {
            allowedTopologies = allowedTopologies.stream().map(List::copyOf).toList();
        }
    }

    public Storage {
        claims = Collections.unmodifiableSequencedMap(new TreeMap<>(claims));
        volumes = Collections.unmodifiableSequencedMap(new TreeMap<>(volumes));
        classes = Collections.unmodifiableSequencedMap(new TreeMap<>(classes));
    }

    /// The newest of the classes marked as default, by name where two are of one age.
    public @Nullable StorageClass defaultClass() {
        return classes.values().stream()
                .filter(StorageClass::isDefault)
                .max(
                        Comparator.comparing(StorageClass::createdAt)
                                .thenComparing(StorageClass::name, Comparator.reverseOrder()))
                .orElse(null);
    }

    /// The CSI driver's name for an in-tree volume plugin; any other name stands for itself.
    public static String csiDriver(String provisioner) {
        return switch (provisioner) {
            case "kubernetes.io/aws-ebs" -> "ebs.csi.aws.com";
            case "kubernetes.io/gce-pd" -> "pd.csi.storage.gke.io";
            case "kubernetes.io/azure-disk" -> "disk.csi.azure.com";
            case "kubernetes.io/azure-file" -> "file.csi.azure.com";
            case "kubernetes.io/cinder" -> "cinder.csi.openstack.org";
            case "kubernetes.io/vsphere-volume" -> "csi.vsphere.vmware.com";
            case "kubernetes.io/portworx-volume" -> "pxd.portworx.com";
            default -> provisioner;
        };
    }
}
