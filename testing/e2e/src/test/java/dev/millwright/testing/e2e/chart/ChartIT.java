package dev.millwright.testing.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The charts in the hands of Helm and a real control plane. Pods run on kwok's nodes: that they
/// come up says nothing of the image.
final class ChartIT {

    private static final String CLUSTER = "settings.clusterName=test-cluster";
    private static final List<String> TOLERANT =
            List.of(
                    "tolerations[0].key=workload-type",
                    "tolerations[0].operator=Exists",
                    "tolerations[0].effect=NoSchedule");

    private static ControlPlane plane;
    private static Helm helm;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start(ControlPlane.Options.all());
        helm = Helm.of(plane.kubeconfig());
        plane.apply(CustomResources.aws().text());
        plane.apply(Charts.text(Charts.fixture("monitoring.yaml")));
        plane.established();
        SystemNodes.join(plane);
        // A pod is refused, even in a dry run, where its account does not exist.
        plane.kubectl("create", "serviceaccount", "karpenter-sa", "-n", "kube-system");
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    static Stream<Path> valuesOfMain() {
        return Charts.files(Charts.fixture("values")).stream();
    }

    static Stream<Path> valuesOfNodePools() {
        return Charts.files(Charts.fixture("nodepools")).stream();
    }

    @ParameterizedTest
    @MethodSource("valuesOfMain")
    void theServerTakesEveryObject(Path values) {
        var rendered =
                helm.template(
                        Charts.MAIN, "-f", values, "--set", "serviceAccount.name=karpenter-sa");

        assertThat(plane.dryRun(rendered.text()).lines().toList())
                .hasSize(rendered.objects().size())
                .allMatch(line -> line.contains("serverside-applied (server dry run)"));
    }

    @ParameterizedTest
    @MethodSource("valuesOfNodePools")
    void theServerTakesEveryPool(Path values) {
        var rendered = helm.template(Charts.NODE_POOLS, "-f", values);

        assertThat(plane.dryRun(rendered.text()).lines().toList())
                .hasSize(rendered.objects().size())
                .allMatch(line -> line.contains("serverside-applied (server dry run)"));
    }

    private static void upgrade(Path chart, String... values) {
        var all = Stream.concat(TOLERANT.stream(), Stream.of(values)).toList();
        helm.run(
                "upgrade",
                "--install",
                "karpenter",
                chart,
                "-n",
                "kube-system",
                "--reset-values",
                "--wait",
                "--timeout=2m",
                "--set",
                String.join(",", all));
    }

    private static String image() {
        return plane.kubectl(
                "get",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "app.kubernetes.io/instance=karpenter",
                "-o=jsonpath={range .items[*]}{.spec.containers[0].image} {.status.phase}{\"\\n\"}{end}");
    }

    @Test
    void aReleaseOfKarpenterIsUpgradedRolledBackAndRemoved(@TempDir Path packages) {
        upgrade(Helm.karpentersChart(), CLUSTER);
        assertThat(image().lines()).allMatch(line -> line.contains("karpenter/controller:"));

        helm.run("package", Charts.MAIN, "--version", "0.0.10", "-d", packages);
        upgrade(packages.resolve("millwright-0.0.10.tgz"), CLUSTER);
        assertThat(may("patch", "customresourcedefinitions/nodepools.karpenter.sh")).isFalse();
        upgrade(Charts.MAIN, CLUSTER, "replicas=3", "webhook.enabled=true");
        assertThat(image().lines().filter(line -> line.endsWith("Running")))
                .hasSize(3)
                .allMatch(line -> line.startsWith(Tools.IMAGE + ":v"));
        assertThat(may("patch", "customresourcedefinitions/nodepools.karpenter.sh")).isTrue();
        assertThat(may("patch", "customresourcedefinitions/others.example.com")).isFalse();
        assertThat(may("get", "secrets/karpenter-cert", "-n", "kube-system")).isTrue();
        assertThat(may("get", "secrets/others", "-n", "kube-system")).isFalse();
        assertThat(may("patch", "leases/others", "-n", "kube-system")).isFalse();
        assertThat(may("patch", "deployments", "-n", "default")).isFalse();

        helm.run("rollback", "karpenter", "1", "-n", "kube-system", "--wait", "--timeout=2m");
        assertThat(image().lines().filter(line -> line.endsWith("Running")))
                .hasSize(2)
                .allMatch(line -> line.contains("karpenter/controller:"));

        helm.run("rollback", "karpenter", "3", "-n", "kube-system", "--wait", "--timeout=2m");
        assertThat(image().lines().filter(line -> line.endsWith("Running"))).hasSize(3);
        assertThat(helm.run("history", "karpenter", "-n", "kube-system", "-o=json"))
                .contains("\"revision\":5", "\"chart\":\"millwright-0.0.10\"");

        helm.run("uninstall", "karpenter", "-n", "kube-system", "--wait", "--timeout=2m");
        assertThat(left()).isBlank();
        assertThat(plane.kubectl("get", "crd", "nodepools.karpenter.sh", "-o=name")).isNotBlank();
    }

    /// Asks as the controller's service account.
    private static boolean may(String... what) {
        var arguments =
                Stream.concat(
                        Stream.of(
                                "auth",
                                "can-i",
                                "--as=system:serviceaccount:kube-system:karpenter"),
                        Stream.of(what));
        try {
            return plane.kubectl(arguments.toArray(String[]::new)).startsWith("yes");
        } catch (IllegalStateException refused) {
            // Kubectl says no by its exit code.
            return false;
        }
    }

    private static String left() {
        return plane.kubectl(
                "get",
                "all,serviceaccounts,poddisruptionbudgets,roles,rolebindings,clusterroles,clusterrolebindings,configmaps,networkpolicies",
                "-A",
                "-l",
                "app.kubernetes.io/instance=karpenter",
                "--ignore-not-found",
                "-o=name");
    }

    @Test
    void notesSayWhatAValueDoesNotDo() {
        var notes =
                helm.run(
                        "install",
                        "old",
                        Charts.MAIN,
                        "-n",
                        "default",
                        "--dry-run=client",
                        "-f",
                        Charts.fixture("values/karpenter-0.27.yaml"),
                        "--set",
                        "settings.ignoreDRARequests=false,logConfig.logLevel.webhook=error");

        assertThat(notes)
                .contains("NOTE: logConfig.logLevel.webhook is an old value without effect")
                .contains("NOTE: settings.ignoreDRARequests: false is not passed on")
                .contains(
                        "NOTE: settings.aws.defaultInstanceProfile is an old value without effect")
                .contains("NOTE: affinity does not keep the controller off nodes");
    }

    @Test
    void definitionsThatAreThereAreTakenOverAndUpgraded() {
        assertThat(definitions("install")).contains("STATUS: deployed");
        assertThat(annotation("meta\\.helm\\.sh/release-name")).isEqualTo("millwright-crd");

        definitions("upgrade", "--set", "additionalAnnotations.owner=platform");
        assertThat(annotation("owner")).isEqualTo("platform");

        helm.run("rollback", "millwright-crd", "1", "-n", "kube-system");
        assertThat(annotation("owner")).isBlank();
    }

    private static String definitions(String verb, String... more) {
        var arguments =
                Stream.concat(
                        Stream.<Object>of(
                                verb,
                                "millwright-crd",
                                Charts.DEFINITIONS,
                                "-n",
                                "kube-system",
                                "--take-ownership"),
                        Stream.of(more));
        return helm.run(arguments.toArray());
    }

    private static String annotation(String name) {
        return plane.kubectl(
                "get",
                "crd",
                "nodepools.karpenter.sh",
                "-o=jsonpath={.metadata.annotations.%s}".formatted(name));
    }
}
