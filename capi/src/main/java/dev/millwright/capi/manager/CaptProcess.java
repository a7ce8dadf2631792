package dev.millwright.capi.manager;

import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.roster.Half;
import dev.millwright.capi.roster.Kinds;
import dev.millwright.capi.roster.Roster;
import dev.millwright.capi.roster.Scope;
import dev.millwright.capi.workspace.WorkspaceController;
import dev.millwright.controllers.log.Log;
import dev.millwright.controllers.metrics.BuildInfo;
import dev.millwright.controllers.metrics.Metrics;
import dev.millwright.controllers.metrics.ProcessFigures;
import dev.millwright.controllers.process.Check;
import dev.millwright.controllers.process.Guard;
import dev.millwright.controllers.process.OperatorRun;
import dev.millwright.controllers.process.ProbeServer;
import dev.millwright.controllers.process.QuietHeap;
import dev.millwright.controllers.process.RequestMeter;
import dev.millwright.controllers.process.ReviewGuard;
import dev.millwright.controllers.process.ServingKeys;
import dev.millwright.controllers.process.StopSignal;
import dev.millwright.controllers.runtime.Loops;
import dev.millwright.controllers.runtime.NoCloud;
import dev.millwright.controllers.runtime.Outside;
import dev.millwright.controllers.step.Step.Ending;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Reflectors;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.lease.ElectionSettings;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// The provider as one process: opens the ways to the cluster and runs its loops on the shell.
public final class CaptProcess {

    /// Manifests of CAPT give ten seconds; the lease is given back within the rest.
    private static final Duration STOP_MAX = Duration.ofSeconds(5);

    /// Strangers' tokens are asked about at this rate at most.
    private static final ApiSettings.Rate REVIEWS = new ApiSettings.Rate(5, 10);

    private static final Duration REVIEW_TIMEOUT = Duration.ofSeconds(5);

    /// What of the world is not in the settings.
    public record Surroundings(
            KubeAccess access,
            String hostname,
            String uniqueId,
            String version,
            SequencedMap<String, String> environment,
            InstantSource clock,
            RandomGenerator random) {

        public Surroundings {
            environment = Collections.unmodifiableSequencedMap(new TreeMap<>(environment));
        }
    }

    private final CaptSettings settings;
    private final Surroundings surroundings;
    private final Log log;
    private final StopSignal stop;
    private final Metrics metrics;

    public CaptProcess(CaptSettings settings, Surroundings surroundings, Log log, StopSignal stop) {
        this.settings = settings;
        this.surroundings = surroundings;
        this.log = log;
        this.stop = stop;
        this.metrics = Metrics.of(ProcessFigures.ofProcess(), CaptFamilies.all());
        metrics.gauge(
                CaptFamilies.BUILD_INFO,
                1,
                BuildInfo.ofProcess(surroundings.version(), "unknown").labels());
    }

    /// Returns whether it ended because it was told to.
    ///
    /// @throws IOException when a port cannot be had, or nobody serves Cluster API; its message is
    ///   for a person
    public boolean run() throws IOException, InterruptedException {
        try (var api = open(mainSettings(), new RequestMeter(metrics, log));
                var leaseApi = open(leaseSettings(), RequestObserver.NONE);
                var reviewApi = open(reviewSettings(), RequestObserver.NONE)) {
            var core = new CoreVersion(api, log, stop).find();
            return core == null || run(core, api, leaseApi, reviewApi);
        }
    }

    private boolean run(
            ClusterApi core, HttpKubeApi api, HttpKubeApi leaseApi, HttpKubeApi reviewApi)
            throws IOException, InterruptedException {
        try (var keys = keys();
                var _ = QuietHeap.watched()) {
            var namespace = settings.scope().namespace();
            var terraform = new TerraformSide(settings, surroundings, metrics, log);
            var view = View.only(List.copyOf(Kinds.all(core)));
            var duties =
                    new OperatorRun.Duties(
                            new OperatorRun.Watching(
                                    view, type -> Kinds.subject(type, core, namespace)),
                            reflectors -> probes(reflectors, keys, reviewApi),
                            (events, mayAct) ->
                                    loops(
                                            roster(core, terraform.ports(api), terraform),
                                            view,
                                            outside(api, events, mayAct),
                                            terraform),
                            terraform::end,
                            STOP_MAX);
            return new OperatorRun(
                            duties,
                            new OperatorRun.Leadership(election(leaseApi), true),
                            new OperatorRun.Surroundings(
                                    surroundings.clock(), surroundings.random()),
                            log,
                            stop)
                    .run(api, leaseApi);
        }
    }

    private Loops loops(Roster roster, View view, Outside outside, TerraformSide terraform) {
        var controllers = roster.controllers(settings.halves());
        var loops = new Loops(controllers, view, outside, new Named(), surroundings.clock());
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
                new NoCloud(),
                events,
                metrics,
                (level, message, keyValues) -> log.say(level, message, keyValues.toArray()),
                (_, _) -> {}, // The loops bring their own bell.
                mayAct,
                settings.isDryRun() ? Outside.Mode.DRY_RUN : Outside.Mode.ACT);
    }

    /// Each controller's lines bear its name, and its looks are counted for it.
    private final class Named implements Loops.Tuning {

        @Override
        public Outside of(String controller, Outside outside) {
            var own = log.with("controller", controller);
            return new Outside(
                    outside.api(),
                    outside.cloud(),
                    outside.events(),
                    outside.meter(),
                    (level, message, keyValues) -> own.say(level, message, keyValues.toArray()),
                    outside.bell(),
                    outside.mayAct(),
                    outside.mode());
        }

        @Override
        public void ended(String controller, Ending ending, Duration took) {
            metrics.count(CaptFamilies.RECONCILES, 1, List.of(controller, result(ending)));
            metrics.observe(CaptFamilies.RECONCILE_TIME, took.toNanos() / 1e9, List.of(controller));
            if (ending instanceof Ending.Failed) {
                metrics.count(CaptFamilies.RECONCILE_ERRORS, 1, List.of(controller));
            }
        }

        private static String result(Ending ending) {
            return switch (ending) {
                case Ending.Done(), Ending.Stop() -> "success";
                case Ending.Again _ -> "requeue_after";
                case Ending.Retry() -> "requeue";
                case Ending.Failed _ -> "error";
            };
        }
    }

    private HttpKubeApi open(ApiSettings how, RequestObserver observer) {
        return HttpKubeApi.open(surroundings.access(), how, observer);
    }

    private ApiSettings mainSettings() {
        var load = settings.load();
        var usual =
                ApiSettings.of(
                        surroundings.version(), load.requestsPerSecond(), load.requestsBurst());
        return new ApiSettings(
                userAgent(), usual.requestTimeout(), usual.watchSilenceMax(), usual.rate());
    }

    private ApiSettings leaseSettings() {
        var usual = ApiSettings.ofLease(surroundings.version());
        return new ApiSettings(
                userAgent(), usual.requestTimeout(), usual.watchSilenceMax(), usual.rate());
    }

    private ApiSettings reviewSettings() {
        return new ApiSettings(userAgent(), REVIEW_TIMEOUT, REVIEW_TIMEOUT, REVIEWS);
    }

    private String userAgent() {
        return "capt/" + surroundings.version();
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

    /// Null where metrics are served plainly, or not at all.
    private @Nullable ServingKeys keys() throws IOException {
        var endpoints = settings.endpoints();
        if (endpoints.metrics() == null || !endpoints.isSecure()) {
            return null;
        }
        var source =
                endpoints.certificates() == null
                        ? ServingKeys.Source.ownMaking(
                                List.of(surroundings.hostname(), "localhost", "127.0.0.1"))
                        : ServingKeys.Source.directory(endpoints.certificates());
        return ServingKeys.open(source, surroundings.clock(), log);
    }

    private ProbeServer probes(
            Reflectors reflectors, @Nullable ServingKeys keys, HttpKubeApi reviewApi)
            throws IOException {
        var endpoints = settings.endpoints();
        Guard guard =
                keys == null ? Guard.OPEN : new ReviewGuard(reviewApi, surroundings.clock(), log);
        var server =
                ProbeServer.start(
                        new ProbeServer.Addresses(endpoints.metrics(), endpoints.healthProbe()),
                        new ProbeServer.Access(keys == null ? null : keys.context(), guard),
                        new ProbeServer.Content(metrics, List.of(filled(reflectors)), false),
                        log);
        log.info(
                "serving probes",
                "healthPort",
                server.healthPort(),
                "metricsPort",
                endpoints.metrics() == null ? "none" : String.valueOf(server.metricsPort()));
        return server;
    }

    private static Check filled(Reflectors reflectors) {
        return new Check(
                "caches",
                () ->
                        reflectors.isSynced()
                                ? null
                                : "not filled yet, or not served: " + reflectors.unsynced());
    }
}
