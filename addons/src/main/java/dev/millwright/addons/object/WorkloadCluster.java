package dev.millwright.addons.object;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// A Cluster of Cluster API, in either of its versions.
public record WorkloadCluster(RawObject object) {

    private static final String GROUP = "cluster.x-k8s.io";

    /// Names the Cluster an object belongs to.
    public static final String CLUSTER_NAME = GROUP + "/cluster-name";

    /// With any value, an object is left alone.
    public static final String PAUSED = GROUP + "/paused";

    private static final String INITIALIZED = "ControlPlaneInitialized";

    /// @param group empty where only an `apiVersion` was written
    /// @param apiVersion empty where only a group was written, as from v1beta2 on
    public record Reference(String group, String apiVersion, String kind, ObjectName name) {}

    /// @param version v1beta2, or v1beta1 of an older core. One call a process: the kind is a key
    public static Kind<RawObject> kind(String version) {
        return Kind.raw(new ResourceType(GROUP, version, "clusters", "Cluster", true));
    }

    public Meta meta() {
        return object.meta();
    }

    public ObjectName name() {
        return object.name();
    }

    public boolean isPaused() {
        return object.spec().at("paused").isTrue();
    }

    /// Whether an object of this Cluster is to be left alone.
    public static boolean holds(Meta object, @Nullable WorkloadCluster cluster) {
        return object.annotation(PAUSED) != null || (cluster != null && cluster.isPaused());
    }

    /// Only what was said counts: a Cluster that says nothing has no control plane yet.
    public boolean isInitialized() {
        return object.status().at("initialization").at("controlPlaneInitialized").isTrue()
                || object.conditions().isTrue(INITIALIZED);
    }

    public @Nullable Reference controlPlane() {
        return reference(object.spec().at("controlPlaneRef"));
    }

    public @Nullable Reference infrastructure() {
        return reference(object.spec().at("infrastructureRef"));
    }

    private @Nullable Reference reference(Field field) {
        var name = field.at("name").text("");
        if (name.isEmpty()) {
            return null;
        }
        var namespace = field.at("namespace").text("");
        return new Reference(
                field.at("apiGroup").text(""),
                field.at("apiVersion").text(""),
                field.at("kind").text(""),
                new ObjectName(namespace.isEmpty() ? name().namespace() : namespace, name));
    }
}
