package dev.millwright.testing.e2e.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.e2e.capi.CaptDefinitions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// The pod of the chart `capt`, of two containers of the image: manager and runner, each with the
/// user, arguments, variables and volumes that the chart gives it. The test copies Terraform where
/// the init container would.
///
/// Not as in a pod: the network is the machine's, so that the ports are any that are free, and no
/// limit of memory and no seccomp profile holds.
final class TerraformPod implements AutoCloseable {

    private static final String NAMESPACE = "capt-system";
    private static final String ACCOUNT = "capt-controller-manager";
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /// A root of an image has one of its own.
    private static final String SCRATCH = "/tmp";

    private final ControlPlane plane;
    private final Path volumes;
    private final Path image;
    private final Field pod;
    private final ImageContainer runner;
    private final ImageContainer manager;

    private TerraformPod(Path image, ControlPlane plane, Path directory) throws IOException {
        this.image = image;
        this.plane = plane;
        volumes = directory;
        CaptDefinitions.install(plane);
        plane.kubectl("create", "namespace", NAMESPACE);
        var chart = chart();
        plane.apply(chart);
        plane.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: ProviderConfig
                metadata: {name: default}
                spec: {credentials: []}
                """);
        pod = deployment(chart).spec().at("template").at("spec");
        for (var each : pod.at("volumes").elements()) {
            Files.createDirectory(volume(each));
        }
        initialise();
        identify();
        runner = start("runner", ImageContainer.Options.none());
        runner.says("asked at /runner/socket");
        manager =
                start(
                        "manager",
                        ImageContainer.Options.none()
                                .variable("POD_NAMESPACE", NAMESPACE)
                                .variable("POD_NAME", "capt-0")
                                .variable("KUBERNETES_SERVICE_HOST", plane.server().getHost())
                                .variable(
                                        "KUBERNETES_SERVICE_PORT", plane.server().getPort() + ""));
    }

    /// @param directory for the volumes
    static TerraformPod start(Path image, ControlPlane plane, Path directory) throws IOException {
        return new TerraformPod(image, plane, directory);
    }

    ImageContainer runner() {
        return runner;
    }

    ImageContainer manager() {
        return manager;
    }

    private static String chart() {
        return Shell.run(
                List.of(
                        Tools.path("helm").toString(),
                        "template",
                        "capt",
                        Tools.chart("capt").toString(),
                        "--namespace=" + NAMESPACE,
                        "--set=crds.enabled=false"),
                "",
                LIMIT);
    }

    private static RawObject deployment(String chart) {
        return DocumentReader.readAll(Source.text("chart", chart)).stream()
                .filter(Value.Mapping.class::isInstance)
                .map(object -> RawObject.of((Value.Mapping) object))
                .filter(object -> object.root().at("kind").text("").equals("Deployment"))
                .findFirst()
                .orElseThrow();
    }

    /// Where a volume, or the mount of one, has its files.
    private Path volume(Field named) {
        return volumes.resolve(named.at("name").text(""));
    }

    /// What the init container's command does, with this machine's Terraform.
    private void initialise() throws IOException {
        var init = pod.at("initContainers").elements().getFirst();
        var words = init.at("command").textList();
        var target = volume(init.at("volumeMounts").elements().getFirst());
        Files.copy(Tools.path("terraform"), target.resolve(Path.of(words.get(1)).getFileName()));
        Files.writeString(target.resolve(Path.of(words.get(2)).getFileName()), "");
    }

    /// What the kubelet projects.
    private void identify() throws IOException {
        var folder = volumes.resolve("token");
        var token = plane.kubectl("create", "token", ACCOUNT, "-n", NAMESPACE);
        Files.writeString(folder.resolve("token"), token.strip(), UTF_8);
        Files.writeString(folder.resolve("namespace"), NAMESPACE, UTF_8);
        Files.copy(plane.kubeconfig().resolveSibling("pki/ca.crt"), folder.resolve("ca.crt"));
    }

    private ImageContainer start(String name, ImageContainer.Options options) {
        var container =
                pod.at("containers").elements().stream()
                        .filter(each -> each.at("name").text("").equals(name))
                        .findFirst()
                        .orElseThrow();
        var security = container.at("securityContext");
        options.user(number(security.at("runAsUser")), number(security.at("runAsGroup")));
        for (var each : container.at("env").elements()) {
            if (each.at("value").isPresent()) {
                options.variable(each.at("name").text(""), each.at("value").text(""));
            }
        }
        for (var each : container.at("volumeMounts").elements()) {
            var place = each.at("mountPath").text("");
            if (!place.equals(SCRATCH)) {
                options.volume(volume(each), place, each.at("readOnly").isTrue());
            }
        }
        var arguments =
                container.at("args").textList().stream()
                        .map(each -> each.replaceFirst("(?<=-bind-address=):\\d+$", "127.0.0.1:0"))
                        .toList();
        return ImageContainer.start(image, options, arguments);
    }

    private static int number(Field field) {
        return field.whole(0, Integer.MAX_VALUE, -1);
    }

    /// Makes a Workspace that needs no provider, and waits until it is applied.
    void apply(String name) {
        plane.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: %1$s}
                spec:
                  forProvider:
                    source: Inline
                    module: |
                      resource "terraform_data" "it" { input = "%1$s from /terraform" }
                      output "words" { value = terraform_data.it.output }
                """
                        .formatted(name));
        Eventually.see(
                "the workspace is ready",
                () -> ready(name) + manager.log() + runner.log(),
                seen -> seen.startsWith("True"));
    }

    private String ready(String name) {
        return field(name, "{.status.conditions[?(@.type==\"Ready\")].status}");
    }

    String output(String name) {
        return field(name, "{.status.atProvider.outputs.words}");
    }

    private String field(String name, String path) {
        return plane.kubectl("get", "workspaces.tf.upbound.io", name, "-o=jsonpath=" + path);
    }

    /// Returns when Terraform has destroyed what it made.
    void delete(String name) {
        plane.kubectl("delete", "workspaces.tf.upbound.io", name, "--timeout=100s");
    }

    /// Ids of the users that folders of runs belong to.
    List<Integer> ownersOfWork() throws IOException {
        try (var files = Files.list(volumes.resolve("work"))) {
            return files.map(TerraformPod::owner).toList();
        }
    }

    private static int owner(Path file) {
        try {
            return (Integer) Files.getAttribute(file, "unix:uid");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        Stream.of(manager, runner).forEach(ImageContainer::close);
    }
}
