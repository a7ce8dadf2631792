package dev.millwright.core.label;

/// The keys of annotations that Karpenter writes on its objects, kept to the letter.
public final class AnnotationKeys {

    public static final String NODE_POOL_HASH = "karpenter.sh/nodepool-hash";
    public static final String NODE_POOL_HASH_VERSION = "karpenter.sh/nodepool-hash-version";

    /// The moment by which the node must be drained, in RFC 3339.
    public static final String TERMINATION_TIMESTAMP =
            "karpenter.sh/nodeclaim-termination-timestamp";

    /// The boot id that the node had before a reboot was asked for.
    public static final String REBOOT_PRE_BOOT_ID = "karpenter.sh/reboot-pre-boot-id";

    /// How long pods may take to leave before a reboot; without it as long as they need.
    public static final String REBOOT_GRACE_PERIOD = "karpenter.sh/reboot-termination-grace-period";

    public static final String MIN_VALUES_RELAXED = "karpenter.sh/nodeclaim-min-values-relaxed";
    public static final String PRICE_OVERLAY_APPLIED = "karpenter.sh/price-overlay-applied";
    public static final String CAPACITY_OVERLAY_APPLIED = "karpenter.sh/capacity-overlay-applied";
    public static final String BUFFER_POD = "karpenter.sh/capacity-buffer-fake-pod";
    public static final String BUFFER_NAME = "karpenter.sh/capacity-buffer-name";
    public static final String BUFFER_NAMESPACE = "karpenter.sh/capacity-buffer-namespace";

    private AnnotationKeys() {}
}
