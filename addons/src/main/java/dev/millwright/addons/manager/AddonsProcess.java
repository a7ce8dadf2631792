package dev.millwright.addons.manager;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.Reflector;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.lease.ElectionSettings;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.BuildInfo;
import dev.millwright.runtime.metrics.LoopFamilies;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.runtime.metrics.ProcessFigures;
import dev.millwright.runtime.probe.EndpointServing;
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
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The add-ons as one process: opens the ways to the management cluster and runs both controllers
/// on the shell.
public final class AddonsProcess {

    private static final Duration STOP_MAX = Duration.ofSeconds(5);
    private static final String PROGRAM = "millwright-addons";

    /// The upstream provider's: of the two, one acts.
    private static final String LEASE = "controller-leader-election-caaph";

    /// The newest first: a core that serves both keeps objects in it.
    private static final List<String> CORE_VERSIONS = List.of("v1beta2", "v1beta1");

    private static final String NO_CORE = "install Cluster API's core first: clusterctl init";

    private final AddonsSettings settings;
    private final ProcessSurroundings surroundings;
    private final Log log;
    private final StopSignal stop;
    private final Metrics metrics;

    public AddonsProcess(
            AddonsSettings settings, ProcessSurroundings surroundings, Log log, StopSignal stop) {
        this.settings = settings;
        this.surroundings = surroundings;
        this.log = log;
        this.stop = stop;
        this.metrics = Metrics.of(ProcessFigures.ofProcess(), AddonsFamilies.all());
        metrics.gauge(
                LoopFamilies.BUILD_INFO,
                1,
                BuildInfo.ofProcess(surroundings.version(), "unknown").labels());
    }

    /// Returns whether it ended because it was told to.
    ///
    /// @throws IOException when a port or Helm cannot be had, or nobody serves Cluster API; its
    ///   message is for a person
    public boolean run() throws IOException, InterruptedException {
        var load = settings.load();
        try (var ways =
                ApiWays.open(
                        surroundings.access(),
                        PROGRAM,
                        surroundings.version(),
                        new ApiSettings.Rate(load.requestsPerSecond(), load.requestsBurst()),
                        new RequestMeter(metrics, log))) {
            var types =
                    CORE_VERSIONS.stream().map(each -> WorkloadCluster.kind(each).type()).toList();
            var found =
                    new ServedVersion(ways.work(), log, stop)
                            .find(types, settings.scope().namespace(), NO_CORE);
            return found == null || run(WorkloadCluster.kind(found.version()), ways);
        }
    }

    private boolean run(Kind<RawObject> clusters, ApiWays ways)
            throws IOException, InterruptedException {
        try (var serving =
                        EndpointServing.of(
                                settings.endpoints(),
                                surroundings.hostname(),
                                surroundings.clock(),
                                log);
                var _ = QuietHeap.watched()) {
            var helm = new HelmSide(settings, surroundings, metrics, log);
            var view =
                    View.only(List.of(clusters, AddonTypes.CHART_PROXY, AddonTypes.RELEASE_PROXY));
            var duties =
                    new OperatorRun.Duties(
                            new OperatorRun.Watching(view, this::subject),
                            (reflectors, liveness) ->
                                    serving.open(reflectors, liveness, metrics, ways.review()),
                            (events, mayAct) ->
                                    loops(
                                            helm,
                                            clusters,
                                            view,
                                            outside(ways.work(), events, mayAct)),
                            helm::end,
                            STOP_MAX);
            return new OperatorRun(
                            duties,
                            new OperatorRun.Leadership(election(ways.lease().namespace()), true),
                            new OperatorRun.Surroundings(
                                    surroundings.clock(), surroundings.random()),
                            log,
                            stop)
                    .run(ways.work(), ways.lease());
        }
    }

    private Reflector.Subject subject(ResourceType type) {
        var all = Reflector.Subject.all(type);
        var namespace = settings.scope().namespace();
        return namespace.isEmpty() ? all : all.inNamespace(namespace);
    }

    private Loops loops(HelmSide helm, Kind<RawObject> clusters, View view, Outside outside)
            throws IOException {
        var loops =
                new Loops(
                        helm.controllers(clusters, outside.api()),
                        view,
                        outside,
                        new CountedLooks(metrics, log),
                        surroundings.clock());
        helm.ringBy(loops::ring);
        return loops;
    }

    private Outside outside(KubeApi api, Consumer<KubeEvent> events, BooleanSupplier mayAct) {
        return new Outside(
                api,
                events,
                metrics,
                (level, message, keyValues) -> log.say(level, message, keyValues.toArray()),
                (_, _) -> {}, // The loops bring their own bell.
                mayAct,
                settings.isDryRun() ? Outside.Mode.DRY_RUN : Outside.Mode.ACT);
    }

    /// @param own the namespace that this process runs in
    private @Nullable ElectionSettings election(String own) {
        var leadership = settings.leadership();
        if (!leadership.isElected()) {
            return null;
        }
        var namespace = leadership.namespace().isEmpty() ? own : leadership.namespace();
        return new ElectionSettings(
                new ObjectName(namespace, LEASE),
                "%s_%s".formatted(surroundings.hostname(), surroundings.uniqueId()),
                Collections.emptySortedMap(),
                leadership.lease(),
                leadership.renewDeadline(),
                leadership.retry());
    }
}
