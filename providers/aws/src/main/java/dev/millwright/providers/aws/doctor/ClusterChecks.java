package dev.millwright.providers.aws.doctor;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Meta;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;

import java.util.ArrayList;
import java.util.List;

/// Whether the cluster has what we read, and a place for us to run.
final class ClusterChecks {

    private static final List<ResourceType> CUSTOM =
            List.of(ResourceType.NODE_POOL, ResourceType.NODE_CLAIM, Ec2NodeClass.TYPE);

    private final KubeApi api;
    private final String clusterName;

    ClusterChecks(KubeApi api, String clusterName) {
        this.api = api;
        this.clusterName = clusterName;
    }

    List<Check> all() {
        return List.of(definitions(), nodes());
    }

    private Check definitions() {
        var missing = new ArrayList<String>();
        for (var type : CUSTOM) {
            switch (api.list(type, ListQuery.all(1))) {
                case ListAnswer.Page _, ListAnswer.Expired _ -> {}
                case ListAnswer.NotServed() ->
                        missing.add("%s.%s".formatted(type.plural(), type.group()));
                case ListAnswer.Failed(var message) -> {
                    return Check.fix(
                            "definitions",
                            "%s cannot be listed: %s".formatted(type.plural(), message),
                            "kubectl auth can-i list %s.%s".formatted(type.plural(), type.group()));
                }
            }
        }
        return missing.isEmpty()
                ? Check.ok("definitions", "NodePool, NodeClaim and EC2NodeClass are there")
                : Check.fix(
                        "definitions",
                        "not installed: " + String.join(", ", missing),
                        "kubectl apply -f deploy/charts/millwright/crds");
    }

    /// A controller on a node it may remove would one day remove itself.
    private Check nodes() {
        var query = new ListQuery("", "!" + LabelKeys.NODE_POOL, "", 1, "");
        return switch (api.list(ResourceType.NODE, query)) {
            case ListAnswer.Page(var items, _, _) ->
                    items.stream().noneMatch(ClusterChecks::isUnmanaged)
                            ? Check.fix(
                                    "static-nodes",
                                    "no node is free of NodePools: the controller has no place that it does not manage",
                                    "eksctl create nodegroup --cluster %s --name system --nodes 2"
                                            .formatted(clusterName))
                            : Check.ok("static-nodes", "a node that no NodePool manages is there");
            case ListAnswer.Expired(var message) -> unlisted(message);
            case ListAnswer.Failed(var message) -> unlisted(message);
            case ListAnswer.NotServed() -> unlisted("nobody serves nodes");
        };
    }

    private static boolean isUnmanaged(Value.Mapping node) {
        var meta = Meta.of(Field.root("", node, new Faults()));
        return !meta.labels().containsKey(LabelKeys.NODE_POOL);
    }

    private static Check unlisted(String why) {
        return Check.fix(
                "static-nodes", "nodes cannot be listed: " + why, "kubectl auth can-i list nodes");
    }
}
