package dev.millwright.kube.client;

/// A resource of the API: where it is served and what its objects are called.
public record ResourceType(
        String group, String version, String plural, String kind, boolean isNamespaced) {

    public static final ResourceType POD = core("pods", "Pod", true);
    public static final ResourceType NODE = core("nodes", "Node", false);
    public static final ResourceType NAMESPACE = core("namespaces", "Namespace", false);
    public static final ResourceType EVENT = core("events", "Event", true);
    public static final ResourceType SERVICE = core("services", "Service", true);
    public static final ResourceType SECRET = core("secrets", "Secret", true);
    public static final ResourceType CONFIG_MAP = core("configmaps", "ConfigMap", true);
    public static final ResourceType POD_TEMPLATE = core("podtemplates", "PodTemplate", true);
    public static final ResourceType REPLICATION_CONTROLLER =
            core("replicationcontrollers", "ReplicationController", true);
    public static final ResourceType PERSISTENT_VOLUME =
            core("persistentvolumes", "PersistentVolume", false);
    public static final ResourceType PERSISTENT_VOLUME_CLAIM =
            core("persistentvolumeclaims", "PersistentVolumeClaim", true);
    public static final ResourceType DEPLOYMENT = apps("deployments", "Deployment");
    public static final ResourceType REPLICA_SET = apps("replicasets", "ReplicaSet");
    public static final ResourceType STATEFUL_SET = apps("statefulsets", "StatefulSet");
    public static final ResourceType DAEMON_SET = apps("daemonsets", "DaemonSet");
    public static final ResourceType POD_DISRUPTION_BUDGET =
            new ResourceType("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true);
    public static final ResourceType STORAGE_CLASS = storage("storageclasses", "StorageClass");
    public static final ResourceType CSI_NODE = storage("csinodes", "CSINode");
    public static final ResourceType VOLUME_ATTACHMENT =
            storage("volumeattachments", "VolumeAttachment");
    public static final ResourceType LEASE =
            new ResourceType("coordination.k8s.io", "v1", "leases", "Lease", true);
    public static final ResourceType NODE_POOL =
            new ResourceType("karpenter.sh", "v1", "nodepools", "NodePool", false);
    public static final ResourceType NODE_CLAIM =
            new ResourceType("karpenter.sh", "v1", "nodeclaims", "NodeClaim", false);
    public static final ResourceType NODE_OVERLAY =
            new ResourceType("karpenter.sh", "v1alpha1", "nodeoverlays", "NodeOverlay", false);
    public static final ResourceType CAPACITY_BUFFER =
            new ResourceType(
                    "autoscaling.x-k8s.io", "v1beta1", "capacitybuffers", "CapacityBuffer", true);

    private static ResourceType core(String plural, String kind, boolean isNamespaced) {
        return new ResourceType("", "v1", plural, kind, isNamespaced);
    }

    private static ResourceType apps(String plural, String kind) {
        return new ResourceType("apps", "v1", plural, kind, true);
    }

    private static ResourceType storage(String plural, String kind) {
        return new ResourceType("storage.k8s.io", "v1", plural, kind, false);
    }

    /// As objects write it: `v1`, `apps/v1`.
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
