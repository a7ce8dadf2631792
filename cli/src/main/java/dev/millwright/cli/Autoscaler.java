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
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.Reflector;
import dev.millwright.kube.cache.Reflectors;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.lease.ElectionSettings;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.loop.ReadingApi;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.runtime.probe.Check;
import dev.millwright.runtime.probe.Liveness;
import dev.millwright.runtime.probe.ProbeServer;
import dev.millwright.runtime.process.ApiWays;
import dev.millwright.runtime.process.Operator;
import dev.millwright.runtime.process.OperatorRun.Leadership;
import dev.millwright.runtime.process.OperatorRun.Watching;
import dev.millwright.runtime.process.ProcessSurroundings;
import dev.millwright.runtime.step.Controller;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;

/// The autoscaler as an operator: its settings, a cloud, and the controllers that both give.
///
/// A shadow watches a cluster that another controller looks after: it holds no lease, writes
/// nothing, and leaves the families that are Karpenter's to the other.
final class Autoscaler implements Operator {

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

    private final Settings settings;
    private final ProcessSurroundings surroundings;
    private final CloudTraits traits;
    private final Clouds clouds;
    private final Metrics metrics;
    private final Log log;

    /// Hears of each decision as it is made.
    private final Consumer<Deliberation> decisions;

    /// Null where this process acts.
    private final @Nullable ShadowLedger shadow;

    Autoscaler(
            Settings settings,
            ProcessSurroundings surroundings,
            CloudTraits traits,
            Clouds clouds,
            Consumer<Deliberation> decisions,
            Metrics metrics,
            Log log) {
        this.settings = settings;
        this.surroundings = surroundings;
        this.traits = traits;
        this.clouds = clouds;
        this.decisions = decisions;
        this.metrics = metrics;
        this.log = log;
        this.shadow =
                settings.shadow().isOn() ? new ShadowLedger(settings.shadow().reportEvery()) : null;
    }

    @Override
    public String program() {
        return "karpenter";
    }

    @Override
    public ApiSettings requests() {
        return settings.kubeClient().apiSettings(surroundings.version());
    }

    @Override
    public Metrics metrics() {
        return metrics;
    }

    @Override
    public boolean isDryRun() {
        return settings.isDryRun();
    }

    @Override
    public Duration stopMax() {
        return STOP_MAX;
    }

    @Override
    public Work prepare(ApiWays ways, Outside.Bell bell) {
        var classKinds = Roster.classKinds(traits);
        var view =
                new View(new ObjectReader(traits.vocabulary()), Roster.kinds(settings), classKinds);
        return new Work(
                new Watching(view, Autoscaler::subject),
                this::probes,
                outside -> assembled(ways.work(), view, classKinds, outside),
                this::report);
    }

    private Assembled assembled(
            HttpKubeApi api, View view, List<Kind<NodeClassObject>> classKinds, Outside outside)
            throws IOException {
        var opened = clouds.open(api, view, shadow == null ? outside.events() : _ -> {});
        var cloud = opened.cloud();
        var roster = new Roster(settings, traits, offers(cloud), classKinds, System::nanoTime);
        return new Assembled(
                controllers(roster, opened),
                shadow == null ? outside : shadowed(outside),
                (controller, shared) -> tuned(controller, shared, cloud));
    }

    /// Nothing is written, and no family of Karpenter's is touched.
    private static Outside shadowed(Outside outside) {
        return new Outside(
                new ReadingApi(outside.api()),
                outside.events(),
                new OwnMeter(outside.meter()),
                outside.diary(),
                outside.bell(),
                outside.mayAct(),
                Outside.Mode.DRY_RUN);
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
    private Outside tuned(String controller, Outside outside, CloudProvider cloud) {
        var own = log.with("controller", controller);
        var metered =
                new MeteredCloud(
                        cloud,
                        System::nanoTime,
                        (call, seconds, outcome) -> metered(controller, call, seconds, outcome));
        return outside.withExternals(new AutoscalerEffects(metered, decisions))
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

    @Override
    public Leadership leadership(String ownNamespace) {
        return new Leadership(election(ownNamespace), settings.leadership().isWarmedUp());
    }

    private @Nullable ElectionSettings election(String ownNamespace) {
        // A shadow must not hold the lease that the other controller leads by, nor wait for it.
        if (shadow != null || !settings.leadership().isElected()) {
            return null;
        }
        var namespace =
                settings.leadership()
                        .leaseNamespace(settings.replica().systemNamespace(), ownNamespace);
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
