package dev.millwright.addons.manager;

import dev.millwright.addons.chartproxy.ChartProxyController;
import dev.millwright.addons.chartproxy.ChartProxyPorts;
import dev.millwright.addons.chartproxy.ChartProxySettings;
import dev.millwright.addons.helm.ApiSurroundings;
import dev.millwright.addons.helm.Helm;
import dev.millwright.addons.helm.HelmRenderer;
import dev.millwright.addons.helm.HelmSettings;
import dev.millwright.addons.helm.HelmVersion;
import dev.millwright.addons.helm.ManagementSecrets;
import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.release.ReleaseController;
import dev.millwright.addons.release.ReleasePorts;
import dev.millwright.addons.release.ReleaseSettings;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.process.ProcessSurroundings;
import dev.millwright.runtime.step.Controller;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Both controllers with Helm behind them, and Helm's end.
final class HelmSide {

    private static final String WORK_DIRECTORY = "millwright-helm";
    private static final Duration LOOK_EVERY = ReleaseSettings.LOOK_EVERY_DEFAULT;

    private final AddonsSettings settings;
    private final ProcessSurroundings surroundings;
    private final Meter meter;
    private final Log log;

    /// Rings the loops, which ask for runs.
    private final Outside.Bell bell;

    private @Nullable Helm helm;

    HelmSide(
            AddonsSettings settings,
            ProcessSurroundings surroundings,
            Outside.Bell bell,
            Meter meter,
            Log log) {
        this.settings = settings;
        this.surroundings = surroundings;
        this.bell = bell;
        this.meter = meter;
        this.log = log;
    }

    /// @throws IOException when Helm is not there; its message is for a person
    List<Controller> controllers(Kind<RawObject> clusters, KubeApi api) throws IOException {
        var how = helmSettings();
        log.info("found helm", "path", how.binary(), "version", HelmVersion.find(how));
        var made =
                new Helm(
                        how,
                        api,
                        surroundings.clock(),
                        proxy -> bell.ring(ReleaseController.NAME, proxy));
        helm = made;
        var load = settings.load();
        ReferencePolicy references =
                settings.scope().crossesNamespaces()
                        ? ReferencePolicy.ANY
                        : new ReferenceGrants(api);
        var runs = new MeteredRuns(made, meter, surroundings.clock());
        var releases =
                new ReleaseController(
                        clusters,
                        new ReleasePorts(runs, made, made, new ManagementSecrets(api), references),
                        new ReleaseSettings(surroundings.uniqueId(), load.releases(), LOOK_EVERY));
        var charts =
                new ChartProxyController(
                        clusters,
                        new ChartProxyPorts(
                                new HelmRenderer(how), new ApiSurroundings(api, references)),
                        new ChartProxySettings(load.charts(), load.syncPeriod()));
        var filter = settings.scope().watchFilter();
        return List.of(
                new Scoped(AddonTypes.RELEASE_PROXY, releases, filter),
                new Scoped(AddonTypes.CHART_PROXY, charts, filter));
    }

    private HelmSettings helmSettings() {
        var given = settings.helm();
        var root =
                given.workDirectory() == null
                        ? Path.of(System.getProperty("java.io.tmpdir"), WORK_DIRECTORY)
                        : given.workDirectory();
        return HelmSettings.of(given.binary(), root.toAbsolutePath(), surroundings.environment())
                .withAtOnce(settings.load().releases())
                .withMemoryBytesMax(given.memoryBytesMax());
    }

    /// Interrupts what runs, so that Helm marks its release as failed.
    void end() {
        if (helm != null) {
            helm.close();
        }
    }
}
