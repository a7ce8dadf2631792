package dev.millwright.testing.e2e.addons;

import dev.millwright.addons.chartproxy.ChartProxyController;
import dev.millwright.addons.chartproxy.ChartProxyPorts;
import dev.millwright.addons.chartproxy.ChartProxySettings;
import dev.millwright.addons.helm.ApiSurroundings;
import dev.millwright.addons.helm.Helm;
import dev.millwright.addons.helm.HelmRenderer;
import dev.millwright.addons.helm.HelmSettings;
import dev.millwright.addons.helm.ManagementSecrets;
import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.release.ReleaseController;
import dev.millwright.addons.release.ReleasePorts;
import dev.millwright.addons.release.ReleaseSettings;
import dev.millwright.kube.cache.CacheSink;
import dev.millwright.kube.cache.Reflector;
import dev.millwright.kube.cache.Reflectors;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/// Both controllers on a real API server, with a real Helm.
final class RunningAddons implements AutoCloseable {

    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
    private static final Duration STOP_MAX = Duration.ofSeconds(20);

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final HttpKubeApi api;
    private final Helm helm;
    private final Loops loops;
    private final Reflectors reflectors;

    RunningAddons(ControlPlane management, String helmBinary, Path directory, String process) {
        var clock = InstantSource.system();
        var clusters = WorkloadCluster.kind("v1beta2");
        var view = View.only(List.of(clusters, AddonTypes.CHART_PROXY, AddonTypes.RELEASE_PROXY));
        api =
                HttpKubeApi.open(
                        KubeAccess.Kubeconfig.of(
                                ChartAccount.of(management, Chart.ADDONS).kubeconfig()),
                        ApiSettings.of("test", 200, 200),
                        RequestObserver.NONE);
        var settings =
                HelmSettings.of(helmBinary, directory, Map.copyOf(System.getenv()))
                        .withLookKept(Duration.ofMillis(500));
        var bell = new AtomicReference<Loops>();
        helm =
                new Helm(
                        settings,
                        api,
                        clock,
                        proxy -> {
                            var ringing = bell.get();
                            if (ringing != null) {
                                ringing.ring(ReleaseController.NAME, proxy);
                            }
                        });
        var controllers =
                List.of(
                        new ReleaseController(
                                clusters,
                                new ReleasePorts(
                                        helm,
                                        helm,
                                        helm,
                                        new ManagementSecrets(api),
                                        new ReferenceGrants(api)),
                                ReleaseSettings.of(process).withLookEvery(LOOK_EVERY)),
                        new ChartProxyController(
                                clusters,
                                new ChartProxyPorts(
                                        new HelmRenderer(settings),
                                        new ApiSurroundings(api, new ReferenceGrants(api))),
                                ChartProxySettings.DEFAULT));
        loops =
                new Loops(
                        List.copyOf(controllers),
                        view,
                        new Outside(
                                api,
                                _ -> {},
                                Meter.NONE,
                                (level, message, keyValues) ->
                                        lines.add("%s %s %s".formatted(level, message, keyValues)),
                                (_, _) -> {},
                                () -> true,
                                Outside.Mode.ACT),
                        Loops.Tuning.NONE,
                        clock);
        bell.set(loops);
        var all = new ArrayList<Reflector>();
        for (var kind : view.kinds()) {
            all.add(
                    new Reflector(
                            api,
                            Reflector.Subject.all(kind.type()),
                            new CacheSink(view.caches(kind.type())),
                            new Reflector.Surroundings(
                                    clock, Sleeper.system(), new SplittableRandom(1)),
                            (_, _) -> {}));
        }
        reflectors = new Reflectors(all, clock, Sleeper.system());
        reflectors.start();
        Eventually.see("the caches are synced", reflectors::isSynced, Boolean.TRUE::equals);
        loops.start();
    }

    /// The log so far.
    String log() {
        return String.join("\n", List.copyOf(lines));
    }

    @Override
    public void close() {
        try {
            loops.stop(STOP_MAX);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        helm.close();
        reflectors.close();
        api.close();
    }
}
