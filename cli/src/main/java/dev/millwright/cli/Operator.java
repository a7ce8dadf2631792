package dev.millwright.cli;

import dev.millwright.controllers.log.Log;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.Metrics;
import dev.millwright.controllers.process.Check;
import dev.millwright.controllers.process.ProbeServer;
import dev.millwright.controllers.roster.Offers;
import dev.millwright.controllers.roster.Roster;
import dev.millwright.controllers.runtime.Loops;
import dev.millwright.controllers.runtime.Outside;
import dev.millwright.controllers.settings.FeatureGates.Gate;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.step.Controller;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.CacheSink;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.Reflector;
import dev.millwright.kube.cache.ReflectorNote;
import dev.millwright.kube.cache.Reflectors;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiCall;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.EventRecorder;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.lease.ElectionSettings;
import dev.millwright.kube.lease.LeaderElection;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;
import dev.millwright.spi.CloudCall;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.MeteredCloud;
import dev.millwright.spi.OverlaidCloud;
import dev.millwright.spi.OverlayStore;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// The operator as one process: opens the way to the cluster, waits to lead, runs the loops, and
/// stops when it is told to or when it no longer leads.
final class Operator {

    /// Until steps that are under way must be done when the process stops.
    private static final Duration STOP_MAX = Duration.ofSeconds(10);

    private static final Duration SYNC_RECHECK = Duration.ofMillis(50);

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

    /// What of the world is not in the settings.
    record Surroundings(
            KubeAccess access,
            String hostname,
            String uniqueId,
            String version,
            InstantSource clock,
            RandomGenerator random) {}

    private final Settings settings;
    private final Surroundings surroundings;
    private final CloudTraits traits;
    private final Clouds clouds;
    private final Metrics metrics;
    private final Log log;
    private final StopSignal stop;

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
    }

    /// Returns whether it ended because it was told to.
    boolean run() throws InterruptedException, IOException {
        var apiSettings = settings.kubeClient().apiSettings(surroundings.version());
        var leaseSettings = ApiSettings.ofLease(surroundings.version());
        try (var api = HttpKubeApi.open(surroundings.access(), apiSettings, observer());
                var leaseApi =
                        HttpKubeApi.open(
                                surroundings.access(), leaseSettings, RequestObserver.NONE);
                var _ = ConversionWebhook.open(settings, surroundings, log)) {
            return run(api, leaseApi);
        }
    }

    private boolean run(HttpKubeApi api, HttpKubeApi leaseApi)
            throws InterruptedException, IOException {
        var classKinds = classKinds();
        var view =
                new View(new ObjectReader(traits.vocabulary()), Roster.kinds(settings), classKinds);
        try (var reflectors = reflectors(api, view);
                var _ = probes(reflectors)) {
            var election = election(leaseApi);
            if (settings.leadership().isWarmedUp() || election == null) {
                reflectors.start();
            }
            if (election != null) {
                log.info("waiting to lead", "lease", settings.leadership().leaseName());
                if (!acquired(election)) {
                    return true;
                }
                log.info("leading");
                if (!settings.leadership().isWarmedUp()) {
                    reflectors.start();
                }
            }
            return lead(api, view, reflectors, election, classKinds);
        }
    }

    private boolean lead(
            HttpKubeApi api,
            View view,
            Reflectors reflectors,
            @Nullable LeaderElection election,
            List<Kind<NodeClassObject>> classKinds)
            throws InterruptedException, IOException {
        var ended = new LeaderWatch(election, stop, log);
        if (!synced(reflectors, ended)) {
            return ended.isToldTo();
        }
        try (var events = events(api)) {
            events.start();
            return act(api, view, events, election, ended, classKinds);
        }
    }

    private boolean act(
            HttpKubeApi api,
            View view,
            EventRecorder events,
            @Nullable LeaderElection election,
            LeaderWatch ended,
            List<Kind<NodeClassObject>> classKinds)
            throws InterruptedException, IOException {
        Consumer<KubeEvent> publishing = event -> publish(events, event);
        var opened = clouds.open(api, view, publishing);
        var cloud = opened.cloud();
        BooleanSupplier mayAct = election == null ? () -> true : election::isLeader;
        var outside =
                new Outside(
                        api,
                        cloud,
                        publishing,
                        metrics,
                        (level, message, keyValues) -> log.say(level, message, keyValues.toArray()),
                        (_, _) -> {}, // The loops bring their own bell.
                        mayAct,
                        settings.isDryRun() ? Outside.Mode.DRY_RUN : Outside.Mode.ACT);
        var roster = new Roster(settings, traits, offers(cloud), classKinds, System::nanoTime);
        var loops =
                new Loops(
                        controllers(roster, opened),
                        view,
                        outside,
                        this::tuned,
                        surroundings.clock());
        loops.start();
        ended.await();
        loops.stop(STOP_MAX);
        ended.end();
        if (election != null && ended.isToldTo()) {
            election.release();
        }
        log.info("stopped");
        return ended.isToldTo();
    }

    private static List<Controller> controllers(Roster roster, Opened opened) {
        var byName = new LinkedHashMap<String, Controller>();
        roster.controllers().forEach(each -> byName.put(each.name(), each));
        opened.controllers().forEach(each -> byName.put(each.name(), each));
        return List.copyOf(byName.sequencedValues());
    }

    private void publish(EventRecorder events, KubeEvent event) {
        log.debug(
                event.message(),
                "reason",
                event.reason(),
                event.subject().kind(),
                event.subject().name().toString());
        events.publish(event);
    }

    private Offers offers(CloudProvider cloud) {
        if (!settings.gates().isOn(Gate.NODE_OVERLAY)) {
            return Offers.withoutOverlays(cloud::catalog);
        }
        var store = new OverlayStore();
        return new Offers(cloud::catalog, new OverlaidCloud(cloud, store)::catalog, store);
    }

    /// Each controller's lines bear its name, and its calls to the cloud are counted for it.
    private Outside tuned(String controller, Outside outside) {
        var own = log.with("controller", controller);
        return new Outside(
                outside.api(),
                new MeteredCloud(
                        outside.cloud(),
                        System::nanoTime,
                        (call, seconds, outcome) -> metered(controller, call, seconds, outcome)),
                outside.events(),
                outside.meter(),
                (level, message, keyValues) -> own.say(level, message, keyValues.toArray()),
                outside.bell(),
                outside.mayAct(),
                outside.mode());
    }

    private void metered(
            String controller, CloudCall call, double seconds, CloudCall.Outcome outcome) {
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

    private EventRecorder events(HttpKubeApi api) {
        return new EventRecorder(api, surroundings.clock(), Ticker.system(), Sleeper.system());
    }

    private boolean synced(Reflectors reflectors, LeaderWatch ended) throws InterruptedException {
        while (!reflectors.isSynced()) {
            if (ended.isOver()) {
                return false;
            }
            Thread.sleep(SYNC_RECHECK);
        }
        log.info("caches are filled");
        return true;
    }

    private boolean acquired(LeaderElection election) throws InterruptedException {
        var waiting = Thread.ofVirtual().name("election").unstarted(() -> acquire(election));
        waiting.start();
        while (waiting.isAlive()) {
            if (stop.isRequested()) {
                waiting.interrupt();
                return false;
            }
            waiting.join(SYNC_RECHECK);
        }
        return election.isLeader();
    }

    private static void acquire(LeaderElection election) {
        try {
            election.acquire();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable LeaderElection election(HttpKubeApi leaseApi) {
        if (!settings.leadership().isElected()) {
            return null;
        }
        var namespace =
                settings.leadership()
                        .leaseNamespace(settings.replica().systemNamespace(), leaseApi.namespace());
        return new LeaderElection(
                leaseApi,
                ElectionSettings.of(
                        new ObjectName(namespace, settings.leadership().leaseName()),
                        surroundings.hostname(),
                        surroundings.uniqueId()),
                new LeaderElection.Surroundings(
                        Ticker.system(),
                        surroundings.clock(),
                        Sleeper.system(),
                        surroundings.random()));
    }

    private List<Kind<NodeClassObject>> classKinds() {
        return traits.nodeClassKinds().stream()
                .map(
                        kind ->
                                Kind.nodeClass(
                                        new ResourceType(
                                                kind.group(),
                                                kind.version(),
                                                kind.plural(),
                                                kind.kind(),
                                                false)))
                .toList();
    }

    /// One watch a resource, whatever number of caches it feeds.
    private Reflectors reflectors(HttpKubeApi api, View view) {
        var types = new LinkedHashSet<ResourceType>();
        view.kinds().forEach(kind -> types.add(kind.type()));
        var reflectors = new ArrayList<Reflector>();
        for (var type : types) {
            reflectors.add(
                    new Reflector(
                            api,
                            isOptional(type)
                                    ? Reflector.Subject.all(type).optional()
                                    : Reflector.Subject.all(type),
                            new CacheSink(view.caches(type)),
                            new Reflector.Surroundings(
                                    surroundings.clock(), Sleeper.system(), surroundings.random()),
                            this::noted));
        }
        return new Reflectors(reflectors, surroundings.clock(), Sleeper.system());
    }

    private static boolean isOptional(ResourceType type) {
        return type.equals(ResourceType.NODE_OVERLAY) || type.equals(ResourceType.CAPACITY_BUFFER);
    }

    private void noted(ResourceType type, ReflectorNote note) {
        switch (note) {
            case ReflectorNote.Listed(var objects, _) ->
                    log.debug("listed", "resource", type.toString(), "objects", objects);
            case ReflectorNote.ListExpired(var message) ->
                    log.debug("list expired", "resource", type.toString(), "error", message);
            case ReflectorNote.ListFailed(var message) ->
                    log.warn("cannot list", "resource", type.toString(), "error", message);
            case ReflectorNote.NotServed() ->
                    log.warn(
                            "nobody serves the resource; install its definition",
                            "resource",
                            type.toString());
            case ReflectorNote.WatchEnded(var end, var events) ->
                    log.debug(
                            "watch ended",
                            "resource",
                            type.toString(),
                            "end",
                            end.toString(),
                            "events",
                            events);
            case ReflectorNote.SinkFailed(var name, var failure) ->
                    log.error(
                            "cannot read an object; it is kept as it was before",
                            "resource",
                            type.toString(),
                            "name",
                            name.toString(),
                            "error",
                            failure.toString());
            case ReflectorNote.Failed(var failure) ->
                    log.error(
                            "a watch failed and goes on",
                            "resource",
                            type.toString(),
                            "error",
                            failure.toString());
            case ReflectorNote.Restarted(var reason) ->
                    log.warn(
                            "a watch was restarted", "resource", type.toString(), "reason", reason);
        }
    }

    private RequestObserver observer() {
        return new RequestObserver() {
            @Override
            public void answered(ApiCall call, int code, Duration took) {
                metrics.count(
                        Families.CLIENT_REQUESTS,
                        1,
                        List.of(
                                code == 0 ? "<error>" : Integer.toString(code),
                                call.verb().method()));
                if (call.verb() == ApiCall.Verb.WATCH) {
                    return; // It is answered when it begins; how long it lasts says nothing.
                }
                metrics.observe(
                        Families.CLIENT_REQUEST_DURATION,
                        took.toNanos() / 1e9,
                        List.of(
                                call.verb().name(),
                                call.type().group(),
                                call.type().version(),
                                call.type().plural(),
                                call.subresource()));
            }

            @Override
            public void broke(ApiCall call, String message) {
                log.debug("request broke off", "call", call.toString(), "error", message);
            }
        };
    }

    private ProbeServer probes(Reflectors reflectors) throws IOException {
        var ports = settings.replica().ports();
        return ProbeServer.start(
                new ProbeServer.Addresses(
                        new InetSocketAddress(ports.metrics()),
                        new InetSocketAddress(ports.healthProbe())),
                new ProbeServer.Content(
                        metrics,
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
