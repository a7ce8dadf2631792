package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.apply.ApplyController;
import dev.millwright.capi.apply.TemplateController;
import dev.millwright.capi.cluster.CaptClusterController;
import dev.millwright.capi.controlplane.ControlPlaneController;
import dev.millwright.capi.kubeconfig.KubeconfigController;
import dev.millwright.capi.kubeconfig.KubeconfigMemory;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.port.ApiSecrets;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.testing.e2e.Component;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;

/// Whole clusters on a real API server with its garbage collector. Terraform is played, and so is
/// core Cluster API: the fields it reads are read here.
final class CaptFlowIT {

    private static final ClusterApi CORE = MachineLoops.API;
    private static final TerraformStandIn TERRAFORM = new TerraformStandIn();

    private static ControlPlane plane;
    private static HttpKubeApi api;
    private static MachineLoops loops;
    private static MachineLoops terraform;

    @BeforeAll
    static void start() {
        plane =
                ControlPlane.start(
                        ControlPlane.Options.of(
                                Component.ETCD,
                                Component.API_SERVER,
                                Component.CONTROLLER_MANAGER));
        CaptDefinitions.install(plane);
        // With the chart's rights; Terraform, which is played, has the administrator's.
        api = MachineLoops.open(ChartAccount.of(plane, Chart.CAPT).kubeconfig());
        terraform =
                new MachineLoops(
                                MachineLoops.open(plane),
                                List.of(CaptTypes.WORKSPACE),
                                List.of(TERRAFORM))
                        .start();
        var secrets = new ApiSecrets(api);
        loops =
                new MachineLoops(
                                MachineLoops.open(ChartAccount.of(plane, Chart.CAPT).kubeconfig()),
                                List.of(
                                        CORE.cluster(),
                                        CaptTypes.CLUSTER,
                                        CaptTypes.CONTROL_PLANE,
                                        CaptTypes.WORKSPACE_TEMPLATE,
                                        CaptTypes.APPLY,
                                        CaptTypes.WORKSPACE,
                                        CaptTypes.MACHINE,
                                        CaptTypes.MACHINE_SET,
                                        CaptTypes.MACHINE_DEPLOYMENT,
                                        CaptTypes.MACHINE_POOL),
                                List.of(
                                        new TemplateController(),
                                        new ApplyController(
                                                CORE, secrets, new ReferenceGrants(api)),
                                        new CaptClusterController(CORE),
                                        new ControlPlaneController(CORE, secrets),
                                        new KubeconfigController(
                                                CORE, secrets, new KubeconfigMemory())))
                        .start();
        plane.apply(
                String.join(
                        "---\n",
                        template("vpc", ""),
                        template("broken", "fail"),
                        template("eks", ""),
                        template("eks-kubeconfig-template", "")));
    }

    @AfterAll
    static void stop() {
        loops.close();
        terraform.close();
        api.close();
        plane.close();
    }

    private static String template(String name, String module) {
        return """
        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
        kind: WorkspaceTemplate
        metadata: {name: %s, namespace: default}
        spec:
          template:
            spec:
              forProvider: {source: Inline, module: '%s'}
              writeConnectionSecretToRef: {name: '${WORKSPACE_NAME}', namespace: default}
        """
                .formatted(name, module);
    }

    private static void create(String name, String vpcTemplate) {
        plane.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: NAME, namespace: default}
                spec:
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: CAPTCluster, name: NAME}
                  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: CAPTControlPlane, name: NAME}
                ---
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CAPTCluster
                metadata: {name: NAME, namespace: default}
                spec: {region: eu-west-1, vpcTemplateRef: {name: VPC}}
                ---
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: CAPTControlPlane
                metadata: {name: NAME, namespace: default}
                spec:
                  version: v1.33.4
                  workspaceTemplateRef: {name: eks}
                  controlPlaneConfig: {region: eu-west-1}
                """
                        .replace("NAME", name)
                        .replace("VPC", vpcTemplate));
    }

    private static String read(String type, String name, String path) {
        return plane.kubectl(
                "get", type, name, "--ignore-not-found", "-o", "jsonpath={%s}".formatted(path));
    }

    private static void see(String type, String name, String path, String wanted) {
        Eventually.see(
                "%s %s %s is %s".formatted(type, name, path, wanted),
                () -> read(type, name, path),
                wanted::equals);
    }

    private static List<String> of(List<String> workspaces, String cluster) {
        return workspaces.stream().filter(each -> each.startsWith(cluster + "-")).toList();
    }

    @Test
    void aClusterComesAndGoesInOrder() {
        create("flow", "vpc");
        see("captcontrolplane", "flow", ".status.ready", "true");
        var infrastructure = "captclusters.v1beta2.infrastructure.cluster.x-k8s.io";
        var controlPlane = "captcontrolplanes.v1beta2.controlplane.cluster.x-k8s.io";
        see(infrastructure, "flow", ".status.initialization.provisioned", "true");
        see(controlPlane, "flow", ".status.initialization.controlPlaneInitialized", "true");
        see(controlPlane, "flow", ".status.version", "v1.33.4");
        see(controlPlane, "flow", ".status.externalManagedControlPlane", "true");
        see(controlPlane, "flow", ".status.conditions[?(@.type=='Available')].status", "True");
        see(infrastructure, "flow", ".status.conditions[?(@.type=='Ready')].status", "True");
        see("cluster", "flow", ".spec.controlPlaneEndpoint.host", "eks.example");
        see("secret", "flow-kubeconfig", ".type", "cluster.x-k8s.io/secret");
        see("secret", "flow-ca", ".type", "cluster.x-k8s.io/secret");
        assertThat(of(TERRAFORM.made(), "flow"))
                .containsExactly("flow-vpc", "flow-eks-controlplane", "flow-kubeconfig");

        plane.kubectl("delete", "captcluster,captcontrolplane", "flow", "--wait=false");
        see("captcluster", "flow", ".metadata.name", "");
        see("captcontrolplane", "flow", ".metadata.name", "");
        assertThat(of(TERRAFORM.destroyed(), "flow"))
                .containsExactly("flow-kubeconfig", "flow-eks-controlplane", "flow-vpc");
        see("cluster", "flow", ".spec.controlPlaneEndpoint.host", "");
        see("secret", "flow-kubeconfig", ".metadata.name", "");
        assertThat(plane.kubectl("get", "workspacetemplateapplies", "-o", "name"))
                .doesNotContain("/flow-");
    }

    @Test
    void anOwnerDeletedWithAllItsDependentsAtOnceStillGoesInOrder() {
        create("fore", "vpc");
        see("captcontrolplane", "fore", ".status.ready", "true");
        plane.kubectl(
                "delete",
                "captcluster,captcontrolplane",
                "fore",
                "--cascade=foreground",
                "--wait=false");
        see("captcluster", "fore", ".metadata.name", "");
        assertThat(of(TERRAFORM.destroyed(), "fore"))
                .containsExactly("fore-kubeconfig", "fore-eks-controlplane", "fore-vpc");
    }

    @Test
    void aPausedClusterStandsStillAndGoesOn() {
        create("halt", "vpc");
        see("captcontrolplane", "halt", ".status.ready", "true");
        var held = ".metadata.annotations.clusterctl\\.cluster\\.x-k8s\\.io/block-move";
        see("workspacetemplateapply", "halt-vpc", held, "true");
        plane.kubectl(
                "patch", "cluster", "halt", "--type=merge", "-p", "{\"spec\":{\"paused\":true}}");
        see(
                "workspaces.tf.upbound.io",
                "halt-vpc",
                ".metadata.annotations.crossplane\\.io/paused",
                "true");
        see("workspacetemplateapply", "halt-vpc", held, "");
        see("captcluster", "halt", ".status.conditions[?(@.type=='Paused')].status", "True");
        plane.kubectl(
                "patch", "cluster", "halt", "--type=merge", "-p", "{\"spec\":{\"paused\":false}}");
        see(
                "workspaces.tf.upbound.io",
                "halt-vpc",
                ".metadata.annotations.crossplane\\.io/paused",
                "");
        see("captcluster", "halt", ".status.conditions[?(@.type=='Paused')].status", "False");
    }

    @Test
    void theErrorOfAFailingWorkspaceIsShownAllTheWayUp() {
        create("sick", "broken");
        see(
                "workspacetemplateapply",
                "sick-vpc",
                ".status.conditions[?(@.type=='Synced')].message",
                TerraformStandIn.ERROR);
        see(
                "captcluster",
                "sick",
                ".status.conditions[?(@.type=='VPCReady')].reason",
                "VPCCreationFailed");
        see(
                "captcluster",
                "sick",
                ".status.workspaceTemplateStatus.lastFailureMessage",
                TerraformStandIn.ERROR);
        Eventually.see(
                "the control plane says what it waits for",
                () ->
                        read(
                                "captcontrolplane",
                                "sick",
                                ".status.conditions[?(@.type=='Ready')].message"),
                message -> message.contains("VpcLimitExceeded"));
    }
}
