package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Scrape;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// `millwright run addons` as a process, with the rights of the chart `addons` alone.
final class AddonsManagerIT {

    private static final String SYSTEM = "caaph-system";
    private static final Pattern PORTS =
            Pattern.compile("\"healthPort\":(\\d+),\"metricsPort\":\"(\\d+)\"");

    @TempDir private static Path directory;
    private static ManagementSite site;
    private static ControlPlane workload;

    @BeforeAll
    static void begin() throws IOException {
        site = new ManagementSite(directory);
        workload = ControlPlane.start(ControlPlane.Options.apiOnly());
        var chart = Files.createDirectories(directory.resolve("web/templates")).getParent();
        Files.writeString(
                chart.resolve("Chart.yaml"), "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        Files.writeString(
                chart.resolve("templates/map.yaml"),
                """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: web}
                data: {region: {{ .Values.region | quote }}, key: {{ .Values.key | quote }}}
                """);
        site.offer(chart, "web", "1.0.0");
    }

    @AfterAll
    static void end() {
        workload.close();
        site.close();
    }

    /// In all namespaces.
    private static OperatorProcess start(String... options) {
        return start(ChartAccount.of(site.plane, Chart.ADDONS), options);
    }

    private static OperatorProcess start(ChartAccount account, String... options) {
        var arguments =
                new ArrayList<>(
                        List.of(
                                "run",
                                "addons",
                                "--kubeconfig",
                                account.kubeconfig().toString(),
                                "--leader-elect",
                                "--diagnostics-address=127.0.0.1:0",
                                "--health-addr=127.0.0.1:0",
                                "--helm=" + site.helm,
                                "--helm-work-dir=" + directory.resolve("runs"),
                                "--v=5"));
        arguments.addAll(List.of(options));
        return OperatorProcess.start(arguments, Map.of());
    }

    private static Scrape.Answer scrape(OperatorProcess process, String token) {
        var ports = PORTS.matcher(process.says("serving probes").log());
        assertThat(ports.find()).isTrue();
        return Scrape.get("https://localhost:%s/metrics".formatted(ports.group(2)), token);
    }

    private static String get(OperatorProcess process, int port, String path) {
        var ports = PORTS.matcher(process.says("serving probes").log());
        assertThat(ports.find()).isTrue();
        var address = URI.create("http://127.0.0.1:%s%s".formatted(ports.group(port), path));
        try (var client = HttpClient.newHttpClient()) {
            var answer =
                    client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        } catch (IOException failure) {
            return String.valueOf(failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while asking " + address, failure);
        }
    }

    private static String field(String kind, String namespace, String path) {
        return site.plane.kubectl("get", kind, "-n", namespace, "-o=jsonpath=" + path);
    }

    /// A Cluster of CAPT's with an open and a sensitive output, and a proxy that reads both.
    private static void estate(String namespace) {
        site.namespace(namespace);
        site.plane.apply(
                """
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: CAPTControlPlane
                metadata: {name: shop, namespace: %1$s}
                spec: {version: v1.35.0, workspaceTemplateRef: {name: eks, namespace: default}}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: shop-eks-connection, namespace: %1$s}
                stringData: {region: eu-central-1, license: top-secret-4711}
                """
                        .formatted(namespace));
        site.plane.kubectl(
                "patch",
                "captcontrolplane",
                "shop",
                "-n",
                namespace,
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\":{\"workspaceStatus\":{\"atProvider\":{\"outputs\":{\"region\":\"eu-central-1\"}}}}}");
        site.join(
                workload,
                namespace,
                "shop",
                "web: \"yes\"",
                "controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: CAPTControlPlane, name: shop}");
        site.plane.apply(
                """
                apiVersion: addons.cluster.x-k8s.io/v1alpha1
                kind: HelmChartProxy
                metadata: {name: web, namespace: %1$s}
                spec:
                  clusterSelector: {matchLabels: {web: "yes"}}
                  repoURL: %2$s
                  chartName: web
                  version: 1.0.0
                  releaseName: web
                  namespace: %1$s
                  tlsConfig: {caSecret: {name: authority}}
                  valuesTemplate: |
                    region: {{ $outputs.region }}
                    key: {{ $outputs.license }}
                """
                        .formatted(namespace, site.charts.registry("open")));
    }

    @Test
    void itDoesItsWorkWithTheChartsRightsAndIsNeverAnsweredNo() {
        var namespace = "team-a";
        estate(namespace);
        var account = ChartAccount.of(site.plane, Chart.ADDONS, "namespace=" + namespace);
        try (var process = start(account, "--namespace=" + namespace, "--insecure-diagnostics")) {
            process.says("started controllers");
            Eventually.see(
                    "the proxy is ready; " + process.lastWords(),
                    () ->
                            field(
                                    "hcp/web",
                                    namespace,
                                    "{.status.conditions[?(@.type==\"Ready\")].status}"),
                    "True"::equals);
            assertThat(
                            workload.kubectl(
                                    "get",
                                    "configmap",
                                    "web",
                                    "-n",
                                    namespace,
                                    "-o=jsonpath={.data.region} {.data.key}"))
                    .isEqualTo("eu-central-1 top-secret-4711");
            assertThat(field("hrp", namespace, "{.items[*].spec}")).doesNotContain("4711");
            Eventually.see(
                    "what was done is an event",
                    () -> field("events", namespace, "{.items[*].reason}"),
                    seen -> seen.contains("HelmInstall"));
            assertThat(get(process, 1, "/healthz")).startsWith("200");
            assertThat(get(process, 1, "/readyz?verbose")).startsWith("200").contains("[+]caches");
            site.plane.kubectl("delete", "hcp", "web", "-n", namespace, "--timeout=120s");
            assertThat(field("hrp", namespace, "{.items}")).isEqualTo("[]");
            assertThat(workload.kubectl("get", "configmap", "-n", namespace)).doesNotContain("web");
            assertThat(get(process, 2, "/metrics"))
                    .contains(
                            "millwright_helm_runs_total{action=\"install\",outcome=\"done\"} 1",
                            "millwright_helm_runs_total{action=\"uninstall\",outcome=\"done\"} 1",
                            "controller_runtime_reconcile_total{")
                    .doesNotContain("code=\"403\"", "code=\"401\"");
            assertThat(process.log()).doesNotContain("4711", "forbidden");
            assertThat(process.stop()).isZero();
        }
        assertThat(
                        field(
                                "lease/controller-leader-election-caaph",
                                SYSTEM,
                                "{.spec.holderIdentity}"))
                .isEmpty();
        assertThat(directory.resolve("runs")).isEmptyDirectory();
    }

    @Test
    void aReplicaThatWaitsIsReadyAndOneWithoutHelmSaysSo() {
        site.namespace("waits");
        site.plane.kubectl("create", "serviceaccount", "stranger", "-n", "waits");
        var stranger = site.plane.kubectl("create", "token", "stranger", "-n", "waits").strip();
        try (var first = start("--namespace=waits")) {
            first.says("started controllers");
            try (var second = start("--namespace=waits")) {
                Eventually.see(
                        "a replica that waits is ready",
                        () -> get(second.says("waiting to lead"), 1, "/readyz"),
                        answer -> answer.startsWith("200"));
                assertThat(second.log()).doesNotContain("started controllers");
                assertThat(first.stop()).isZero();
                second.says("started controllers");
                assertThat(scrape(second, stranger).status()).isEqualTo(403);
                assertThat(second.stop()).isZero();
            }
        }
        try (var without = start("--namespace=waits", "--helm=/nowhere/helm")) {
            without.says("Helm cannot be started as");
        }
    }
}
