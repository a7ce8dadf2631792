package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The chart `capt`, and what clusterctl installs, which is made from it, before a real API server.
@ExtendWith(ControlPlaneExtension.class)
final class CaptChartIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern DEFAULTED = Pattern.compile("(?<!\\$)\\$\\{\\w+:=([^}]*)}");
    private static final Pattern WANTED = Pattern.compile("(?<!\\$)\\$\\{(\\w+)}");

    @TempDir private static Path release;
    private static ControlPlane plane;

    @BeforeAll
    static void begin(ControlPlane shared) {
        plane = shared;
        CaptDefinitions.install(plane);
        var fixture = "testing/e2e/src/test/resources/charts/monitoring.yaml";
        plane.apply(text(Tools.ROOT.resolve(fixture)));
        plane.established();
        namespace("capt-system");
        namespace("team-a");
        Shell.run(
                List.of(
                        "env",
                        "HELM=" + Tools.path("helm"),
                        "IMAGE=" + Tools.IMAGE,
                        "python3",
                        Tools.ROOT.resolve("deploy/capt/build.py").toString(),
                        "--release",
                        release.toString()),
                "",
                LIMIT);
    }

    private static void namespace(String name) {
        plane.apply("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replicas=1",
                "namespace=team-a",
                "controllers={control-plane},serviceAccount.annotations.role=x,watchFilter=a",
                "serviceMonitor.enabled=true,networkPolicy.enabled=false,metrics.certificateSecret=tls,"
                        + "terraform.enabled=false,additionalLabels.a=b,additionalAnnotations.c=d"
            })
    void theServerTakesEveryObject(String values) {
        takes(render(values));
    }

    @Test
    void namesAreThoseOfCapt() {
        var names = objects(render("replicas=1")).stream().map(CaptChartIT::title).toList();

        assertThat(names)
                .contains(
                        "Deployment capt-controller-manager",
                        "ServiceAccount capt-controller-manager",
                        "ClusterRole capt-manager-role",
                        "ClusterRole capt-tf-upbound-role",
                        "ClusterRole capt-metrics-auth-role",
                        "ClusterRole capt-metrics-reader",
                        "Role capt-leader-election-role",
                        "ClusterRole capt-captcluster-editor-role",
                        "ClusterRole capt-workspacetemplateapply-viewer-role");
    }

    /// Document 002's numbers, whichever halves run: Terraform has a container of its own.
    @ParameterizedTest
    @ValueSource(strings = {"replicas=1", "controllers={control-plane}"})
    void limitsProbesAndPortsAreThoseOfCapt(String values) {
        var manager = container(render(values), "manager");
        var resources = manager.at("resources");

        assertThat(resources.at("limits").at("cpu").text("")).isEqualTo("500m");
        assertThat(resources.at("limits").at("memory").text("")).isEqualTo("128Mi");
        assertThat(resources.at("requests").at("cpu").text("")).isEqualTo("10m");
        assertThat(resources.at("requests").at("memory").text("")).isEqualTo("64Mi");
        probes(manager, "livenessProbe", "/healthz", 15, 20);
        probes(manager, "readinessProbe", "/readyz", 5, 10);
        assertThat(
                        manager.at("ports").elements().stream()
                                .map(
                                        port ->
                                                "%s %d"
                                                        .formatted(
                                                                port.at("name").text(""),
                                                                number(port.at("containerPort")))))
                .containsExactly("https 8443", "health 8081");
        var security = manager.at("securityContext");
        assertThat(security.at("allowPrivilegeEscalation").isPresent()).isTrue();
        assertThat(security.at("allowPrivilegeEscalation").isTrue()).isFalse();
        assertThat(security.at("capabilities").at("drop").textList()).containsExactly("ALL");
    }

    /// What Terraform runs was written by tenants, perhaps.
    @Test
    void terraformRunsAsAnotherUserWithoutATokenAndWithLimitsOfItsOwn() {
        var chart = render("replicas=1");
        var runner = container(chart, "runner");
        var manager = container(chart, "manager");

        assertThat(number(runner.at("securityContext").at("runAsUser"))).isEqualTo(65_533);
        assertThat(number(manager.at("securityContext").at("runAsUser"))).isEqualTo(65_532);
        assertThat(runner.at("securityContext").at("runAsNonRoot").isTrue()).isTrue();
        assertThat(runner.at("securityContext").at("readOnlyRootFilesystem").isTrue()).isTrue();
        assertThat(runner.at("securityContext").at("capabilities").at("drop").textList())
                .containsExactly("ALL");
        assertThat(runner.at("resources").at("limits").at("memory").text("")).isEqualTo("3Gi");
        assertThat(mounts(runner)).containsExactly("/tmp", "/runner", "/work", "/terraform");
        assertThat(volumes(runner)).doesNotContain("tmp", "token");
        assertThat(mounts(manager))
                .containsExactly(
                        "/tmp", "/var/run/secrets/kubernetes.io/serviceaccount", "/runner");
        assertThat(chart)
                .contains("automountServiceAccountToken: false\n")
                .contains("eks.amazonaws.com/skip-containers: runner,terraform\n");
        assertThat(render("terraform.lendManagerCredentials=true"))
                .doesNotContain("skip-containers");
        assertThat(
                        objects(render("controllers={control-plane}")).stream()
                                .flatMap(CaptChartIT::containers)
                                .map(each -> each.at("name").text("")))
                .containsExactly("manager");
    }

    private static List<String> mounts(Field container) {
        return texts(container, "mountPath");
    }

    private static List<String> volumes(Field container) {
        return texts(container, "name");
    }

    private static List<String> texts(Field container, String field) {
        return container.at("volumeMounts").elements().stream()
                .map(each -> each.at(field).text(""))
                .toList();
    }

    private static void probes(Field manager, String name, String path, int delay, int period) {
        var probe = manager.at(name);
        assertThat(probe.at("httpGet").at("path").text("")).isEqualTo(path);
        assertThat(probe.at("httpGet").at("port").text("")).isEqualTo("health");
        assertThat(number(probe.at("initialDelaySeconds"))).isEqualTo(delay);
        assertThat(number(probe.at("periodSeconds"))).isEqualTo(period);
    }

    private static int number(Field field) {
        return field.whole(0, Integer.MAX_VALUE, -1);
    }

    private static Stream<Field> containers(RawObject object) {
        return kind(object).equals("Deployment")
                ? object.spec().at("template").at("spec").at("containers").elements().stream()
                : Stream.of();
    }

    private static Field container(String chart, String name) {
        return objects(chart).stream()
                .flatMap(CaptChartIT::containers)
                .filter(each -> each.at("name").text("").equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// A share of the limit would be too much for both: of 128 MiB Java takes 60 beside the heap,
    /// and of 3 GiB Terraform takes nearly all.
    @Test
    void theHeapIsBoundedSoThatTheRestFitsTheLimit() {
        assertThat(render("controllers={control-plane}"))
                .contains("value: -Xmx48m")
                .contains("memory: 128Mi");
        assertThat(render("replicas=1"))
                .contains("value: -Xmx48m")
                .contains("memory: 128Mi")
                .contains("value: -Xmx64m")
                .contains("memory: 3Gi");
        assertThat(render("heapMax=,terraformHeapMax=")).doesNotContain("-Xmx");
    }

    @Test
    void valuesThatNobodyReadsAreRefused() {
        assertThatThrownBy(() -> render("heapMax=48Mi")).hasMessageContaining("heapMax");
        assertThatThrownBy(() -> render("replica=2")).hasMessageContaining("replica");
        assertThatThrownBy(() -> render("controllers={machines}"))
                .hasMessageContaining("controllers");
        assertThatThrownBy(() -> render("terraform.timeout=soon")).hasMessageContaining("timeout");
    }

    @Test
    void definitionsComeWithTheHalfThatServesThem() {
        var half = objects(render("controllers={control-plane}"));

        assertThat(half.stream().map(CaptChartIT::title).filter(each -> each.startsWith("Custom")))
                .allMatch(each -> each.endsWith("controlplane.cluster.x-k8s.io"))
                .hasSize(2);
        assertThat(render("crds.terraform=false")).doesNotContain("name: workspaces.tf.upbound.io");
    }

    @ParameterizedTest
    @ValueSource(strings = {"infrastructure", "control-plane"})
    void clusterctlFindsWhatItsRulesWant(String half) {
        var text = text(release.resolve(half + "-components.yaml"));
        assertThat(WANTED.matcher(text).results().map(found -> found.group())).isEmpty();
        var filled = filled(text, List.of());
        var objects = objects(filled);

        assertThat(objects)
                .allMatch(
                        each ->
                                each.root()
                                        .at("metadata")
                                        .at("labels")
                                        .at("cluster.x-k8s.io/provider")
                                        .text("")
                                        .equals(half + "-capt"),
                        "has the provider's label");
        assertThat(objects.stream().filter(each -> kind(each).equals("Namespace"))).hasSize(1);
        assertThat(objects.stream().map(each -> each.name().namespace()))
                .containsOnly("", "capt-system");
        var manager =
                objects.stream()
                        .filter(each -> kind(each).equals("Deployment"))
                        .findFirst()
                        .orElseThrow();
        assertThat(manager.name().name()).isEqualTo("appthrust-capt-controller-manager-" + half);
        var container =
                manager.spec().at("template").at("spec").at("containers").elements().getFirst();
        assertThat(container.at("name").text("")).isEqualTo("manager");
        assertThat(container.at("args").textList())
                .contains("--namespace=", "--enable-controller=" + half);
        assertThat(container.at("resources").at("limits").at("cpu").text("")).isEqualTo("500m");
        assertThat(container.at("resources").at("limits").at("memory").text("")).isEqualTo("128Mi");
        takes(filled);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cluster-template",
                "cluster-template-existing-vpc",
                "cluster-template-topology"
            })
    void aClusterTemplateWantsFewVariables(String name) {
        var text = text(release.resolve(name + ".yaml"));

        var wanted = new TreeSet<String>();
        WANTED.matcher(text).results().forEach(found -> wanted.add(found.group(1)));
        wanted.remove("EXISTING_VPC_ID");
        assertThat(wanted)
                .containsExactly("AWS_REGION", "CLUSTER_NAME", "KUBERNETES_VERSION", "NAMESPACE");
        var values =
                List.of(
                        "AWS_REGION=eu-central-1",
                        "CLUSTER_NAME=shop",
                        "EXISTING_VPC_ID=vpc-0123456789abcdef0",
                        "KUBERNETES_VERSION=v1.35.0",
                        "NAMESPACE=team-a");
        // Core converts its older version by a webhook, which is not here.
        takes(filled(text, values).replaceAll("(?s)^.*?kind: Cluster\\n.*?---\\n", ""));
    }

    @Test
    void theClassAndTheTemplatesAreTaken() {
        plane.kubectl(
                "apply",
                "--server-side",
                "--dry-run=server",
                "--validate=strict",
                "-n",
                "team-a",
                "-f",
                release.resolve("clusterclass-capt-eks.yaml").toString(),
                "-f",
                release.resolve("workspace-templates.yaml").toString());
        assertThat(text(release.resolve("clusterclass-capt-eks.yaml"))).doesNotContain("${");
        assertThat(text(release.resolve("metadata.yaml")))
                .contains("kind: Metadata", "contract: v1beta1");
    }

    // ---- helpers of these tests

    private static String render(String values) {
        return Shell.run(
                List.of(
                        Tools.path("helm").toString(),
                        "template",
                        "capt",
                        Tools.chart("capt").toString(),
                        "--namespace=capt-system",
                        "--set=" + values),
                "",
                LIMIT);
    }

    private static void takes(String text) {
        assertThat(plane.dryRun(text).lines().toList())
                .hasSize(objects(text).size())
                .allMatch(line -> line.contains("serverside-applied (server dry run)"));
    }

    /// As clusterctl fills it in.
    private static String filled(String text, List<String> values) {
        var filled = DEFAULTED.matcher(text).replaceAll("$1");
        for (var value : values) {
            var parts = value.split("=", 2);
            filled = filled.replace("${%s}".formatted(parts[0]), parts[1]);
        }
        return filled.replace("$${", "${");
    }

    private static List<RawObject> objects(String text) {
        var objects = new ArrayList<RawObject>();
        for (var document : DocumentReader.readAll(Source.text("rendered", text))) {
            if (document instanceof Value.Mapping object) {
                objects.add(RawObject.of(object));
            }
        }
        return objects;
    }

    private static String kind(RawObject object) {
        return object.root().at("kind").text("");
    }

    private static String title(RawObject object) {
        return kind(object) + " " + object.name().name();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
