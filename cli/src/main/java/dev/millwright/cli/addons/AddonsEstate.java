package dev.millwright.cli.addons;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.cli.capi.LiveEstate;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.Pages;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// The Clusters and proxies of a namespace, or of all.
///
/// @param kind the Clusters' own, in the version that is served
public record AddonsEstate(
        Kind<RawObject> kind,
        List<RawObject> clusters,
        List<RawObject> charts,
        List<RawObject> releases) {

    private static final int PAGE = 500;
    private static final String CLUSTER = "Cluster";

    public AddonsEstate {
        clusters = List.copyOf(clusters);
        charts = List.copyOf(charts);
        releases = List.copyOf(releases);
    }

    /// @param namespace empty for all
    /// @throws IOException when the cluster says no; its message is for a person
    public static AddonsEstate read(KubeApi api, String namespace) throws IOException {
        var type = AddonTypes.CHART_PROXY.type();
        if (api.list(type, new ListQuery(namespace, "", "", 1, ""))
                instanceof ListAnswer.NotServed) {
            throw new IOException(
                    "nobody serves %s.%s here; is this the management cluster?"
                            .formatted(type.plural(), type.group()));
        }
        var kind = WorkloadCluster.kind(LiveEstate.coreVersion(api));
        return new AddonsEstate(
                kind,
                list(api, kind, namespace),
                list(api, AddonTypes.CHART_PROXY, namespace),
                list(api, AddonTypes.RELEASE_PROXY, namespace));
    }

    private static List<RawObject> list(KubeApi api, Kind<RawObject> kind, String namespace)
            throws IOException {
        return Pages.all(api, kind.type(), new ListQuery(namespace, "", "", PAGE, "")).stream()
                .map(RawObject::of)
                .toList();
    }

    /// Whether a proposed object is of a kind that is looked at here.
    public static boolean isProposal(RawObject object) {
        var kind = object.root().at("kind").text("");
        return kind.equals(AddonTypes.CHART_PROXY.type().kind()) || isCluster(object);
    }

    public static boolean isCluster(RawObject object) {
        return object.root().at("kind").text("").equals(CLUSTER)
                && object.root().at("apiVersion").text("").startsWith("cluster.x-k8s.io/");
    }

    /// As if these had been applied: the spec is the proposed one, labels and annotations are added
    /// to those that are there.
    ///
    /// @param namespace of those that say none
    public AddonsEstate with(List<RawObject> proposed, String namespace) {
        var newClusters = new ArrayList<>(clusters);
        var newCharts = new ArrayList<>(charts);
        for (var each : proposed) {
            apply(isCluster(each) ? newClusters : newCharts, each, namespace);
        }
        return new AddonsEstate(kind, newClusters, newCharts, releases);
    }

    private static void apply(List<RawObject> there, RawObject proposed, String namespace) {
        var name = proposed.name().name();
        var before = there.stream().filter(each -> each.name().name().equals(name)).findFirst();
        there.removeIf(each -> each.name().name().equals(name));
        there.add(applied(before.orElse(null), proposed, namespace));
    }

    private static RawObject applied(
            @Nullable RawObject before, RawObject proposed, String namespace) {
        var fields = new LinkedHashMap<>(proposed.object().fields());
        var metadata = Tree.of();
        var labels = new LinkedHashMap<String, String>();
        var annotations = new LinkedHashMap<String, String>();
        if (before != null) {
            fields = new LinkedHashMap<>(before.object().fields());
            before.root()
                    .at("metadata")
                    .entries()
                    .forEach(
                            (name, field) -> {
                                if (field.value() != null) {
                                    metadata.put(name, field.value());
                                }
                            });
            labels.putAll(before.meta().labels());
            annotations.putAll(before.meta().annotations());
            var spec = proposed.object().fields().get("spec");
            if (spec != null) {
                fields.put("spec", spec);
            }
        } else {
            metadata.put("name", proposed.name().name())
                    .put("namespace", namespace)
                    .put("uid", "proposed-" + proposed.name().name());
        }
        labels.putAll(proposed.meta().labels());
        annotations.putAll(proposed.meta().annotations());
        metadata.putTexts("labels", labels).putTexts("annotations", annotations);
        metadata.put("generation", before == null ? 1 : before.meta().generation() + 1);
        fields.put("metadata", metadata.mapping());
        return RawObject.of(new Value.Mapping(Position.NOWHERE, fields));
    }
}
