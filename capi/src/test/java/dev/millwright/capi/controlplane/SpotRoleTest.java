package dev.millwright.capi.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.stage.CaptStage;
import dev.millwright.capi.stage.Sample;
import dev.millwright.kube.document.Tree;

import org.junit.jupiter.api.Test;

/// The service-linked role of spot instances comes before the EKS cluster.
final class SpotRoleTest {

    private static final String EKS = "prod-eks-controlplane-apply";

    private final CaptStage stage = new CaptStage();

    private CaptStage begun(String... templates) {
        for (var template : templates) {
            stage.given(Sample.template(template));
        }
        return stage.withVpc().given(Sample.CONTROL_PLANE).settle();
    }

    @Test
    void aMissingTemplateIsPassedOverAndSaid() {
        begun();
        assertThat(stage.hasApply(EKS)).isTrue();
        assertThat(stage.rig().eventReasons()).contains("SpotRolePassedOver");
    }

    @Test
    void theCheckIsWaitedFor() {
        begun("spot-role-check", "spot-role-create");
        assertThat(stage.hasApply("prod-spot-role-check")).isTrue();
        assertThat(stage.hasApply(EKS)).isFalse();
        assertThat(stage.condition(stage.controlPlane(), "Ready").reason()).isEqualTo("Creating");
    }

    @Test
    void aRoleThatExistsIsNotMade() {
        begun("spot-role-check", "spot-role-create");
        stage.terraform().done("prod-spot-role-check", new Tree().put("role_exists", true));
        stage.settle();
        assertThat(stage.hasApply("prod-spot-role-create")).isFalse();
        assertThat(stage.hasApply(EKS)).isTrue();
    }

    @Test
    void aRoleThatIsMissingIsMadeFirst() {
        begun("spot-role-check", "spot-role-create");
        stage.terraform().done("prod-spot-role-check", Tree.of("role_exists", "false"));
        stage.settle();
        assertThat(stage.hasApply("prod-spot-role-create")).isTrue();
        assertThat(stage.hasApply(EKS)).isFalse();
        stage.terraform()
                .done("prod-spot-role-create", Tree.of("role_arn", "arn:aws:iam::1:role/x"));
        stage.settle();
        assertThat(stage.hasApply(EKS)).isTrue();
    }

    @Test
    void aRoleThatWasMadeMustBeNamed() {
        begun("spot-role-check", "spot-role-create");
        stage.terraform().done("prod-spot-role-check", new Tree().put("role_exists", false));
        stage.settle().terraform().done("prod-spot-role-create", new Tree());
        stage.settle();
        assertThat(stage.controlPlane().status().at("failureReason").text(""))
                .isEqualTo("SpotServiceLinkedRoleFailed");
        assertThat(stage.hasApply(EKS)).isFalse();
    }

    @Test
    void aFailingCheckIsTold() {
        begun("spot-role-check");
        stage.terraform().failed("prod-spot-role-check", "plan: Error: AccessDenied");
        stage.settle();
        assertThat(stage.controlPlane().status().at("failureReason").text(""))
                .isEqualTo("SpotServiceLinkedRoleFailed");
        assertThat(stage.controlPlane().status().at("failureMessage").text(""))
                .contains("AccessDenied");
    }
}
