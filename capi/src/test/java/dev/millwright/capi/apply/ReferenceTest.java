package dev.millwright.capi.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.stage.CaptStage;
import dev.millwright.capi.stage.Sample;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.runtime.step.Controller;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Templates for ClusterClass name WorkspaceTemplates.
final class ReferenceTest {

    private final CaptStage stage = new CaptStage();

    @ParameterizedTest
    @CsvSource({
        "controlplane.cluster.x-k8s.io, CAPTControlPlaneTemplate, workspaceTemplateRef",
        "infrastructure.cluster.x-k8s.io, CAPTClusterTemplate, vpcTemplateRef",
        "infrastructure.cluster.x-k8s.io, CaptMachineTemplate, workspaceTemplateRef"
    })
    void aWorkspaceTemplateThatIsMissingIsToldUntilItIsThere(
            String group, String kind, String field) {
        stage.given(
                """
                apiVersion: %s/v1beta1
                kind: %s
                metadata: {name: class, namespace: team}
                spec: {template: {spec: {%s: {name: vpc}}}}
                """
                        .formatted(group, kind, field));
        look();
        assertThat(stage.rig().eventReasons()).containsExactly("WorkspaceTemplateNotFound");
        assertThat(stage.rig().events().getFirst().subject().kind()).isEqualTo(kind);
        stage.given(Sample.TEMPLATES);
        look();
        assertThat(stage.rig().events()).hasSize(1);
    }

    private void look() {
        for (Controller controller : ReferenceController.all()) {
            stage.rig().run(controller, new ObjectName(CaptStage.NAMESPACE, "class"));
        }
    }
}
