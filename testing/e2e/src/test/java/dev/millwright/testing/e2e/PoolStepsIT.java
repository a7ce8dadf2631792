package dev.millwright.testing.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.capacitybuffer.BufferController;
import dev.millwright.controllers.capacitybuffer.BufferVerdicts;
import dev.millwright.controllers.capacitybuffer.Buffers;
import dev.millwright.controllers.nodeoverlay.OverlayController;
import dev.millwright.controllers.nodepool.counter.CounterController;
import dev.millwright.controllers.nodepool.hash.HashController;
import dev.millwright.controllers.nodepool.health.PoolHealth;
import dev.millwright.controllers.nodepool.health.PoolHealthController;
import dev.millwright.controllers.nodepool.readiness.ReadinessController;
import dev.millwright.controllers.nodepool.validation.ValidationController;
import dev.millwright.controllers.operator.AutoscalerEffects;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.NodeReservations;
import dev.millwright.controllers.staticpool.StaticDeprovisioning;
import dev.millwright.controllers.staticpool.StaticProvisioning;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.SchedulingPolicy.UnsupportedStorage;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.object.BufferObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.loop.EffectRunner;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.NodeClassKind;
import dev.millwright.spi.OverlayStore;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cloud.FakeCloud;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Steps about pools, buffers and overlays, carried out on a real API server: it takes what they
/// write.
final class PoolStepsIT {

    private static final NodeClassKind CLASS =
            new NodeClassKind("karpenter.kwok.sh", "v1alpha1", "kwoknodeclasses", "KWOKNodeClass");
    private static final CloudTraits TRAITS =
            new CloudTraits(
                    "fake",
                    List.of(CLASS),
                    FakeCatalogue.VOCABULARY,
                    UnsupportedStorage.NONE,
                    List.of(),
                    CloudTraits.LAUNCH_TIMEOUT_DEFAULT,
                    null);
    private static final Kind<NodeClassObject> CLASS_KIND =
            Kind.nodeClass(
                    new ResourceType(
                            CLASS.group(), CLASS.version(), CLASS.plural(), CLASS.kind(), false));

    private static ControlPlane controlPlane;
    private static HttpKubeApi api;

    private final FakeClock clock = new FakeClock();
    private final FakeCloud cloud = new FakeCloud(clock).traits(TRAITS);
    private final View view = view();
    private final EffectRunner runner =
            new EffectRunner(
                    view,
                    new Outside(
                            api,
                            new AutoscalerEffects(cloud),
                            _ -> {},
                            Meter.NONE,
                            (_, _, _) -> {},
                            (_, _) -> {},
                            () -> true,
                            Outside.Mode.ACT),
                    EffectRunner.Branches.IN_ORDER);

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(ControlPlane.Options.apiOnly());
        api =
                HttpKubeApi.open(
                        KubeAccess.Kubeconfig.of(controlPlane.kubeconfig()),
                        ApiSettings.of("it", 200, 300),
                        RequestObserver.NONE);
        controlPlane.apply(CustomResources.kwok().text());
        Eventually.see(
                "pools, buffers and overlays are served",
                () ->
                        List.of(
                                        ResourceType.NODE_POOL,
                                        ResourceType.NODE_CLAIM,
                                        ResourceType.NODE_OVERLAY,
                                        ResourceType.CAPACITY_BUFFER,
                                        CLASS_KIND.type())
                                .stream()
                                .filter(
                                        type ->
                                                api.list(type, ListQuery.all(1))
                                                        instanceof ListAnswer.Page)
                                .toList(),
                served -> served.size() == 5);
        controlPlane.apply(
                """
                apiVersion: karpenter.kwok.sh/v1alpha1
                kind: KWOKNodeClass
                metadata: {name: default}
                spec: {}
                """);
    }

    @AfterAll
    static void close() {
        api.close();
        controlPlane.close();
    }

    private static View view() {
        var kinds = new ArrayList<Kind<? extends KubeObject>>(Buffers.KINDS);
        kinds.add(Kind.NODE_OVERLAY);
        return new View(new ObjectReader(LabelVocabulary.CORE), kinds, List.of(CLASS_KIND));
    }

    private void sync() {
        for (var kind : view.kinds()) {
            if (api.list(kind.type(), ListQuery.all(500))
                    instanceof ListAnswer.Page(var items, var version, _)) {
                view.cache(kind).replaceAll(items, version);
            }
        }
    }

    private Ending run(Controller controller, ObjectName key) {
        sync();
        return runner.run(controller.step(view, key, clock.instant()));
    }

    private static ObjectName named(String name) {
        return new ObjectName("", name);
    }

    private static void pool(String name, String spec) {
        controlPlane.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: %s}
                spec:
                  %s
                  template:
                    spec:
                      requirements: []
                      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
                """
                        .formatted(name, spec));
    }

    private PoolObject pool(String name) {
        sync();
        return Objects.requireNonNull(view.pool(name));
    }

    private void settle(String name) {
        var kinds = List.of(CLASS_KIND);
        for (var controller :
                List.of(
                        new HashController(1),
                        new ReadinessController(kinds, 1),
                        new ValidationController(FakeCatalogue.VOCABULARY),
                        new CounterController(new Marks(), 1),
                        new PoolHealthController(kinds, new PoolHealth(), 1))) {
            assertThat(run(controller, named(name)))
                    .describedAs(controller.name())
                    .isInstanceOfAny(Ending.Done.class, Ending.Again.class);
        }
    }

    @Test
    void aPoolBecomesReady() {
        pool("sound", "weight: 10");
        settle("sound");
        var pool = pool("sound");

        assertThat(pool.pool().isReady()).isTrue();
        assertThat(pool.meta().annotations()).containsKey("karpenter.sh/nodepool-hash");
        assertThat(pool.status().resources().has("nodes")).isTrue();
        assertThat(pool.conditions().find(PoolObject.REGISTRATION_HEALTHY)).isNotNull();
    }

    @Test
    void aPoolWithABrokenBudgetIsToldOfIt() {
        pool(
                "broken",
                "disruption: {budgets: [{nodes: '1', schedule: '* * * * 8', duration: 1h}]}");
        settle("broken");
        var told = pool("broken").conditions().find(PoolObject.VALIDATION_SUCCEEDED);

        assertThat(Objects.requireNonNull(told).message()).contains("budgets[0]");
        assertThat(pool("broken").pool().isReady()).isTrue();
    }

    @Test
    void aStaticPoolGetsItsClaimsAndLosesThem() {
        pool("fixed", "replicas: 2");
        settle("fixed");
        var grown =
                run(
                        new StaticProvisioning(TRAITS, new Marks(), new NodeReservations()),
                        named("fixed"));
        assertThat(grown).isInstanceOf(Ending.Again.class);
        assertThat(claims("fixed")).isEqualTo(2);

        controlPlane.kubectl("scale", "nodepools/fixed", "--replicas=0");
        assertThat(run(new StaticDeprovisioning(new Marks()), named("fixed")))
                .isInstanceOf(Ending.Again.class);
        assertThat(claims("fixed")).isZero();
    }

    private long claims(String pool) {
        sync();
        return view.claims().stream()
                .filter(claim -> claim.nodePool().equals(pool) && !claim.isDeleting())
                .count();
    }

    @Test
    void aBufferIsToldWhatBecameOfIt() {
        var namespace = controlPlane.createNamespace();
        controlPlane.apply(
                """
                apiVersion: v1
                kind: PodTemplate
                metadata: {name: web, namespace: %1$s}
                template:
                  spec: {containers: [{name: main, image: pause, resources: {requests: {cpu: 1}}}]}
                ---
                apiVersion: autoscaling.x-k8s.io/v1beta1
                kind: CapacityBuffer
                metadata: {name: spare, namespace: %1$s}
                spec: {podTemplateRef: {name: web}, replicas: 2}
                ---
                apiVersion: autoscaling.x-k8s.io/v1beta1
                kind: CapacityBuffer
                metadata: {name: lost, namespace: %1$s}
                spec: {scalableRef: {kind: Deployment, name: nowhere}, percentage: 10}
                """
                        .formatted(namespace));
        var controller = new BufferController((_, _) -> {});
        var spare = new ObjectName(namespace, "spare");
        var lost = new ObjectName(namespace, "lost");
        assertThat(run(controller, spare)).isInstanceOf(Ending.Again.class);
        assertThat(run(controller, lost)).isInstanceOf(Ending.Again.class);
        var plan = Given.cluster().plan();
        runner.run(Step.of(BufferVerdicts.of(view, Buffers.all(view), plan, clock.instant())));

        assertThat(condition(spare, BufferObject.READY_FOR_PROVISIONING)).isEqualTo("Resolved");
        assertThat(condition(lost, BufferObject.READY_FOR_PROVISIONING))
                .isEqualTo("ScalableRefNotFound");
        assertThat(condition(lost, BufferObject.PROVISIONING)).isEqualTo("NotReadyForProvisioning");
        assertThat(buffer(spare).status().replicas()).isEqualTo(2);
    }

    private BufferObject buffer(ObjectName name) {
        sync();
        return Objects.requireNonNull(view.cache(Kind.CAPACITY_BUFFER).find(name));
    }

    private @Nullable String condition(ObjectName name, String type) {
        return buffer(name).status().conditions().stream()
                .filter(each -> each.type().equals(type))
                .map(Condition::reason)
                .findFirst()
                .orElse(null);
    }

    @Test
    void overlaysAreToldWhetherTheyHold() {
        controlPlane.apply(
                """
                apiVersion: karpenter.sh/v1alpha1
                kind: NodeOverlay
                metadata: {name: first}
                spec: {requirements: [], price: "1"}
                ---
                apiVersion: karpenter.sh/v1alpha1
                kind: NodeOverlay
                metadata: {name: second}
                spec: {requirements: [], price: "2"}
                """);
        pool("priced", "weight: 1");
        var ending =
                run(
                        new OverlayController(
                                List.of(CLASS_KIND),
                                cloud::catalog,
                                FakeCatalogue.VOCABULARY,
                                new OverlayStore(),
                                () -> {}),
                        Controller.SINGLETON);
        sync();
        var overlays = view.cache(Kind.NODE_OVERLAY);

        assertThat(ending).isInstanceOf(Ending.Again.class);
        assertThat(Objects.requireNonNull(overlays.find("second")).conditions().isTrue("Ready"))
                .isTrue();
        assertThat(Objects.requireNonNull(overlays.find("first")).conditions().isFalse("Ready"))
                .isTrue();
    }
}
