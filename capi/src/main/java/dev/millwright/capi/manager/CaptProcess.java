package dev.millwright.capi.manager;

import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.roster.Half;
import dev.millwright.capi.roster.Kinds;
import dev.millwright.capi.roster.Roster;
import dev.millwright.capi.roster.Scope;
import dev.millwright.capi.workspace.WorkspaceController;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.lease.ElectionSettings;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.BuildInfo;
import dev.millwright.runtime.metrics.LoopFamilies;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.runtime.metrics.ProcessFigures;
import dev.millwright.runtime.probe.EndpointServing;
import dev.millwright.runtime.probe.Endpoints;
import dev.millwright.runtime.process.ApiWays;
import dev.millwright.runtime.process.CountedLooks;
import dev.millwright.runtime.process.OperatorRun;
import dev.millwright.runtime.process.ProcessSurroundings;
import dev.millwright.runtime.process.QuietHeap;
import dev.millwright.runtime.process.RequestMeter;
import dev.millwright.runtime.process.ServedVersion;
import dev.millwright.runtime.process.StopSignal;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The provider as one process: opens the ways to the cluster and runs its loops on the shell.
public final class CaptProcess {

    /// Manifests of CAPT give ten seconds; the lease is given back within the rest.
    private static final Duration STOP_MAX = Duration.ofSeconds(5);

    private static final String PROGRAM = "capt";

    private final CaptSettings settings;
    private final ProcessSurroundings surroundings;
    private final Log log;
    private final StopSignal stop;
    private final Metrics metrics;

    public CaptProcess(
            CaptSettings settings, ProcessSurroundings surroundings, Log log, StopSignal stop) {
        this.settings = settings;
        this.surroundings = surroundings;
        this.log = log;
        this.stop = stop;
        this.metrics = Metrics.of(ProcessFigures.ofProcess(), CaptFamilies.all());
        metrics.gauge(
                LoopFamilies.BUILD_INFO,
                1,
                BuildInfo.ofProcess(surroundings.version(), "unknown").labels());
    }

    /// Returns whether it ended because it was told to.
    ///
    /// @throws IOException when a port cannot be had, or nobody serves Cluster API; its message is
    ///   for a person
    public boolean run() throws IOException, InterruptedException {
        var load = settings.load();
        try (var ways =
                ApiWays.open(
                        surroundings.access(),
                        PROGRAM,
                        surroundings.version(),
                        new ApiSettings.Rate(load.requestsPerSecond(), load.requestsBurst()),
                        new RequestMeter(metrics, log))) {
            var core =
                    CoreVersion.find(
                            new ServedVersion(ways.work(), log, stop),
                            settings.scope().namespace());
            return core == null || run(core, ways);
        }
    }

    private boolean run(ClusterApi core, ApiWays ways) throws IOException, InterruptedException {
        try (var serving =
                        EndpointServing.of(
                                endpoints(), surroundings.hostname(), surroundings.clock(), log);
                var _ = QuietHeap.watched()) {
            var namespace = settings.scope().namespace();
            var terraform = new TerraformSide(settings, surroundings, metrics, log);
            var view = View.only(List.copyOf(Kinds.all(core)));
            var duties =
                    new OperatorRun.Duties(
                            new OperatorRun.Watching(
                                    view, type -> Kinds.subject(type, core, namespace)),
                            (reflectors, liveness) ->
                                    serving.open(reflectors, liveness, metrics, ways.review()),
                            (events, mayAct) ->
                                    loops(
                                            roster(core, terraform.ports(ways.work()), terraform),
                                            view,
                                            outside(ways.work(), events, mayAct),
                                            terraform),
                            terraform::end,
                            STOP_MAX);
            return new OperatorRun(
                            duties,
                            new OperatorRun.Leadership(election(ways.lease()), true),
                            new OperatorRun.Surroundings(
                                    surroundings.clock(), surroundings.random()),
                            log,
                            stop)
                    .run(ways.work(), ways.lease());
        }
    }

    private Endpoints endpoints() {
        var wanted = settings.endpoints();
        return new Endpoints(
                wanted.metrics(),
                wanted.healthProbe(),
                null,
                wanted.isSecure(),
                wanted.certificates());
    }

    private Loops loops(Roster roster, View view, Outside outside, TerraformSide terraform) {
        var controllers = roster.controllers(settings.halves());
        var loops =
                new Loops(
                        controllers,
                        view,
                        outside,
                        new CountedLooks(metrics, log),
                        surroundings.clock());
        terraform.ringBy(loops::ring);
        return loops;
    }

    private Roster roster(
            ClusterApi core, WorkspaceController.Ports ports, TerraformSide terraform) {
        var scope = settings.scope();
        return new Roster(
                new Scope(scope.namespace(), scope.watchFilter(), core),
                settings.load().concurrency(),
                ports,
                terraform.workspaces());
    }

    private Outside outside(HttpKubeApi api, Consumer<KubeEvent> events, BooleanSupplier mayAct) {
        return new Outside(
                api,
                events,
                metrics,
                (level, message, keyValues) -> log.say(level, message, keyValues.toArray()),
                (_, _) -> {}, // The loops bring their own bell.
                mayAct,
                settings.isDryRun() ? Outside.Mode.DRY_RUN : Outside.Mode.ACT);
    }

    private @Nullable ElectionSettings election(HttpKubeApi leaseApi) {
        var leadership = settings.leadership();
        if (!leadership.isElected()) {
            return null;
        }
        var namespace =
                leadership.namespace().isEmpty() ? leaseApi.namespace() : leadership.namespace();
        return ElectionSettings.of(
                new ObjectName(namespace, Half.leaseName(settings.halves())),
                surroundings.hostname(),
                surroundings.uniqueId());
    }
}
