package dev.millwright.kube.conversion.capt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.conversion.Migration;
import dev.millwright.kube.conversion.Note;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.YamlWriter;

import org.junit.jupiter.api.Test;

import java.util.stream.Collectors;

final class KindSpellingsTest {

    private static final String TEMPLATE =
            """
            apiVersion: controlplane.cluster.x-k8s.io/v1beta1
            kind: CaptControlPlaneTemplate
            metadata:
              name: eks
            spec:
              template:
                spec:
                  version: "1.33"
                  workspaceTemplateRef:
                    name: eks-controlplane-template
            """;

    private static final String CLASS =
            """
            apiVersion: cluster.x-k8s.io/v1beta1
            kind: ClusterClass
            metadata:
              name: eks
            spec:
              controlPlane:
                ref:
                  apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                  kind: CaptControlPlaneTemplate
                  name: eks
              patches:
              - name: CaptControlPlaneTemplate
                definitions:
                - selector:
                    apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                    kind: CaptControlPlaneTemplate
            """;

    private static Migration.Result migrated(String text) {
        return Migration.of(
                DocumentReader.readAll(Source.text("old.yaml", text)), Migration.Options.DEFAULT);
    }

    private static String yaml(Migration.Result result) {
        return result.objects().stream().map(YamlWriter::text).collect(Collectors.joining());
    }

    @Test
    void theTemplateIsRespelledAndSaidSo() {
        var result = migrated(TEMPLATE);

        assertThat(yaml(result)).isEqualTo(TEMPLATE.replace("kind: Capt", "kind: CAPT"));
        assertThat(result.notes().stream().map(Note::toString))
                .containsExactly(
                        "CaptControlPlaneTemplate eks: kind: found \"CaptControlPlaneTemplate\";"
                                + " became CAPTControlPlaneTemplate; Cluster API makes of it what"
                                + " its name says without Template");
    }

    @Test
    void aClassNamesItByTheNewSpellingWhereverItNamesTheKind() {
        var result = migrated(CLASS);

        assertThat(yaml(result)).isEqualTo(CLASS.replace("kind: Capt", "kind: CAPT"));
        assertThat(result.notes().stream().map(Note::path))
                .containsExactly(
                        "spec.controlPlane.ref.kind",
                        "spec.patches[0].definitions[0].selector.kind");
    }

    /// The tree of CAPT's document, in its spelling.
    @Test
    void machinesInTheDocumentsSpellingAreRespelledAndSaidSo() {
        var result =
                migrated(
                        """
                        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                        kind: CAPTMachineDeployment
                        metadata:
                          name: workers
                        spec:
                          replicas: 3
                        ---
                        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                        kind: CAPTMachineSet
                        metadata:
                          name: batch
                        ---
                        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                        kind: CAPTMachine
                        metadata:
                          name: single
                        ---
                        apiVersion: cluster.x-k8s.io/v1beta2
                        kind: Cluster
                        metadata:
                          name: shop
                        spec:
                          controlPlaneRef:
                            apiGroup: controlplane.cluster.x-k8s.io
                            kind: CaptControlPlane
                            name: shop
                        ---
                        apiVersion: cluster.x-k8s.io/v1beta2
                        kind: MachineDeployment
                        metadata:
                          name: core
                        spec:
                          template:
                            spec:
                              infrastructureRef:
                                apiGroup: infrastructure.cluster.x-k8s.io
                                kind: CAPTMachineTemplate
                                name: workers
                        """);

        assertThat(result.faults()).isEmpty();
        assertThat(yaml(result))
                .contains(
                        "kind: CaptMachineDeployment",
                        "kind: CAPTControlPlane\n",
                        "kind: CaptMachineSet",
                        "kind: CaptMachine\n",
                        "kind: CaptMachineTemplate")
                .doesNotContain("CAPTMachine", "CaptControlPlane");
        assertThat(result.notes().stream().map(Note::toString))
                .contains(
                        "CAPTMachineDeployment workers: kind: found \"CAPTMachineDeployment\";"
                                + " became CaptMachineDeployment; the API server knows it by this"
                                + " spelling alone")
                .hasSize(5);
    }

    @Test
    void aKindOfAnotherGroupKeepsItsName() {
        var foreign =
                """
                apiVersion: cluster.x-k8s.io/v1beta1
                kind: Cluster
                metadata:
                  name: shop
                spec:
                  infrastructureRef:
                    apiVersion: example.com/v1
                    kind: CaptCluster
                    name: shop
                """;

        assertThat(yaml(migrated(foreign))).isEqualTo(foreign);
    }

    @Test
    void whatIsSpelledRightIsLeftAloneAndNotTold() {
        var right = (TEMPLATE + "---\n" + CLASS).replace("Capt", "CAPT");

        var result = migrated(right);

        assertThat(result.notes()).isEmpty();
        assertThat(result.turned()).allSatisfy(each -> assertThat(each.isSame()).isTrue());
    }
}
