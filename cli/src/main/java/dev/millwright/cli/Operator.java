package dev.millwright.cli;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.operator.AutoscalerEffects;
import dev.millwright.controllers.roster.Offers;
import dev.millwright.controllers.roster.Roster;
import dev.millwright.controllers.settings.FeatureGates.Gate;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.shadow.OwnMeter;
import dev.millwright.controllers.shadow.ShadowLedger;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.dashboard.page.OperatorPage;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.Reflector;
import dev.millwright.kube.cache.Reflectors;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.lease.ElectionSettings;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.loop.ReadingApi;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.runtime.probe.Check;
import dev.millwright.runtime.probe.Liveness;
import dev.millwright.runtime.probe.ProbeServer;
import dev.millwright.runtime.process.OperatorRun;
import dev.millwright.runtime.process.RequestMeter;
import dev.millwright.runtime.process.StopSignal;
import dev.millwright.runtime.step.Controller;
import dev.millwright.spi.CloudCall;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.MeteredCloud;
import dev.millwright.spi.OverlaidCloud;
import dev.millwright.spi.OverlayStore;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// The operator as one process: opens the way to the cluster, waits to lead, runs the loops, and
/// stops when it is told to or when it no longer leads.
final class Operator {

    /// Until steps that are under way must be done when the process stops.
    private static final Duration STOP_MAX = Duration.ofSeconds(10);

    /// A cloud for a cluster, made when the caches are there.
    @FunctionalInterface
    interface Clouds {

        /// @param events hears what users should know
        /// @throws IOException when the cloud cannot be reached; its message is for a person
        Opened open(HttpKubeApi api, View view, Consumer<KubeEvent> events) throws IOException;
    }

    /// A cloud, and the loops that only it has. One of these stands in for ours of the same name.
    record Opened(CloudProvider cloud, List<Controller> controllers) {
        Opened {
            controllers = List.copyOf(controllers);
        }
    }

    /// What of the world is not in the settings. `decisions` hears each as it is made.
    record Surroundings(
            KubeAccess access,
            String hostname,
            String uniqueId,
            String version,
            InstantSource clock,
            RandomGenerator random,
            Consumer<Deliberation> decisions) {}

    private final Settings settings;
    private final Surroundings surroundings;
    private final CloudTraits traits;
    private final Clouds clouds;
    private final Metrics metrics;
    private final Log log;
    private final StopSignal stop;

    /// Null where this process acts.
    private final @Nullable ShadowLedger shadow;

    Operator(
            Settings settings,
            Surroundings surroundings,
            CloudTraits traits,
            Clouds clouds,
            Metrics metrics,
            Log log,
            StopSignal stop) {
        this.settings = settings;
        this.surroundings = surroundings;
        this.traits = traits;
        this.clouds = clouds;
        this.metrics = metrics;
        this.log = log;
        this.stop = stop;
        this.shadow =
                settings.shadow().isOn() ? new ShadowLedger(settings.shadow().reportEvery()) : null;
    }

    /// Returns whether it ended because it was told to.
    boolean run() throws InterruptedException, IOException {
        log.info("read settings", "packing", settings.policies().packing().text());
        var apiSettings = settings.kubeClient().apiSettings(surroundings.version());
        var leaseSettings = ApiSettings.ofLease(surroundings.version());
        try (var api =
                        HttpKubeApi.open(
                                surroundings.access(),
                                apiSettings,
                                new RequestMeter(metrics, log));
                var leaseApi =
                        HttpKubeApi.open(
                                surroundings.access(), leaseSettings, RequestObserver.NONE);
                var _ = webhook();
                var page = page()) {
            var decisions = surroundings.decisions();
            return run(api, leaseApi, page == null ? decisions : decisions.andThen(page));
        }
    }

    /// A shadow converts nothing: the definitions are another controller's.
    private ConversionWebhook webhook() throws IOException {
        return shadow == null
                ? ConversionWebhook.open(settings, surroundings, log)
                : ConversionWebhook.none();
    }

    /// Null unless one is wanted.
    private @Nullable OperatorPage page() throws IOException {
        var port = settings.replica().ports().dashboard();
        if (port == 0) {
            return null;
        }
        var cluster = settings.cloud().aws().clusterName();
        return OperatorPage.open(
                cluster.isEmpty() ? surroundings.hostname() : cluster,
                new InetSocketAddress(
                        InetAddress.ofLiteral(settings.replica().ports().dashboardAddress()), port),
                surroundings.clock().instant());
    }

    private boolean run(HttpKubeApi api, HttpKubeApi leaseApi, Consumer<Deliberation> decisions)
            throws InterruptedException, IOException {
        var classKinds = Roster.classKinds(traits);
        var view =
                new View(new ObjectReader(traits.vocabulary()), Roster.kinds(settings), classKinds);
        var duties =
                new OperatorRun.Duties(
                        new OperatorRun.Watching(view, Operator::subject),
                        this::probes,
                        (events, mayAct) ->
                                loops(new Ways(api, view, classKinds), events, decisions, mayAct),
                        this::report,
                        STOP_MAX);
        return new OperatorRun(
                        duties,
                        new OperatorRun.Leadership(
                                election(leaseApi), settings.leadership().isWarmedUp()),
                        new OperatorRun.Surroundings(surroundings.clock(), surroundings.random()),
                        log,
                        stop)
                .run(api, leaseApi);
    }

    /// The way to the cluster, and what is seen of it.
    private record Ways(HttpKubeApi api, View view, List<Kind<NodeClassObject>> classKinds) {}

    private Loops loops(
            Ways ways,
            Consumer<KubeEvent> events,
            Consumer<Deliberation> decisions,
            BooleanSupplier mayAct)
            throws IOException {
        var opened = clouds.open(ways.api(), ways.view(), shadow == null ? events : _ -> {});
        var cloud = opened.cloud();
        var effects = new AutoscalerEffects(cloud, decisions);
        var isActing = shadow == null && !settings.isDryRun();
        var outside =
                new Outside(
                        shadow == null ? ways.api() : new ReadingApi(ways.api()),
                        effects,
                        events,
                        shadow == null ? metrics : new OwnMeter(metrics),
                        (level, message, keyValues) -> log.say(level, message, keyValues.toArray()),
                        (_, _) -> {}, // The loops bring their own bell.
                        mayAct,
                        isActing ? Outside.Mode.ACT : Outside.Mode.DRY_RUN);
        var roster =
                new Roster(settings, traits, offers(cloud), ways.classKinds(), System::nanoTime);
        return new Loops(
                controllers(roster, opened),
                ways.view(),
                outside,
                (controller, shared) -> tuned(controller, shared, effects),
                surroundings.clock());
    }

    /// The last word of a shadow.
    private void report() {
        if (shadow != null) {
            log.info("shadow report", shadow.report().toArray());
        }
    }

    private List<Controller> controllers(Roster roster, Opened opened) {
        var byName = new LinkedHashMap<String, Controller>();
        var ours = shadow == null ? roster.controllers() : roster.shadow(shadow);
        ours.forEach(each -> byName.put(each.name(), each));
        opened.controllers().forEach(each -> byName.put(each.name(), each));
        return List.copyOf(byName.sequencedValues());
    }

    private Offers offers(CloudProvider cloud) {
        if (!settings.gates().isOn(Gate.NODE_OVERLAY)) {
            return Offers.withoutOverlays(cloud::catalog);
        }
        var store = new OverlayStore();
        return new Offers(cloud::catalog, new OverlaidCloud(cloud, store)::catalog, store);
    }

    /// Each controller's lines bear its name, and its calls to the cloud are counted for it.
    private Outside tuned(String controller, Outside outside, AutoscalerEffects effects) {
        var own = log.with("controller", controller);
        var metered =
                new MeteredCloud(
                        effects.cloud(),
                        System::nanoTime,
                        (call, seconds, outcome) -> metered(controller, call, seconds, outcome));
        return outside.withExternals(new AutoscalerEffects(metered, effects.decisions()))
                .withDiary(
                        (level, message, keyValues) ->
                                own.say(level, message, keyValues.toArray()));
    }

    private void metered(
            String controller, CloudCall call, double seconds, CloudCall.Outcome outcome) {
        if (shadow != null) {
            return; // The families are Karpenter's, who counts its own calls by them.
        }
        metrics.observe(
                Families.CLOUD_PROVIDER_DURATION,
                seconds,
                List.of(controller, call.method(), traits.name()));
        if (outcome.isError()) {
            metrics.count(
                    Families.CLOUD_PROVIDER_ERRORS,
                    1,
                    List.of(controller, call.method(), traits.name(), outcome.error()));
        }
    }

    private @Nullable ElectionSettings election(HttpKubeApi leaseApi) {
        // A shadow must not hold the lease that the other controller leads by, nor wait for it.
        if (shadow != null || !settings.leadership().isElected()) {
            return null;
        }
        var namespace =
                settings.leadership()
                        .leaseNamespace(settings.replica().systemNamespace(), leaseApi.namespace());
        return ElectionSettings.of(
                new ObjectName(namespace, settings.leadership().leaseName()),
                surroundings.hostname(),
                surroundings.uniqueId());
    }

    private static Reflector.Subject subject(ResourceType type) {
        var isOptional =
                type.equals(ResourceType.NODE_OVERLAY) || type.equals(ResourceType.CAPACITY_BUFFER);
        var all = Reflector.Subject.all(type);
        return isOptional ? all.optional() : all;
    }

    private ProbeServer probes(Reflectors reflectors, Liveness liveness) throws IOException {
        var ports = settings.replica().ports();
        return ProbeServer.start(
                new ProbeServer.Addresses(
                        new InetSocketAddress(ports.metrics()),
                        new InetSocketAddress(ports.healthProbe())),
                new ProbeServer.Content(
                        metrics,
                        liveness.checks(),
                        List.of(
                                new Check(
                                        "manager",
                                        () ->
                                                reflectors.isSynced()
                                                        ? null
                                                        : "caches are not filled yet: "
                                                                + reflectors.unsynced()),
                                new Check(
                                        "crd",
                                        () ->
                                                reflectors.isSynced(ResourceType.NODE_POOL)
                                                                && reflectors.isSynced(
                                                                        ResourceType.NODE_CLAIM)
                                                        ? null
                                                        : "NodePool or NodeClaim is not served; install the custom resources")),
                        settings.replica().isProfilingEnabled()),
                log);
    }
}
