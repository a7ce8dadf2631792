package dev.millwright.capi.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.stage.CaptStage;
import dev.millwright.capi.stage.Kubeconfigs;
import dev.millwright.capi.stage.Sample;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.runtime.step.Step.Ending;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/// The Secrets by which a cluster is reached.
final class KubeconfigTest {

    private final CaptStage stage = new CaptStage();

    private @Nullable String runAt() {
        return stage.workspace("prod-kubeconfig").meta().annotation("millwright.dev/run-at");
    }

    private String reason() {
        return stage.condition(stage.controlPlane(), "KubeconfigReady").reason();
    }

    /// A run that was asked for, with a new token.
    private void renewed() {
        stage.secret(
                "prod-outputs-kubeconfig",
                Map.of("kubeconfig", Kubeconfigs.eks(stage.rig().now())));
        stage.terraform().done("prod-kubeconfig", new Tree());
        stage.settle();
    }

    @Test
    void theApplyOfTheKubeconfigIsGivenItsVariables() {
        stage.withEks();
        var spec = stage.apply("prod-kubeconfig-apply").spec();
        var variables = spec.at("variables");
        assertThat(variables.at("cluster_name").text("")).isEqualTo("prod");
        assertThat(variables.at("region").text("")).isEqualTo("eu-west-1");
        assertThat(variables.at("cluster_endpoint").text("")).isEqualTo(CaptStage.ENDPOINT);
        assertThat(variables.at("cluster_certificate_authority_data").text(""))
                .isEqualTo(CaptStage.AUTHORITY);
        assertThat(spec.at("writeConnectionSecretToRef").at("name").text(""))
                .isEqualTo("prod-outputs-kubeconfig");
        assertThat(spec.at("writeConnectionSecretToRef").at("namespace").text(""))
                .isEqualTo("team");
        assertThat(spec.at("waitForWorkspaces").elements().getFirst().at("name").text(""))
                .isEqualTo("prod-eks-controlplane");
    }

    @Test
    void theKubeconfigIsASecretOfTheContract() {
        stage.withKubeconfig(Kubeconfigs.exec());
        var secret = Objects.requireNonNull(stage.findSecret("prod-kubeconfig"));
        assertThat(secret.root().at("type").text("")).isEqualTo("cluster.x-k8s.io/secret");
        assertThat(secret.meta().label("cluster.x-k8s.io/cluster-name")).isEqualTo("prod");
        assertThat(secret.meta().owners().getFirst().kind()).isEqualTo("CAPTControlPlane");
        assertThat(stage.secretText("prod-kubeconfig", "value")).isEqualTo(Kubeconfigs.exec());
    }

    @Test
    void theAuthorityIsASecretOfTheContractWithItsBase64Undone() {
        stage.withEks();
        var secret = Objects.requireNonNull(stage.findSecret("prod-ca"));
        assertThat(secret.root().at("type").text("")).isEqualTo("cluster.x-k8s.io/secret");
        assertThat(secret.meta().label("cluster.x-k8s.io/cluster-name")).isEqualTo("prod");
        assertThat(stage.secretText("prod-ca", "tls.crt")).startsWith("-----BEGIN CERTIFICATE");
        assertThat(stage.secretText("prod-ca", "ca.crt")).startsWith("-----BEGIN CERTIFICATE");
    }

    @Test
    void anAuthorityOfAnotherTypeIsMadeAgain() {
        stage.secret("prod-ca", Map.of("ca.crt", "-----BEGIN CERTIFICATE-----\nca\n"));
        stage.withEks();
        var secret = Objects.requireNonNull(stage.findSecret("prod-ca"));
        assertThat(secret.root().at("type").text("")).isEqualTo("cluster.x-k8s.io/secret");
    }

    @Test
    void aSecretOfSomebodyElseIsNeitherDeletedNorWritten() {
        stage.secret("prod-ca", Map.of("password", "theirs"));
        stage.withEks();
        assertThat(stage.secretText("prod-ca", "password")).isEqualTo("theirs");
        assertThat(stage.condition(stage.controlPlane(), "KubeconfigReady").message())
                .contains("Secret team/prod-ca belongs to somebody else");
    }

    @Test
    void theKubeconfigOfAClusterOfTheSameNameElsewhereIsNotHandedOut() {
        stage.withEks();
        stage.secret(
                "default", "prod-outputs-kubeconfig", Map.of("kubeconfig", Kubeconfigs.exec()));
        stage.terraform().done("prod-kubeconfig", new Tree());
        stage.settle();
        assertThat(stage.findSecret("prod-kubeconfig")).isNull();
    }

    @Test
    void anAuthorityThatWasRenewedIsPassedOn() {
        stage.withKubeconfig(Kubeconfigs.exec());
        stage.secret(
                "prod-eks-connection",
                Map.of("cluster_certificate_authority_data", "-----BEGIN CERTIFICATE-----\nnew"));
        stage.rig().advance(Duration.ofMinutes(11));
        stage.settle();
        assertThat(stage.secretText("prod-ca", "ca.crt")).endsWith("new");
    }

    @Test
    void theTemplateMayBeWhereCaptWantsItWhenThatNamespaceGrantsIt() {
        stage.grant("default", "WorkspaceTemplateApply", "WorkspaceTemplate");
        stage.withVpc()
                .delete(CaptTypes.WORKSPACE_TEMPLATE, "eks-kubeconfig-template")
                .given(
                        Sample.template("eks-kubeconfig-template")
                                .replace(
                                        "eks-kubeconfig-template, namespace: team",
                                        "eks-kubeconfig-template, namespace: default"))
                .given(Sample.CONTROL_PLANE)
                .settle();
        stage.eksDone();
        var template = stage.apply("prod-kubeconfig-apply").spec().at("templateRef");
        assertThat(template.at("namespace").text("")).isEqualTo("default");
        assertThat(stage.hasWorkspace("prod-kubeconfig")).isTrue();
    }

    @Test
    void theOutputMayBeWhereCaptWantsItWhenTheWorkspaceWroteIt() {
        stage.withEks();
        stage.secret(
                "default",
                "prod-outputs-kubeconfig",
                Map.of("kubeconfig", Kubeconfigs.exec()),
                stage.workspace("prod-kubeconfig").meta().uid());
        stage.terraform().done("prod-kubeconfig", new Tree());
        stage.settle();
        assertThat(stage.secretText("prod-kubeconfig", "value")).isEqualTo(Kubeconfigs.exec());
    }

    @Test
    void anEksTokenIsRenewedBeforeItExpires() {
        stage.withKubeconfig(Kubeconfigs.eks(stage.rig().now()));
        stage.rig().advance(Duration.ofMinutes(9));
        stage.settle();
        assertThat(runAt()).isNull();
        stage.rig().advance(Duration.ofMinutes(2));
        stage.settle();
        assertThat(runAt()).isNotNull();
        renewed();
        assertThat(stage.secretText("prod-kubeconfig", "value"))
                .isEqualTo(Kubeconfigs.eks(stage.rig().now()));
        assertThat(stage.controlPlane().conditions().isTrue("KubeconfigReady")).isTrue();
    }

    @Test
    void hoursOfTokensAreNeverWithoutAValidOne() {
        stage.withKubeconfig(Kubeconfigs.eks(stage.rig().now()));
        var signedAt = stage.rig().now();
        for (var minute = 0; minute < 100; minute++) {
            var asked = runAt();
            stage.rig().advance(Duration.ofMinutes(1));
            stage.settle();
            if (!Objects.equals(asked, runAt())) {
                signedAt = stage.rig().now();
                renewed();
            }
            assertThat(Duration.between(signedAt, stage.rig().now()))
                    .isLessThan(Duration.ofMinutes(12));
        }
    }

    @Test
    void aRunIsAskedForOnceAndAgainOnlyAfterAWhile() {
        stage.withKubeconfig(Kubeconfigs.eks(stage.rig().now()));
        stage.rig().advance(Duration.ofMinutes(11));
        stage.settle();
        var asked = runAt();
        stage.rig().advance(Duration.ofMinutes(1));
        stage.settle();
        assertThat(runAt()).isEqualTo(asked);
        stage.rig().advance(Duration.ofMinutes(5));
        stage.settle();
        assertThat(runAt()).isNotEqualTo(asked);
        assertThat(reason()).isEqualTo("KubeconfigExpired");
        assertThat(stage.controlPlane().status().at("ready").isTrue()).isTrue();
    }

    @Test
    void aWebTokenIsRenewedByItsOwnTimes() {
        var now = stage.rig().now();
        stage.withKubeconfig(Kubeconfigs.webToken(now, now.plus(Duration.ofHours(3))));
        stage.rig().advance(Duration.ofMinutes(110));
        stage.settle();
        assertThat(runAt()).isNull();
        stage.rig().advance(Duration.ofMinutes(11));
        stage.settle();
        assertThat(runAt()).isNotNull();
    }

    @Test
    void aClientThatFetchesItsOwnTokenNeedsNoRenewal() {
        stage.withKubeconfig(Kubeconfigs.exec());
        stage.rig().advance(Duration.ofDays(30));
        stage.settle();
        assertThat(runAt()).isNull();
    }

    @Test
    void betweenTwoLooksNoSecretIsRead() {
        stage.withKubeconfig(Kubeconfigs.exec());
        assertThat(stage.look(KubeconfigController.class, "prod"))
                .isInstanceOfSatisfying(
                        Ending.Again.class,
                        again -> assertThat(again.after()).isEqualTo(Duration.ofMinutes(10)));
        stage.rig()
                .api()
                .vanish(
                        ResourceType.SECRET,
                        Objects.requireNonNull(stage.findSecret("prod-kubeconfig")).name());
        stage.rig().advance(Duration.ofMinutes(9));
        stage.settle();
        assertThat(stage.findSecret("prod-kubeconfig")).isNull();
        stage.rig().advance(Duration.ofMinutes(1));
        stage.settle();
        assertThat(stage.findSecret("prod-kubeconfig")).isNotNull();
    }

    @Test
    void whatIsNoKubeconfigIsRefusedWithoutAQuote() {
        stage.withKubeconfig("hunter2: [");
        assertThat(reason()).isEqualTo("KubeconfigGenerationFailed");
        assertThat(stage.controlPlane().toString()).doesNotContain("hunter2");
        assertThat(stage.findSecret("prod-kubeconfig")).isNull();
        assertThat(stage.controlPlane().status().at("failureReason").text(""))
                .isEqualTo("KubeconfigGenerationFailed");
    }

    @Test
    void anAuthorityThatTheTemplateDoesNotOutputIsTold() {
        stage.withVpc().given(Sample.CONTROL_PLANE).settle();
        stage.secret("prod-eks-connection", Map.of("other", "x"));
        stage.terraform()
                .done("prod-eks-controlplane", Tree.of("cluster_endpoint", CaptStage.ENDPOINT));
        stage.settle();
        assertThat(reason()).isEqualTo("SecretReconciliationFailed");
        assertThat(stage.condition(stage.controlPlane(), "KubeconfigReady").message())
                .contains("cluster_certificate_authority_data");
    }

    @Test
    void theErrorOfItsTerraformIsShown() {
        stage.withEks().terraform().failed("prod-kubeconfig", "apply: Error: AccessDenied");
        stage.settle();
        assertThat(stage.condition(stage.controlPlane(), "KubeconfigReady").message())
                .contains("AccessDenied");
    }

    @Test
    void nothingSecretIsSaid() {
        stage.withKubeconfig(Kubeconfigs.token("s3cr3t"));
        assertThat(stage.rig().lines().toString()).doesNotContain("s3cr3t");
        assertThat(stage.rig().events().toString()).doesNotContain("s3cr3t");
        assertThat(stage.controlPlane().toString()).doesNotContain("s3cr3t");
    }
}
