package dev.millwright.capi.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.stage.CaptStage;
import dev.millwright.capi.stage.Sample;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// The infrastructure of a cluster: a VPC that is made, or one that is there.
final class CaptClusterTest {

    private static final Ending IN_10_SECONDS = new Ending.Again(Duration.ofSeconds(10));

    private final CaptStage stage = new CaptStage().given(Sample.TEMPLATES);

    private Ending look() {
        return stage.look(CaptClusterController.class, "prod");
    }

    private CaptStage begun() {
        return stage.given(Sample.CLUSTER).given(Sample.CAPT_CLUSTER).settle();
    }

    private CaptStage made() {
        begun().terraform().done("prod-vpc", new Tree().put("vpc_id", "vpc-1"));
        return stage.settle();
    }

    private CaptStage of(String spec) {
        return stage.given(Sample.CLUSTER)
                .given(
                        """
                        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                        kind: CAPTCluster
                        metadata: {name: prod, namespace: team}
                        spec: %s
                        """
                                .formatted(spec))
                .settle();
    }

    private String variable(String name) {
        return stage.apply("prod-vpc").spec().at("variables").at(name).text("");
    }

    @Test
    void withoutAClusterItWaitsAndSaysSo() {
        stage.given(Sample.CAPT_CLUSTER).settle();
        assertThat(look()).isEqualTo(IN_10_SECONDS);
        var waiting = stage.condition(stage.captCluster(), "WaitingForCluster");
        assertThat(waiting.status()).isEqualTo(Status.TRUE);
        assertThat(waiting.reason()).isEqualTo("ClusterNotFound");
        assertThat(stage.captCluster().status().at("ready").isTrue()).isFalse();
        stage.given(Sample.CLUSTER).settle();
        assertThat(stage.captCluster().conditions().find("WaitingForCluster")).isNull();
    }

    @Test
    void anApplyIsNotDeletedBecauseItsClusterIsNotSeen() {
        made();
        stage.rig().api().vanish(stage.api().cluster().type(), stage.cluster().name());
        stage.settle();
        assertThat(stage.apply("prod-vpc").meta().isDeleting()).isFalse();
    }

    @Test
    void theOwnerMayHaveAnotherName() {
        stage.given(Sample.CLUSTER.replace("name: prod, namespace", "name: topo, namespace"))
                .given(
                        Sample.CAPT_CLUSTER.replace(
                                "metadata: {name: prod, namespace: team}",
                                "metadata: {name: prod, namespace: team, ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, name: topo, uid: u}]}"))
                .settle();
        assertThat(stage.captCluster().meta().label("cluster.x-k8s.io/cluster-name"))
                .isEqualTo("topo");
        assertThat(stage.hasApply("topo-vpc")).isTrue();
    }

    @Test
    void theApplyIsOwnedAndGivenItsVariables() {
        begun();
        var apply = stage.apply("prod-vpc");
        assertThat(apply.meta().owners().getFirst().kind()).isEqualTo("CAPTCluster");
        assertThat(apply.meta().owners().getFirst().isController()).isTrue();
        assertThat(variable("cluster_name")).isEqualTo("prod");
        assertThat(variable("vpc_name")).isEqualTo("prod-vpc");
        assertThat(variable("environment")).isEqualTo("production");
        assertThat(variable("region")).isEqualTo("eu-west-1");
        assertThat(stage.captCluster().spec().at("workspaceTemplateApplyName").text(""))
                .isEqualTo("prod-vpc");
    }

    @Test
    void nameAndEnvironmentOfTheVpcAreSettable() {
        of(
                "{region: eu-west-1, vpcTemplateRef: {name: vpc}, environment: test, vpcConfig: {name: net}}");
        assertThat(variable("vpc_name")).isEqualTo("net");
        assertThat(variable("environment")).isEqualTo("test");
    }

    @Test
    void theSpecOfTheApplyIsRewrittenWhenSomebodyChangedIt() {
        begun();
        stage.patch(
                CaptTypes.APPLY,
                "prod-vpc",
                Tree.of("spec", Tree.of("variables", Tree.of("extra", "x").put("region", "y"))));
        stage.settle();
        assertThat(variable("region")).isEqualTo("eu-west-1");
        assertThat(stage.apply("prod-vpc").spec().at("variables").at("extra").isPresent())
                .isFalse();
    }

    private static Value failureDomains(CaptStage stage, String core, Tree outputs) {
        stage.given(Sample.TEMPLATES)
                .given(Sample.CLUSTER.replace("cluster.x-k8s.io/v1beta2", core))
                .given(Sample.CAPT_CLUSTER)
                .settle()
                .terraform()
                .done("prod-vpc", outputs);
        return Objects.requireNonNullElse(
                stage.settle().captCluster().status().at("failureDomains").value(),
                Tree.text("none"));
    }

    private static final Tree ZONES =
            Tree.of("vpc_id", "vpc-1").putTextList("azs", List.of("eu-west-1a", "eu-west-1b"));

    @Test
    void zonesAreFailureDomainsInTheNewerContract() {
        assertThat(
                        JsonWriter.text(
                                failureDomains(new CaptStage(), "cluster.x-k8s.io/v1beta2", ZONES)))
                .isEqualTo(
                        "[{\"name\":\"eu-west-1a\",\"controlPlane\":true},{\"name\":\"eu-west-1b\",\"controlPlane\":true}]");
    }

    @Test
    void zonesAreFailureDomainsInTheOlderContract() {
        assertThat(
                        JsonWriter.text(
                                failureDomains(
                                        new CaptStage("v1beta1"),
                                        "cluster.x-k8s.io/v1beta1",
                                        ZONES)))
                .isEqualTo(
                        "{\"eu-west-1a\":{\"controlPlane\":true},\"eu-west-1b\":{\"controlPlane\":true}}");
    }

    @Test
    void anOutputOfThatNameThatIsNoListIsNoFailureDomain() {
        assertThat(
                        failureDomains(
                                new CaptStage(),
                                "cluster.x-k8s.io/v1beta2",
                                Tree.of("vpc_id", "vpc-1").put("azs", "three")))
                .isEqualTo(Tree.text("none"));
    }

    @Test
    void whileTheVpcIsMadeItSaysSo() {
        begun();
        assertThat(look()).isEqualTo(IN_10_SECONDS);
        assertThat(stage.condition(stage.captCluster(), "VPCReady").reason())
                .isEqualTo("VPCCreating");
        assertThat(stage.captCluster().status().at("ready").isTrue()).isFalse();
        assertThat(stage.captCluster().status().at("initialization").isPresent()).isFalse();
    }

    @Test
    void aVpcThatIsMadeIsToldInBothContracts() {
        made();
        var status = stage.captCluster().status();
        assertThat(status.at("ready").isTrue()).isTrue();
        assertThat(status.at("initialization").at("provisioned").isTrue()).isTrue();
        assertThat(status.at("vpcId").text("")).isEqualTo("vpc-1");
        assertThat(status.at("vpcWorkspaceName").text("")).isEqualTo("prod-vpc");
        assertThat(status.at("workspaceTemplateStatus").at("ready").isTrue()).isTrue();
        assertThat(status.at("workspaceTemplateStatus").at("lastAppliedRevision").isPresent())
                .isTrue();
        assertThat(stage.condition(stage.captCluster(), "VPCReady").reason())
                .isEqualTo("VPCCreated");
        assertThat(stage.captCluster().conditions().isTrue("Ready")).isTrue();
    }

    @Test
    void nothingIsWrittenWhileNothingChanges() {
        made();
        stage.rig().api().forgetWrites();
        stage.rig().advance(Duration.ofHours(1));
        stage.settle();
        assertThat(stage.rig().api().writes()).isEmpty();
    }

    @Test
    void theErrorOfTerraformIsShownAndGoesAgain() {
        begun().terraform().failed("prod-vpc", "apply: Error: VpcLimitExceeded");
        stage.settle();
        var condition = stage.condition(stage.captCluster(), "VPCReady");
        assertThat(condition.reason()).isEqualTo("VPCCreationFailed");
        assertThat(condition.message()).contains("VpcLimitExceeded");
        var summary = stage.captCluster().status().at("workspaceTemplateStatus");
        assertThat(summary.at("lastFailureMessage").text("")).contains("VpcLimitExceeded");
        stage.terraform().done("prod-vpc", new Tree().put("vpc_id", "vpc-1"));
        stage.settle();
        summary = stage.captCluster().status().at("workspaceTemplateStatus");
        assertThat(summary.at("lastFailureMessage").isPresent()).isFalse();
        assertThat(stage.captCluster().conditions().isTrue("Ready")).isTrue();
    }

    @Test
    void aVpcThatWasCompleteStaysProvisionedWhenALaterRunFails() {
        made().terraform().failed("prod-vpc", "plan: Error: ExpiredToken");
        stage.settle();
        var status = stage.captCluster().status();
        assertThat(status.at("initialization").at("provisioned").isTrue()).isTrue();
        assertThat(status.at("ready").isTrue()).isTrue();
        assertThat(stage.captCluster().conditions().isFalse("Ready")).isTrue();
    }

    @Test
    void anExistingVpcIsReadyAtOnce() {
        of("{region: eu-west-1, existingVpcId: vpc-9}");
        assertThat(stage.captCluster().status().at("ready").isTrue()).isTrue();
        assertThat(stage.captCluster().status().at("vpcId").text("")).isEqualTo("vpc-9");
        assertThat(stage.condition(stage.captCluster(), "VPCReady").reason())
                .isEqualTo("ExistingVPCUsed");
        assertThat(stage.hasApply("prod-vpc")).isFalse();
    }

    @Test
    void bothWaysToAVpcAreAFaultThatGoesAwayOnceItIsMended() {
        of("{region: eu-west-1, existingVpcId: vpc-9, vpcTemplateRef: {name: vpc}}");
        assertThat(stage.condition(stage.captCluster(), "VPCFailed").reason())
                .isEqualTo("InvalidVPCConfig");
        assertThat(stage.captCluster().status().at("failureReason").text(""))
                .isEqualTo("InvalidVPCConfig");
        stage.patch(
                CaptTypes.CLUSTER,
                "prod",
                Tree.of("spec", new Tree().putNothing("vpcTemplateRef")));
        stage.settle();
        assertThat(stage.captCluster().conditions().find("VPCFailed")).isNull();
        assertThat(stage.captCluster().status().at("failureReason").isPresent()).isFalse();
        assertThat(stage.captCluster().status().at("ready").isTrue()).isTrue();
    }

    @Test
    void retainingNeedsATemplate() {
        of("{region: eu-west-1, existingVpcId: vpc-9, retainVpcOnDelete: true}");
        assertThat(stage.captCluster().status().at("failureReason").text(""))
                .isEqualTo("InvalidVPCConfig");
    }

    @Test
    void aMissingTemplateIsToldAndTriedAgain() {
        of("{region: eu-west-1, vpcTemplateRef: {name: vpc, namespace: elsewhere}}");
        assertThat(look()).isEqualTo(IN_10_SECONDS);
        assertThat(stage.captCluster().status().at("failureReason").text(""))
                .isEqualTo("VPCReconciliationFailed");
        assertThat(stage.captCluster().status().at("failureMessage").text(""))
                .contains("elsewhere/vpc");
    }

    @Test
    void whatSomebodyElseManagesIsNotTouched() {
        stage.given(Sample.CLUSTER)
                .given(
                        Sample.CAPT_CLUSTER.replace(
                                "namespace: team}",
                                "namespace: team, annotations: {cluster.x-k8s.io/managed-by: other}}"))
                .settle();
        assertThat(stage.captCluster().meta().finalizers()).isEmpty();
        assertThat(stage.captCluster().status().isPresent()).isFalse();
    }

    @Test
    void theVpcOutlivesTheControlPlane() {
        made().given(Sample.CONTROL_PLANE).settle();
        stage.delete(CaptTypes.CLUSTER, "prod").settle();
        assertThat(look()).isEqualTo(IN_10_SECONDS);
        assertThat(stage.apply("prod-vpc").meta().isDeleting()).isFalse();
    }

    @Test
    void theApplyIsGoneBeforeTheCluster() {
        made().delete(CaptTypes.CLUSTER, "prod").settle();
        assertThat(stage.apply("prod-vpc").meta().isDeleting()).isTrue();
        assertThat(stage.captCluster().meta().finalizers()).isNotEmpty();
        stage.terraform().gone("prod-vpc");
        stage.settle();
        assertThat(stage.rig().has(CaptTypes.CLUSTER, stage.cluster().name())).isFalse();
    }

    @Test
    void aRetainedVpcOutlivesTheCluster() {
        of("{region: eu-west-1, vpcTemplateRef: {name: vpc}, retainVpcOnDelete: true}");
        stage.terraform().done("prod-vpc", new Tree().put("vpc_id", "vpc-1"));
        stage.settle();
        assertThat(stage.apply("prod-vpc").spec().at("retainWorkspaceOnDelete").isTrue()).isTrue();
        stage.delete(CaptTypes.CLUSTER, "prod").settle();
        assertThat(stage.rig().has(CaptTypes.CLUSTER, stage.cluster().name())).isFalse();
        assertThat(stage.workspace("prod-vpc").meta().isDeleting()).isFalse();
    }
}
