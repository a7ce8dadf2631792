package dev.millwright.kube.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.YamlWriter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

final class MigrationTest {

    private static final String TEMPLATE_HEAD =
            """
            apiVersion: karpenter.k8s.aws/v1alpha1
            kind: AWSNodeTemplate
            metadata: {name: t}
            spec:
              amiFamily: AL2
              subnetSelector: {a: b}
            """;

    private static String resource(String name) throws IOException {
        try (var stream = MigrationTest.class.getResourceAsStream(name)) {
            assertThat(stream).as(name).isNotNull();
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Migration.Result migrated(String text, Migration.Options options) {
        return Migration.of(DocumentReader.readAll(Source.text("old.yaml", text)), options);
    }

    private static Migration.Result migrated(String text) {
        return migrated(text, Migration.Options.DEFAULT);
    }

    private static String yaml(Migration.Result result) {
        return result.objects().stream().map(YamlWriter::text).collect(Collectors.joining("---\n"));
    }

    private static String notes(Migration.Result result) {
        return result.notes().stream()
                .map(Note::toString)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static List<String> faults(Migration.Result result) {
        return result.faults().stream().map(Fault::toString).toList();
    }

    private static String provisioner(String spec) {
        return """
        apiVersion: karpenter.sh/v1alpha5
        kind: Provisioner
        metadata: {name: p}
        spec: {%s}
        """
                .formatted(spec);
    }

    @ParameterizedTest
    @ValueSource(strings = {"provisioner-by-types", "provisioner-by-ids", "template-whole", "beta"})
    void whatBecomesOfAFileIsAsWritten(String name) throws IOException {
        var result = migrated(resource(name + ".yaml"));

        assertThat(faults(result)).isEmpty();
        assertThat(yaml(result)).isEqualTo(resource(name + ".expected.yaml"));
        assertThat(notes(result)).isEqualTo(resource(name + ".notes.txt"));
    }

    @Test
    void whatIsV1AlreadyStaysAndIsNotTold() throws IOException {
        var once = yaml(migrated(resource("provisioner-by-ids.yaml")));
        var twice = migrated(once);

        assertThat(yaml(twice)).isEqualTo(once);
        assertThat(twice.notes()).isEmpty();
        assertThat(twice.turned()).allMatch(Turned::isSame);
    }

    @Test
    void defaultsCanBeLeftOut() {
        var old = provisioner("providerRef: {name: t}, ttlSecondsAfterEmpty: 30");
        var result = migrated(old, new Migration.Options(true, ""));

        assertThat(yaml(result)).contains("requirements: []");
    }

    @Test
    void aRoleThatIsGivenStandsInForTheProfile() {
        var result =
                migrated(
                        TEMPLATE_HEAD + "  securityGroupSelector: {a: b}\n",
                        new Migration.Options(false, "NodeRole"));

        assertThat(yaml(result)).contains("role: NodeRole");
        assertThat(notes(result)).contains("spec.role: found nothing; added role NodeRole");
    }

    @Test
    void theSettingsOfTheClusterNameTheProfile() {
        var result =
                migrated(
                        TEMPLATE_HEAD
                                + """
                                  securityGroupSelector: {a: b}
                                ---
                                apiVersion: v1
                                kind: ConfigMap
                                metadata: {name: karpenter-global-settings, namespace: karpenter}
                                data: {aws.defaultInstanceProfile: Fallback}
                                """);

        assertThat(yaml(result)).contains("instanceProfile: Fallback").doesNotContain("role:");
        assertThat(notes(result)).contains("added instanceProfile Fallback");
    }

    @Test
    void launchTemplatesAreRefusedAndTheOthersGoOn() {
        var result =
                migrated(
                        TEMPLATE_HEAD
                                + "  securityGroupSelector: {a: b}\n  launchTemplate: mine\n---\n"
                                + provisioner("providerRef: {name: t}"));

        assertThat(faults(result))
                .singleElement()
                .asString()
                .startsWith("old.yaml:")
                .contains("AWSNodeTemplate t: spec.launchTemplate: found \"mine\"");
        assertThat(yaml(result)).contains("kind: NodePool").doesNotContain("EC2NodeClass t");
        assertThat(notes(result)).doesNotContain("AWSNodeTemplate");
    }

    @Test
    void wrongShapesAreToldWithObjectAndPath() {
        assertThat(
                        faults(
                                migrated(
                                        provisioner(
                                                "providerRef: {name: t}, ttlSecondsAfterEmpty: soon, labels: {a: 1}, requirements: [{operator: In}]"))))
                .containsExactly(
                        "old.yaml:4: Provisioner p: spec.requirements[0].key: is missing; wanted the key of a label",
                        "old.yaml:4: Provisioner p: spec.labels.a: found the number 1; wanted text, so put it in quotes",
                        "old.yaml:4: Provisioner p: spec.ttlSecondsAfterEmpty: found \"soon\"; wanted a whole number");
    }

    @Test
    void contradictionsAreRefused() {
        assertThat(
                        faults(
                                migrated(
                                        provisioner(
                                                "providerRef: {name: t}, consolidation: {enabled: true}, ttlSecondsAfterEmpty: 30"))))
                .singleElement()
                .asString()
                .contains("spec.ttlSecondsAfterEmpty: found 30 beside consolidation.enabled");
        assertThat(
                        faults(
                                migrated(
                                        provisioner(
                                                "providerRef: {name: t}, provider: {subnetSelector: {a: b}, securityGroupSelector: {a: b}}"))))
                .singleElement()
                .asString()
                .contains("found providerRef and provider; wanted one of them");
        assertThat(faults(migrated(provisioner(""))))
                .singleElement()
                .asString()
                .contains("spec.providerRef: is missing");
    }

    @Test
    void twoObjectsOfOneNameAreTold() {
        var result =
                migrated(
                        """
                        apiVersion: karpenter.k8s.aws/v1alpha1
                        kind: AWSNodeTemplate
                        metadata: {name: p}
                        spec: {amiFamily: AL2, subnetSelector: {a: b}, securityGroupSelector: {a: b}}
                        ---
                        """
                                + provisioner(
                                        "provider: {subnetSelector: {a: b}, securityGroupSelector: {a: b}}"));

        assertThat(faults(result))
                .singleElement()
                .asString()
                .contains(
                        "Provisioner p: metadata.name: becomes EC2NodeClass p, as AWSNodeTemplate p does");
    }

    @Test
    void idsOutweighTagsAndThatIsTold() {
        var result =
                migrated(TEMPLATE_HEAD + "  securityGroupSelector: {aws-ids: 'sg-1', team: a}\n");

        assertThat(yaml(result)).contains("- id: sg-1");
        assertThat(notes(result))
                .contains(
                        "spec.securityGroupSelector.team: found \"a\"; left out; a term with an id");
    }

    @Test
    void tooManyTermsAreAFault() {
        var result =
                migrated(
                        TEMPLATE_HEAD
                                + "  securityGroupSelector: {a: 'a,b,c,d', b: 'a,b,c,d', c: 'a,b,c'}\n");

        assertThat(faults(result)).singleElement().asString().contains("more than 30 terms");
    }

    @Test
    void unknownFieldsAndKindsAreTold() {
        assertThat(notes(migrated(provisioner("providerRef: {name: t}, consolidate: true"))))
                .contains("spec.consolidate: found true; left out");
        assertThat(
                        faults(
                                migrated(
                                        "{apiVersion: karpenter.sh/v1alpha3, kind: Provisioner, metadata: {name: x}}")))
                .singleElement()
                .asString()
                .contains("found Provisioner of karpenter.sh/v1alpha3; wanted");
        assertThat(faults(migrated("{kind: Provisioner}"))).hasSize(2);
        assertThat(faults(migrated("just words"))).hasSize(1);
    }

    @Test
    void listsOfKubectlAreReadAndOtherObjectsPass() {
        var result =
                migrated(
                        """
                        apiVersion: v1
                        kind: List
                        items:
                        - {apiVersion: v1, kind: Service, metadata: {name: s, uid: u}, spec: {a: 1}}
                        - apiVersion: karpenter.sh/v1alpha5
                          kind: Provisioner
                          metadata: {name: p}
                          spec: {providerRef: {name: t}}
                        """);

        assertThat(result.turned())
                .extracting(Turned::origin)
                .containsExactly("Service s", "Provisioner p");
        assertThat(yaml(result)).doesNotContain("uid");
    }
}
