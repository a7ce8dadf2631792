package dev.millwright.cli.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Commands that give instances of EC2 the tags by which they are found and may be ended.
final class InstanceTags {

    private static final String PREFIX = "aws://";

    /// EC2 takes up to a thousand; a line should be readable.
    private static final int INSTANCES_MAX = 50;

    private final SequencedMap<String, List<String>> instances = new TreeMap<>();

    /// Machines of other clouds need none.
    void add(String providerId, String pool, String nodeClass) {
        if (providerId.startsWith(PREFIX)) {
            var id = providerId.substring(providerId.lastIndexOf('/') + 1);
            var tags =
                    "Key=karpenter.sh/nodepool,Value=%s Key=karpenter.k8s.aws/ec2nodeclass,Value=%s"
                            .formatted(pool, nodeClass);
            instances.computeIfAbsent(tags, _ -> new ArrayList<>()).add(id);
        }
    }

    List<String> commands() {
        var commands = new ArrayList<String>();
        instances.forEach(
                (tags, ids) -> {
                    for (var from = 0; from < ids.size(); from += INSTANCES_MAX) {
                        var some = ids.subList(from, Math.min(ids.size(), from + INSTANCES_MAX));
                        commands.add(
                                "aws ec2 create-tags --resources %s --tags %s Key=kubernetes.io/cluster/$CLUSTER_NAME,Value=owned Key=eks:eks-cluster-name,Value=$CLUSTER_NAME"
                                        .formatted(String.join(" ", some), tags));
                    }
                });
        return commands;
    }
}
