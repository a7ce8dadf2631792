package dev.millwright.kube.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

class CustomResourcesTest {

    private static final CustomResources KWOK = CustomResources.kwok();
    private static final CustomResources AWS = CustomResources.aws();

    private static Stream<String> everyName() {
        return Stream.concat(KWOK.names().stream(), AWS.names().stream()).distinct();
    }

    private static Definition definition(String name) {
        return Definition.of((KWOK.names().contains(name) ? KWOK : AWS).definition(name));
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split("\\s+")).filter(word -> !word.isEmpty()).toList();
    }

    @Test
    void aProviderHasAllKindsAndCoreAllButANodeClass() {
        assertThat(KWOK.names())
                .containsExactly(
                        "capacitybuffers.autoscaling.x-k8s.io",
                        "kwoknodeclasses.karpenter.kwok.sh",
                        "nodeclaims.karpenter.sh",
                        "nodeoverlays.karpenter.sh",
                        "nodepools.karpenter.sh");
        assertThat(AWS.names())
                .containsExactly(
                        "capacitybuffers.autoscaling.x-k8s.io",
                        "ec2nodeclasses.karpenter.k8s.aws",
                        "nodeclaims.karpenter.sh",
                        "nodeoverlays.karpenter.sh",
                        "nodepools.karpenter.sh");
        assertThat(CustomResources.core().names())
                .containsExactly(
                        "capacitybuffers.autoscaling.x-k8s.io",
                        "nodeclaims.karpenter.sh",
                        "nodeoverlays.karpenter.sh",
                        "nodepools.karpenter.sh");
    }

    @Test
    void anUnknownNameIsAnsweredWithTheKnownOnes() {
        assertThatThrownBy(() -> CustomResources.core().definition("nodepool"))
                .hasMessage(
                        "custom resource \"nodepool\" is unknown; wanted one of"
                                + " [capacitybuffers.autoscaling.x-k8s.io, nodeclaims.karpenter.sh,"
                                + " nodeoverlays.karpenter.sh, nodepools.karpenter.sh]");
    }

    @Test
    void theWholeTextHoldsEachDefinitionOnce() {
        assertThat(KWOK.text().split("---\n"))
                .containsExactlyElementsOf(KWOK.definitions().sequencedValues());
    }

    @ParameterizedTest
    @MethodSource("everyName")
    void aDefinitionHasItsNameAndOneServedAndStoredVersion(String name) {
        var definition = definition(name);

        assertThat(definition.root().at("kind").text()).isEqualTo("CustomResourceDefinition");
        assertThat(definition.root().at("metadata").at("name").text()).isEqualTo(name);
        assertThat(definition.root().at("spec").at("versions").elements()).hasSize(1);
        assertThat(definition.version().at("served").isTrue()).isTrue();
        assertThat(definition.version().at("storage").isTrue()).isTrue();
        definition.faults().throwIfAny();
    }

    @ParameterizedTest
    @MethodSource("everyName")
    void everyPropertyIsExplained(String name) {
        var definition = definition(name);
        var properties = definition.properties(definition.schema());
        properties.keySet().removeAll(List.of("apiVersion", "kind", "metadata"));

        assertThat(properties)
                .isNotEmpty()
                .allSatisfy(
                        (path, property) ->
                                assertThat(property.at("description").text()).isNotBlank());
    }

    @ParameterizedTest
    @MethodSource("everyName")
    void everyRuleSaysWhatIsWanted(String name) {
        assertThat(definition(name).rules())
                .allSatisfy(
                        rule -> {
                            assertThat(rule.at("rule").text()).isNotBlank();
                            assertThat(rule.at("message").text()).isNotBlank();
                        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            emptyValue = "",
            textBlock =
                    """
                    nodepools       | karpenter.sh         | NodePool       | v1       | Cluster    | ''             | karpenter
                    nodeclaims      | karpenter.sh         | NodeClaim      | v1       | Cluster    | ''             | karpenter
                    nodeoverlays    | karpenter.sh         | NodeOverlay    | v1alpha1 | Cluster    | overlays       | karpenter
                    capacitybuffers | autoscaling.x-k8s.io | CapacityBuffer | v1beta1  | Namespaced | cb             | autoscaling
                    kwoknodeclasses | karpenter.kwok.sh    | KWOKNodeClass  | v1alpha1 | Cluster    | kwoknc kwokncs | karpenter
                    ec2nodeclasses  | karpenter.k8s.aws    | EC2NodeClass   | v1       | Cluster    | ec2nc ec2ncs   | karpenter
                    """)
    void aKindHasItsNames(
            String plural,
            String group,
            String kind,
            String version,
            String scope,
            String shortNames,
            String category) {
        var definition = definition(plural + "." + group);
        var spec = definition.root().at("spec");

        assertThat(spec.at("group").text()).isEqualTo(group);
        assertThat(spec.at("scope").text()).isEqualTo(scope);
        assertThat(definition.names().at("plural").text()).isEqualTo(plural);
        assertThat(definition.names().at("kind").text()).isEqualTo(kind);
        assertThat(definition.names().at("shortNames").textList()).isEqualTo(words(shortNames));
        assertThat(definition.names().at("categories").textList()).containsExactly(category);
        assertThat(definition.version().at("name").text()).isEqualTo(version);
        assertThat(definition.version().at("subresources").at("status").isPresent()).isTrue();
        definition.faults().throwIfAny();
    }

    @Test
    void onlyNodePoolsCanBeScaled() {
        var scale = definition("nodepools.karpenter.sh").version().at("subresources").at("scale");

        assertThat(scale.at("specReplicasPath").text()).isEqualTo(".spec.replicas");
        assertThat(scale.at("statusReplicasPath").text()).isEqualTo(".status.nodes");
        assertThat(
                        everyName()
                                .filter(
                                        name ->
                                                definition(name)
                                                        .version()
                                                        .at("subresources")
                                                        .at("scale")
                                                        .isPresent()))
                .containsExactly("nodepools.karpenter.sh");
    }
}
