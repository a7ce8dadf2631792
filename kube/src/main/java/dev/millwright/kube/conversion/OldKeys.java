package dev.millwright.kube.conversion;

import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Names that old APIs gave to labels and annotations, and what they are called now.
public final class OldKeys {

    public static final String GROUP = "karpenter.sh";
    public static final String AWS_GROUP = "karpenter.k8s.aws";
    public static final String ALPHA = "karpenter.sh/v1alpha5";
    public static final String AWS_ALPHA = "karpenter.k8s.aws/v1alpha1";
    public static final String BETA = "karpenter.sh/v1beta1";
    public static final String AWS_BETA = "karpenter.k8s.aws/v1beta1";
    public static final String CURRENT = "karpenter.sh/v1";
    public static final String AWS_CURRENT = "karpenter.k8s.aws/v1";

    public static final String PROVISIONER_NAME = "karpenter.sh/provisioner-name";
    public static final String NODE_POOL = "karpenter.sh/nodepool";
    public static final String DO_NOT_EVICT = "karpenter.sh/do-not-evict";
    public static final String DO_NOT_CONSOLIDATE = "karpenter.sh/do-not-consolidate";
    public static final String DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt";
    public static final String INSTANCE_PODS = "karpenter.k8s.aws/instance-pods";
    public static final String STORED_VERSION_MIGRATED = "karpenter.sh/stored-version-migrated";

    static final String KUBELET = "compatibility.karpenter.sh/v1beta1-kubelet-conversion";
    static final String CLASS_REFERENCE = "compatibility.karpenter.sh/v1beta1-nodeclass-reference";
    static final String ALIAS_VERSION = "compatibility.karpenter.k8s.aws/v1-alias-version";
    static final String UBUNTU = "compatibility.karpenter.k8s.aws/v1beta1-ubuntu";

    private static final Map<String, String> RENAMED =
            Map.of(
                    PROVISIONER_NAME,
                    NODE_POOL,
                    "karpenter.sh/provisioner-hash",
                    "karpenter.sh/nodepool-hash",
                    "karpenter.k8s.aws/nodetemplate-hash",
                    "karpenter.k8s.aws/ec2nodeclass-hash",
                    DO_NOT_CONSOLIDATE,
                    DO_NOT_DISRUPT,
                    DO_NOT_EVICT,
                    DO_NOT_DISRUPT);

    private OldKeys() {}

    /// The name a key has now; itself when it never had another.
    public static String renamed(String key) {
        return RENAMED.getOrDefault(key, key);
    }

    public static boolean isRenamed(String key) {
        return RENAMED.containsKey(key);
    }

    /// All of a map under the names of now. Where both are there the new one counts.
    public static SequencedMap<String, String> renamed(Map<String, String> map) {
        var renamed = new TreeMap<String, String>();
        map.forEach((key, value) -> renamed.putIfAbsent(renamed(key), value));
        map.forEach(
                (key, value) -> {
                    if (!isRenamed(key)) {
                        renamed.put(key, value);
                    }
                });
        renamed.remove(INSTANCE_PODS);
        return renamed;
    }
}
