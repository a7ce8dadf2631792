package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.e2e.aws.Kubelets;
import dev.millwright.testing.e2e.capi.CaptSite;
import dev.millwright.testing.e2e.chart.Rendered;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;
import dev.millwright.testing.e2e.terraform.Planes;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// From the manifests of a Cluster to a pod that runs on a node of its own, and back to an empty
/// account. Nothing is played but the cloud and the kubelets: core Cluster API's own manager, our
/// provider with Terraform in its runner, our add-ons with Helm, and our operator, each a process
/// with the rights of its chart and no others.
@Tag("long")
final class WholeChainIT {

    private static final AwsEndpoint ENDPOINT = AwsEndpoint.shared();
    private static final String PODS = "karpenter";

    private static Path directory;
    private static ManagementSite management;
    private static KarpenterCluster cluster;
    private static CoreManager core;
    private static CaptSite site;
    private static OperatorProcess addons;
    private static Kubelets kubelets;
    private static List<String> before;

    @BeforeAll
    static void begin() throws IOException {
        ENDPOINT.fixture();
        ENDPOINT.roles("AWSServiceRoleForEC2Spot");
        var base = Files.createDirectories(Path.of("target", "chain").toAbsolutePath());
        directory = Files.createTempDirectory(base, "it");
        cluster = new KarpenterCluster(Planes.forTokensOf(ENDPOINT, directory, "workload"));
        ENDPOINT.clusterFacts(Planes.facts(cluster.plane));
        before = ENDPOINT.account();
        management = ManagementSite.withCore(directory);
        for (var chart : List.of("millwright", "karpenter-aws-default-nodepool")) {
            management.offer(Tools.chart(chart), chart, "0.1.0");
        }
        core = new CoreManager(management.plane, directory);
        site = new CaptSite(management.plane, ENDPOINT, directory);
        management.trust(CaptSite.NAMESPACE);
        addons = addons();
        kubelets = new Kubelets(ENDPOINT, cluster.plane);
    }

    @AfterAll
    static void end() {
        kubelets.close();
        addons.close();
        site.close();
        core.close();
        management.close();
        cluster.close();
    }

    private static OperatorProcess addons() throws IOException {
        return OperatorProcess.start(
                List.of(
                        "run",
                        "addons",
                        "--kubeconfig="
                                + ChartAccount.of(management.plane, Chart.ADDONS).kubeconfig(),
                        "--leader-elect",
                        "--diagnostics-address=127.0.0.1:0",
                        "--insecure-diagnostics",
                        "--health-addr=127.0.0.1:0",
                        "--helm=" + management.helm,
                        "--helm-work-dir=" + directory.resolve("runs"),
                        "--v=5"),
                Map.of());
    }

    /// A kubeconfig of a service account alone.
    private static Path access(ControlPlane plane, String namespace, String account)
            throws IOException {
        var token = plane.kubectl("create", "token", account, "-n", namespace, "--duration=2h");
        var text =
                """
                apiVersion: v1
                kind: Config
                current-context: it
                clusters: [{name: it, cluster: {server: "%s", certificate-authority: "%s"}}]
                contexts: [{name: it, context: {cluster: it, user: it, namespace: %s}}]
                users: [{name: it, user: {token: "%s"}}]
                """
                        .formatted(
                                plane.server(),
                                plane.kubeconfig().resolveSibling("pki/ca.crt"),
                                namespace,
                                token.strip());
        return Files.writeString(directory.resolve(account + ".kubeconfig"), text, UTF_8);
    }

    /// Started as the Deployment in the cluster says; no kubelet runs its image here.
    private static OperatorProcess operator() throws IOException {
        var pod =
                Rendered.of(
                                cluster.plane.kubectl(
                                        "get", "deployment", "karpenter", "-n", PODS, "-o=json"))
                        .pod();
        var variables = new TreeMap<>(Rendered.environment(pod));
        variables.putAll(
                Map.of(
                        "SYSTEM_NAMESPACE",
                        PODS,
                        "CPU_REQUESTS",
                        "500",
                        "MEMORY_LIMIT",
                        "1073741824",
                        "METRICS_PORT",
                        "0",
                        "HEALTH_PROBE_PORT",
                        "0",
                        "LOG_LEVEL",
                        "debug",
                        "KUBECONFIG",
                        access(cluster.plane, PODS, "karpenter").toString()));
        variables.putAll(
                Map.of(
                        "AWS_REGION",
                        AwsEndpoint.REGION,
                        "AWS_ENDPOINT_URL",
                        ENDPOINT.uri().toString(),
                        "AWS_ACCESS_KEY_ID",
                        "test",
                        "AWS_SECRET_ACCESS_KEY",
                        "test"));
        return OperatorProcess.start(Rendered.arguments(pod), variables);
    }

    /// The example that people begin with, in the endpoint's region, labelled for the operator.
    private static String manifests() throws IOException {
        return Files.readString(Tools.ROOT.resolve("examples/capt/cluster.yaml"))
                .replace("namespace: default", "namespace: " + CaptSite.NAMESPACE)
                .replace("eu-central-1", AwsEndpoint.REGION)
                .replace(
                        "name: eks-controlplane-template",
                        "name: eks-controlplane-template-without-karpenter")
                .replaceFirst("(kind: Cluster\nmetadata:\n)", "$1  labels: {karpenter: enabled}\n");
    }

    private static String proxy(String name) throws IOException {
        return Files.readString(Tools.ROOT.resolve("deploy/capt/addons/%s.yaml".formatted(name)))
                .replace(
                        "metadata:\n", "metadata:\n  namespace: %s\n".formatted(CaptSite.NAMESPACE))
                .replace(
                        "  repoURL: oci://registry.example.com/charts\n",
                        "  repoURL: %s\n  tlsConfig: {caSecret: {name: authority}}\n"
                                .formatted(management.charts.registry("open")));
    }

    private static void sees(String what, String object, String path, String wanted) {
        Eventually.see(
                what,
                CaptSite.LIMIT,
                () -> cluster.field(object, path) + "\n" + cluster.field(object, "{.status}"),
                seen -> seen.startsWith(wanted + "\n"));
    }

    private static String pods() {
        return cluster.plane.kubectl(
                "get",
                "pods",
                "-n=default",
                "-l=app=web",
                "-o=jsonpath={range .items[*]}{.status.phase} {.spec.nodeName}{\"\\n\"}{end}");
    }

    @Test
    void aClusterComesWithANodeForAPodAndGoesWithoutATrace() throws IOException {
        site.apply(proxy("karpenter"));
        site.apply(proxy("karpenter-aws-default-nodepool"));
        site.apply(manifests());

        // Core's manager tells owners and phases; nobody helps it.
        site.see("the VPC is there", "captclusters", "shop", ".status.ready", "true");
        site.see("EKS is there", "captcontrolplanes", "shop", ".status.ready", "true");
        site.see(
                "core calls the Cluster provisioned",
                "clusters.cluster.x-k8s.io",
                "shop",
                ".status.phase",
                "Provisioned");
        site.see(
                "core calls its control plane initialised",
                "clusters.cluster.x-k8s.io",
                "shop",
                ".status.initialization.controlPlaneInitialized",
                "true");
        assertThat(site.field("captclusters", "shop", ".metadata.ownerReferences[*].kind"))
                .isEqualTo("Cluster");

        // By the kubeconfig that Terraform made, Helm installs what $outputs say.
        sees("the operator is there", "deployment/karpenter", "{.metadata.name}", "karpenter");
        try (var operator = operator()) {
            sees(
                    "the pool is ready",
                    "nodepool/default",
                    "{.status.conditions[?(@.type==\"Ready\")].status}",
                    "True");
            runsAPod(operator);
            leaves(operator);
        }
        assertThat(site.manager().log()).doesNotContainIgnoringCase("forbidden");
        assertThat(core.log()).doesNotContainIgnoringCase("forbidden");
        assertThat(addons.log()).doesNotContainIgnoringCase("forbidden");
    }

    private static void runsAPod(OperatorProcess operator) {
        assertThat(ENDPOINT.instances()).isEmpty();
        cluster.plane.apply(
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: default}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      terminationGracePeriodSeconds: 1
                      nodeSelector: {karpenter.sh/nodepool: default}
                      containers:
                      - {name: web, image: none, resources: {requests: {cpu: "1", memory: 1Gi}}}
                """);
        Eventually.see(
                "the pod runs on a node of its own",
                CaptSite.LIMIT,
                () -> pods() + "\n" + operator.lastWords(),
                seen -> seen.startsWith("Running ip-"));
        assertThat(ENDPOINT.instances()).hasSize(1);
    }

    /// Pool and nodes, then the operator, then the cluster.
    private static void leaves(OperatorProcess operator) {
        management.plane.kubectl(
                "label",
                "clusters.cluster.x-k8s.io",
                "shop",
                "-n",
                CaptSite.NAMESPACE,
                "karpenter-");
        Eventually.see(
                "pool, class and operator are gone from the cluster",
                CaptSite.LIMIT,
                () ->
                        cluster.plane.kubectl(
                                        "get",
                                        "nodepools,nodeclaims,ec2nodeclasses,deployments",
                                        "-n=" + PODS,
                                        "-o=name")
                                + "\n"
                                + operator.lastWords(),
                seen -> seen.startsWith("\n"));
        assertThat(ENDPOINT.instances()).allMatch(each -> "terminated".equals(each.text("state")));

        site.delete("clusters.cluster.x-k8s.io", "shop");
        Eventually.see(
                "core takes the Cluster and all of its parts away",
                CaptSite.LIMIT,
                () ->
                        site.get(
                                "clusters.cluster.x-k8s.io,captclusters,captcontrolplanes,"
                                        + "workspacetemplateapplies,workspaces.tf.upbound.io,helmreleaseproxies",
                                "-A",
                                "-o=name"),
                String::isEmpty);
        assertThat(ENDPOINT.account()).isEqualTo(before);
        assertThat(site.get("secrets", "-A", "-o=name")).doesNotContain("tfstate", "shop-");
    }
}
