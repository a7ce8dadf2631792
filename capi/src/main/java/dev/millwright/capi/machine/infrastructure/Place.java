package dev.millwright.capi.machine.infrastructure;

import dev.millwright.capi.machine.membership.ClusterMembership;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;

import java.util.Map;

/// The cluster that nodes join, and where it is. What is not known is empty.
record Place(String cluster, String region) {

    /// On a Cluster whose infrastructure names no region.
    private static final String REGION = "cluster.x-k8s.io/region";

    static Place of(View view, ClusterMembership membership) {
        return switch (membership) {
            case ClusterMembership.Member(var cluster) -> in(view, cluster);
            case ClusterMembership.Absent(var name) -> new Place(name, "");
            case ClusterMembership.Independent(), ClusterMembership.Unknown(_) -> new Place("", "");
        };
    }

    private static Place in(View view, RawObject cluster) {
        var reference = cluster.spec().at("infrastructureRef");
        var name = reference.at("name").text(cluster.name().name());
        var infrastructure =
                view.cache(CaptTypes.CLUSTER)
                        .find(new ObjectName(cluster.name().namespace(), name));
        var region = infrastructure == null ? "" : infrastructure.spec().at("region").text("");
        var noted = cluster.meta().annotation(REGION);
        return new Place(cluster.name().name(), region.isEmpty() && noted != null ? noted : region);
    }

    void put(Map<String, String> variables) {
        if (!cluster.isEmpty()) {
            variables.put("cluster_name", cluster);
        }
        if (!region.isEmpty()) {
            variables.put("region", region);
        }
    }
}
