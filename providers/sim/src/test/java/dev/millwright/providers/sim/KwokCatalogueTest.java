package dev.millwright.providers.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Test;

import java.util.List;

class KwokCatalogueTest {

    private static final List<InstanceType> ALL = KwokCatalogue.instanceTypes();

    private static InstanceType type(String name) {
        return ALL.stream().filter(type -> type.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void kwokSells144TypesInTheOrderOfTheirNames() {
        assertThat(ALL)
                .hasSize(144)
                .extracting(InstanceType::name)
                .isSorted()
                .doesNotHaveDuplicates()
                .contains("c-1x-amd64-linux", "s-48x-arm64-windows", "m-256x-arm64-linux");
    }

    @Test
    void theFamilySaysTheMemoryForEachCpu() {
        assertThat(type("c-4x-amd64-linux").capacity())
                .isEqualTo(
                        Resources.parse(
                                "cpu", "4",
                                "memory", "8Gi",
                                "pods", "64",
                                "ephemeral-storage", "20Gi"));
        assertThat(type("s-4x-amd64-linux").capacity().amount(Resources.MEMORY).toBinaryString())
                .isEqualTo("16Gi");
        assertThat(type("m-4x-amd64-linux").capacity().amount(Resources.MEMORY).toBinaryString())
                .isEqualTo("32Gi");
    }

    @Test
    void noTypeTakesMoreThan1024Pods() {
        assertThat(type("c-256x-amd64-linux").capacity().amount(Resources.PODS))
                .hasToString("1024");
    }

    @Test
    void theLargestMemoryIsWrittenInTheCoarsestUnit() {
        assertThat(type("m-256x-arm64-windows").requirements().on(KwokCatalogue.MEMORY).values())
                .containsExactly("2Ti");
    }

    @Test
    void everyZoneSellsOnDemandAndSpotAt70Percent() {
        var offerings = type("c-1x-amd64-linux").offerings();

        assertThat(offerings).hasSize(8).allMatch(Offering::isAvailable);
        assertThat(offerings)
                .filteredOn(offering -> offering.zone().equals("test-zone-d"))
                .extracting(Offering::capacityType, Offering::pricePerHour)
                .containsExactly(
                        tuple("on-demand", 0.027147483648), tuple("spot", 0.019003238553599998));
    }

    @Test
    void theKubeletKeepsATenthOfACore() {
        assertThat(type("c-1x-amd64-linux").allocatable().amount(Resources.CPU))
                .hasToString("900m");
    }

    @Test
    void labelsTellSizeFamilySystemAndArchitecture() {
        var requirements = type("s-48x-arm64-windows").requirements();

        assertThat(
                        List.of(
                                requirements.on(KwokCatalogue.SIZE).anyValue(),
                                requirements.on(KwokCatalogue.FAMILY).anyValue(),
                                requirements.on(KwokCatalogue.CPU).anyValue(),
                                requirements.on(KwokCatalogue.MEMORY).anyValue(),
                                requirements.on(LabelKeys.OS).anyValue(),
                                requirements.on(LabelKeys.ARCH).anyValue()))
                .containsExactly("48", "s", "48", "192Gi", "windows", "arm64");
        assertThat(KwokCatalogue.VOCABULARY.wellKnown()).containsAll(requirements.keys());
    }
}
