package dev.millwright.capi.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.stage.CaptStage;
import dev.millwright.capi.stage.Kubeconfigs;
import dev.millwright.capi.stage.Sample;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The control plane of a cluster.
final class ControlPlaneTest {

    private static final String EKS = "prod-eks-controlplane";
    private static final String APPLY = "prod-eks-controlplane-apply";

    private final CaptStage stage = new CaptStage();

    private Ending look() {
        return stage.look(ControlPlaneController.class, "prod");
    }

    private static Ending in(long seconds) {
        return new Ending.Again(Duration.ofSeconds(seconds));
    }

    private CaptStage begun() {
        return stage.withVpc().given(Sample.CONTROL_PLANE).settle();
    }

    private CaptStage ready() {
        return stage.withKubeconfig(Kubeconfigs.exec());
    }

    private String variable(String name) {
        return stage.apply(APPLY).spec().at("variables").at(name).text("");
    }

    private String status(String field) {
        return stage.controlPlane().status().at(field).text("");
    }

    private boolean is(String field) {
        return stage.controlPlane().status().at(field).isTrue();
    }

    private String reason() {
        return stage.condition(stage.controlPlane(), "Ready").reason();
    }

    @Test
    void withoutAClusterItWaits() {
        stage.given(Sample.TEMPLATES).given(Sample.CONTROL_PLANE).settle();
        assertThat(look()).isEqualTo(in(5));
        assertThat(reason()).isEqualTo("Creating");
        assertThat(stage.controlPlane().meta().finalizers()).isEmpty();
    }

    @Test
    void itBeginsWhenTheVpcIsThere() {
        stage.given(Sample.TEMPLATES).given(Sample.CLUSTER).given(Sample.CAPT_CLUSTER);
        stage.given(Sample.CONTROL_PLANE).settle();
        assertThat(reason()).isEqualTo("WaitingForVPC");
        assertThat(stage.hasApply(APPLY)).isFalse();
        stage.terraform().done("prod-vpc", Tree.of("vpc_id", "vpc-1"));
        stage.settle();
        assertThat(stage.hasApply(APPLY)).isTrue();
        assertThat(stage.controlPlane().meta().finalizers())
                .containsExactly("controlplane.cluster.x-k8s.io/captcontrolplane");
    }

    @Test
    void theTemplateIsGivenItsVariables() {
        begun();
        assertThat(variable("cluster_name")).isEqualTo("prod");
        assertThat(variable("kubernetes_version")).isEqualTo("1.33");
        assertThat(variable("region")).isEqualTo("eu-west-1");
        assertThat(variable("endpoint_public_access")).isEqualTo("true");
        assertThat(variable("endpoint_private_access")).isEqualTo("false");
        assertThat(variable("public_access_cidrs")).isEqualTo("[\"203.0.113.0/24\"]");
        assertThat(variable("addons"))
                .isEqualTo(
                        "[{\"name\":\"coredns\",\"configurationValues\":\"{\\\"replicaCount\\\": 2}\"}]");
        assertThat(variable("tags_team")).isEqualTo("blue");
        assertThat(variable("tags")).isEqualTo("{\"team\":\"blue\"}");
        assertThat(variable("vpc_id")).isEqualTo("vpc-1");
    }

    @Test
    void theApplyWaitsForTheVpcAndWritesTheConnection() {
        begun();
        var spec = stage.apply(APPLY).spec();
        assertThat(spec.at("waitForWorkspaces").elements().getFirst().at("name").text(""))
                .isEqualTo("prod-vpc");
        assertThat(spec.at("writeConnectionSecretToRef").at("name").text(""))
                .isEqualTo("prod-eks-connection");
        assertThat(stage.apply(APPLY).meta().owners().getFirst().kind())
                .isEqualTo("CAPTControlPlane");
    }

    @Test
    void anExistingVpcIsPassedOnAndNotWaitedFor() {
        stage.given(Sample.TEMPLATES)
                .given(Sample.CLUSTER)
                .given(
                        Sample.CAPT_CLUSTER.replace(
                                "vpcTemplateRef: {name: vpc}", "existingVpcId: vpc-9"))
                .given(Sample.CONTROL_PLANE)
                .settle();
        assertThat(variable("vpc_id")).isEqualTo("vpc-9");
        assertThat(stage.apply(APPLY).spec().at("waitForWorkspaces").isPresent()).isFalse();
    }

    @Test
    void aMissingTemplateIsTold() {
        stage.withVpc().given(Sample.CONTROL_PLANE.replace("name: eks}", "name: absent}"));
        stage.settle();
        assertThat(look()).isEqualTo(in(10));
        assertThat(status("failureReason")).isEqualTo("WorkspaceTemplateNotFound");
        assertThat(status("phase")).isEqualTo("Failed");
    }

    @Test
    void aVpcThatDoesNotComeIsWaitedForAsLongAsItWasSaid() {
        stage.given(Sample.TEMPLATES).given(Sample.CLUSTER).given(Sample.CAPT_CLUSTER);
        stage.given(Sample.CONTROL_PLANE).settle();
        stage.rig().advance(Duration.ofMinutes(14));
        stage.settle();
        assertThat(reason()).isEqualTo("WaitingForVPC");
        stage.rig().advance(Duration.ofMinutes(2));
        stage.settle();
        assertThat(reason()).isEqualTo("VPCReadyTimeout");
        assertThat(status("failureReason")).isEqualTo("VPCReadyTimeout");
        assertThat(status("phase")).isEqualTo("Failed");
    }

    @Test
    void anEksClusterThatDoesNotComeIsWaitedForAsLongAsItWasSaid() {
        begun().terraform().creating(EKS);
        stage.settle();
        assertThat(look()).isEqualTo(in(5));
        assertThat(status("phase")).isEqualTo("Creating");
        stage.rig().advance(Duration.ofMinutes(31));
        stage.settle();
        assertThat(status("failureReason")).isEqualTo("ControlPlaneTimeout");
        stage.terraform().done(EKS, Tree.of("cluster_endpoint", CaptStage.ENDPOINT));
        stage.settle();
        assertThat(status("failureReason")).isEmpty();
    }

    @Test
    void theErrorOfTerraformIsShown() {
        begun().terraform().failed(EKS, "apply: Error: UnsupportedAvailabilityZone");
        stage.settle();
        assertThat(look()).isEqualTo(in(10));
        assertThat(reason()).isEqualTo("WorkspaceError");
        assertThat(stage.condition(stage.controlPlane(), "Failed").message())
                .contains("UnsupportedAvailabilityZone");
        var summary = stage.controlPlane().status().at("workspaceTemplateStatus");
        assertThat(summary.at("lastFailureMessage").text(""))
                .contains("UnsupportedAvailabilityZone");
    }

    @Test
    void theEndpointIsAHostAndAPort() {
        stage.withEks();
        assertThat(List.of(stage.controlPlane(), stage.cluster()))
                .extracting(object -> object.spec().at("controlPlaneEndpoint"))
                .allSatisfy(
                        endpoint -> {
                            assertThat(endpoint.at("host").text(""))
                                    .isEqualTo("ABC.gr7.eu-west-1.eks.amazonaws.com");
                            assertThat(endpoint.at("port").whole(0, 70_000, 0)).isEqualTo(443);
                        });
    }

    @Test
    void anEndpointThatCaptWroteAsAnAddressIsCorrected() {
        stage.withEks();
        stage.patch(
                CaptTypes.CONTROL_PLANE,
                "prod",
                Tree.of(
                        "spec",
                        Tree.of("controlPlaneEndpoint", Tree.of("host", CaptStage.ENDPOINT))));
        stage.settle();
        assertThat(stage.controlPlane().spec().at("controlPlaneEndpoint").at("host").text(""))
                .doesNotContain("https");
    }

    @Test
    void theEndpointMayComeFromTheConnectionSecret() {
        begun().secret("prod-eks-connection", Map.of("cluster_endpoint", CaptStage.ENDPOINT));
        stage.terraform().done(EKS, new Tree());
        stage.settle();
        assertThat(stage.controlPlane().spec().at("controlPlaneEndpoint").at("host").text(""))
                .startsWith("ABC.");
    }

    @Test
    void withoutAnEndpointItSaysWhereItLooked() {
        begun().terraform().done(EKS, new Tree());
        stage.settle();
        assertThat(reason()).isEqualTo("EndpointError");
        assertThat(stage.condition(stage.controlPlane(), "Ready").message())
                .contains("prod-eks-connection");
    }

    @Test
    void itIsNotReadyBeforeTheKubeconfigIsThere() {
        stage.withEks();
        assertThat(is("ready")).isFalse();
        assertThat(is("secretsReady")).isFalse();
        assertThat(status("phase")).isEqualTo("Creating");
    }

    @Test
    void aControlPlaneThatIsThereIsToldInBothContracts() {
        ready();
        var status = stage.controlPlane().status();
        assertThat(is("ready")).isTrue();
        assertThat(is("initialized")).isTrue();
        assertThat(is("secretsReady")).isTrue();
        assertThat(is("externalManagedControlPlane")).isTrue();
        assertThat(status.at("initialization").at("controlPlaneInitialized").isTrue()).isTrue();
        assertThat(status("version")).isEqualTo("v1.33.4");
        assertThat(status("phase")).isEqualTo("Ready");
        assertThat(stage.controlPlane().conditions().isTrue("Ready")).isTrue();
        assertThat(stage.controlPlane().conditions().isTrue("Available")).isTrue();
        assertThat(stage.controlPlane().conditions().isTrue("Initialized")).isTrue();
        assertThat(stage.controlPlane().conditions().isTrue("Failed")).isFalse();
        assertThat(stage.controlPlane().conditions().isTrue("Creating")).isFalse();
        assertThat(look()).isEqualTo(in(30));
    }

    @Test
    void theOutputsAreShownWhole() {
        ready();
        var status = stage.controlPlane().status().at("workspaceStatus");
        assertThat(status.at("state").text("")).isEqualTo("Available");
        assertThat(status.at("atProvider").at("outputs").at("cluster_endpoint").text(""))
                .isEqualTo(CaptStage.ENDPOINT);
    }

    @Test
    void anUpgradeIsUnderWayUntilTerraformHasRunForIt() {
        ready();
        stage.patch(
                CaptTypes.CONTROL_PLANE, "prod", Tree.of("spec", Tree.of("version", "v1.34.1")));
        stage.settle();
        assertThat(variable("kubernetes_version")).isEqualTo("1.34");
        assertThat(status("version")).isEqualTo("v1.33.4");
        assertThat(stage.controlPlane().conditions().isTrue("RollingOut")).isTrue();
        assertThat(is("ready")).isTrue();
        stage.terraform().done(EKS, Tree.of("cluster_endpoint", CaptStage.ENDPOINT));
        stage.settle();
        assertThat(status("version")).isEqualTo("v1.34.1");
        assertThat(stage.controlPlane().conditions().isTrue("RollingOut")).isFalse();
    }

    @Test
    void aPatchThatEksDoesNotKnowIsThereAtOnce() {
        ready();
        stage.patch(
                CaptTypes.CONTROL_PLANE, "prod", Tree.of("spec", Tree.of("version", "v1.33.9")));
        stage.settle();
        assertThat(status("version")).isEqualTo("v1.33.9");
    }

    @Test
    void nothingIsReadOrWrittenWhileNothingChanges() {
        ready();
        stage.rig().api().forgetWrites();
        stage.rig().advance(Duration.ofMinutes(1));
        stage.settle();
        assertThat(stage.rig().api().writes()).isEmpty();
    }

    @Test
    void theStatusThatIsLostInAMoveIsFoundAgain() {
        ready();
        stage.patch(
                CaptTypes.CONTROL_PLANE,
                "prod",
                new Tree().putNothing("status"),
                ApiWrite.Subresource.STATUS);
        stage.patch(
                CaptTypes.CLUSTER,
                "prod",
                new Tree().putNothing("status"),
                ApiWrite.Subresource.STATUS);
        stage.rig().api().forgetWrites();
        stage.restart().settle();
        assertThat(is("ready")).isTrue();
        assertThat(status("version")).isEqualTo("v1.33.4");
        assertThat(stage.rig().api().writes())
                .noneMatch(write -> write.type().equals(CaptTypes.WORKSPACE.type()));
    }
}
