package dev.millwright.providers.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Source;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KwokTypesTest {

    private static final String OFFERING =
            """
            {"%s": 0.25, "Available": false, "%s": [
              {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]},
              {"key": "failure-domain.beta.kubernetes.io/zone", "operator": "In", "values": ["z1"]},
              {"key": "example.com/rack", "operator": "In", "values": ["r1"]}]}
            """;

    @Test
    void everyOfferingIsAvailableAndItsKeysAreWellKnown() {
        var read = read(type("m5.large", OFFERING.formatted("Price", "Requirements")));

        var type = read.types().getFirst();
        assertThat(type.offerings()).hasSize(1).allMatch(Offering::isAvailable);
        assertThat(type.offerings().getFirst().pricePerHour()).isEqualTo(0.25);
        assertThat(type.offerings().getFirst().zone()).isEqualTo("z1");
        assertThat(read.vocabulary().wellKnown())
                .contains("example.com/rack", LabelKeys.ZONE, KwokCatalogue.SIZE);
    }

    @Test
    void fieldsMayBeginWithALowerCaseLetter() {
        var read = read(type("m5.large", OFFERING.formatted("price", "requirements")));

        assertThat(read.types().getFirst().offerings().getFirst().pricePerHour()).isEqualTo(0.25);
    }

    @Test
    void aTypeHasRoomForAHundredAndTenPodsUnlessItSaysOtherwise() {
        var type = only(type("m5.large", OFFERING.formatted("Price", "Requirements")));

        assertThat(type.capacity())
                .isEqualTo(Resources.parse("cpu", "4", "memory", "16Gi", "pods", "110"));
        assertThat(type.allocatable())
                .isEqualTo(Resources.parse("cpu", "3900m", "memory", "16374Mi", "pods", "110"));
        assertThat(type.requirements().on(KwokCatalogue.MEMORY).values()).containsExactly("16Gi");
    }

    @ParameterizedTest
    @CsvSource({
        "m5.large, large, m5",
        "m5.24xlarge, 24xlarge, m5",
        "u-24tb1.metal, 4, u",
        "n2-standard-4, 4, n2",
        "Standard_D4s_v3, 4, S",
        "m5.huge, 4, m5"
    })
    void sizeAndFamilyComeFromTheName(String name, String size, String family) {
        var type = only(type(name, OFFERING.formatted("Price", "Requirements")));

        assertThat(type.requirements().on(KwokCatalogue.SIZE).values()).containsExactly(size);
        assertThat(type.requirements().on(KwokCatalogue.FAMILY).values()).containsExactly(family);
    }

    @Test
    void allFaultsAreToldAtOnce() {
        assertThatThrownBy(
                        () ->
                                read(
                                        type("a", "{\"Price\": -1}")
                                                + type("", "")
                                                + type(
                                                        "b",
                                                        "{\"Requirements\": [{\"key\": \"k\", \"operator\": \"Is\"}]}")))
                .hasMessageContainingAll("instance type a", "Price", "name", "Is");
    }

    private static InstanceType only(String json) {
        return read(json).types().getFirst();
    }

    private static String type(String name, String offering) {
        return """
        [{"name": "%s", "architecture": "amd64", "operatingSystems": ["linux"],
          "resources": {"cpu": "4", "memory": "16Gi"}, "offerings": [%s]}]
        """
                .formatted(name, offering);
    }

    private static KwokTypes read(String json) {
        return KwokTypes.read(Source.text("types.json", json));
    }
}
