package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.kube.conversion.Migration;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.YamlWriter;
import dev.millwright.testing.e2e.ControlPlane;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A cluster that CAPT was used on gets our definitions, as `docs/how-to/migrate-from-capt.md`
/// says.
@Tag("long")
final class CaptTakeOverIT {

    private static final String CLUSTERS = "captclusters.infrastructure.cluster.x-k8s.io";
    private static final String TEMPLATES =
            "captcontrolplanetemplates.controlplane.cluster.x-k8s.io";

    private static ControlPlane plane;

    @BeforeAll
    static void startWithObjectsOfCapt() {
        plane = ControlPlane.start(ControlPlane.Options.apiOnly());
        plane.apply(definition(CLUSTERS, "CAPTCluster"));
        plane.apply(definition(TEMPLATES, "CaptControlPlaneTemplate"));
        CaptDefinitions.awaitServed(plane, List.of(CLUSTERS, TEMPLATES));
        plane.apply(CaptServer.sample("CAPTCluster", "{region: eu-west-1, existingVpcId: vpc-1}"));
        plane.apply(
                CaptServer.sample(
                                "CAPTControlPlaneTemplate",
                                "{template: {spec: {version: '1.33', workspaceTemplateRef: {name: t}}}}")
                        .replace("kind: CAPT", "kind: Capt"));
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @Test
    void objectsLiveOnOnceTheTemplateIsRespelled() {
        assertThatThrownBy(() -> CaptDefinitions.install(plane))
                .hasMessageContaining(
                        "spec.names.kind: Invalid value: \"CAPTControlPlaneTemplate\"");

        var saved = plane.kubectl("get", TEMPLATES, "--all-namespaces", "-o", "yaml");
        plane.kubectl("delete", "crd", TEMPLATES);
        CaptDefinitions.install(plane);
        plane.apply(migrated(saved));

        assertThat(specOf("captclusters.v1beta2.infrastructure.cluster.x-k8s.io"))
                .containsEntry("existingVpcId", "vpc-1")
                .containsEntry("environment", "production");
        assertThat(specOf(TEMPLATES))
                .isEqualTo(
                        Map.of(
                                "template",
                                Map.of(
                                        "spec",
                                        Map.of(
                                                "version",
                                                "1.33",
                                                "workspaceTemplateRef",
                                                Map.of("name", "t")))));
    }

    private static Map<String, Object> specOf(String resource) {
        return CaptServer.map(plane.kubectl("get", resource, "sample", "-o", "jsonpath={.spec}"));
    }

    private static String migrated(String yaml) {
        var result =
                Migration.of(
                        DocumentReader.readAll(Source.text("saved.yaml", yaml)),
                        Migration.Options.DEFAULT);
        assertThat(result.faults()).isEmpty();
        return result.objects().stream().map(YamlWriter::text).collect(Collectors.joining("---\n"));
    }

    /// As CAPT has it: one version, and a schema that takes what ours takes.
    private static String definition(String name, String kind) {
        var dot = name.indexOf('.');
        return """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: %s}
        spec:
          group: %s
          scope: Namespaced
          names: {kind: %s, plural: %s}
          versions:
            - name: v1beta1
              served: true
              storage: true
              subresources: {status: {}}
              schema:
                openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
        """
                .formatted(name, name.substring(dot + 1), kind, name.substring(0, dot));
    }
}
