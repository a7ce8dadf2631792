package dev.millwright.testing.e2e.plan;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.e2e.Component;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A sweep by an Indexed Job of a real API server and Job controller.
///
/// There are no kubelets: the test stands in for them. It runs each pod's own command on the bytes
/// of the ConfigMaps, and writes into the pod's status what a kubelet would.
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SweepOnClusterIT {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static final String SNAPSHOT =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: general}
            spec:
              template:
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                  requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]
            status: {conditions: [{type: Ready, status: "True"}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: web, namespace: default}
            spec:
              containers: [{name: main, image: none, resources: {requests: {cpu: CPUS}}}]
            status:
              phase: Pending
              conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]
            """;

    private static final String POLICY =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: general}
            spec:
              template:
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                  requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]
            status: {conditions: [{type: Ready, status: "True"}]}
            """;

    @TempDir private Path directory;
    private ControlPlane plane;

    @BeforeAll
    void start() {
        plane =
                ControlPlane.start(
                        ControlPlane.Options.of(
                                Component.ETCD,
                                Component.API_SERVER,
                                Component.CONTROLLER_MANAGER));
    }

    @AfterAll
    void end() {
        plane.close();
    }

    private static ProcessBuilder millwright(List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.millwright.cli.Main"));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    private static void await(Process process) throws InterruptedException {
        if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the command did not end");
        }
    }

    private List<String> pods() {
        var names =
                plane.kubectl(
                        "get",
                        "pods",
                        "-l=millwright.dev/sweep",
                        "-o=jsonpath={.items[*].metadata.name}");
        return names.isBlank() ? List.of() : Arrays.asList(names.split(" ", -1));
    }

    /// What the pod's container would find and do.
    private void run(String pod, Path place) throws IOException, InterruptedException {
        for (var map :
                plane.kubectl(
                                "get",
                                "cm",
                                "-l=millwright.dev/sweep",
                                "-o=jsonpath={.items[*].metadata.name}")
                        .split(" ", -1)) {
            var base64 = plane.kubectl("get", "cm", map, "-o=jsonpath={.binaryData.input}");
            Files.write(place.resolve(map), Base64.getDecoder().decode(base64));
        }
        var message = place.resolve("message-of-" + pod);
        var arguments = new ArrayList<String>();
        var spec =
                JsonReader.object(
                        plane.kubectl("get", "pod", pod, "-o=jsonpath={.spec.containers[0]}")
                                .getBytes(UTF_8));
        for (var argument : elements(spec, "args")) {
            var text = ((Value.Text) argument).text();
            arguments.add(
                    text.startsWith("/sweep/")
                            ? place.resolve(text.substring("/sweep/".length())).toString()
                            : text.equals("/dev/termination-log") ? message.toString() : text);
        }
        var builder = millwright(arguments).inheritIO();
        builder.environment()
                .put(
                        "JOB_COMPLETION_INDEX",
                        plane.kubectl(
                                "get",
                                "pod",
                                pod,
                                "-o=jsonpath={.metadata.annotations.batch\\.kubernetes\\.io/job-completion-index}"));
        var process = builder.start();
        await(process);
        assertThat(process.exitValue()).isZero();
        ended(pod, Files.readString(message));
    }

    private static List<Value> elements(Value.Mapping object, String field) {
        return object.fields().get(field) instanceof Value.Sequence(_, var elements)
                ? elements
                : List.of();
    }

    private void ended(String pod, String message) {
        var terminated = Tree.of("message", message).put("exitCode", 0L).put("reason", "Completed");
        var status =
                Tree.of("phase", "Succeeded")
                        .putList(
                                "containerStatuses",
                                List.of(
                                        Tree.of("name", "plan")
                                                .put("image", "none")
                                                .put("imageID", "none")
                                                .put("ready", false)
                                                .put("restartCount", 0L)
                                                .put("state", Tree.of("terminated", terminated))
                                                .mapping()));
        plane.kubectl(
                "patch",
                "pod",
                pod,
                "--subresource=status",
                "--type=merge",
                "-p",
                JsonWriter.text(Tree.of("status", status).mapping()));
    }

    @Test
    void aJobsPodsShareTheWorkAndNothingIsLeft() throws IOException, InterruptedException {
        var arguments =
                new ArrayList<>(
                        List.of(
                                "plan",
                                "--sweep",
                                "--on-cluster",
                                "--image",
                                "millwright:test",
                                "-o",
                                "json"));
        for (var cpus = 1; cpus <= 5; cpus++) {
            var file = directory.resolve("snapshot-%d.yaml".formatted(cpus));
            Files.writeString(file, SNAPSHOT.replace("CPUS", Integer.toString(cpus)));
            arguments.addAll(List.of("-f", file.toString()));
        }
        var policy = Files.writeString(directory.resolve("spot.yaml"), POLICY);
        arguments.addAll(List.of("--policy", policy.toString()));
        arguments.addAll(List.of("--kubeconfig", plane.kubeconfig().toString()));
        var out = directory.resolve("out.json");
        var process = millwright(arguments).redirectOutput(out.toFile()).start();

        var pods =
                Eventually.see("two pods share ten cells", this::pods, names -> names.size() == 2);
        var place = Files.createDirectory(directory.resolve("sweep"));
        for (var pod : pods) {
            run(pod, place);
        }
        await(process);

        assertThat(process.exitValue()).isZero();
        var said = JsonReader.object(Files.readAllBytes(out));
        assertThat(elements(said, "sweep")).hasSize(10);
        assertThat(Files.readString(out)).contains("spot.yaml").contains("snapshot-5.yaml");
        assertThat(plane.kubectl("get", "jobs,cm,pods", "-l=millwright.dev/sweep", "-o=name"))
                .isEmpty();
    }
}
