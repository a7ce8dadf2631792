package dev.millwright.testing.e2e.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cluster.PodVolumes;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/// The same pods, one after another, before the real kube-scheduler and the world's: what the real
/// one does must be among what ours would do. Where it binds a pod, ours is made to bind it too, so
/// that both go on from the same state.
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SchedulerAgreementIT {

    private static final int NODES = 12;
    private static final int CLAIMS = 8;
    private static final int PODS = Integer.getInteger("agreement.pods", 60);

    private ControlPlane controlPlane;
    private HttpKubeApi real;

    @BeforeAll
    void start() {
        controlPlane = ControlPlane.start(ControlPlane.Options.all());
        real =
                HttpKubeApi.open(
                        KubeAccess.Kubeconfig.of(controlPlane.kubeconfig()),
                        ApiSettings.of("it", 200, 300),
                        RequestObserver.NONE);
    }

    @AfterAll
    void stop() {
        real.close();
        controlPlane.close();
    }

    /// The world's side: a store and a scheduler whose time stands still.
    private static final class Ours {
        private final Agenda agenda = new Agenda(Instant.parse("2026-01-01T00:00:00Z"));
        private final ApiStore store = new ApiStore(agenda, Chance.of(1));
        private final dev.millwright.world.workload.ControlPlane plane =
                new dev.millwright.world.workload.ControlPlane(
                        store,
                        agenda,
                        Chance.of(1),
                        dev.millwright.world.workload.ControlPlane.Settings.usual());

        /// A new node is tainted by the server until it is ready; this one is.
        void taint(String node, List<Value> taints) {
            store.write(
                    "test",
                    new ApiWrite.Patch(
                            ResourceType.NODE,
                            new ObjectName("", node),
                            ApiWrite.PatchKind.MERGE,
                            ApiWrite.Subresource.NONE,
                            Tree.of("spec", Tree.of().putList("taints", taints)).mapping()));
        }

        void create(ResourceType type, String namespace, Value.Mapping body) {
            var answer = store.write("test", new ApiWrite.Create(type, namespace, bare(body)));
            assertThat(answer).describedAs(answer.explain()).isInstanceOf(ApiAnswer.Done.class);
        }
    }

    /// Without what only a server may say.
    private static Value.Mapping bare(Value.Mapping object) {
        var metadata = Tree.of();
        Reading.mapping(object, "metadata")
                .fields()
                .forEach(
                        (field, value) -> {
                            if (!field.equals("resourceVersion") && !field.equals("uid")) {
                                metadata.put(field, value);
                            }
                        });
        var tree = Tree.of();
        object.fields().forEach(tree::put);
        return tree.put("metadata", metadata).mapping();
    }

    /// `-Dagreement.seeds=4..9 -Dagreement.pods=200` tries others.
    static LongStream seeds() {
        var bounds = System.getProperty("agreement.seeds", "1..3").split("[.][.]", -1);
        return LongStream.rangeClosed(Long.parseLong(bounds[0]), Long.parseLong(bounds[1]));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatTheRealSchedulerDoesOursWouldDo(long seed) {
        var namespace = controlPlane.createNamespace();
        var nodes = new ArrayList<String>();
        try {
            assertThat(differences(namespace, seed, nodes)).describedAs("seed %d", seed).isEmpty();
        } finally {
            controlPlane.kubectl("delete", "pods", "--all", "-n", namespace, "--wait=true");
            nodes.forEach(node -> delete(ResourceType.NODE, new ObjectName("", node)));
        }
    }

    private List<String> differences(String namespace, long seed, List<String> nodes) {
        var random = new RandomCluster(seed);
        var ours = new Ours();
        createNodes(namespace, random, ours, nodes);
        var claims = createClaims(namespace, random, ours);
        var bound = new ArrayList<String>();
        var differences = new ArrayList<String>();
        for (var i = 0; i < PODS; i++) {
            var claim = random.happens(0.2) ? random.pick(claims) : "";
            var difference = compare(namespace, random.pod("pod-" + i, claim), ours, bound);
            if (!difference.isEmpty()) {
                differences.add(difference);
            }
            if (random.happens(0.25) && !bound.isEmpty()) {
                remove(namespace, random.pick(bound), ours, bound);
            }
        }
        System.err.printf(
                "seed %d: %d pods, %d of them left where they went%n", seed, PODS, bound.size());
        return differences;
    }

    private void create(ResourceType type, String namespace, Value.Mapping body) {
        var answer = real.write(new ApiWrite.Create(type, namespace, body));
        assertThat(answer).describedAs(answer.explain()).isInstanceOf(ApiAnswer.Done.class);
    }

    private void delete(ResourceType type, ObjectName name) {
        real.write(new ApiWrite.Delete(type, name, null, null));
    }

    private Value.Mapping read(ResourceType type, ObjectName name) {
        return real.read(type, name) instanceof ApiAnswer.Done(var object)
                ? object
                : Tree.of().mapping();
    }

    /// Ours get the nodes as the real control plane has them once they are ready.
    private void createNodes(
            String namespace, RandomCluster random, Ours ours, List<String> names) {
        for (var i = 0; i < NODES; i++) {
            var name = namespace + "-n" + i;
            names.add(name);
            create(ResourceType.NODE, "", random.node(name).mapping());
            create(ResourceType.CSI_NODE, "", random.csiNode(name).mapping());
        }
        for (var name : names) {
            var node =
                    Eventually.see(
                            "node %s is ready".formatted(name),
                            () -> read(ResourceType.NODE, new ObjectName("", name)),
                            SchedulerAgreementIT::isSettled);
            ours.create(ResourceType.NODE, "", node);
            ours.taint(name, Reading.list(node, "spec", "taints"));
            ours.create(
                    ResourceType.CSI_NODE,
                    "",
                    read(ResourceType.CSI_NODE, new ObjectName("", name)));
        }
    }

    private static boolean isSettled(Value.Mapping node) {
        var ready = Reading.condition(node, "Ready");
        var taints = Reading.taints(node, "spec", "taints");
        var isCordoned = Reading.isTrue(node, "spec", "unschedulable");
        return ready != null
                && "True".equals(ready.text("status"))
                && taints.stream().noneMatch(taint -> taint.key().endsWith("not-ready"))
                && isCordoned
                        == taints.stream().anyMatch(taint -> taint.key().endsWith("unschedulable"));
    }

    /// The names of claims that are bound, each to a volume of its own.
    private List<String> createClaims(String namespace, RandomCluster random, Ours ours) {
        var names = new ArrayList<String>();
        for (var i = 0; i < CLAIMS; i++) {
            var name = namespace + "-v" + i;
            names.add(name);
            create(
                    ResourceType.PERSISTENT_VOLUME,
                    "",
                    RandomCluster.volume(name, namespace, random.zone()).mapping());
            create(
                    ResourceType.PERSISTENT_VOLUME_CLAIM,
                    namespace,
                    RandomCluster.claim(name).mapping());
        }
        for (var name : names) {
            var inNamespace = new ObjectName(namespace, name);
            var claim =
                    Eventually.see(
                            "claim %s is bound".formatted(name),
                            () -> read(ResourceType.PERSISTENT_VOLUME_CLAIM, inNamespace),
                            PodVolumes::isBound);
            ours.create(
                    ResourceType.PERSISTENT_VOLUME,
                    "",
                    read(ResourceType.PERSISTENT_VOLUME, new ObjectName("", name)));
            ours.create(ResourceType.PERSISTENT_VOLUME_CLAIM, namespace, claim);
        }
        return names;
    }

    /// What differs, or nothing.
    private String compare(String namespace, Tree pod, Ours ours, List<String> bound) {
        var body = pod.mapping();
        var name = new ObjectName(namespace, Reading.text(body, "metadata", "name"));
        create(ResourceType.POD, namespace, body);
        ours.create(ResourceType.POD, namespace, body);
        var verdict = ours.plane.scheduler().judge(name);
        assertThat(verdict).isNotNull();
        var decided =
                Eventually.see(
                        "pod %s is decided about".formatted(name),
                        Duration.ofSeconds(30),
                        () -> read(ResourceType.POD, name),
                        SchedulerAgreementIT::isDecided);
        var node = Reading.text(decided, "spec", "nodeName");
        if (node.isEmpty()) {
            delete(ResourceType.POD, name);
            Eventually.see(
                    "pod is gone", () -> read(ResourceType.POD, name).fields(), Map::isEmpty);
            ours.store.remove(
                    "test", ResourceType.POD, name, uid(ours.store.find(ResourceType.POD, name)));
        } else {
            ours.store.bind("test", name, uid(ours.store.find(ResourceType.POD, name)), node);
            bound.add(name.name());
        }
        if (node.isEmpty() ? verdict.feasible().isEmpty() : verdict.best().contains(node)) {
            return "";
        }
        return "%s went to \"%s\" (%s); ours: feasible %s, best %s, %s: %s"
                .formatted(
                        name.name(),
                        node,
                        Reading.text(Reading.condition(decided, "PodScheduled"), "message"),
                        verdict.feasible(),
                        verdict.best(),
                        verdict.message(),
                        JsonWriter.text(body));
    }

    private static String uid(Value.@Nullable Mapping object) {
        return Reading.text(object, "metadata", "uid");
    }

    private static boolean isDecided(Value.Mapping pod) {
        var scheduled = Reading.condition(pod, "PodScheduled");
        var isRunning = Reading.text(pod, "status", "phase").equals("Running");
        return isRunning
                || (scheduled != null && Reading.text(scheduled, "reason").equals("Unschedulable"));
    }

    private void remove(String namespace, String pod, Ours ours, List<String> bound) {
        var name = new ObjectName(namespace, pod);
        bound.remove(pod);
        delete(ResourceType.POD, name);
        Eventually.see("pod is gone", () -> read(ResourceType.POD, name).fields(), Map::isEmpty);
        ours.store.remove(
                "test", ResourceType.POD, name, uid(ours.store.find(ResourceType.POD, name)));
    }
}
