package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.crd.AddonDefinitions;
import dev.millwright.testing.e2e.Component;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// The scenarios of the add-on provider for Helm, on two real API servers, with charts from a
/// repository and a registry of our own.
final class AddonsIT {

    private static final Path ROOT = root();
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int SILENT_BACKLOG = 50;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private static final String CLUSTER_DEFINITION =
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: clusters.cluster.x-k8s.io}
            spec:
              group: cluster.x-k8s.io
              names: {kind: Cluster, plural: clusters, singular: cluster, listKind: ClusterList}
              scope: Namespaced
              versions:
              - name: v1beta2
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    @TempDir static Path directory;

    private static String helm;
    private static ControlPlane management;
    private static ControlPlane workload;
    private static ChartServer charts;
    private static RunningAddons addons;

    private String namespace;

    private static Path root() {
        var at = Path.of("").toAbsolutePath();
        while (at != null && !Files.exists(at.resolve("mvnw"))) {
            at = at.getParent();
        }
        return at == null ? Path.of("") : at;
    }

    @BeforeAll
    static void start() throws IOException {
        var script = ROOT.resolve("testing/e2e/tools/build.sh").toString();
        helm = Shell.run(List.of("bash", script, "helm"), "", Duration.ofMinutes(80)).strip();
        management =
                ControlPlane.start(
                        ControlPlane.Options.of(
                                Component.ETCD,
                                Component.API_SERVER,
                                Component.CONTROLLER_MANAGER));
        workload = ControlPlane.start(ControlPlane.Options.apiOnly());
        charts = new ChartServer();
        packCharts();
        management.apply(CLUSTER_DEFINITION);
        management.apply(AddonDefinitions.all().text());
        management.established();
        addons = new RunningAddons(management, helm, directory.resolve("runs"), "first");
    }

    @AfterAll
    static void stop() throws IOException {
        addons.close();
        charts.close();
        management.close();
        workload.close();
        // Kubeconfigs and values lay there.
        try (var left = Files.list(directory.resolve("runs"))) {
            assertThat(left).isEmpty();
        }
    }

    /// A chart with one ConfigMap, in two versions.
    private static void packCharts() throws IOException {
        var packed = Files.createDirectories(directory.resolve("packed"));
        for (var version : List.of("1.0.0", "1.1.0")) {
            var chart = Files.createDirectories(directory.resolve("web-" + version));
            Files.createDirectories(chart.resolve("templates"));
            Files.writeString(
                    chart.resolve("Chart.yaml"),
                    "apiVersion: v2\nname: web\nversion: %s\n".formatted(version));
            Files.writeString(chart.resolve("values.yaml"), "greeting: none\n");
            Files.writeString(
                    chart.resolve("templates/map.yaml"),
                    """
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: {{ .Release.Name }}}
                    data:
                      greeting: {{ .Values.greeting | quote }}
                      version: {{ .Chart.Version | quote }}
                    """);
            helm("package", chart.toString(), "--destination", packed.toString());
            var bytes = Files.readAllBytes(packed.resolve("web-%s.tgz".formatted(version)));
            charts.push("open/web", version, bytes);
            charts.push("private/web", version, bytes);
        }
        helm("repo", "index", packed.toString());
        charts.serve(packed);
    }

    private static String helm(String... arguments) {
        var command = new ArrayList<>(List.of(helm));
        command.addAll(List.of(arguments));
        return Shell.run(command, "", LIMIT);
    }

    private String onWorkload(String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        all.add("--kubeconfig=" + workload.kubeconfig());
        all.add("--namespace=" + namespace);
        return helm(all.toArray(String[]::new));
    }

    /// Every test has a namespace of its own on both servers, and a Cluster that it selects.
    @BeforeEach
    void cluster() throws IOException {
        namespace = "team-" + COUNT.incrementAndGet();
        management.kubectl("create", "namespace", namespace);
        var kubeconfig =
                Base64.getEncoder().encodeToString(Files.readAllBytes(workload.kubeconfig()));
        management.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: c1, namespace: %1$s, labels: {web: "yes"}}
                spec: {clusterNetwork: {apiServerPort: 1234567}}
                status: {initialization: {controlPlaneInitialized: true}}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: c1-kubeconfig, namespace: %1$s}
                type: cluster.x-k8s.io/secret
                data: {value: %2$s}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: authority, namespace: %1$s}
                stringData: {ca.crt: %3$s}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: login, namespace: %1$s}
                stringData: {config.json: %4$s}
                """
                        .formatted(
                                namespace,
                                kubeconfig,
                                quoted(charts.authority()),
                                quoted(charts.login())));
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    private void chart(String name, String spec) {
        management.apply(
                """
                apiVersion: addons.cluster.x-k8s.io/v1alpha1
                kind: HelmChartProxy
                metadata: {name: %s, namespace: %s}
                spec:
                  clusterSelector: {matchLabels: {web: "yes"}}
                  chartName: web
                  namespace: %s
                  tlsConfig: {caSecret: {name: authority}}
                  %s
                """
                        .formatted(name, namespace, namespace, spec.replace("\n", "\n  ")));
    }

    private void web(String version, String greeting) {
        chart(
                "web",
                """
                repoURL: %s
                releaseName: web
                version: %s
                valuesTemplate: |
                  greeting: "%s {{ .Cluster.metadata.name }}"
                """
                        .formatted(charts.repository(), version, greeting)
                        .stripTrailing());
    }

    private String ready(String name) {
        return management.kubectl(
                "get",
                "hcp",
                name,
                "-n",
                namespace,
                "-o",
                "jsonpath={.status.conditions[?(@.type==\"Ready\")].status} {.metadata.generation} {.status.observedGeneration}");
    }

    private void isReady(String name) {
        Eventually.see(
                "%s is ready; log: %s".formatted(name, addons.log()),
                () -> ready(name),
                seen -> seen.matches("True (\\d+) \\1"));
    }

    private String releases(String path) {
        return management.kubectl("get", "hrp", "-n", namespace, "-o", "jsonpath=" + path);
    }

    private String data() {
        return workload.kubectl(
                "get",
                "configmap",
                "web",
                "-n",
                namespace,
                "--ignore-not-found",
                "-o",
                "jsonpath={.data.greeting} {.data.version}");
    }

    private void sees(String wanted) {
        Eventually.see("the ConfigMap; log: " + addons.log(), this::data, wanted::equals);
    }

    private String history() {
        return onWorkload("history", "web", "-o", "json");
    }

    @Test
    void install() {
        web("1.0.0", "hello");
        isReady("web");
        assertThat(data()).isEqualTo("hello c1 1.0.0");
        assertThat(releases("{.items[*].status.status} {.items[*].status.revision}"))
                .isEqualTo("deployed 1");
    }

    @Test
    void upgradeAndUnchanged() {
        web("1.0.0", "hello");
        isReady("web");
        web("1.1.0", "hello");
        sees("hello c1 1.1.0");
        web("1.1.0", "bye");
        sees("bye c1 1.1.0");
        isReady("web");
        var before = history();
        management.kubectl("annotate", "hcp", "web", "-n", namespace, "touched=yes");
        management.kubectl("annotate", "hrp", "--all", "-n", namespace, "touched=yes");
        chart("other", "repoURL: %s\nreleaseName: other".formatted(charts.repository()));
        isReady("other");
        assertThat(history()).isEqualTo(before);
    }

    @Test
    @Tag("long")
    void newestVersion() {
        chart("web", "repoURL: %s\nreleaseName: web".formatted(charts.registry("open")));
        sees("none 1.1.0");
    }

    @Test
    @Tag("long")
    void outOfBandRemoval() {
        web("1.0.0", "hello");
        isReady("web");
        onWorkload("uninstall", "web");
        sees("hello c1 1.0.0");
    }

    @Test
    @Tag("long")
    void outOfBandUpgrade() {
        web("1.0.0", "hello");
        isReady("web");
        onWorkload(
                "upgrade",
                "web",
                directory.resolve("packed/web-1.0.0.tgz").toString(),
                "--set=greeting=mine");
        sees("hello c1 1.0.0");
    }

    @Test
    @Tag("long")
    void pending() {
        web("1.0.0", "hello");
        isReady("web");
        // As a run of another process of ours that was killed leaves it.
        workload.kubectl(
                "label",
                "secret",
                "-n",
                namespace,
                "sh.helm.release.v1.web.v1",
                "--overwrite",
                "status=pending-upgrade",
                "millwright.dev/release-run=dead.1");
        Eventually.see(
                "the release is deployed anew",
                () -> onWorkload("list", "-o", "json"),
                seen -> seen.contains("\"deployed\"") && seen.contains("\"revision\":\"2\""));
        assertThat(history()).contains("ended before it was done");
    }

    @Test
    void uninstall() {
        web("1.0.0", "hello");
        isReady("web");
        management.kubectl("delete", "hcp", "web", "-n", namespace, "--timeout=60s");
        assertThat(data()).isEmpty();
        assertThat(releases("{.items}")).isEqualTo("[]");
    }

    @Test
    @Tag("long")
    void deselect() {
        web("1.0.0", "hello");
        isReady("web");
        management.kubectl("label", "cluster.cluster.x-k8s.io", "c1", "-n", namespace, "web-");
        sees("");
        Eventually.see("no proxy is left", () -> releases("{.items}"), "[]"::equals);
    }

    @Test
    @Tag("long")
    void installOnce() {
        chart(
                "web",
                "repoURL: %s\nreleaseName: web\nversion: 1.0.0\nreconcileStrategy: InstallOnce"
                        .formatted(charts.repository()));
        isReady("web");
        management.kubectl(
                "patch",
                "hcp",
                "web",
                "-n",
                namespace,
                "--type=merge",
                "-p={\"spec\":{\"version\":\"1.1.0\"}}");
        isReady("web");
        management.kubectl("label", "cluster.cluster.x-k8s.io", "c1", "-n", namespace, "web-");
        isReady("web");
        assertThat(releases("{.items[*].status.status}")).isEqualTo("deployed");
        management.kubectl("delete", "hcp", "web", "-n", namespace, "--timeout=60s");
        assertThat(releases("{.items}")).isEqualTo("[]");
        assertThat(data()).isEqualTo("none 1.0.0");
    }

    @Test
    void ociWithCredentials() {
        var spec =
                "repoURL: %s\nreleaseName: web\nversion: 1.0.0"
                        .formatted(charts.registry("private"));
        chart("web", spec);
        Eventually.see(
                "without a login it fails",
                () ->
                        releases(
                                "{.items[*].status.conditions[?(@.type==\"HelmReleaseReady\")].reason}"),
                "HelmInstallOrUpgradeFailed"::equals);
        chart("web", spec + "\ncredentials: {secret: {name: login}, key: config.json}");
        sees("none 1.0.0");
        assertThat(addons.log()).doesNotContain(ChartServer.PASSWORD);
    }

    @Test
    @Tag("long")
    void ownCa() {
        chart(
                "web",
                "repoURL: %s\nreleaseName: web\nversion: 1.0.0".formatted(charts.repository()));
        sees("none 1.0.0");
        management.apply(
                """
                apiVersion: addons.cluster.x-k8s.io/v1alpha1
                kind: HelmChartProxy
                metadata: {name: distrustful, namespace: %1$s}
                spec:
                  clusterSelector: {}
                  chartName: web
                  namespace: %1$s
                  repoURL: %2$s
                """
                        .formatted(namespace, charts.repository()));
        Eventually.see(
                "without the authority it fails",
                () ->
                        ready("distrustful")
                                + management.kubectl(
                                        "get",
                                        "hcp",
                                        "distrustful",
                                        "-n",
                                        namespace,
                                        "-o",
                                        "jsonpath={.status.conditions[*].message}"),
                seen -> seen.startsWith("False") && seen.contains("certificate"));
    }

    @Test
    void conflictAndAdoption() {
        workload.kubectl("create", "namespace", namespace);
        onWorkload(
                "install",
                "web",
                directory.resolve("packed/web-1.0.0.tgz").toString(),
                "--set=greeting=theirs");
        web("1.0.0", "hello");
        Eventually.see(
                "the conflict is told",
                () ->
                        releases(
                                "{.items[*].status.conditions[?(@.type==\"HelmReleaseReady\")].message}"),
                seen -> seen.contains("takeOwnership"));
        assertThat(data()).isEqualTo("theirs 1.0.0");
        management.kubectl(
                "patch",
                "hcp",
                "web",
                "-n",
                namespace,
                "--type=merge",
                "-p={\"spec\":{\"options\":{\"takeOwnership\":true}}}");
        sees("hello c1 1.0.0");
    }

    @Test
    void dependencies() {
        chart(
                "shop",
                "repoURL: %s\nreleaseName: shop\ndependsOn: [{name: web}]"
                        .formatted(charts.repository()));
        Eventually.see(
                "a missing dependency is told",
                () ->
                        management.kubectl(
                                "get",
                                "hcp",
                                "shop",
                                "-n",
                                namespace,
                                "-o",
                                "jsonpath={.status.conditions[*].message}"),
                seen -> seen.contains("\"web\""));
        web("1.0.0", "hello");
        isReady("shop");
        assertThat(onWorkload("list", "--short").lines()).containsExactlyInAnyOrder("web", "shop");
    }

    @Test
    @Tag("long")
    void wholeNumbersStayWhole() {
        chart(
                "web",
                """
                repoURL: %s
                releaseName: web
                version: 1.0.0
                valuesTemplate: |
                  greeting: "{{ .Cluster.spec.clusterNetwork.apiServerPort }} {{ gt .Cluster.spec.clusterNetwork.apiServerPort 5 }} {{ .Cluster.nothing }}"
                """
                        .formatted(charts.repository())
                        .stripTrailing());
        isReady("web");
        assertThat(releases("{.items[*].spec.values}")).contains("1234567 true <no value>");
    }

    /// What Helm's engine offers and finds nothing with: no server is asked, no name looked up.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ lookup \"v1\" \"Secret\" \"\" \"\" | toJson }}",
                "{{ getHostByName \"localhost\" | quote }}",
                "{{ .Values | toJson }}",
                "{{ .Release | toJson }}"
            })
    void whatATemplateAsksOfTheWorldIsNotAnswered(String template) {
        chart(
                "web",
                "repoURL: %s\nreleaseName: web\nversion: 1.0.0\nvaluesTemplate: %s"
                        .formatted(charts.repository(), quoted("asked: " + template)));
        isReady("web");
        assertThat(releases("{.items[*].spec.values}"))
                .doesNotContain(namespace, "127.0.0.1", "kubeconfig")
                .matches("asked: (\\{\\}|\"\"|null|\"null\")?\\s*");
    }

    @Test
    @Tag("long")
    void aClusterThatDoesNotAnswerDelaysNoOther() throws IOException {
        try (var silent = new ServerSocket(0, SILENT_BACKLOG, InetAddress.getLoopbackAddress())) {
            var config =
                    """
                    apiVersion: v1
                    kind: Config
                    current-context: c
                    clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d"}}]
                    contexts: [{name: c, context: {cluster: c, user: c}}]
                    users: [{name: c, user: {token: t}}]
                    """
                            .formatted(silent.getLocalPort());
            management.apply(
                    """
                    apiVersion: cluster.x-k8s.io/v1beta2
                    kind: Cluster
                    metadata: {name: a0, namespace: %1$s, labels: {web: "yes"}}
                    spec: {}
                    status: {initialization: {controlPlaneInitialized: true}}
                    ---
                    apiVersion: v1
                    kind: Secret
                    metadata: {name: a0-kubeconfig, namespace: %1$s}
                    stringData: {value: %2$s}
                    """
                            .formatted(namespace, quoted(config)));
            web("1.0.0", "hello");
            sees("hello c1 1.0.0");
            Eventually.see(
                    "the silent cluster is named",
                    () ->
                            releases(
                                    "{.items[?(@.spec.clusterRef.name==\"a0\")].status.conditions[*].reason}"),
                    seen -> seen.contains("HelmReleaseGetFailed"));
            management.kubectl(
                    "delete", "cluster.cluster.x-k8s.io", "a0", "-n", namespace, "--timeout=60s");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ env \"HOME\" }}",
                "{{ expandenv \"$HOME\" }}",
                "{{ .Files.Glob \"**\" | toJson }}",
                "{{ readFile \"/etc/passwd\" }}",
                "{{ define \"b\" }}{{ template \"b\" . }}{{ end }}{{ template \"b\" . }}",
                "{{ tpl \"{{ tpl . . }}\" \"{{ env `HOME` }}\" }}",
                "{{ .Files.Get \"/etc/passwd\" }}",
                "{{ define \"a\" }}{{ include \"a\" . }}{{ end }}{{ include \"a\" . }}",
                "{{ range $i := until 100000000 }}{{ repeat 1000 \"abcdefgh\" }}{{ end }}",
                "{{ end }}{{ end }}",
                "{{ fail \"no\" }}"
            })
    void injectionsFailCleanly(String template) {
        chart(
                "web",
                "repoURL: %s\nreleaseName: web\nvaluesTemplate: %s"
                        .formatted(charts.repository(), quoted("a: " + template)));
        Eventually.see(
                "the failure is told",
                () ->
                        management.kubectl(
                                "get",
                                "hcp",
                                "web",
                                "-n",
                                namespace,
                                "-o",
                                "jsonpath={.status.conditions[?(@.type==\"HelmReleaseProxySpecsUpToDate\")].reason}"),
                "ValueParsingFailed"::equals);
        assertThat(releases("{.items}")).isEqualTo("[]");
        management.kubectl("delete", "hcp", "web", "-n", namespace, "--timeout=60s");
    }
}
