package dev.millwright.addons.chartproxy;

import dev.millwright.addons.graph.DependencyGraph;
import dev.millwright.addons.graph.Gate;
import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ChartProxy;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.kube.cache.View;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The chart proxies and release proxies of one namespace, as one of the chart proxies sees them.
final class Neighbours {

    private final ChartProxy chart;
    private final Map<String, ChartProxy> charts = new TreeMap<>();
    private final Map<String, List<ReleaseProxy>> own = new TreeMap<>();
    private final Map<String, Map<String, ReleaseProxy>> byCluster = new TreeMap<>();
    private final DependencyGraph graph;

    Neighbours(ChartProxy chart, View view) {
        this.chart = chart;
        var namespace = chart.name().namespace();
        var dependsOn = new TreeMap<String, List<String>>();
        for (var each : view.cache(AddonTypes.CHART_PROXY).all()) {
            if (each.name().namespace().equals(namespace)) {
                var proxy = ChartProxy.of(each);
                charts.put(each.name().name(), proxy);
                dependsOn.put(each.name().name(), proxy.dependsOn());
            }
        }
        graph = DependencyGraph.of(dependsOn);
        for (var each : view.cache(AddonTypes.RELEASE_PROXY).all()) {
            var of = each.meta().label(AddonTypes.CHART_PROXY_NAME);
            if (each.name().namespace().equals(namespace)
                    && (of.equals(chart.name().name()) || chart.dependsOn().contains(of))) {
                note(of, ReleaseProxy.of(each));
            }
        }
    }

    private void note(String of, ReleaseProxy proxy) {
        var cluster = proxy.cluster().name();
        if (of.equals(chart.name().name())) {
            own.computeIfAbsent(cluster, _ -> new ArrayList<>()).add(proxy);
        } else {
            byCluster.computeIfAbsent(cluster, _ -> new TreeMap<>()).put(of, proxy);
        }
    }

    /// Its release proxies on a cluster; one, if all is well.
    List<ReleaseProxy> own(String cluster) {
        return own.getOrDefault(cluster, List.of());
    }

    List<ReleaseProxy> own() {
        return own.values().stream().flatMap(List::stream).toList();
    }

    /// Whether the chart may go to the cluster now.
    Gate gate(WorkloadCluster cluster) {
        if (chart.dependsOn().isEmpty()) {
            return new Gate.Open();
        }
        var releases = new TreeMap<String, Gate.Release>();
        var there = byCluster.getOrDefault(cluster.name().name(), Map.of());
        for (var name : chart.dependsOn()) {
            releases.put(name, release(charts.get(name), there.get(name), cluster));
        }
        return Gate.install(cluster.name().name(), graph.of(chart.name().name()), releases);
    }

    private static Gate.Release release(
            @Nullable ChartProxy chart, @Nullable ReleaseProxy proxy, WorkloadCluster cluster) {
        if (proxy != null) {
            return proxy.isReady() && !proxy.meta().isDeleting()
                    ? Gate.Release.READY
                    : Gate.Release.NOT_READY;
        }
        var selects =
                chart != null
                        && chart.selector() != null
                        && chart.selector().matches(cluster.meta().labels());
        return selects ? Gate.Release.ABSENT : Gate.Release.NOT_SELECTED;
    }
}
