package dev.millwright.core.label;

/// The keys of labels, annotations and taints that Karpenter and Kubernetes give a meaning to.
public final class LabelKeys {

    public static final String NODE_POOL = "karpenter.sh/nodepool";
    public static final String CAPACITY_TYPE = "karpenter.sh/capacity-type";
    public static final String REGISTERED = "karpenter.sh/registered";
    public static final String INITIALIZED = "karpenter.sh/initialized";
    public static final String DO_NOT_SYNC_TAINTS = "karpenter.sh/do-not-sync-taints";
    public static final String DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt";
    public static final String DO_NOT_REPAIR = "karpenter.sh/do-not-repair";
    public static final String DISRUPTED_TAINT = "karpenter.sh/disrupted";
    public static final String REBOOTING_TAINT = "karpenter.sh/rebooting";
    public static final String UNREGISTERED_TAINT = "karpenter.sh/unregistered";

    /// The finalizer of claims and nodes, not a label.
    public static final String TERMINATION_FINALIZER = "karpenter.sh/termination";

    public static final String ZONE = "topology.kubernetes.io/zone";
    public static final String REGION = "topology.kubernetes.io/region";
    public static final String INSTANCE_TYPE = "node.kubernetes.io/instance-type";
    public static final String ARCH = "kubernetes.io/arch";
    public static final String OS = "kubernetes.io/os";
    public static final String WINDOWS_BUILD = "node.kubernetes.io/windows-build";
    public static final String HOSTNAME = "kubernetes.io/hostname";
    public static final String EXCLUDE_FROM_LOAD_BALANCERS =
            "node.kubernetes.io/exclude-from-external-load-balancers";

    public static final String CAPACITY_TYPE_RESERVED = "reserved";
    public static final String CAPACITY_TYPE_SPOT = "spot";
    public static final String CAPACITY_TYPE_ON_DEMAND = "on-demand";

    private LabelKeys() {}
}
