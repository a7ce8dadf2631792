package dev.millwright.capi.machine.membership;

import dev.millwright.capi.machine.object.Clusters;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.Reference;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The Cluster that a deployment, set, machine or pool belongs to: by its label, by the label that
/// its template gives, by its owners, or as the only Cluster that its WorkspaceTemplate can mean.
public sealed interface ClusterMembership {

    /// Nothing names a Cluster, and the WorkspaceTemplate asks for none.
    record Independent() implements ClusterMembership {}

    /// The WorkspaceTemplate asks for a Cluster, and nothing says which.
    record Unknown(String message) implements ClusterMembership {}

    /// A Cluster is named and is not there.
    record Absent(String name) implements ClusterMembership {}

    record Member(RawObject cluster) implements ClusterMembership {}

    /// A WorkspaceTemplate that contains this cannot be applied without a Cluster.
    String PLACEHOLDER = "${cluster_name}";

    /// From a machine by its set and deployment to a control plane it is four; a circle ends here.
    int GENERATIONS_MAX = 6;

    int NAMES_SHOWN_MAX = 5;

    static ClusterMembership of(View view, ClusterApi api, RawObject object) {
        var name = name(view, api, object, GENERATIONS_MAX);
        return name.isEmpty() ? ofTemplate(view, api, object) : named(view, api, object, name);
    }

    /// The membership of an object whose owner in core Cluster API names the Cluster.
    static ClusterMembership named(View view, ClusterApi api, RawObject object, String name) {
        var cluster = Clusters.named(view, api, object, name);
        return cluster == null ? new Absent(name) : new Member(cluster);
    }

    /// Null while there is none.
    default @Nullable RawObject cluster() {
        return switch (this) {
            case Member(var cluster) -> cluster;
            case Independent(), Unknown(_), Absent(_) -> null;
        };
    }

    private static String name(View view, ClusterApi api, RawObject object, int generations) {
        var label = object.meta().label(ClusterApi.CLUSTER_NAME);
        if (!label.isEmpty()) {
            return label;
        }
        var labels = object.spec().at("template").at("metadata").at("labels");
        var given = labels.at(ClusterApi.CLUSTER_NAME).text("");
        return given.isEmpty() && generations > 0
                ? ofOwners(view, api, object, generations - 1)
                : given;
    }

    private static String ofOwners(View view, ClusterApi api, RawObject object, int generations) {
        var kinds =
                List.of(
                        CaptTypes.MACHINE_SET,
                        CaptTypes.MACHINE_DEPLOYMENT,
                        CaptTypes.CONTROL_PLANE,
                        CaptTypes.CLUSTER);
        for (var owner : object.meta().owners()) {
            if (isOf(owner.apiVersion(), owner.kind(), api.cluster())) {
                return owner.name();
            }
            for (var kind : kinds) {
                var found =
                        isOf(owner.apiVersion(), owner.kind(), kind)
                                ? view.cache(kind)
                                        .find(
                                                new ObjectName(
                                                        object.name().namespace(), owner.name()))
                                : null;
                var name = found == null ? "" : name(view, api, found, generations);
                if (!name.isEmpty()) {
                    return name;
                }
            }
        }
        return "";
    }

    private static boolean isOf(String apiVersion, String word, Kind<?> kind) {
        return word.equals(kind.type().kind()) && apiVersion.startsWith(kind.type().group() + "/");
    }

    private static ClusterMembership ofTemplate(View view, ClusterApi api, RawObject object) {
        var reference = Reference.of(machineSpec(object).at("workspaceTemplateRef"));
        var namespace = object.name().namespace();
        var template =
                reference == null
                        ? null
                        : view.cache(CaptTypes.WORKSPACE_TEMPLATE).find(reference.in(namespace));
        if (template == null || !asksForCluster(template)) {
            return new Independent();
        }
        var clusters =
                view.cache(api.cluster()).all().stream()
                        .filter(each -> each.name().namespace().equals(namespace))
                        .filter(ClusterParts::isOurs)
                        .toList();
        return clusters.size() == 1
                ? new Member(clusters.getFirst())
                : new Unknown(unknown(template, namespace, clusters));
    }

    private static Field machineSpec(RawObject object) {
        var own = object.spec();
        return own.at("workspaceTemplateRef").isPresent() ? own : own.at("template").at("spec");
    }

    private static boolean asksForCluster(RawObject template) {
        var spec = template.spec().value();
        return spec != null && JsonWriter.text(spec).contains(PLACEHOLDER);
    }

    private static String unknown(RawObject template, String namespace, List<RawObject> clusters) {
        var names =
                clusters.stream()
                        .map(each -> each.name().name())
                        .sorted()
                        .limit(NAMES_SHOWN_MAX)
                        .toList();
        return "WorkspaceTemplate %s asks for %s, and namespace %s has %s; name the Cluster in the label %s"
                .formatted(
                        template.name().name(),
                        PLACEHOLDER,
                        namespace,
                        clusters.isEmpty()
                                ? "no Cluster with a CAPTControlPlane or CAPTCluster"
                                : "%d Clusters (%s)"
                                        .formatted(clusters.size(), String.join(", ", names)),
                        ClusterApi.CLUSTER_NAME);
    }
}
