package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Karpenter by two HelmChartProxies, as `deploy/capt/addons` has them, on a second real API server
/// with a scheduler and nodes; and the way there from a release that Terraform made.
@Tag("long")
final class KarpenterByProxiesIT {

    private static final Path ADDONS = Tools.ROOT.resolve("deploy/capt/addons");
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String OPERATOR = "karpenter";
    private static final String POOL = "karpenter-aws-default-nodepool";

    /// In the shape of the output of `deploy/capt/modules/eks`.
    private static final String OUTPUTS =
            """
            {"cluster_name": "%1$s", "cluster_endpoint": "%2$s", "karpenter": {
              "namespace": "karpenter", "queue_name": "%3$s", "queue_arn": "arn:aws:sqs:us-east-1:123456789012:%3$s",
              "iam_role_arn": "%4$s", "node_iam_role_name": "%1$s-node",
              "service_account": {"name": "karpenter", "annotations": {"eks.amazonaws.com/role-arn": "%4$s"}},
              "discovery_tags": {"karpenter.sh/discovery": "%1$s"}}}
            """
                    .formatted(
                            TerraformRelease.CLUSTER_NAME,
                            TerraformRelease.ENDPOINT,
                            TerraformRelease.QUEUE,
                            TerraformRelease.ROLE);

    @TempDir static Path directory;

    private static ManagementSite site;
    private static KarpenterCluster cluster;
    private static RunningAddons addons;
    private static Path peersChart;
    private static String peersVersion;

    private String namespace;

    @BeforeAll
    static void start() throws IOException {
        site = new ManagementSite(directory);
        cluster = new KarpenterCluster();
        peersChart = Tools.path("karpenter-chart");
        peersVersion =
                site.helm("show", "chart", peersChart.toString())
                        .lines()
                        .filter(line -> line.startsWith("version: "))
                        .findFirst()
                        .orElseThrow()
                        .substring("version: ".length());
        site.offer(peersChart, "karpenter", peersVersion);
        for (var version : List.of("0.1.0", "0.1.1")) {
            site.offer(Tools.chart("millwright"), "millwright", version);
            site.offer(Tools.chart(POOL), POOL, version);
        }
        site.serve();
        addons =
                new RunningAddons(
                        site.plane,
                        site.helm,
                        Files.createDirectories(directory.resolve("runs")),
                        "first");
    }

    @AfterAll
    static void stop() {
        addons.close();
        cluster.close();
        site.close();
    }

    /// A Cluster of CAPT that nobody has built yet.
    @BeforeEach
    void cluster() {
        namespace = "team-" + COUNT.incrementAndGet();
        site.namespace(namespace);
        site.plane.apply(
                """
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: CAPTControlPlane
                metadata: {name: shop, namespace: %s}
                spec:
                  version: "1.35"
                  workspaceTemplateRef: {name: eks-controlplane-template-without-karpenter}
                  controlPlaneConfig: {region: us-east-1}
                """
                        .formatted(namespace));
        site.join(
                cluster.plane,
                namespace,
                "shop",
                "karpenter: enabled",
                "controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: CAPTControlPlane, name: shop}");
    }

    @AfterEach
    void clean() {
        kubectl("delete", "hcp", "--all", "--timeout=90s");
        helm("uninstall", "karpenter", "--ignore-not-found", "--wait");
        cluster.plane.kubectl("delete", "nodepools,ec2nodeclasses", "--all");
    }

    private String kubectl(String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        all.add("--namespace=" + namespace);
        return site.plane.kubectl(all.toArray(String[]::new));
    }

    private static String helm(String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--kubeconfig=" + cluster.plane.kubeconfig(), "--namespace=karpenter"));
        return site.helm(all.toArray(String[]::new));
    }

    /// Karpenter as Terraform installs it.
    private static TerraformRelease installed(String folder) {
        cluster.define();
        var terraform = new TerraformRelease(cluster.plane, directory.resolve(folder));
        terraform.install(peersChart);
        return terraform;
    }

    private static String history() {
        return helm("history", "karpenter", "-o", "json");
    }

    /// Terraform is done with the control plane.
    private void build() {
        kubectl(
                "patch",
                "captcontrolplane",
                "shop",
                "--subresource=status",
                "--type=merge",
                "-p={\"status\": {\"workspaceStatus\": {\"ready\": true, \"atProvider\": {\"outputs\": %s}}}}"
                        .formatted(OUTPUTS));
        kubectl("annotate", "cluster.cluster.x-k8s.io", "shop", "built=yes");
    }

    /// The file as it is shipped, but for where charts are.
    private String shipped(String name) {
        try {
            return Files.readString(ADDONS.resolve(name + ".yaml"))
                    .replace("metadata:\n", "metadata:\n  namespace: %s\n".formatted(namespace))
                    .replace(
                            "  repoURL: oci://registry.example.com/charts\n",
                            "  repoURL: %s\n  tlsConfig: {caSecret: {name: authority}}\n"
                                    .formatted(site.charts.registry("open")));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The same, with charts from the https repository.
    private String fromRepository(String name) {
        return shipped(name).replace(site.charts.registry("open"), site.charts.repository());
    }

    private void takeOwnership(String name) {
        patch(name, "{\"spec\": {\"options\": {\"takeOwnership\": true}}}");
    }

    private void patch(String name, String patch) {
        kubectl("patch", "hcp", name, "--type=merge", "-p=" + patch);
    }

    private String conditions(String name) {
        return kubectl(
                "get",
                "hcp",
                name,
                "-o",
                "jsonpath={.status.conditions[?(@.type==\"Ready\")].status} {.metadata.generation} {.status.observedGeneration} {.status.conditions[*].message}");
    }

    private void isReady(String name) {
        Eventually.see(
                "%s is ready; log: %s".formatted(name, addons.log()),
                () -> conditions(name),
                seen -> seen.matches("(?s)True (\\d+) \\1 .*"));
    }

    private void says(String name, String words) {
        Eventually.see(
                "%s says %s".formatted(name, words),
                () -> conditions(name),
                seen -> seen.startsWith("False") && seen.contains(words));
    }

    private String releases(String path) {
        return kubectl("get", "hrp", "-o", "jsonpath=" + path);
    }

    private static String revisionAndChart(String release) {
        var listed = helm("list", "--filter=^%s$".formatted(release), "-o", "json");
        return listed.replaceAll(
                ".*\"revision\":\"(\\d+)\".*\"status\":\"([a-z-]+)\",\"chart\":\"([^\"]+)\".*",
                "$1 $2 $3");
    }

    @Test
    void fromAClusterToARunningOperatorAndItsPool() {
        site.join(cluster.plane, namespace, "old", "karpenter: by-terraform", "paused: false");
        site.plane.apply(shipped(OPERATOR));
        site.plane.apply(shipped(POOL));
        says(OPERATOR, "$outputs.cluster_endpoint");
        build();
        isReady(OPERATOR);
        isReady(POOL);

        var environment =
                cluster.field("deployment/karpenter", "{.spec.template.spec.containers[0].env}");
        assertThat(environment)
                .contains(
                        "\"value\":\"" + TerraformRelease.CLUSTER_NAME + "\"",
                        "\"value\":\"" + TerraformRelease.ENDPOINT + "\"",
                        "\"value\":\"" + TerraformRelease.QUEUE + "\"");
        assertThat(cluster.field("serviceaccount/karpenter", "{.metadata.annotations}"))
                .contains("\"eks.amazonaws.com/role-arn\":\"" + TerraformRelease.ROLE + "\"");
        assertThat(
                        cluster.field(
                                "ec2nodeclass/default",
                                "{.spec.role} {.spec.subnetSelectorTerms} {.spec.securityGroupSelectorTerms}"))
                .isEqualTo(
                        "shop-node [{\"tags\":{\"karpenter.sh/discovery\":\"shop\"}}] [{\"tags\":{\"karpenter.sh/discovery\":\"shop\"}}]");
        assertThat(
                        cluster.field(
                                "nodepool/default",
                                "{.spec.limits.cpu} {.spec.template.spec.nodeClassRef.name} {.spec.template.spec.requirements[2].values}"))
                .isEqualTo("1000 default [\"spot\",\"on-demand\"]");
        // One for each proxy, on the Cluster that is labelled; values without secrets are in clear.
        assertThat(releases("{.items[*].spec.clusterRef.name}")).isEqualTo("shop shop");
        assertThat(releases("{.items[*].spec.valuesSecretRef}")).isEmpty();
        assertThat(isAfter()).isTrue();
    }

    /// Whether the pool's release proxy was made when the operator's was ready.
    private boolean isAfter() {
        var ready =
                releases(
                        "{.items[?(@.spec.releaseName==\"karpenter\")].status.conditions[?(@.type==\"Ready\")].lastTransitionTime}");
        var made =
                releases(
                        "{.items[?(@.spec.releaseName==\"karpenter-nodepool\")].metadata.creationTimestamp}");
        return made.compareTo(ready) >= 0;
    }

    @Test
    void aNewVersionUpgradesInPlaceAndLeavesNodesAlone() {
        build();
        site.plane.apply(shipped(OPERATOR));
        site.plane.apply(shipped(POOL));
        isReady(POOL);
        cluster.grow();
        var before = cluster.workers();
        var pool = cluster.field("nodepool/default", "{.metadata.uid}");
        try (var watch = cluster.watch(directory.resolve("upgrade.txt"))) {
            patch(OPERATOR, "{\"spec\": {\"version\": \"0.1.1\"}}");
            patch(POOL, "{\"spec\": {\"version\": \"0.1.1\"}}");
            Eventually.see(
                    "both are upgraded",
                    () -> revisionAndChart("karpenter") + revisionAndChart("karpenter-nodepool"),
                    seen ->
                            seen.contains("2 deployed millwright-0.1.1")
                                    && seen.contains("2 deployed " + POOL + "-0.1.1"));
            isReady(POOL);
            assertThat(watch.gone()).isEmpty();
        }
        assertThat(cluster.workers()).isEqualTo(before);
        assertThat(cluster.field("nodepool/default", "{.metadata.uid}")).isEqualTo(pool);
    }

    @Test
    void aReleaseOfTerraformsIsTakenOverAsItIs() {
        var terraform = installed("as-is");
        cluster.grow();
        var before = cluster.workers();
        var deployment = cluster.field("deployment/karpenter", "{.metadata.uid} {.spec}");
        terraform.handOver();
        assertThat(terraform.state()).isEmpty();
        build();

        site.plane.apply(
                shipped(OPERATOR)
                        .replace("chartName: millwright", "chartName: karpenter")
                        .replace("version: 0.1.0", "version: " + peersVersion));
        says(OPERATOR, "takeOwnership");
        takeOwnership(OPERATOR);
        isReady(OPERATOR);

        assertThat(revisionAndChart("karpenter"))
                .isEqualTo("1 deployed karpenter-" + peersVersion + "\n");
        assertThat(cluster.field("deployment/karpenter", "{.metadata.uid} {.spec}"))
                .isEqualTo(deployment);
        assertThat(cluster.workers()).isEqualTo(before);
    }

    @Test
    void aReleaseOfTerraformsBecomesOursWithoutARestartOfNodes() {
        var terraform = installed("ours");
        cluster.grow();
        var before = cluster.workers();
        var untouched = history();
        try (var watch = cluster.watch(directory.resolve("migration.txt"))) {
            build();
            site.plane.apply(shipped(OPERATOR));
            site.plane.apply(shipped(POOL));
            // A conflict: nothing is touched, and what waits for it waits.
            says(OPERATOR, "takeOwnership");
            says(POOL, "waits for karpenter");
            assertThat(history()).isEqualTo(untouched);

            terraform.handOver();
            assertThat(history()).isEqualTo(untouched);
            takeOwnership(OPERATOR);
            isReady(OPERATOR);
            isReady(POOL);
            assertThat(revisionAndChart("karpenter")).isEqualTo("2 deployed millwright-0.1.0\n");
            assertThat(watch.gone()).isEmpty();
        }
        assertThat(cluster.workers()).isEqualTo(before);
        // What is Terraform's no more stays when Terraform runs again.
        terraform.handOver();
        assertThat(revisionAndChart("karpenter")).startsWith("2 deployed");
    }

    @Test
    void aPoolMadeByHandIsTakenOverOnlyWhenAskedFor() {
        build();
        site.plane.apply(shipped(OPERATOR));
        isReady(OPERATOR);
        cluster.plane.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: default}
                spec:
                  limits: {cpu: 7}
                  template:
                    spec:
                      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: mine}
                      requirements: [{key: kubernetes.io/os, operator: In, values: [linux]}]
                """);
        var hand = cluster.field("nodepool/default", "{.metadata.uid} {.spec}");
        site.plane.apply(shipped(POOL));
        says(POOL, "NodePool \"default\"");
        assertThat(cluster.field("nodepool/default", "{.metadata.uid} {.spec}")).isEqualTo(hand);

        takeOwnership(POOL);
        isReady(POOL);
        assertThat(cluster.field("nodepool/default", "{.metadata.uid} {.spec.limits.cpu}"))
                .isEqualTo(hand.substring(0, hand.indexOf(' ')) + " 1000");
    }

    @Test
    void aClusterThatTerraformKeepsIsNotTouched() {
        var terraform = installed("kept");
        cluster.grow();
        var before = cluster.workers();
        var untouched = history();
        var deployment = cluster.field("deployment/karpenter", "{.metadata.uid} {.spec}");
        kubectl("label", "cluster.cluster.x-k8s.io", "shop", "--overwrite", "karpenter=theirs");
        build();

        site.plane.apply(shipped(OPERATOR));
        site.plane.apply(shipped(POOL));
        isReady(OPERATOR);
        isReady(POOL);

        assertThat(releases("{.items}")).isEqualTo("[]");
        assertThat(history()).isEqualTo(untouched);
        assertThat(cluster.field("deployment/karpenter", "{.metadata.uid} {.spec}"))
                .isEqualTo(deployment);
        assertThat(cluster.field("nodepool/default", "{.metadata.name}")).isEmpty();
        assertThat(cluster.workers()).isEqualTo(before);
        // Nor does Terraform see anything to do.
        assertThat(terraform.state()).isEqualTo("helm_release.karpenter");
        assertThat(terraform.plan()).contains("No changes.");
    }

    @Test
    void thePoolChangesWithoutTheOperator() {
        build();
        site.plane.apply(fromRepository(OPERATOR));
        site.plane.apply(fromRepository(POOL));
        isReady(POOL);
        var operator = cluster.field("deployment/karpenter", "{.metadata.uid} {.spec}");

        site.plane.apply(fromRepository(POOL).replace("cpu: 1000", "cpu: 64"));
        Eventually.see(
                "the pool's limit is the new one",
                () -> cluster.field("nodepool/default", "{.spec.limits.cpu}"),
                "64"::equals);
        isReady(POOL);

        assertThat(revisionAndChart("karpenter-nodepool")).startsWith("2 deployed");
        assertThat(revisionAndChart("karpenter")).startsWith("1 deployed");
        assertThat(cluster.field("deployment/karpenter", "{.metadata.uid} {.spec}"))
                .isEqualTo(operator);
    }

    @Test
    void thePoolLeavesBeforeTheOperator() {
        build();
        site.plane.apply(shipped(OPERATOR));
        site.plane.apply(shipped(POOL));
        isReady(POOL);
        // As the operator holds a pool until its nodes are drained.
        holdPool("[\"example.com/nodes\"]");

        kubectl("label", "cluster.cluster.x-k8s.io", "shop", "karpenter-");
        Eventually.see(
                "the pool is leaving and the operator waits for it",
                () ->
                        cluster.field("nodepool/default", "{.metadata.deletionTimestamp} ")
                                + releases("{.items[*].status.conditions[*].message}"),
                seen -> seen.startsWith("20") && seen.contains("to be uninstalled first"));
        assertThat(revisionAndChart("karpenter")).startsWith("1 deployed");

        holdPool("null");
        Eventually.see("both are gone", () -> helm("list", "--short"), String::isBlank);
    }

    private static void holdPool(String finalizers) {
        cluster.plane.kubectl(
                "patch",
                "nodepool",
                "default",
                "--type=merge",
                "-p={\"metadata\": {\"finalizers\": %s}}".formatted(finalizers));
    }
}
