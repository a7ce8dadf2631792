package dev.millwright.cli.demo;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.DocumentSink;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// The objects that users of the demo's cluster write.
final class Manifests {

    private static final String CLUSTER = "cluster.yaml";

    private Manifests() {}

    /// Takes each document as an object.
    private record Objects(List<Value.Mapping> found) implements DocumentSink {
        @Override
        public void document(Value value) {
            if (value instanceof Value.Mapping object) {
                found.add(object);
            }
        }

        @Override
        public boolean isStreamed(String field) {
            return false;
        }

        @Override
        public void element(String field, Value value) {}
    }

    /// What the cluster begins with, in the order of the file.
    static List<Value.Mapping> cluster() {
        try (var stream = Manifests.class.getResourceAsStream(CLUSTER)) {
            if (stream == null) {
                throw new IOException("%s is not in the jar".formatted(CLUSTER));
            }
            var objects = new Objects(new ArrayList<>());
            DocumentReader.read(Source.bytes(CLUSTER, stream.readAllBytes()), objects);
            return objects.found();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static Value.Mapping deployment(String name, int replicas, long cpuMillis, long mebibytes) {
        return Tree.of("apiVersion", "apps/v1")
                .put("kind", "Deployment")
                .put("metadata", Tree.of("name", name).put("namespace", Script.NAMESPACE))
                .put(
                        "spec",
                        Tree.of("selector", Tree.of("matchLabels", labels(name)))
                                .put("replicas", replicas)
                                .put("template", template(name, cpuMillis, mebibytes, Tree.of())))
                .mapping();
    }

    /// Pods that all begin at once and end by themselves after about so long.
    static Value.Mapping job(
            String name, int pods, long cpuMillis, long mebibytes, long runSeconds) {
        var runs = Tree.of("world.millwright.dev/runs-for", runSeconds + "s");
        var template = template(name, cpuMillis, mebibytes, runs);
        return Tree.of("apiVersion", "batch/v1")
                .put("kind", "Job")
                .put("metadata", Tree.of("name", name).put("namespace", Script.NAMESPACE))
                .put(
                        "spec",
                        Tree.of("template", template)
                                .put("parallelism", pods)
                                .put("completions", pods)
                                .put("ttlSecondsAfterFinished", 60))
                .mapping();
    }

    private static Tree template(String name, long cpuMillis, long mebibytes, Tree annotations) {
        var requests = Tree.of("cpu", cpuMillis + "m").put("memory", mebibytes + "Mi");
        var container =
                Tree.of("name", "main")
                        .put("image", name)
                        .put("resources", Tree.of("requests", requests));
        var spec = Tree.of().putList("containers", List.of(container.mapping()));
        if (!annotations.isEmpty()) {
            spec.put("restartPolicy", "Never");
        }
        return Tree.of("metadata", Tree.of("labels", labels(name)).put("annotations", annotations))
                .put("spec", spec);
    }

    private static Tree labels(String name) {
        return Tree.of(Owners.LABEL, name);
    }
}
