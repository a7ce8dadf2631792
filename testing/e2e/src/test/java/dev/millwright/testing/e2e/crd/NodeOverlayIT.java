package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.nodeOverlay;
import static dev.millwright.testing.e2e.crd.Sample.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

@ExtendWith(AdmissionExtension.class)
final class NodeOverlayIT {

    private final Admission admission;

    NodeOverlayIT(Admission admission) {
        this.admission = admission;
    }

    @Tag("L116")
    @ParameterizedTest
    @ValueSource(strings = {"{key: a, operator: NotIn}", "{key: a, operator: NotIn, values: []}"})
    void notInWantsAValue(String requirement) {
        admission.refuses(
                nodeOverlay().requiring("[%s]".formatted(requirement)),
                "operator NotIn wants at least one value");
    }

    @Tag("L117")
    @Test
    void anOverlayMayRequireAPool() {
        admission.accepts(
                nodeOverlay()
                        .requiring("[{key: karpenter.sh/nodepool, operator: In, values: [a]}]"));
    }

    @Tag("L118")
    @ParameterizedTest
    @ValueSource(strings = {"0", "3", "42", "007", "0.25", "42.0", "123456789.123456789"})
    void aPriceIsAnUnsignedDecimal(String price) {
        admission.accepts(nodeOverlay().with("price", price));
    }

    @Tag("L119")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+42",
                "-42",
                "-.42",
                ".5",
                "42.",
                "42%",
                "3,14",
                "1e10",
                "0x42",
                "forty-two",
                "42a",
                "42 ",
                " 42",
                "42.0.0",
                "-",
                ".",
            })
    void aPriceIsNothingElse(String price) {
        admission.refuses(nodeOverlay().with("price", price), "spec.price");
    }

    @Tag("L120")
    @ParameterizedTest
    @ValueSource(strings = {"+42", "-2", "-129", "+0.5", "-0.5", "+.5", "-.5", "+0", "-0"})
    void anAdjustmentIsASignedDecimal(String adjustment) {
        admission.accepts(nodeOverlay().with("priceAdjustment", adjustment));
    }

    @Tag("L121")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "+10%", "+0.5%", "+.5%", "+100%", "+150%", "+150.5%", "+1000%", "-1%", "-10%",
                "-10.5%", "-99%", "-99.9%", "-00.1%", "-100%",
            })
    void anAdjustmentIsAPercentageDownToTheWholePrice(String adjustment) {
        admission.accepts(nodeOverlay().with("priceAdjustment", adjustment));
    }

    @Tag("L122")
    @ParameterizedTest
    @ValueSource(strings = {"10%", "100%", "42", "0.5", ".5", "0", "0%"})
    void anAdjustmentHasASign(String adjustment) {
        admission.refuses(
                nodeOverlay().with("priceAdjustment", adjustment), "spec.priceAdjustment");
    }

    @Tag("L123")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-100.0%",
                "-100.1%",
                "-101%",
                "-101.1%",
                "-1000%",
                "-.5%",
                "+42.",
                "+42.%",
                "-42.",
                "+3,14",
                "+1e10",
                "+0x42",
                "+forty-two",
                "+42a",
                "+42 ",
                " +42",
                "+ 42",
                "+42.0.0",
                "++42",
                "+-42",
                "+42%%",
                "+",
                "-",
                "+.",
                "+%",
                "%",
            })
    void anAdjustmentIsNothingElse(String adjustment) {
        admission.refuses(
                nodeOverlay().with("priceAdjustment", adjustment), "spec.priceAdjustment");
    }

    @Tag("L124")
    @Test
    void priceAndAdjustmentExcludeEachOther() {
        admission.refuses(
                nodeOverlay().with("price", "1").with("priceAdjustment", "+1"),
                "price and priceAdjustment exclude each other");
    }

    @Tag("L125")
    @Test
    void anOverlayAddsResourcesOfOnesOwn() {
        var capacity = yaml("{example.com/device: 3, hugepages-2Mi: 1Gi}");

        var kept = admission.accepts(nodeOverlay().with("capacity", capacity));

        assertThat(kept.<Object>get("spec", "capacity")).isEqualTo(capacity);
    }

    @Tag("L126")
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "memory", "ephemeral-storage", "pods"})
    void anOverlayDoesNotChangeWhatTheProviderKnows(String resource) {
        admission.refuses(
                nodeOverlay().with("capacity", Map.of(resource, "1", "example.com/device", "1")),
                "cpu, memory, ephemeral-storage and pods come from the provider");
    }

    @Tag("L127")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_QUANTITIES")
    void anOverlayAddsQuantities(String quantity) {
        admission.refuses(
                nodeOverlay().with("capacity", Map.of("example.com/device", quantity)),
                "spec.capacity.example.com/device");
    }

    @Tag("L128")
    @ParameterizedTest
    @ValueSource(ints = {1, 100, 10_000})
    void aWeightIsBetweenOneAndTenThousand(int weight) {
        admission.accepts(nodeOverlay().with("weight", weight));
    }

    @Tag("L129")
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 10_001})
    void aWeightIsNothingElse(int weight) {
        admission.refuses(nodeOverlay().with("weight", weight), "spec.weight");
    }

    @Tag("L130")
    @Test
    void nothingIsFilledIn() {
        var kept = admission.accepts(nodeOverlay());

        assertThat(kept.<Map<String, Object>>get("spec")).containsOnlyKeys("requirements");
    }

    @Tag("L131")
    @Test
    void aSpecIsNeeded() {
        admission.refuses(nodeOverlay().bare(), "spec: Required value");
    }
}
