package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.operator.OperatorProcess;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `millwright addons status` and `diff` on a real management cluster: what they say is what is,
/// and what comes, and they write nothing.
final class AddonsViewsIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    @TempDir static Path directory;

    private static ManagementSite site;
    private static ControlPlane workload;

    @BeforeAll
    static void start() throws IOException {
        site = new ManagementSite(directory);
        workload = ControlPlane.start(ControlPlane.Options.apiOnly());
        var chart = Files.createDirectories(directory.resolve("web/templates")).getParent();
        Files.writeString(
                chart.resolve("Chart.yaml"), "apiVersion: v2\nname: web\nversion: 0.0.0\n");
        Files.writeString(
                chart.resolve("templates/map.yaml"),
                """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: {{ .Release.Name }}}
                data: {greeting: {{ .Values.greeting | quote }}, version: {{ .Chart.Version | quote }}}
                """);
        site.offer(chart, "web", "1.0.0");
        site.offer(chart, "web", "1.1.0");
        site.namespace("org");
        site.join(workload, "org", "c1", "web: \"yes\"", "paused: false");
        site.plane.apply(before());
    }

    @AfterAll
    static void stop() {
        workload.close();
        site.close();
    }

    private static String proxy(String name, String version, String more) {
        return """
        apiVersion: addons.cluster.x-k8s.io/v1alpha1
        kind: HelmChartProxy
        metadata: {name: %1$s, namespace: org}
        spec:
          clusterSelector: {matchLabels: {web: "yes"}}
          chartName: web
          namespace: org
          releaseName: %1$s
          repoURL: %2$s
          tlsConfig: {caSecret: {name: authority}}
          version: %3$s
          %4$s
        ---
        """
                .formatted(name, site.charts.registry("open"), version, more);
    }

    private static String before() {
        return proxy(
                "web", "1.0.0", "valuesTemplate: 'greeting: hello {{ .Cluster.metadata.name }}'");
    }

    private static String after() {
        return proxy(
                        "web",
                        "1.1.0",
                        "valuesTemplate: '{greeting: bye, adminPassword: swordfish-77}'")
                + proxy("shop", "1.0.0", "dependsOn: [{name: web}]");
    }

    private static RunningAddons running(String process) throws IOException {
        var runs = Files.createDirectories(directory.resolve("runs"));
        return new RunningAddons(site.plane, site.helm, runs, process);
    }

    private static String addons(String input, String... arguments) {
        var all = new ArrayList<>(List.of("addons"));
        all.addAll(List.of(arguments));
        all.addAll(
                List.of(
                        "--kubeconfig=" + site.plane.kubeconfig(),
                        "--helm=" + site.helm,
                        "--namespace=org"));
        var command = new ArrayList<>(List.of("env", "LC_ALL=C"));
        command.addAll(OperatorProcess.command(all));
        return Shell.run(command, input, LIMIT);
    }

    private static void areReady(String... names) {
        Eventually.see(
                "proxies are ready",
                () ->
                        site.plane.kubectl(
                                "get",
                                "hcp",
                                "-n=org",
                                "-o",
                                "jsonpath={range .items[?(@.status.observedGeneration)]}{.metadata.name}={.status.conditions[?(@.type==\"Ready\")].status}/{.metadata.generation}/{.status.observedGeneration} {end}"),
                seen ->
                        List.of(names).stream()
                                .allMatch(
                                        each ->
                                                seen.matches(
                                                        ".*\\b" + each + "=True/(\\d+)/\\1 .*")));
    }

    /// Every object that a view could have written, with its version.
    private static String versions() {
        var path =
                "jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{\"\\n\"}{end}";
        return site.plane.kubectl(
                        "get", "hcp,hrp,clusters.cluster.x-k8s.io,secrets", "-n=org", "-o", path)
                + workload.kubectl("get", "secrets,configmaps", "-n=org", "-o", path);
    }

    @Test
    void aViewSaysWhatIsAndWhatComesAndWritesNothing() throws IOException {
        assertThat(addons("", "diff"))
                .isEqualTo(
                        "+ install web on c1: release org/web, chart web 1.0.0\n    + greeting: \"hello c1\"\n");
        try (var _ = running("first")) {
            areReady("web");
        }
        var versions = versions();

        assertThat(addons("", "status").lines().toList().getLast().replaceAll(" +", " "))
                .matches("web c1 org/web web 1.0.0 1.0.0 1 Ready \\d+[sm]");
        assertThat(addons("", "status", "--local", "-o", "json"))
                .contains("\"versionWanted\" : \"1.0.0\"", "\"ready\" : true")
                .doesNotContain("versionDeployed");
        assertThat(addons("", "diff", "--exit-code")).isEqualTo("nothing would change\n");
        assertThat(addons(after(), "diff", "-f", "-").lines())
                .contains(
                        "~ upgrade web on c1: release org/web, chart web 1.0.0 -> 1.1.0",
                        "    - greeting: \"hello c1\"",
                        "    + greeting: \"bye\"",
                        "    + adminPassword: ***",
                        "+ install shop on c1: release org/shop, chart web 1.0.0");
        assertThatThrownBy(() -> addons(after(), "diff", "-f", "-", "--exit-code"))
                .hasMessageContaining("ended with 3");
        assertThat(addons(deselected(), "diff", "-f", "-", "-o", "json"))
                .contains("\"action\" : \"uninstall\"", "\"cluster\" : \"c1\"");
        assertThat(versions()).isEqualTo(versions);

        site.plane.apply(after());
        try (var _ = running("second")) {
            areReady("web", "shop");
        }
        assertThat(addons("", "diff")).isEqualTo("nothing would change\n");
        assertThat(
                        workload.kubectl(
                                "get",
                                "configmap",
                                "web",
                                "-n=org",
                                "-o",
                                "jsonpath={.data.greeting} {.data.version}"))
                .isEqualTo("bye 1.1.0");
    }

    private static String deselected() {
        return """
        apiVersion: cluster.x-k8s.io/v1beta2
        kind: Cluster
        metadata: {name: c1, namespace: org, labels: {web: "no"}}
        """;
    }

    @Test
    void whatCannotBeUsedIsRefusedWithAWayOut() {
        assertThatThrownBy(() -> addons("", "diff", "nothing"))
                .hasMessageContaining("ended with 1")
                .hasMessageContaining("HelmChartProxy nothing is not there; there are [");
        assertThatThrownBy(() -> addons(before().replace("org}", "other}"), "diff", "-f", "-"))
                .hasMessageContaining("another is given by -n");
    }
}
