package dev.millwright.cli;

import dev.millwright.addons.manager.AddonsOperator;
import dev.millwright.addons.manager.AddonsSettings;
import dev.millwright.capi.manager.CaptOperator;
import dev.millwright.capi.manager.CaptSettings;
import dev.millwright.controllers.metrics.AutoscalerMetrics;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.controllers.nodeclaim.MachineClaims;
import dev.millwright.controllers.roster.Roster;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.dashboard.page.OperatorPage;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.providers.aws.AwsCloud;
import dev.millwright.providers.aws.AwsProvider;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.providers.sim.KwokTypes;
import dev.millwright.providers.sim.kwok.KwokCloud;
import dev.millwright.providers.sim.kwok.NodeLookup;
import dev.millwright.runtime.log.JsonLog;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.log.LogOutputs;
import dev.millwright.runtime.loop.ReadingApi;
import dev.millwright.runtime.metrics.BuildInfo;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.runtime.metrics.ProcessFigures;
import dev.millwright.runtime.process.HeapLimit;
import dev.millwright.runtime.process.Operator;
import dev.millwright.runtime.process.OperatorProcess;
import dev.millwright.runtime.process.ProcessSurroundings;
import dev.millwright.runtime.process.QuietHeap;
import dev.millwright.runtime.process.StopSignal;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/// Puts the parts of the operator together by plain constructors.
final class Wiring {

    /// Where Linux keeps the name of the machine, or of the pod.
    private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");

    private static final String COMMIT_UNKNOWN = "unknown";
    private static final int REQUESTS_PER_SECOND = 50;

    private Wiring() {}

    /// For a command that asks a few things and ends.
    static HttpKubeApi cluster(KubeAccess access) {
        return HttpKubeApi.open(
                access,
                ApiSettings.of(
                        RootCommand.Version.text(), REQUESTS_PER_SECOND, REQUESTS_PER_SECOND),
                RequestObserver.NONE);
    }

    static OperatorStart<Settings> operator() {
        return Wiring::run;
    }

    static OperatorStart<CaptSettings> provider() {
        return (settings, access, stop) ->
                run(
                        settings.logLevel(),
                        access,
                        (world, log) -> new CaptOperator(settings, world, log, stop),
                        stop);
    }

    static OperatorStart<AddonsSettings> addons() {
        return (settings, access, stop) ->
                run(
                        settings.logLevel(),
                        access,
                        (world, log) -> new AddonsOperator(settings, world, log, stop),
                        stop);
    }

    /// An operator besides the autoscaler.
    @FunctionalInterface
    private interface Another {
        Operator make(ProcessSurroundings world, Log log);
    }

    private static int run(LogLevel level, KubeAccess access, Another operator, StopSignal stop)
            throws IOException, InterruptedException {
        try (var lines = LogOutputs.open(List.of("stdout"));
                var failures = LogOutputs.open(List.of("stderr"));
                var _ = QuietHeap.watched()) {
            var world = surroundings(access);
            var shape = new JsonLog.Shape(level, lines, failures, COMMIT_UNKNOWN);
            var log = new JsonLog(shape, world.clock());
            return code(new OperatorProcess(operator.make(world, log), world, log, stop).run());
        }
    }

    private static int run(Settings settings, KubeAccess access, StopSignal stop)
            throws IOException, InterruptedException {
        try (var lines = LogOutputs.open(settings.logging().outputs());
                var failures = LogOutputs.open(settings.logging().errorOutputs())) {
            var world = surroundings(access);
            var shape =
                    new JsonLog.Shape(settings.logging().level(), lines, failures, COMMIT_UNKNOWN);
            return run(settings, world, new JsonLog(shape, world.clock()), stop);
        }
    }

    private static int run(Settings settings, ProcessSurroundings world, Log log, StopSignal stop)
            throws IOException, InterruptedException {
        var recording = new Recording(log);
        try (var recorder = recording.open(settings.recording(), world.clock())) {
            log.info("read settings", "packing", settings.policies().packing().text());
            var heapBytesMax = settings.replica().heapBytesMax();
            if (heapBytesMax != null) {
                HeapLimit.keepBelow(heapBytesMax, log);
            }
            try (var _ = webhook(settings, world, log);
                    var page = page(settings, world)) {
                var decisions = page == null ? recorder : recorder.andThen(page);
                var operator = autoscaler(settings, world, decisions, recording, log);
                return code(new OperatorProcess(operator, world, log, stop).run());
            }
        }
    }

    private static ProcessSurroundings surroundings(KubeAccess access) throws IOException {
        return new ProcessSurroundings(
                access,
                hostname(),
                UUID.randomUUID().toString(),
                RootCommand.Version.text(),
                new TreeMap<>(System.getenv()),
                InstantSource.system(),
                new Random());
    }

    private static int code(boolean isToldTo) {
        return isToldTo ? 0 : Failures.EXIT_CODE;
    }

    /// A shadow converts nothing: the definitions are another controller's.
    private static ConversionWebhook webhook(Settings settings, ProcessSurroundings world, Log log)
            throws IOException {
        return settings.shadow().isOn()
                ? ConversionWebhook.none()
                : ConversionWebhook.open(settings, world, log);
    }

    /// Null unless one is wanted.
    private static @Nullable OperatorPage page(Settings settings, ProcessSurroundings world)
            throws IOException {
        var ports = settings.replica().ports();
        if (ports.dashboard() == 0) {
            return null;
        }
        var cluster = settings.cloud().aws().clusterName();
        return OperatorPage.open(
                cluster.isEmpty() ? world.hostname() : cluster,
                new InetSocketAddress(
                        InetAddress.ofLiteral(ports.dashboardAddress()), ports.dashboard()),
                world.clock().instant());
    }

    private static Operator autoscaler(
            Settings settings,
            ProcessSurroundings world,
            Consumer<Deliberation> decisions,
            Recording recording,
            Log log) {
        var clock = world.clock();
        if (settings.cloud().provider() == Settings.ProviderName.AWS) {
            var traits = AwsCloud.fixedTraits();
            var metrics = metrics(settings, traits, AwsProvider.families());
            recording.countBy(metrics);
            var wiring = new AwsWiring(settings, metrics, log, clock);
            return new Autoscaler(settings, world, traits, wiring::open, decisions, metrics, log);
        }
        var types = types(settings);
        var traits = KwokCloud.traits(types);
        var metrics = metrics(settings, traits, List.of());
        recording.countBy(metrics);
        Autoscaler.Clouds kwok =
                (api, view, _) ->
                        new Autoscaler.Opened(
                                settings.shadow().isOn()
                                        ? kwok(types, new ReadingApi(api), view, clock, log)
                                        : resumed(kwok(types, api, view, clock, log), view),
                                List.of());
        return new Autoscaler(settings, world, traits, kwok, decisions, metrics, log);
    }

    /// A shadow says nothing under the names by which the other controller tells its build.
    private static Metrics metrics(
            Settings settings, CloudTraits traits, List<MetricFamily> ofProvider) {
        var families = new ArrayList<>(Roster.families(traits));
        families.addAll(ofProvider);
        if (settings.shadow().isOn()) {
            families.addAll(Families.all());
            families.addAll(OwnFamilies.all());
            return Metrics.of(ProcessFigures.ofProcess(), families);
        }
        return AutoscalerMetrics.of(
                BuildInfo.ofProcess(RootCommand.Version.text(), COMMIT_UNKNOWN),
                ProcessFigures.ofProcess(),
                families);
    }

    private static KwokCloud kwok(
            KwokTypes types, KubeApi api, View view, InstantSource clock, Log log) {
        return new KwokCloud(
                types,
                new KwokCloud.Outside(
                        api,
                        NodeLookup.of(view),
                        KwokNodeClass.of(view),
                        clock,
                        Sleeper.system(),
                        (what, node, why) -> gaveUp(log, what, node, why)));
    }

    /// A process before this one may have died between a launch and the making of its Node.
    private static KwokCloud resumed(KwokCloud cloud, View view) {
        view.claims().stream()
                .filter(claim -> !claim.conditions().isTrue(ClaimObject.REGISTERED))
                .filter(claim -> !claim.providerId().isEmpty() && !claim.isDeleting())
                .forEach(claim -> cloud.resume(MachineClaims.of(claim)));
        return cloud;
    }

    private static void gaveUp(Log log, String what, String node, String why) {
        log.error("a kwok node could not be written", "what", what, "Node", node, "error", why);
    }

    private static KwokTypes types(Settings settings) {
        var file = settings.cloud().instanceTypesFile();
        if (!file.isEmpty()) {
            return KwokTypes.read(Source.file(Path.of(file)));
        }
        return settings.cloud().provider() == Settings.ProviderName.SIM
                ? new KwokTypes(
                        Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT),
                        Ec2Labels.VOCABULARY)
                : KwokTypes.builtIn();
    }

    /// The pod's name in a cluster: the lease shows it.
    private static String hostname() throws IOException {
        if (Files.isReadable(HOSTNAME)) {
            return Files.readString(HOSTNAME).strip();
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }
}
