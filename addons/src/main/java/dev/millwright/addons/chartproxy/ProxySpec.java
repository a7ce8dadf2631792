package dev.millwright.addons.chartproxy;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.Canonical;
import dev.millwright.addons.object.ChartProxy;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.OwnerReference;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The release proxy that a chart proxy wants on one cluster.
record ProxySpec(ChartProxy chart, WorkloadCluster cluster) {

    private static final int NAME_MAX = 200;
    private static final Pattern UNFIT = Pattern.compile("[^a-z0-9.-]+");

    /// What may change without a new release.
    private static final List<String> CHANGEABLE =
            List.of("version", "values", "valuesSecretRef", "options", "credentials", "tlsConfig");

    ProxyChange change(List<ReleaseProxy> there, Values values) {
        if (there.isEmpty()) {
            return new ProxyChange.Create();
        }
        if (there.size() > 1) {
            return new ProxyChange.Doubled(there.stream().map(each -> each.name().name()).toList());
        }
        var proxy = there.getFirst();
        if (proxy.meta().isDeleting()) {
            return new ProxyChange.Leaving();
        }
        if (chart.isInstalledOnce() && proxy.wasInstalled()) {
            return new ProxyChange.None();
        }
        if (isAnother(proxy)) {
            return new ProxyChange.Reinstall(proxy);
        }
        var patch = patch(proxy, values);
        return patch.isEmpty()
                ? new ProxyChange.None()
                : new ProxyChange.Update(proxy, patch.mapping());
    }

    private boolean isAnother(ReleaseProxy proxy) {
        return !proxy.source().chart().equals(chart.source().chart())
                || !proxy.source().repository().equals(chart.source().repository())
                || !proxy.namespace().equals(chart.namespace())
                || hasAnotherName(proxy);
    }

    private boolean hasAnotherName(ReleaseProxy proxy) {
        if (chart.releaseName().isEmpty()) {
            return !proxy.releaseName().isEmpty() && !proxy.hasGeneratedName();
        }
        return proxy.hasGeneratedName() || !proxy.releaseName().equals(chart.releaseName());
    }

    private Tree patch(ReleaseProxy proxy, Values values) {
        var spec = Tree.of();
        for (var field : CHANGEABLE) {
            var is = proxy.object().spec().at(field).value();
            var wanted = wanted(field, values, is);
            if (wanted == null && is != null) {
                spec.putNothing(field);
            } else if (wanted != null && !isSame(is, wanted)) {
                spec.put(field, merged(is, wanted));
            }
        }
        var mark = mark(values);
        var isMarked = mark == null || mark.equals(proxy.meta().annotation(AddonTypes.RENDERED));
        if (spec.isEmpty() && isMarked) {
            return Tree.of();
        }
        var metadata = proxy.meta().locked();
        if (mark != null) {
            metadata.put("annotations", Tree.of(AddonTypes.RENDERED, mark));
        }
        return Tree.of("metadata", metadata).put("spec", spec);
    }

    private static boolean isSame(@Nullable Value is, Value wanted) {
        return is != null && Canonical.json(is).equals(Canonical.json(wanted));
    }

    /// A merge keeps what it does not name: what is no longer wanted is named as nothing.
    private static Value merged(@Nullable Value is, Value wanted) {
        if (!(is instanceof Value.Mapping(_, var before))
                || !(wanted instanceof Value.Mapping(_, var after))) {
            return wanted;
        }
        var tree = Tree.of();
        before.keySet().stream().filter(name -> !after.containsKey(name)).forEach(tree::putNothing);
        after.forEach((name, value) -> tree.put(name, merged(before.get(name), value)));
        return tree.mapping();
    }

    private @Nullable Value wanted(String field, Values values, @Nullable Value is) {
        return switch (field) {
            case "version" ->
                    chart.source().version().isEmpty() ? null : Tree.text(chart.source().version());
            case "values", "valuesSecretRef" -> ofValues(field, values, is);
            default -> chart.handedOn(field);
        };
    }

    private @Nullable Value ofValues(String field, Values values, @Nullable Value is) {
        var isReference = field.equals("valuesSecretRef");
        return switch (values) {
            case Values.Unchanged(), Values.Failed(_) -> is;
            case Values.Plain(var text, _) ->
                    isReference || text.isEmpty() ? null : Tree.text(text);
            case Values.Secret(_, _) ->
                    isReference
                            ? Tree.of("name", secretName())
                                    .put("key", AddonTypes.VALUES_KEY)
                                    .mapping()
                            : null;
        };
    }

    private static @Nullable String mark(Values values) {
        return switch (values) {
            case Values.Unchanged(), Values.Failed(_) -> null;
            case Values.Plain(_, var mark) -> mark;
            case Values.Secret(_, var mark) -> mark;
        };
    }

    String secretName() {
        var digest = Canonical.digest(chart.name().name(), cluster.name().name());
        var name = "%s-%s".formatted(chart.name().name(), cluster.name().name());
        return "%s-values-%s"
                .formatted(
                        name.substring(0, Math.min(name.length(), NAME_MAX)),
                        digest.substring(0, 8));
    }

    ApiWrite create(Values values) {
        var chartName = chart.source().chart().toLowerCase(Locale.ROOT);
        var generated =
                UNFIT.matcher("%s-%s-".formatted(chartName, cluster.name().name())).replaceAll("-");
        var annotations = Tree.of();
        var mark = mark(values);
        if (mark != null) {
            annotations.put(AddonTypes.RENDERED, mark);
        }
        var metadata =
                Tree.of("namespace", chart.name().namespace())
                        .put(
                                "generateName",
                                generated.substring(0, Math.min(generated.length(), NAME_MAX)))
                        .put(
                                "labels",
                                Tree.of(WorkloadCluster.CLUSTER_NAME, cluster.name().name())
                                        .put(AddonTypes.CHART_PROXY_NAME, chart.name().name()))
                        .put("annotations", annotations)
                        .putList("ownerReferences", List.of(owner()));
        var type = AddonTypes.RELEASE_PROXY.type();
        return new ApiWrite.Create(
                type,
                chart.name().namespace(),
                Tree.of("apiVersion", type.apiVersion())
                        .put("kind", type.kind())
                        .put("metadata", metadata)
                        .put("spec", spec(values))
                        .mapping());
    }

    private Value owner() {
        var type = AddonTypes.CHART_PROXY.type();
        return new OwnerReference(
                        type.apiVersion(),
                        type.kind(),
                        chart.name().name(),
                        chart.meta().uid(),
                        true,
                        true)
                .value();
    }

    private Tree spec(Values values) {
        var spec =
                Tree.of(
                                "clusterRef",
                                Tree.of("apiVersion", text("apiVersion"))
                                        .put("kind", "Cluster")
                                        .put("name", cluster.name().name())
                                        .put("namespace", cluster.name().namespace()))
                        .put("chartName", chart.source().chart())
                        .put("repoURL", chart.source().repository())
                        .putUnlessEmpty("releaseName", chart.releaseName())
                        .put("namespace", chart.namespace());
        if (chart.isInstalledOnce()) {
            spec.put("reconcileStrategy", ChartProxy.INSTALL_ONCE);
        }
        for (var field : CHANGEABLE) {
            var wanted = wanted(field, values, null);
            if (wanted != null) {
                spec.put(field, wanted);
            }
        }
        return spec;
    }

    private String text(String field) {
        return cluster.object().root().at(field).text("");
    }
}
