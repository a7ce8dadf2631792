package dev.millwright.testing.kit.addons;

import dev.millwright.addons.chartproxy.ChartProxyController;
import dev.millwright.addons.chartproxy.ChartProxyPorts;
import dev.millwright.addons.chartproxy.ChartProxySettings;
import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.Rendering;
import dev.millwright.addons.port.Surroundings;
import dev.millwright.addons.release.ReleaseController;
import dev.millwright.addons.release.ReleasePorts;
import dev.millwright.addons.release.ReleaseSettings;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.testing.kit.cluster.FakeApi;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A management cluster in memory with many Clusters and chart proxies that select them all, and
/// both controllers in their loops. The first Cluster does not answer until it is let.
public final class ManyClusters implements AutoCloseable {

    private static final String NAMESPACE = "fleet";
    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    private static final int FORGET_EVERY = 500;
    private static final Value.Mapping EMPTY = Tree.of().mapping();
    private static final Surroundings.Answer NOTHING =
            new Surroundings.Answer.Found(EMPTY, EMPTY, EMPTY, List.of(), "");

    private final Kind<RawObject> kind = WorkloadCluster.kind("v1beta2");
    private final View view =
            View.only(List.of(kind, AddonTypes.CHART_PROXY, AddonTypes.RELEASE_PROXY));
    private final InstantSource clock = InstantSource.system();
    private final FakeApi api = new FakeApi(clock);
    private final PatientHelm helm;
    private final Loops loops;
    private final int clusters;
    private final int charts;
    private final Set<ObjectName> readyReleases = ConcurrentHashMap.newKeySet();
    private final Set<ObjectName> readyCharts = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
    private int changes;
    private final CountDownLatch others;
    private final CountDownLatch all;
    private final CountDownLatch allCharts;

    public ManyClusters(int clusters, int charts) {
        this.clusters = clusters;
        this.charts = charts;
        others = new CountDownLatch((clusters - 1) * charts);
        all = new CountDownLatch(clusters * charts);
        allCharts = new CountDownLatch(charts);
        api.listen(this::changed);
        helm = new PatientHelm(clock, silent(), this::ring);
        var controllers =
                List.of(
                        new ReleaseController(
                                kind,
                                new ReleasePorts(helm, helm, helm, helm, ReferencePolicy.ANY),
                                ReleaseSettings.of("process")),
                        new ChartProxyController(
                                kind,
                                new ChartProxyPorts(
                                        ManyClusters::rendered,
                                        each -> Collections.nCopies(each.size(), NOTHING)),
                                ChartProxySettings.DEFAULT));
        loops =
                new Loops(
                        List.copyOf(controllers),
                        view,
                        new Outside(
                                api,
                                _ -> {},
                                Meter.NONE,
                                this::said,
                                (_, _) -> {},
                                () -> true,
                                Outside.Mode.ACT),
                        Loops.Tuning.NONE,
                        clock);
    }

    /// The Cluster that does not answer.
    public static ObjectName silent() {
        return new ObjectName(NAMESPACE, name("cluster", 0));
    }

    private static String name(String what, int number) {
        return "%s-%04d".formatted(what, number);
    }

    private void ring(ObjectName proxy) {
        loops.ring(ReleaseController.NAME, proxy);
    }

    private void said(LogLevel level, String message, List<Object> keyValues) {
        if (level == LogLevel.ERROR) {
            errors.add("%s %s".formatted(message, keyValues));
        }
    }

    /// A template that prints the Cluster's name behind its own text.
    private static List<Rendering.Answer> rendered(String template, List<Value.Mapping> inputs) {
        return inputs.stream()
                .<Rendering.Answer>map(
                        input ->
                                new Rendering.Answer.Text(
                                        template
                                                + RawObject.of(input)
                                                        .root()
                                                        .at("Cluster")
                                                        .at("metadata")
                                                        .at("name")
                                                        .text("")))
                .toList();
    }

    /// Called by the server, one change after another. What it notes of writes for tests is of no
    /// use here and would grow.
    private void changed(ResourceType type, Value.Mapping latest, boolean isGone) {
        changes++;
        if (changes % FORGET_EVERY == 0) {
            api.forgetWrites();
        }
        for (var cache : view.caches(type)) {
            if (isGone) {
                cache.remove(latest);
            } else {
                cache.put(latest);
            }
        }
        if (!isGone && type.equals(AddonTypes.RELEASE_PROXY.type())) {
            noteRelease(ReleaseProxy.of(RawObject.of(latest)));
        }
        if (!isGone && type.equals(AddonTypes.CHART_PROXY.type())) {
            noteChart(RawObject.of(latest));
        }
    }

    private void noteRelease(ReleaseProxy proxy) {
        if (proxy.isReady() && readyReleases.add(proxy.name())) {
            all.countDown();
            if (!proxy.cluster().equals(silent())) {
                others.countDown();
            }
        }
    }

    private void noteChart(RawObject chart) {
        if (chart.conditions().isTrue("Ready") && readyCharts.add(chart.name())) {
            allCharts.countDown();
        }
    }

    /// Puts the Clusters and the chart proxies there, and begins.
    public void start() {
        for (var index = 0; index < clusters; index++) {
            api.put(kind.type(), cluster(name("cluster", index)));
        }
        for (var index = 0; index < charts; index++) {
            api.put(AddonTypes.CHART_PROXY.type(), chart(name("chart", index)));
        }
        loops.start();
    }

    private static Tree metadata(String name) {
        var labels = new TreeMap<String, String>();
        labels.put("fleet", "yes");
        return Tree.of("name", name)
                .put("namespace", NAMESPACE)
                .put("uid", name)
                .put("generation", 1)
                .putTexts("labels", labels);
    }

    private static Value.Mapping cluster(String name) {
        return Tree.of("apiVersion", "cluster.x-k8s.io/v1beta2")
                .put("kind", "Cluster")
                .put("metadata", metadata(name))
                .put("spec", Tree.of())
                .put(
                        "status",
                        Tree.of("initialization", Tree.of().put("controlPlaneInitialized", true)))
                .mapping();
    }

    private static Value.Mapping chart(String name) {
        return Tree.of("apiVersion", "addons.cluster.x-k8s.io/v1alpha1")
                .put("kind", "HelmChartProxy")
                .put("metadata", metadata(name))
                .put(
                        "spec",
                        Tree.of("clusterSelector", Tree.of("matchLabels", Tree.of("fleet", "yes")))
                                .put("chartName", name)
                                .put("repoURL", "https://charts.example.com")
                                .put("releaseName", name)
                                .put("namespace", "web")
                                .put("version", "1.0.0")
                                .put("valuesTemplate", "cluster: "))
                .mapping();
    }

    /// Whether all releases of the Clusters that answer became ready.
    public boolean othersAreReady(Duration most) throws InterruptedException {
        return others.await(most.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Whether all releases, and the chart proxies that sum them up, became ready.
    public boolean allAreReady(Duration most) throws InterruptedException {
        return all.await(most.toMillis(), TimeUnit.MILLISECONDS)
                && allCharts.await(most.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Releases that were ready at least once.
    public int readyCount() {
        return readyReleases.size();
    }

    /// Forgets what the server noted for tests, so that memory is the controllers' and the
    /// objects'.
    public void forgetWrites() {
        api.forgetWrites();
    }

    public PatientHelm helm() {
        return helm;
    }

    /// Steps that threw or failed.
    public List<String> errors() {
        return List.copyOf(errors);
    }

    @Override
    public void close() {
        helm.close();
        try {
            loops.stop(STOP_MAX);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
