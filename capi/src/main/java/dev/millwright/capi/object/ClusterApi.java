package dev.millwright.capi.object;

import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.RawObject;

/// Core Cluster API's kinds, in the version that the management cluster serves. Readers of their
/// objects take the fields of either version.
public record ClusterApi(
        Kind<RawObject> cluster, Kind<RawObject> machine, Kind<RawObject> machinePool) {

    public static final String GROUP = "cluster.x-k8s.io";

    /// Names the Cluster an object belongs to.
    public static final String CLUSTER_NAME = "cluster.x-k8s.io/cluster-name";

    /// With any value, an object is left alone.
    public static final String PAUSED = "cluster.x-k8s.io/paused";

    /// Says that somebody else looks after an infrastructure object; a label or an annotation.
    public static final String MANAGED_BY = "cluster.x-k8s.io/managed-by";

    public static final String WATCH_FILTER = "cluster.x-k8s.io/watch-filter";

    /// The type of the Secrets that the contract knows.
    public static final String SECRET_TYPE = "cluster.x-k8s.io/secret";

    /// @param version v1beta2, or v1beta1 of an older core
    public static ClusterApi of(String version) {
        return new ClusterApi(
                kind(version, "clusters", "Cluster"),
                kind(version, "machines", "Machine"),
                kind(version, "machinepools", "MachinePool"));
    }

    /// Whether it reads the newer contract of its providers.
    public boolean isNewer() {
        return cluster.type().version().equals("v1beta2");
    }

    private static Kind<RawObject> kind(String version, String plural, String kind) {
        return Kind.raw(new ResourceType(GROUP, version, plural, kind, true));
    }
}
