package dev.millwright.kube.snapshot;

import org.jspecify.annotations.Nullable;

/// The kinds of objects that a plan depends on. All others are counted and left out.
enum ObjectKind {
    NODE_POOL("karpenter.sh", "NodePool", false),
    NODE_CLAIM("karpenter.sh", "NodeClaim", false),
    NODE_OVERLAY("karpenter.sh", "NodeOverlay", false),
    EC2_NODE_CLASS("karpenter.k8s.aws", "EC2NodeClass", false),
    KWOK_NODE_CLASS("karpenter.kwok.sh", "KWOKNodeClass", false),
    NODE("", "Node", false),
    POD("", "Pod", true),
    NAMESPACE("", "Namespace", false),
    SERVICE("", "Service", true),
    REPLICATION_CONTROLLER("", "ReplicationController", true),
    PERSISTENT_VOLUME("", "PersistentVolume", false),
    PERSISTENT_VOLUME_CLAIM("", "PersistentVolumeClaim", true),
    STORAGE_CLASS("storage.k8s.io", "StorageClass", false),
    CSI_NODE("storage.k8s.io", "CSINode", false),
    DAEMON_SET("apps", "DaemonSet", true),
    DEPLOYMENT("apps", "Deployment", true),
    REPLICA_SET("apps", "ReplicaSet", true),
    STATEFUL_SET("apps", "StatefulSet", true),
    JOB("batch", "Job", true),
    POD_DISRUPTION_BUDGET("policy", "PodDisruptionBudget", true);

    private final String group;
    private final String text;
    private final boolean isNamespaced;

    ObjectKind(String group, String text, boolean isNamespaced) {
        this.group = group;
        this.text = text;
        this.isNamespaced = isNamespaced;
    }

    String text() {
        return text;
    }

    boolean isNamespaced() {
        return isNamespaced;
    }

    /// The version whose fields are read; only Karpenter's own kinds have had others in the wild.
    @Nullable String onlyVersion() {
        return switch (this) {
            case NODE_POOL, NODE_CLAIM -> "karpenter.sh/v1";
            case NODE_OVERLAY -> "karpenter.sh/v1alpha1";
            case EC2_NODE_CLASS -> "karpenter.k8s.aws/v1";
            case KWOK_NODE_CLASS -> "karpenter.kwok.sh/v1alpha1";
            case NODE,
                    POD,
                    NAMESPACE,
                    SERVICE,
                    REPLICATION_CONTROLLER,
                    PERSISTENT_VOLUME,
                    PERSISTENT_VOLUME_CLAIM,
                    STORAGE_CLASS,
                    CSI_NODE,
                    DAEMON_SET,
                    DEPLOYMENT,
                    REPLICA_SET,
                    STATEFUL_SET,
                    JOB,
                    POD_DISRUPTION_BUDGET ->
                    null;
        };
    }

    static @Nullable ObjectKind of(String apiVersion, String kind) {
        var slash = apiVersion.indexOf('/');
        var group = slash < 0 ? "" : apiVersion.substring(0, slash);
        for (var each : values()) {
            if (each.text.equals(kind) && each.group.equals(group)) {
                return each;
            }
        }
        return null;
    }
}
