package dev.millwright.testing.e2e.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.kind.Kinds;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The same manifests and the same changes on a real control plane and in a world, until both are
/// quiet: the same pods, counts and budgets.
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WorkloadAgreementIT {

    private static final Duration QUIET = Duration.ofMinutes(3);

    private static final Map<String, ResourceType> TYPES =
            Map.of(
                    "Node", ResourceType.NODE,
                    "Pod", ResourceType.POD,
                    "Deployment", ResourceType.DEPLOYMENT,
                    "StatefulSet", ResourceType.STATEFUL_SET,
                    "DaemonSet", ResourceType.DAEMON_SET,
                    "Job", Kinds.JOB,
                    "PodDisruptionBudget", ResourceType.POD_DISRUPTION_BUDGET);

    private ControlPlane controlPlane;
    private HttpKubeApi api;
    private String namespace = "";
    private Side.World world = new Side.World();
    private final List<String> nodes = new ArrayList<>();

    @BeforeAll
    void start() {
        controlPlane = ControlPlane.start(ControlPlane.Options.all());
        api =
                HttpKubeApi.open(
                        KubeAccess.Kubeconfig.of(controlPlane.kubeconfig()),
                        ApiSettings.of("it", 200, 300),
                        RequestObserver.NONE);
    }

    @AfterAll
    void stop() {
        api.close();
        controlPlane.close();
    }

    @BeforeEach
    void begin() {
        namespace = controlPlane.createNamespace();
        world = new Side.World();
    }

    @AfterEach
    void clear() {
        controlPlane.kubectl("delete", "namespace", namespace, "--wait=true");
        nodes.forEach(
                node ->
                        api.write(
                                new ApiWrite.Delete(
                                        ResourceType.NODE, new ObjectName("", node), null, null)));
        nodes.clear();
    }

    private void onBoth(Consumer<Side> act) {
        act.accept(world);
        act.accept(new Side.Real(api));
    }

    private static void read(String yaml, Consumer<Value.Mapping> sink) {
        for (var document : DocumentReader.readAll(Source.text("test", yaml))) {
            if (document instanceof Value.Mapping mapping) {
                sink.accept(mapping);
            }
        }
    }

    private void apply(String yaml) {
        read(
                yaml,
                object -> {
                    var type = TYPES.get(Reading.text(object, "kind"));
                    onBoth(
                            side ->
                                    done(
                                            side.write(
                                                    new ApiWrite.Create(
                                                            type,
                                                            type.isNamespaced() ? namespace : "",
                                                            object))));
                });
    }

    private static void done(ApiAnswer answer) {
        assertThat(answer.isDone()).describedAs(answer.explain()).isTrue();
    }

    private void patch(ResourceType type, String name, String yaml) {
        var full = new ObjectName(type.isNamespaced() ? namespace : "", name);
        read(
                yaml,
                body ->
                        onBoth(
                                side ->
                                        done(
                                                side.write(
                                                        new ApiWrite.Patch(
                                                                type,
                                                                full,
                                                                PatchKind.MERGE,
                                                                Subresource.NONE,
                                                                body)))));
    }

    /// A node only this test's pods want.
    private String node(String label, String cpu, String taints) {
        var name = namespace + "-" + nodes.size();
        nodes.add(name);
        apply(
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: %1$s
                  labels: {test: %2$s, kubernetes.io/hostname: %1$s, kind: %3$s}
                  annotations: {kwok.x-k8s.io/node: fake}
                spec: {taints: [%5$s]}
                status:
                  capacity: {cpu: "%4$s", memory: 32Gi, pods: "110"}
                  allocatable: {cpu: "%4$s", memory: 32Gi, pods: "110"}
                """
                        .formatted(name, namespace, label, cpu, taints));
        onBoth(side -> side.joined(name));
        return name;
    }

    private String template(String app, String cpu) {
        return """
                template:
                    metadata: {labels: {app: %2$s}}
                    spec:
                      nodeSelector: {test: %1$s}
                      terminationGracePeriodSeconds: 1
                      containers:
                      - {name: main, image: none, resources: {requests: {cpu: "%3$s"}}}
                """
                .formatted(namespace, app, cpu);
    }

    private String deployment(String name, int replicas, String more) {
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: %1$s}
                spec:
                  replicas: %2$d
                  selector: {matchLabels: {app: %1$s}}
                  %4$s
                  %3$s
                """
                .formatted(name, replicas, template(name, "1"), more);
    }

    private static String budget(String name, String app, String bound) {
        return """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: %s}
                spec: {%s, selector: {matchLabels: {app: %s}}}
                """
                .formatted(name, bound, app);
    }

    /// Ours first, then the real one until it shows the same.
    private Map<String, String> agree() {
        world.run(QUIET);
        var ours = Facts.of(world, namespace);
        var real = new Side.Real(api);
        return Eventually.see(
                "the real control plane shows " + ours,
                () -> difference(ours, Facts.of(real, namespace)),
                Map::isEmpty);
    }

    /// What the real side has that ours has not, and the other way round.
    private static Map<String, String> difference(
            Map<String, String> ours, Map<String, String> real) {
        var different = new TreeMap<String, String>();
        for (var key : ours.keySet()) {
            if (!ours.getOrDefault(key, "").equals(real.get(key))) {
                different.put(key, "ours %s, real %s".formatted(ours.get(key), real.get(key)));
            }
        }
        for (var key : real.keySet()) {
            if (!ours.containsKey(key)) {
                different.put(key, "ours nothing, real %s".formatted(real.get(key)));
            }
        }
        return different;
    }

    @Test
    void deploymentsRollOutAndBudgetsFollow() {
        node("a", "6", "");
        apply(deployment("web", 4, ""));
        apply(budget("web", "web", "minAvailable: 2"));
        apply(budget("nobody", "none", "maxUnavailable: 1"));
        assertThat(agree()).isEmpty();

        patch(ResourceType.DEPLOYMENT, "web", "spec: {replicas: 8}");
        assertThat(agree()).isEmpty();

        patch(
                ResourceType.DEPLOYMENT,
                "web",
                "spec: {replicas: 5, template: {metadata: {labels: {app: web, version: two}}}}");
        assertThat(agree()).isEmpty();

        patch(ResourceType.DEPLOYMENT, "web", "spec: {replicas: 0}");
        assertThat(agree()).isEmpty();
    }

    @Test
    void aRolloutThatFindsNoRoomStopsAtTheSamePoint() {
        node("a", "9", "");
        apply(deployment("web", 8, ""));
        assertThat(agree()).isEmpty();

        patch(
                ResourceType.DEPLOYMENT,
                "web",
                "spec: {template: {spec: {nodeSelector: {test: nowhere}}}}");
        assertThat(agree()).isEmpty();
    }

    @Test
    void recreatedDeploymentsComeBack() {
        node("a", "4", "");
        apply(deployment("web", 3, "strategy: {type: Recreate}"));
        assertThat(agree()).isEmpty();

        patch(
                ResourceType.DEPLOYMENT,
                "web",
                "spec: {template: {metadata: {labels: {app: web, version: two}}}}");
        assertThat(agree()).isEmpty();
    }

    /// Pod events reach one budget only, so that each has its own pods here.
    @Test
    void budgetsOfAllKindsAllowTheSame() {
        node("a", "20", "");
        budgeted("min", "minAvailable: 2");
        budgeted("min-share", "minAvailable: 60%");
        budgeted("max", "maxUnavailable: 1");
        budgeted("max-share", "maxUnavailable: 30%");
        assertThat(agree()).isEmpty();

        patch(ResourceType.DEPLOYMENT, "min-share", "spec: {replicas: 0}");
        patch(ResourceType.DEPLOYMENT, "max", "spec: {replicas: 1}");
        assertThat(agree()).isEmpty();
    }

    private void budgeted(String name, String bound) {
        apply(deployment(name, 4, ""));
        apply(budget(name, name, bound));
    }

    @Test
    void budgetsOfPodsWithoutAScaleAllowTheSame() {
        node("a", "4", "");
        lone("min", "minAvailable: 1");
        lone("max", "maxUnavailable: 1");
        lone("share", "minAvailable: 50%");
        assertThat(agree()).isEmpty();
    }

    private void lone(String name, String bound) {
        apply(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %2$s, labels: {app: %2$s}}
                spec:
                  nodeSelector: {test: %1$s}
                  containers: [{name: main, image: none}]
                """
                        .formatted(namespace, name));
        apply(budget(name, name, bound));
    }

    @Test
    void statefulSetsKeepTheirNumbers() {
        node("a", "4", "");
        apply(
                """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: db}
                spec:
                  replicas: 3
                  serviceName: db
                  ordinals: {start: 2}
                  selector: {matchLabels: {app: db}}
                  %s
                """
                        .formatted(template("db", "1")));
        apply(budget("db", "db", "maxUnavailable: 1"));
        assertThat(agree()).isEmpty();

        patch(ResourceType.STATEFUL_SET, "db", "spec: {replicas: 5}");
        assertThat(agree()).isEmpty();

        patch(
                ResourceType.STATEFUL_SET,
                "db",
                "spec: {replicas: 2, template: {metadata: {labels: {app: db, version: two}}}}");
        assertThat(agree()).isEmpty();
    }

    @Test
    void daemonsRunWhereTheyMay() {
        var plain = node("a", "4", "");
        node("b", "4", "");
        node("a", "4", "{key: team, value: x, effect: NoSchedule}");
        node("a", "4", "{key: team, value: x, effect: NoExecute}");
        apply(
                """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: agent}
                spec:
                  selector: {matchLabels: {app: agent}}
                  %s
                """
                        .formatted(template("agent", "1")));
        assertThat(agree()).isEmpty();

        patch(ResourceType.NODE, plain, "spec: {unschedulable: true}");
        patch(
                ResourceType.DAEMON_SET,
                "agent",
                "spec: {template: {spec: {nodeSelector: {kind: a}}}}");
        assertThat(agree()).isEmpty();
    }

    @Test
    void jobsEnd() {
        node("a", "4", "");
        apply(
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: batch}
                spec:
                  completions: 5
                  parallelism: 2
                  %s
                """
                        .formatted(
                                template("batch", "1")
                                        .replace(
                                                "metadata: {labels: {app: batch}}",
                                                "metadata: {labels: {app: batch}, annotations: {world.millwright.dev/runs-for: 1s}}")
                                        .replace(
                                                "terminationGracePeriodSeconds",
                                                "restartPolicy: Never\n      terminationGracePeriodSeconds")));
        assertThat(agree()).isEmpty();
    }
}
