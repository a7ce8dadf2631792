package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Tools;
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
import java.util.stream.IntStream;

/// The tree of document 002, with the shipped templates and examples: network, control plane, and a
/// deployment with its set and three machines, all applied at once, made and destroyed twice by
/// real Terraform against AWS's protocols. Core Cluster API's part is played: it sets owners, and
/// takes a Cluster's parts away.
@Tag("long")
final class MachineTreeIT {

    private static final AwsEndpoint ENDPOINT = AwsEndpoint.shared();
    private static ControlPlane plane;
    private static CaptSite site;
    private static List<String> before;

    @BeforeAll
    static void begin() throws IOException {
        ENDPOINT.fixture();
        ENDPOINT.roles("AWSServiceRoleForEC2Spot");
        var base = Files.createDirectories(Path.of("target", "capt").toAbsolutePath());
        var directory = Files.createTempDirectory(base, "tree");
        plane = Planes.forTokensOf(ENDPOINT, directory, "tree");
        ENDPOINT.clusterFacts(Planes.facts(plane));
        before = ENDPOINT.account();
        site = new CaptSite(plane, ENDPOINT, directory);
    }

    @AfterAll
    static void end() {
        site.close();
        plane.close();
    }

    /// Its Cluster is named by the example's label.
    @Test
    void aTreeWithThreeMachinesComesInOrderAndGoesWithoutATrace() throws IOException {
        comesAndGoes(example("machines.yaml"));
    }

    /// As a user of CAPT has it: the shipped template asks for a Cluster, and there is one.
    @Test
    void soDoesOneWhoseMachinesNameNoCluster() throws IOException {
        comesAndGoes(
                example("machines.yaml")
                        .replaceAll(
                                "(?m)^ *labels:\\n *cluster.x-k8s.io/cluster-name: shop\\n", ""));
    }

    private static void comesAndGoes(String machines) throws IOException {
        // The deployment alone: each machine is a run of Terraform.
        site.apply(cluster() + "---\n" + machines.substring(0, machines.indexOf("---\n")));
        waitsForItsControlPlane();
        site.adopt("shop");

        site.see("the VPC is there", "captclusters", "shop", ".status.ready", "true");
        site.see("EKS is there", "captcontrolplanes", "shop", ".status.initialized", "true");
        site.see(
                "three machines are there",
                "captmachinedeployments",
                "shop-workers",
                ".status.readyReplicas",
                "3");
        var names = machines();
        assertThat(names).hasSize(3);
        for (var name : names) {
            assertThat(ENDPOINT.account())
                    .contains("node groups: shop/" + name, "roles: shop-" + name);
        }
        assertThat(
                        names.stream()
                                .map(
                                        name ->
                                                site.field(
                                                        "captmachines",
                                                        name,
                                                        ".status.instanceId")))
                .allMatch(id -> id.startsWith("i-"))
                .doesNotHaveDuplicates();
        treeIsOwned(names);

        // The parts that core deletes when a Cluster goes, at once: the provider keeps them apart.
        site.delete("captclusters,captcontrolplanes", "shop");
        Eventually.see(
                "the control plane says what it waits for",
                CaptSite.LIMIT,
                () ->
                        site.field(
                                "captcontrolplanes",
                                "shop",
                                ".status.conditions[?(@.type==\"Ready\")].message"),
                message -> message.startsWith("waits until its machines are gone: Capt"));
        Eventually.see(
                "all is gone",
                CaptSite.LIMIT,
                () ->
                        site.get(
                                "captclusters,captcontrolplanes,captmachinedeployments,captmachinesets,"
                                        + "captmachines,workspacetemplateapplies,workspaces.tf.upbound.io",
                                "-A",
                                "-o=name"),
                String::isEmpty);
        assertThat(ENDPOINT.account()).isEqualTo(before);
        assertThat(site.get("secrets", "-A", "-o=name")).doesNotContain("tfstate", "shop-");
        site.delete("clusters.cluster.x-k8s.io", "shop");
        assertThat(site.manager().log())
                .doesNotContainIgnoringCase("forbidden")
                .doesNotContain("EntityAlreadyExists", "ResourceInUseException");
    }

    private static void waitsForItsControlPlane() {
        site.see(
                "the deployment waits",
                "captmachinedeployments",
                "shop-workers",
                ".status.conditions[?(@.type==\"Ready\")].reason",
                "WaitingForControlPlane");
        assertThat(site.get("captmachines,captmachinesets", "-A", "-o=name")).isEmpty();
    }

    private static List<String> machines() {
        return site.get("captmachines", "-n", CaptSite.NAMESPACE, "-o=name")
                .lines()
                .map(each -> each.substring(each.indexOf('/') + 1))
                .toList();
    }

    private static void treeIsOwned(List<String> machines) {
        var owner = ".metadata.ownerReferences[*].kind";
        var label = ".metadata.labels.cluster\\.x-k8s\\.io/cluster-name";
        assertThat(site.field("captmachinedeployments", "shop-workers", owner))
                .isEqualTo("CAPTControlPlane");
        assertThat(site.field("captmachinedeployments", "shop-workers", label)).isEqualTo("shop");
        for (var machine : machines) {
            assertThat(site.field("captmachines", machine, owner)).isEqualTo("CaptMachineSet");
            assertThat(site.field("captmachines", machine, label)).isEqualTo("shop");
        }
        var tree = site.tree("shop");
        var rows =
                List.of(
                        "CAPTControlPlane/",
                        "CaptMachineDeployment/",
                        "CaptMachineSet/",
                        "CaptMachine/");
        var depths = rows.stream().map(row -> depth(tree, row)).toList();
        assertThat(IntStream.range(1, depths.size()))
                .as(tree)
                .allMatch(at -> depths.get(at) > depths.get(at - 1));
        assertThat(tree)
                .contains(
                        "WorkspaceTemplate/vpc",
                        "WorkspaceTemplate/eks-controlplane-template-without-karpenter",
                        "WorkspaceTemplate/eks-node-template");
    }

    private static int depth(String tree, String row) {
        return tree.lines().filter(line -> line.contains(row)).findFirst().orElse("").indexOf(row);
    }

    private static String cluster() throws IOException {
        return example("cluster.yaml")
                .replace(
                        "name: eks-controlplane-template",
                        "name: eks-controlplane-template-without-karpenter");
    }

    /// The example that people begin with, in the endpoint's region.
    private static String example(String file) throws IOException {
        return Files.readString(Tools.ROOT.resolve("examples/capt").resolve(file))
                .replace("namespace: default", "namespace: " + CaptSite.NAMESPACE)
                .replace("eu-central-1", AwsEndpoint.REGION);
    }
}
