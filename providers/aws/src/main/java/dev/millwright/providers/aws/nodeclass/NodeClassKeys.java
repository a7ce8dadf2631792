package dev.millwright.providers.aws.nodeclass;

/// Names that an EC2NodeClass, its claims and its resources in EC2 are marked by.
public final class NodeClassKeys {

    public static final String GROUP = "karpenter.k8s.aws";

    public static final String HASH = GROUP + "/ec2nodeclass-hash";
    public static final String HASH_VERSION = GROUP + "/ec2nodeclass-hash-version";

    /// On a claim: the profile its instance was launched with.
    public static final String INSTANCE_PROFILE = GROUP + "/instance-profile-name";

    /// On a claim: its instance has all tags that name claim and node.
    public static final String TAGGED = GROUP + "/tagged";

    /// On a claim: its instance has the tag that names the cluster, which older ones lack.
    public static final String CLUSTER_NAME_TAGGED =
            "compatibility.karpenter.k8s.aws/cluster-name-tagged";

    public static final String FINALIZER = GROUP + "/termination";

    private NodeClassKeys() {}
}
