package dev.millwright.testing.e2e.node;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.node.eviction.EvictionController;
import dev.millwright.controllers.node.eviction.EvictionQueue;
import dev.millwright.controllers.node.termination.TerminationController;
import dev.millwright.controllers.operator.AutoscalerEffects;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.runtime.loop.EffectRunner;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.kit.cloud.FakeCloud;
import dev.millwright.testing.kit.cluster.Rig;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The two controllers of a drain on a real API server, stepped by hand. Lists stand in for
/// watches.
final class DrainLoop implements AutoCloseable {

    private static final int PAGE = 500;

    private final InstantSource clock = InstantSource.system();
    private final FakeCloud cloud = new FakeCloud(clock);
    private final EvictionQueue queue = new EvictionQueue();
    private final TerminationController termination = new TerminationController(queue, 1);
    private final EvictionController eviction = new EvictionController(queue, 1);
    private final List<KubeEvent> events = new ArrayList<>();
    private final List<String> codes = new ArrayList<>();
    private final List<ObjectName> rung = new ArrayList<>();
    private final HttpKubeApi api;
    private final View view;
    private final EffectRunner runner;

    DrainLoop(ControlPlane controlPlane) {
        api =
                HttpKubeApi.open(
                        KubeAccess.Kubeconfig.of(controlPlane.kubeconfig()),
                        ApiSettings.of("test", 100, 100),
                        RequestObserver.NONE);
        view =
                new View(
                        new ObjectReader(cloud.traits().vocabulary()),
                        List.of(Kind.PERSISTENT_VOLUME_CLAIM),
                        List.of(Kind.nodeClass(Rig.NODE_CLASS)));
        runner =
                new EffectRunner(
                        view,
                        new Outside(
                                api,
                                new AutoscalerEffects(cloud),
                                events::add,
                                new Codes(),
                                (_, _, _) -> {},
                                (_, key) -> rung.add(key),
                                () -> true,
                                Outside.Mode.ACT),
                        EffectRunner.Branches.IN_ORDER);
    }

    private final class Codes implements Meter {
        @Override
        public void count(MetricFamily family, double amount, List<String> labels) {
            if (family.equals(Families.PODS_EVICTION_REQUESTS)) {
                codes.addAll(labels);
            }
        }

        @Override
        public void observe(MetricFamily family, double value, List<String> labels) {}

        @Override
        public void replace(String owner, List<GaugeSample> samples) {}
    }

    void look() {
        for (var type : List.of(ResourceType.NODE, ResourceType.POD)) {
            if (api.list(type, KubeApi.ListQuery.all(PAGE))
                    instanceof KubeApi.ListAnswer.Page(var items, var version, _)) {
                view.caches(type).forEach(cache -> cache.replaceAll(items, version));
            }
        }
    }

    Ending drain(String node) {
        look();
        return runner.run(termination.step(view, new ObjectName("", node), clock.instant()));
    }

    Ending evict(ObjectName pod) {
        look();
        return runner.run(eviction.step(view, pod, clock.instant()));
    }

    void pass(String node) {
        drain(node);
        List.copyOf(rung).forEach(this::evict);
        rung.clear();
        look();
    }

    ApiAnswer write(ApiWrite write) {
        return api.write(write);
    }

    List<String> finalizers(String node) {
        var known = view.node(node);
        return known == null ? List.of() : known.meta().finalizers();
    }

    List<String> eventReasons() {
        return events.stream().map(KubeEvent::reason).toList();
    }

    List<String> codes() {
        return List.copyOf(codes);
    }

    @Override
    public void close() {
        api.close();
    }
}
