package dev.millwright.testing.e2e.capi;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.port.ApiSecrets;
import dev.millwright.capi.runner.LocalHost;
import dev.millwright.capi.runner.TerraformBinary;
import dev.millwright.capi.terraform.ApiInputs;
import dev.millwright.capi.terraform.CrossplaneOwnership;
import dev.millwright.capi.terraform.Runs;
import dev.millwright.capi.terraform.TerraformSettings;
import dev.millwright.capi.workspace.ProviderConfigController;
import dev.millwright.capi.workspace.WorkspaceCollection;
import dev.millwright.capi.workspace.WorkspaceController;
import dev.millwright.capi.workspace.WorkspaceKinds;
import dev.millwright.capi.workspace.WorkspaceMemory;
import dev.millwright.capi.workspace.WorkspaceSettings;
import dev.millwright.kube.cache.CacheSink;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.Reflector;
import dev.millwright.kube.cache.Reflectors;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.event.EventRecorder;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.object.RawObject;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.step.Controller;
import dev.millwright.testing.e2e.Eventually;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/// The controllers of Workspaces alone, in this process or, by [#main], in one that can be killed.
final class WorkspaceManager implements AutoCloseable {

    static final String NAMESPACE = "capt-system";

    private static final List<Kind<RawObject>> KINDS =
            List.of(
                    CaptTypes.WORKSPACE,
                    CaptTypes.PROVIDER_CONFIG,
                    CaptTypes.PROVIDER_CONFIG_USAGE,
                    CaptTypes.NAMESPACED_WORKSPACE,
                    CaptTypes.NAMESPACED_PROVIDER_CONFIG,
                    CaptTypes.CLUSTER_PROVIDER_CONFIG);

    private final HttpKubeApi api;
    private final Reflectors reflectors;
    private final EventRecorder events;
    private final Loops loops;
    private final Runs runs;

    WorkspaceManager(Path kubeconfig, Path root, Duration poll, Duration timeout) {
        this(kubeconfig, root, poll, timeout, false);
    }

    private WorkspaceManager(
            Path kubeconfig, Path root, Duration poll, Duration timeout, boolean lendsCredentials) {
        var clock = InstantSource.system();
        api =
                HttpKubeApi.open(
                        KubeAccess.Kubeconfig.of(kubeconfig),
                        ApiSettings.of("workspace-it", 100, 200),
                        RequestObserver.NONE);
        var view = View.only(List.copyOf(KINDS));
        reflectors = reflectors(view, clock);
        events = new EventRecorder(api, clock, Ticker.system(), Sleeper.system());
        var bell = new AtomicReference<Outside.Bell>((_, _) -> {});
        Outside.Diary diary =
                (level, message, pairs) -> System.err.println(level + " " + message + " " + pairs);
        var settings =
                TerraformSettings.of(
                                root.resolve("notes"),
                                NAMESPACE,
                                new TerraformSettings.HostName("it-host", false),
                                new TreeMap<>(System.getenv()),
                                lendsCredentials)
                        .withTimeouts(timeout, Duration.ofSeconds(20));
        runs =
                new Runs(
                        new LocalHost(TerraformBinary.find(System.getenv()), root, System.getenv()),
                        settings,
                        api,
                        new ReferenceGrants(api),
                        (controller, key) -> bell.get().ring(controller, key),
                        diary,
                        clock);
        loops =
                new Loops(
                        controllers(poll, clock),
                        view,
                        new Outside(
                                api,
                                events::publish,
                                Meter.NONE,
                                diary,
                                (_, _) -> {},
                                () -> true,
                                Outside.Mode.ACT),
                        Loops.Tuning.NONE,
                        clock);
        bell.set(loops::ring);
    }

    private List<Controller> controllers(Duration poll, InstantSource clock) {
        var settings = new WorkspaceSettings(poll, Duration.ofMillis(500), Duration.ofSeconds(2));
        var ownership = new CrossplaneOwnership(api, clock, CrossplaneOwnership.Choice.AUTO);
        var secrets = new ApiSecrets(api);
        var ports =
                new WorkspaceController.Ports(
                        runs,
                        new ApiInputs(api, secrets, System.getenv()),
                        secrets,
                        ownership,
                        new ReferenceGrants(api));
        var memory = new WorkspaceMemory();
        var groups = List.of(WorkspaceKinds.CLUSTER_SCOPED, WorkspaceKinds.NAMESPACED);
        var all = new ArrayList<Controller>();
        for (var kinds : groups) {
            all.add(new WorkspaceController(kinds, settings, ports, memory));
            for (var config : kinds.configs()) {
                all.add(new ProviderConfigController(kinds, config, ownership));
            }
        }
        all.add(new WorkspaceCollection(groups, runs, memory));
        return all;
    }

    private Reflectors reflectors(View view, InstantSource clock) {
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
        return new Reflectors(all, clock, Sleeper.system());
    }

    WorkspaceManager start() {
        events.start();
        reflectors.start();
        Eventually.see("caches are filled", reflectors::isSynced, Boolean.TRUE::equals);
        loops.start();
        return this;
    }

    HttpKubeApi api() {
        return api;
    }

    @Override
    public void close() {
        try {
            loops.stop(Duration.ofSeconds(5));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        runs.close();
        events.close();
        reflectors.close();
        api.close();
    }

    /// Kubeconfig and folder. It lends the credentials that it was started with.
    static void main(String[] arguments) throws InterruptedException {
        var manager =
                new WorkspaceManager(
                                Path.of(arguments[0]),
                                Path.of(arguments[1]),
                                Duration.ofMinutes(10),
                                Duration.ofMinutes(5),
                                true)
                        .start();
        Runtime.getRuntime().addShutdownHook(new Thread(manager::close));
        new CountDownLatch(1).await();
    }
}
