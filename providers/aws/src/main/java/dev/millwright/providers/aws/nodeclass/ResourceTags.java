package dev.millwright.providers.aws.nodeclass;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The tags of what is made in EC2 for a class.
public final class ResourceTags {

    public static final String CLUSTER_NAME = "eks:eks-cluster-name";
    public static final String NODE_POOL = "karpenter.sh/nodepool";
    public static final String NODE_CLAIM = "karpenter.sh/nodeclaim";
    public static final String NODE_CLASS = "karpenter.k8s.aws/ec2nodeclass";
    public static final String NAME = "Name";

    /// The value of [#owned].
    public static final String OWNED = "owned";

    private static final String OWNED_PREFIX = "kubernetes.io/cluster/";

    /// Tags by which we know what is ours: nobody else may set them.
    private static final List<Pattern> RESTRICTED =
            List.of(
                    Pattern.compile("^kubernetes\\.io/cluster/[0-9A-Za-z][A-Za-z0-9\\-_]*$"),
                    exactly(NODE_POOL),
                    exactly(NODE_CLAIM),
                    exactly(NODE_CLASS),
                    exactly(CLUSTER_NAME));

    private ResourceTags() {}

    private static Pattern exactly(String key) {
        return Pattern.compile("^" + Pattern.quote(key) + "$");
    }

    /// The tag of all that is made for a cluster.
    public static String owned(String cluster) {
        return OWNED_PREFIX + cluster;
    }

    /// The first tag of the class that is not the user's to set, or null.
    public static @Nullable String restricted(NodeClassSpec spec) {
        for (var key : spec.tags().sequencedKeySet()) {
            if (RESTRICTED.stream().anyMatch(pattern -> pattern.matcher(key).matches())) {
                return key;
            }
        }
        return null;
    }

    /// What instances, volumes, fleets, templates, interfaces and spot requests bear: the class's
    /// own tags, and ours over them.
    public static SequencedMap<String, String> of(
            Ec2NodeClass nodeClass, String cluster, String nodePool) {
        var tags = new TreeMap<>(nodeClass.spec().tags());
        tags.put(owned(cluster), OWNED);
        tags.put(NODE_POOL, nodePool);
        tags.put(CLUSTER_NAME, cluster);
        tags.put(NODE_CLASS, nodeClass.name());
        return Collections.unmodifiableSequencedMap(tags);
    }
}
