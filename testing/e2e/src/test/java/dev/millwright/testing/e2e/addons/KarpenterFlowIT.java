package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

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
import java.util.Map;

/// From the manifests of a Cluster to the operator on it, with nobody's hand in between: our
/// manager runs Terraform, whose outputs reach the proxies, which install on a second API server.
///
/// Terraform's modules have the outputs of the released ones and no resources of AWS:
/// `CaptClusterIT` has those. Core Cluster API's part is played.
final class KarpenterFlowIT {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final String NAMESPACE = "clusters";

    @TempDir static Path directory;

    private static ManagementSite site;
    private static KarpenterCluster cluster;
    private static OperatorProcess manager;
    private static RunningAddons addons;

    @BeforeAll
    static void start() throws IOException {
        site = ManagementSite.withCore(directory);
        cluster = new KarpenterCluster();
        for (var chart : List.of("millwright", "karpenter-aws-default-nodepool")) {
            site.offer(Tools.chart(chart), chart, "0.1.0");
        }
        site.namespace(NAMESPACE);
        site.plane.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: ProviderConfig
                metadata: {name: aws-provider}
                spec: {credentials: []}
                """);
        site.plane.apply(template("vpc", "output \"vpc_id\" {\n  value = \"vpc-0a\"\n}"));
        site.plane.apply(template("eks-controlplane-template-without-karpenter", controlPlane()));
        site.plane.apply(
                template(
                        "eks-kubeconfig-template",
                        "output \"kubeconfig\" {\n  sensitive = true\n  value = file(\"%s\")\n}"
                                .formatted(cluster.plane.kubeconfig())));
        manager =
                OperatorProcess.start(
                        List.of(
                                "run",
                                "capi",
                                "--kubeconfig="
                                        + ChartAccount.of(site.plane, Chart.CAPT).kubeconfig(),
                                "--metrics-bind-address=0",
                                "--health-probe-bind-address=127.0.0.1:0",
                                "--terraform-work-dir=" + directory.resolve("work")),
                        Map.of(
                                "POD_NAMESPACE",
                                "capt-system",
                                "PATH",
                                Tools.path("terraform").getParent()
                                        + ":/usr/local/bin:/usr/bin:/bin"));
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
        manager.close();
        cluster.close();
        site.close();
    }

    private static String template(String name, String outputs) {
        return """
        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
        kind: WorkspaceTemplate
        metadata: {name: %1$s, namespace: clusters}
        spec:
          template:
            spec:
              providerConfigRef: {name: aws-provider}
              forProvider:
                source: Inline
                vars: [{key: cluster_name, value: "${cluster_name}"}]
                module: |
                  variable "cluster_name" {
                    type = string
                  }
                  resource "terraform_data" "it" {
                    input = var.cluster_name
                  }
        %2$s
        """
                .formatted(name, outputs.indent(10));
    }

    /// The outputs of `deploy/capt/modules/eks` that somebody reads.
    private static String controlPlane() {
        return """
        output "cluster_name" {
          value = terraform_data.it.output
        }
        output "cluster_endpoint" {
          value = "%s"
        }
        output "cluster_certificate_authority_data" {
          sensitive = true
          value     = filebase64("%s")
        }
        output "karpenter" {
          value = {
            namespace          = "karpenter"
            queue_name         = "Karpenter-${terraform_data.it.output}"
            node_iam_role_name = "${terraform_data.it.output}-node"
            service_account = {
              name        = "karpenter"
              annotations = { "eks.amazonaws.com/role-arn" = "arn:aws:iam::123456789012:role/shop" }
            }
            discovery_tags = { "karpenter.sh/discovery" = terraform_data.it.output }
          }
        }
        """
                .formatted(
                        cluster.plane.server(),
                        cluster.plane.kubeconfig().resolveSibling("pki/ca.crt"));
    }

    /// The example that people begin with.
    private static String manifests() throws IOException {
        return Files.readString(Tools.ROOT.resolve("examples/capt/cluster.yaml"))
                .replace("namespace: default", "namespace: " + NAMESPACE)
                .replace(
                        "name: eks-controlplane-template",
                        "name: eks-controlplane-template-without-karpenter");
    }

    private static String proxy(String name) throws IOException {
        return Files.readString(Tools.ROOT.resolve("deploy/capt/addons/%s.yaml".formatted(name)))
                .replace("metadata:\n", "metadata:\n  namespace: %s\n".formatted(NAMESPACE))
                .replace(
                        "  repoURL: oci://registry.example.com/charts\n",
                        "  repoURL: %s\n  tlsConfig: {caSecret: {name: authority}}\n"
                                .formatted(site.charts.registry("open")));
    }

    private static String field(String object, String path) {
        return site.plane.kubectl(
                "get", object, "-n", NAMESPACE, "--ignore-not-found", "-o", "jsonpath=" + path);
    }

    private static void sees(String object, String path, String wanted) {
        Eventually.see(
                "%s of %s is %s".formatted(path, object, wanted),
                LIMIT,
                () -> field(object, path) + "\n" + field(object, "{.status}"),
                seen -> seen.startsWith(wanted + "\n"));
    }

    private static void patch(String object, String patch, String... more) {
        var arguments = new ArrayList<>(List.of("patch", object, "-n", NAMESPACE));
        arguments.addAll(List.of("--type=merge", "-p", patch));
        arguments.addAll(List.of(more));
        site.plane.kubectl(arguments.toArray(String[]::new));
    }

    /// As core Cluster API does for what a Cluster refers to.
    private static void adopt() {
        var uid = field("clusters.cluster.x-k8s.io/shop", "{.metadata.uid}");
        for (var kind : List.of("captclusters", "captcontrolplanes")) {
            patch(
                    kind + "/shop",
                    """
                    {"metadata": {"labels": {"cluster.x-k8s.io/cluster-name": "shop"},
                     "ownerReferences": [{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster",
                      "name": "shop", "uid": "%s", "controller": true, "blockOwnerDeletion": true}]}}
                    """
                            .formatted(uid));
        }
    }

    @Test
    void fromManifestsOfAClusterToTheOperatorAndItsPool() throws IOException {
        site.plane.apply(proxy("karpenter"));
        site.plane.apply(proxy("karpenter-aws-default-nodepool"));
        site.plane.apply(manifests());
        site.plane.kubectl(
                "label", "clusters.cluster.x-k8s.io", "shop", "-n", NAMESPACE, "karpenter=enabled");
        adopt();

        sees("captcontrolplanes/shop", "{.status.ready}", "true");
        sees("secrets/shop-kubeconfig", "{.type}", "cluster.x-k8s.io/secret");
        // As core Cluster API does when the control plane says so.
        patch(
                "clusters.cluster.x-k8s.io/shop",
                "{\"status\": {\"initialization\": {\"infrastructureProvisioned\": true, \"controlPlaneInitialized\": true}}}",
                "--subresource=status");
        sees("hcp/karpenter", "{.status.conditions[?(@.type==\"Ready\")].status}", "True");
        sees(
                "hcp/karpenter-aws-default-nodepool",
                "{.status.conditions[?(@.type==\"Ready\")].status}",
                "True");

        // The proxies are ready before they have chosen a Cluster, too.
        Eventually.see(
                "the pool is on the cluster",
                LIMIT,
                () -> cluster.field("nodepool/default", "{.metadata.name}"),
                "default"::equals);
        assertThat(cluster.field("deployment/karpenter", "{.status.readyReplicas}"))
                .isEqualTo(cluster.field("deployment/karpenter", "{.spec.replicas}"));
        assertThat(cluster.field("deployment/karpenter", "{.spec.template.spec.containers[0].env}"))
                .contains("\"value\":\"shop\"", "\"value\":\"" + cluster.plane.server() + "\"");
        assertThat(cluster.field("ec2nodeclass/default", "{.spec.role}")).isEqualTo("shop-node");
    }
}
