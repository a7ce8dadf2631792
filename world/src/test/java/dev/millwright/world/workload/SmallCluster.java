package dev.millwright.world.workload;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.kind.Kinds;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.time.Agenda;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// A store with a control plane and no operator, for tests that speak YAML.
public final class SmallCluster {

    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final List<ResourceType> TYPES =
            List.of(
                    ResourceType.POD,
                    ResourceType.NODE,
                    ResourceType.NAMESPACE,
                    ResourceType.SERVICE,
                    ResourceType.DEPLOYMENT,
                    ResourceType.REPLICA_SET,
                    ResourceType.STATEFUL_SET,
                    ResourceType.DAEMON_SET,
                    Kinds.JOB,
                    Kinds.PRIORITY_CLASS,
                    ResourceType.POD_DISRUPTION_BUDGET,
                    ResourceType.PERSISTENT_VOLUME,
                    ResourceType.PERSISTENT_VOLUME_CLAIM,
                    ResourceType.STORAGE_CLASS,
                    ResourceType.CSI_NODE);

    public final Agenda agenda = new Agenda(START);
    public final ApiStore store;
    public final ControlPlane plane;

    public SmallCluster() {
        this(1, ControlPlane.Settings.usual());
    }

    public SmallCluster(long seed, ControlPlane.Settings settings) {
        var chance = Chance.of(seed);
        store = new ApiStore(agenda, chance);
        plane = new ControlPlane(store, agenda, chance, settings);
    }

    /// Creates the objects of a YAML text, with what stands in their status.
    public SmallCluster apply(String yaml) {
        read(yaml, this::create);
        return this;
    }

    private void create(Value.Mapping object) {
        var type =
                TYPES.stream()
                        .filter(each -> each.kind().equals(object.text("kind")))
                        .findFirst()
                        .orElseThrow();
        var namespace = Reading.text(object, "metadata", "namespace");
        var answer =
                store.write(
                        "user",
                        new ApiWrite.Create(
                                type,
                                type.isNamespaced() && namespace.isEmpty() ? "default" : namespace,
                                object));
        if (!(answer instanceof ApiAnswer.Done)) {
            throw new IllegalStateException(answer.explain());
        }
    }

    /// A merge patch in YAML.
    public void patch(ResourceType type, String name, String yaml) {
        read(
                yaml,
                body -> {
                    var answer =
                            store.write(
                                    "user",
                                    new ApiWrite.Patch(
                                            type,
                                            name(type, name),
                                            PatchKind.MERGE,
                                            Subresource.NONE,
                                            body));
                    if (!answer.isDone()) {
                        throw new IllegalStateException(answer.explain());
                    }
                });
    }

    public void delete(ResourceType type, String name) {
        store.write("user", new ApiWrite.Delete(type, name(type, name), null, null));
    }

    private static ObjectName name(ResourceType type, String name) {
        return new ObjectName(type.isNamespaced() ? "default" : "", name);
    }

    private static void read(String yaml, Consumer<Value.Mapping> sink) {
        for (var document : DocumentReader.readAll(Source.text("test", yaml))) {
            if (document instanceof Value.Mapping mapping) {
                sink.accept(mapping);
            }
        }
    }

    /// Nodes that are ready, of this size, whose pods run.
    public SmallCluster withNodes(int count, String cpu, String memory) {
        for (var i = 0; i < count; i++) {
            withNode("node-" + i, cpu, memory, "");
        }
        return this;
    }

    /// `more` are lines of labels and taints, as fields of a YAML flow mapping.
    public SmallCluster withNode(String name, String cpu, String memory, String labels) {
        return withNode(name, cpu, memory, labels, "");
    }

    public SmallCluster withNode(
            String name, String cpu, String memory, String labels, String taints) {
        apply(
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: %1$s
                  labels: {kubernetes.io/hostname: %1$s%4$s}
                spec: {taints: [%5$s]}
                status:
                  capacity: {cpu: "%2$s", memory: %3$s, pods: "110"}
                  allocatable: {cpu: "%2$s", memory: %3$s, pods: "110"}
                """
                        .formatted(
                                name, cpu, memory, labels.isEmpty() ? "" : ", " + labels, taints));
        plane.kubelets().play(name);
        return this;
    }

    public SmallCluster run(Duration length) {
        agenda.runUntil(agenda.instant().plus(length));
        return this;
    }

    public SmallCluster run(long seconds) {
        return run(Duration.ofSeconds(seconds));
    }

    public Stream<PodFacts> pods() {
        return plane.ledger().pods().stream();
    }

    /// The phases of all pods and how many are in each.
    public SortedMap<String, Long> phases() {
        var phases = new TreeMap<String, Long>();
        pods().forEach(pod -> phases.merge(pod.phase(), 1L, Long::sum));
        return phases;
    }

    /// Where each pod is; empty for one that waits.
    public SortedMap<String, String> places() {
        var places = new TreeMap<String, String>();
        pods().forEach(pod -> places.put(pod.name().name(), pod.nodeName()));
        return places;
    }

    public Value.Mapping object(ResourceType type, String name) {
        var found = store.find(type, name(type, name));
        if (found == null) {
            throw new IllegalStateException("%s %s is not there".formatted(type.kind(), name));
        }
        return found;
    }
}
