package dev.millwright.addons.chartproxy;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ChartProxy;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Has one release proxy for every cluster that a HelmChartProxy selects.
public final class ChartProxyController implements Controller {

    public static final String NAME = "helmchartproxy.reconcile";

    /// Each of a thousand releases that change is a reason to look at all of them.
    private static final Duration REST = Duration.ofSeconds(1);

    private final Kind<RawObject> clusters;
    private final ChartProxyPorts ports;
    private final ChartProxySettings settings;

    public ChartProxyController(
            Kind<RawObject> clusters, ChartProxyPorts ports, ChartProxySettings settings) {
        this.clusters = clusters;
        this.ports = ports;
        this.settings = settings;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(AddonTypes.CHART_PROXY, ChartProxyController::ofChart),
                new Watch<>(AddonTypes.RELEASE_PROXY, ChartProxyController::ofRelease),
                new Watch<>(clusters, ChartProxyController::ofCluster));
    }

    @Override
    public Pace pace() {
        return Pace.of(settings.atOnce()).withRest(REST);
    }

    /// Itself, and those that depend on it.
    private static List<ObjectName> ofChart(View view, Change<RawObject> change) {
        return withDependents(view, change.name());
    }

    /// What a release proxy wants and how it is; not every write to it.
    private static List<ObjectName> ofRelease(View view, Change<RawObject> change) {
        var before = change.before();
        var after = change.after();
        if (before != null && after != null && isSame(before, after)) {
            return List.of();
        }
        var chart = change.latest().meta().label(AddonTypes.CHART_PROXY_NAME);
        return chart.isEmpty()
                ? List.of()
                : withDependents(view, new ObjectName(change.name().namespace(), chart));
    }

    private static boolean isSame(RawObject before, RawObject after) {
        return before.meta().generation() == after.meta().generation()
                && before.meta().labels().equals(after.meta().labels())
                && before.meta().annotations().equals(after.meta().annotations())
                && before.meta().isDeleting() == after.meta().isDeleting()
                && Objects.equals(before.status().value(), after.status().value());
    }

    private static List<ObjectName> withDependents(View view, ObjectName chart) {
        var keys = new ArrayList<>(List.of(chart));
        for (var each : view.cache(AddonTypes.CHART_PROXY).all()) {
            if (each.name().namespace().equals(chart.namespace())
                    && each.spec().at("dependsOn").isPresent()
                    && ChartProxy.of(each).dependsOn().contains(chart.name())) {
                keys.add(each.name());
            }
        }
        return keys;
    }

    /// A Cluster's status moves all the time; only what chooses it, or what its owner wrote, is a
    /// reason to look at every proxy. The rest is seen within the sync period.
    private static List<ObjectName> ofCluster(View view, Change<RawObject> change) {
        var before = change.before();
        var after = change.after();
        if (before != null && after != null && isAlike(before, after)) {
            return List.of();
        }
        return view.cache(AddonTypes.CHART_PROXY).all().stream()
                .map(RawObject::name)
                .filter(each -> each.namespace().equals(change.name().namespace()))
                .toList();
    }

    private static boolean isAlike(RawObject before, RawObject after) {
        return before.meta().generation() == after.meta().generation()
                && before.meta().labels().equals(after.meta().labels())
                && before.meta().annotations().equals(after.meta().annotations())
                && before.meta().isDeleting() == after.meta().isDeleting()
                && before.spec().at("paused").isTrue() == after.spec().at("paused").isTrue()
                && new WorkloadCluster(before).isInitialized()
                        == new WorkloadCluster(after).isInitialized();
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var object = view.cache(AddonTypes.CHART_PROXY).find(key);
        if (object == null || object.meta().annotation(WorkloadCluster.PAUSED) != null) {
            return Step.DONE;
        }
        var chart = ChartProxy.of(object);
        if (!object.meta().isDeleting()
                && !object.meta().hasFinalizer(AddonTypes.CHART_PROXY_FINALIZER)) {
            return Step.of(new Effect.Write(finalizer(chart, true)));
        }
        var pass = new ChartProxyPass(chart, view, clusters, ports, now);
        return object.meta().isDeleting()
                ? pass.removed()
                : pass.kept().thenAgain(settings.syncPeriod());
    }

    static ApiWrite finalizer(ChartProxy chart, boolean isThere) {
        var finalizers = new ArrayList<>(chart.meta().finalizers());
        finalizers.remove(AddonTypes.CHART_PROXY_FINALIZER);
        if (isThere) {
            finalizers.add(AddonTypes.CHART_PROXY_FINALIZER);
        }
        return new ApiWrite.Patch(
                AddonTypes.CHART_PROXY.type(),
                chart.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.NONE,
                Tree.of("metadata", chart.meta().locked().putTextList("finalizers", finalizers))
                        .mapping());
    }
}
