package dev.millwright.cli.plan;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/// A sweep as objects of a Kubernetes cluster: an Indexed Job whose pods each look at some of the
/// cells, and ConfigMaps with what they read.
///
/// A pod says what it found as its termination message, which the API server keeps and bounds.
public record SweepJob(
        String name,
        String image,
        List<Input> snapshots,
        List<Input> policies,
        List<String> flags) {

    public static final ResourceType JOB = new ResourceType("batch", "v1", "jobs", "Job", true);

    /// By which the objects of one sweep are found.
    public static final String LABEL = "millwright.dev/sweep";

    /// Kubernetes keeps so much of a termination message, and a row takes a tenth.
    static final int CELLS_PER_POD = 8;

    /// A ConfigMap holds 1 MiB.
    public static final int INPUT_BYTES_MAX = 1_000_000;

    public static final int INPUTS_MAX = 100;
    public static final int PODS_MAX = 1_000;
    private static final int RETRIES_PER_INDEX = 2;
    private static final int PARALLEL_MAX = 50;

    /// What is left when nobody came to take it away.
    private static final int KEPT_SECONDS = 3_600;

    private static final String DIRECTORY = "/sweep";
    private static final String MESSAGE = "/dev/termination-log";
    private static final String FILE = "input";

    /// A file, packed and in the letters of a ConfigMap.
    public record Input(String file, String base64) {

        /// @throws IllegalArgumentException when no ConfigMap holds it
        public static Input of(String file, byte[] bytes) {
            var packed = isPacked(bytes) ? bytes : packed(bytes);
            if (packed.length > INPUT_BYTES_MAX) {
                throw new IllegalArgumentException(
                        "%s is %,d bytes when packed; a ConfigMap holds %,d. Leave out what a plan does not read, such as Events, or sweep it on this machine, without --on-cluster"
                                .formatted(file, packed.length, INPUT_BYTES_MAX));
            }
            return new Input(file, Base64.getEncoder().encodeToString(packed));
        }

        private static boolean isPacked(byte[] bytes) {
            return bytes.length > 2 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b;
        }

        private static byte[] packed(byte[] bytes) {
            var packed = new ByteArrayOutputStream();
            try (var stream = new GZIPOutputStream(packed)) {
                stream.write(bytes);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
            return packed.toByteArray();
        }
    }

    public SweepJob {
        snapshots = List.copyOf(snapshots);
        policies = List.copyOf(policies);
        flags = List.copyOf(flags);
        if (snapshots.size() + policies.size() > INPUTS_MAX) {
            throw new IllegalArgumentException(
                    "%d files and policies are more than %d; sweep them in parts"
                            .formatted(snapshots.size() + policies.size(), INPUTS_MAX));
        }
        if (pods(snapshots.size(), policies.size()) > PODS_MAX) {
            throw new IllegalArgumentException(
                    "%d files with %d policies take more than %d pods; sweep them in parts"
                            .formatted(snapshots.size(), policies.size(), PODS_MAX));
        }
    }

    private static int pods(int snapshots, int policies) {
        var cells = snapshots * (policies + 1);
        return (cells + CELLS_PER_POD - 1) / CELLS_PER_POD;
    }

    /// How many pods share the work.
    public int pods() {
        return pods(snapshots.size(), policies.size());
    }

    public List<Value.Mapping> configMaps() {
        var maps = new ArrayList<Value.Mapping>();
        for (var index = 0; index < snapshots.size(); index++) {
            maps.add(configMap(snapshotName(index), snapshots.get(index)));
        }
        for (var index = 0; index < policies.size(); index++) {
            maps.add(configMap(policyName(index), policies.get(index)));
        }
        return maps;
    }

    private Value.Mapping configMap(String configMap, Input input) {
        return Tree.of("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put("metadata", metadata(configMap))
                .put("immutable", true)
                .put("binaryData", Tree.of(FILE, input.base64()))
                .mapping();
    }

    private String snapshotName(int index) {
        return "%s-snapshot-%d".formatted(name, index);
    }

    private String policyName(int index) {
        return "%s-policy-%d".formatted(name, index);
    }

    private Tree metadata(String object) {
        return Tree.of("name", object).put("labels", Tree.of(LABEL, name));
    }

    public Value.Mapping job() {
        var container =
                Tree.of("name", "plan")
                        .put("image", image)
                        .putTextList("args", arguments())
                        .put("terminationMessagePath", MESSAGE)
                        .putList(
                                "volumeMounts",
                                List.of(
                                        Tree.of("name", "inputs")
                                                .put("mountPath", DIRECTORY)
                                                .put("readOnly", true)
                                                .mapping()));
        var template =
                Tree.of("metadata", Tree.of("labels", Tree.of(LABEL, name)))
                        .put(
                                "spec",
                                Tree.of("restartPolicy", "Never")
                                        .put("automountServiceAccountToken", false)
                                        .putList("containers", List.of(container.mapping()))
                                        .putList("volumes", List.of(volume())));
        return Tree.of("apiVersion", "batch/v1")
                .put("kind", "Job")
                .put("metadata", metadata(name))
                .put(
                        "spec",
                        Tree.of("completionMode", "Indexed")
                                .put("completions", pods())
                                .put("parallelism", Math.min(pods(), PARALLEL_MAX))
                                .put("backoffLimitPerIndex", RETRIES_PER_INDEX)
                                .put("ttlSecondsAfterFinished", KEPT_SECONDS)
                                .put("template", template))
                .mapping();
    }

    /// The same command as here, for one pod's share.
    List<String> arguments() {
        var arguments = new ArrayList<>(List.of("plan", "--sweep", "-q"));
        for (var index = 0; index < snapshots.size(); index++) {
            arguments.addAll(List.of("-f", DIRECTORY + "/" + snapshotName(index)));
        }
        for (var index = 0; index < policies.size(); index++) {
            arguments.addAll(List.of("--policy", DIRECTORY + "/" + policyName(index)));
        }
        arguments.addAll(flags);
        arguments.addAll(List.of("--share-of", Integer.toString(pods()), "--result", MESSAGE));
        return arguments;
    }

    private Value.Mapping volume() {
        var sources = new ArrayList<Value>();
        for (var index = 0; index < snapshots.size(); index++) {
            sources.add(source(snapshotName(index)));
        }
        for (var index = 0; index < policies.size(); index++) {
            sources.add(source(policyName(index)));
        }
        return Tree.of("name", "inputs")
                .put("projected", Tree.of().putList("sources", sources))
                .mapping();
    }

    private static Value source(String configMap) {
        return Tree.of(
                        "configMap",
                        Tree.of("name", configMap)
                                .putList(
                                        "items",
                                        List.of(
                                                Tree.of("key", FILE)
                                                        .put("path", configMap)
                                                        .mapping())))
                .mapping();
    }
}
