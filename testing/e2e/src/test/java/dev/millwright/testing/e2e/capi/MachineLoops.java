package dev.millwright.testing.e2e.capi;

import dev.millwright.capi.machine.deployment.DeploymentController;
import dev.millwright.capi.machine.infrastructure.MachineController;
import dev.millwright.capi.machine.infrastructure.PoolController;
import dev.millwright.capi.machine.set.SetController;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.kube.cache.CacheSink;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.Reflector;
import dev.millwright.kube.cache.Reflectors;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.object.RawObject;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.step.Controller;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/// Controllers on a real API server, each in its loop over caches of its own, as a process of
/// theirs would have them. It may die at any moment.
final class MachineLoops implements AutoCloseable {

    static final ClusterApi API = ClusterApi.of("v1beta2");

    private final AtomicBoolean isAlive = new AtomicBoolean(true);
    private final HttpKubeApi api;
    private final Reflectors reflectors;
    private final Loops loops;

    /// @param api the administrator's for controllers that stand in for others
    MachineLoops(HttpKubeApi api, List<Kind<RawObject>> kinds, List<Controller> controllers) {
        var clock = InstantSource.system();
        this.api = api;
        var view = View.only(List.copyOf(kinds));
        var all = new ArrayList<Reflector>();
        for (var kind : kinds) {
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
        loops =
                new Loops(
                        controllers,
                        view,
                        new Outside(
                                api,
                                _ -> {},
                                Meter.NONE,
                                MachineLoops::say,
                                (_, _) -> {},
                                isAlive::get,
                                Outside.Mode.ACT),
                        Loops.Tuning.NONE,
                        clock);
    }

    static HttpKubeApi open(ControlPlane plane) {
        return open(plane.kubeconfig());
    }

    static HttpKubeApi open(Path kubeconfig) {
        return HttpKubeApi.open(
                KubeAccess.Kubeconfig.of(kubeconfig),
                ApiSettings.of("test", 200, 400),
                RequestObserver.NONE);
    }

    private static void say(LogLevel level, String message, List<Object> keyValues) {
        if (level == LogLevel.ERROR || level == LogLevel.WARN) {
            System.err.println(level + " " + message + " " + keyValues);
        }
    }

    /// The four controllers of machines, with the chart's rights.
    static MachineLoops machines(ControlPlane plane) {
        return new MachineLoops(
                        open(ChartAccount.of(plane, Chart.CAPT).kubeconfig()),
                        List.of(
                                CaptTypes.MACHINE,
                                CaptTypes.MACHINE_SET,
                                CaptTypes.MACHINE_DEPLOYMENT,
                                CaptTypes.MACHINE_POOL,
                                CaptTypes.APPLY,
                                CaptTypes.WORKSPACE,
                                CaptTypes.CLUSTER,
                                CaptTypes.CONTROL_PLANE,
                                CaptTypes.WORKSPACE_TEMPLATE,
                                API.cluster(),
                                API.machine(),
                                API.machinePool()),
                        List.of(
                                new MachineController(API),
                                new SetController(API),
                                new DeploymentController(API),
                                new PoolController(API)))
                .start();
    }

    /// Somebody who carries applies out, each after this time.
    static MachineLoops applies(ControlPlane plane, Duration takes) {
        return new MachineLoops(
                        open(plane), List.of(CaptTypes.APPLY), List.of(new ApplyStandIn(takes)))
                .start();
    }

    MachineLoops start() {
        reflectors.start();
        Eventually.see("caches are filled", reflectors::isSynced, Boolean.TRUE::equals);
        loops.start();
        return this;
    }

    /// Not one more write, whatever was half done.
    void kill() {
        isAlive.set(false);
        stop(Duration.ZERO);
    }

    @Override
    public void close() {
        stop(Duration.ofSeconds(5));
    }

    private void stop(Duration most) {
        try {
            loops.stop(most);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        reflectors.close();
        api.close();
    }
}
