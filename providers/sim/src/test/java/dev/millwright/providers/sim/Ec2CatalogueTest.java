package dev.millwright.providers.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.spi.ec2.Ec2Resources;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

class Ec2CatalogueTest {

    private static final Ec2Catalogue CATALOGUE = Ec2Catalogue.load();
    private static final List<InstanceType> ALL = CATALOGUE.instanceTypes(Ec2Settings.DEFAULT);
    private static final Map<String, InstanceType> BY_NAME = byName(ALL);

    private static Map<String, InstanceType> byName(List<InstanceType> types) {
        return types.stream().collect(Collectors.toMap(InstanceType::name, Function.identity()));
    }

    private static InstanceType type(String name) {
        return BY_NAME.get(name);
    }

    private static InstanceType typeWith(Ec2Settings settings, String name) {
        return byName(CATALOGUE.instanceTypes(settings)).get(name);
    }

    private static boolean hasPrice(InstanceType type) {
        return type.offerings().stream().anyMatch(offering -> offering.pricePerHour() > 0);
    }

    private static double onDemandPrice(InstanceType type) {
        return type.offerings().stream()
                .filter(offering -> offering.capacityType().equals("on-demand"))
                .mapToDouble(Offering::pricePerHour)
                .max()
                .orElseThrow();
    }

    @Test
    void theRegionSells1375Types() {
        assertThat(ALL).hasSize(1_375);
    }

    @Test
    void typesComeInTheOrderOfTheirNames() {
        assertThat(ALL).extracting(InstanceType::name).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void theCatalogueIsTheSameEachTimeItIsRead() {
        assertThat(Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT)).isEqualTo(ALL);
    }

    @Test
    void fortyOneTypesWithoutAPriceAreListedButNeverAvailable() {
        var unpriced = ALL.stream().filter(type -> !hasPrice(type)).toList();

        assertThat(unpriced).hasSize(41);
        assertThat(unpriced)
                .flatExtracting(InstanceType::offerings)
                .noneMatch(Offering::isAvailable);
        assertThat(unpriced)
                .extracting(type -> type.requirements().on(Ec2Labels.FAMILY).anyValue())
                .contains("mac2", "g7", "r9g", "r9gd", "t8i");
    }

    @Test
    void theFirstGravitonIsListedButNeverAvailableBecauseItHasNoMachineImage() {
        assertThat(type("a1.large").offerings()).isNotEmpty().noneMatch(Offering::isAvailable);
    }

    @Test
    void everyOtherTypeIsAvailableSomewhere() {
        assertThat(ALL)
                .filteredOn(type -> hasPrice(type) && !type.name().startsWith("a1."))
                .hasSize(1_328)
                .allMatch(type -> type.offerings().stream().anyMatch(Offering::isAvailable));
    }

    @Test
    void everyTypeSoldAsSpotHasASpotPriceInEachOfItsZones() {
        assertThat(type("m5.xlarge").offerings())
                .filteredOn(offering -> offering.capacityType().equals("spot"))
                .filteredOn(Offering::isAvailable)
                .extracting(Offering::zone)
                .containsExactlyElementsOf(
                        type("m5.xlarge").requirements().on(LabelKeys.ZONE).values());
        assertThat(ALL)
                .flatExtracting(InstanceType::offerings)
                .filteredOn(offering -> offering.capacityType().equals("spot"))
                .filteredOn(Offering::isAvailable)
                .hasSize(6_222);
    }

    @Test
    void spotNeverCostsMoreThanOnDemand() {
        assertThat(ALL)
                .allSatisfy(
                        type ->
                                assertThat(type.offerings())
                                        .extracting(Offering::pricePerHour)
                                        .allMatch(price -> price <= onDemandPrice(type)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"m5.xlarge", "c7gd.large", "g6e.12xlarge", "inf2.24xlarge", "c5.metal"})
    void aTypeIsAsItsGoldenFileSays(String name) throws IOException {
        try (var golden = getClass().getResourceAsStream(name + ".txt")) {
            var wanted = new String(golden.readAllBytes(), StandardCharsets.UTF_8);

            assertThat(TypeText.of(type(name))).isEqualTo(wanted);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "m7g.medium, 60m",
        "m5.large, 70m",
        "m5.xlarge, 80m",
        "m5.2xlarge, 90m",
        "m5.4xlarge, 110m",
        "m5.8xlarge, 150m",
        "m5.16xlarge, 230m",
        "m5.24xlarge, 310m"
    })
    void theKubeletsShareOfTheCpuShrinksWithEachCore(String name, String wanted) {
        assertThat(type(name).overhead().kubeReserved().amount(Resources.CPU)).hasToString(wanted);
    }

    @Test
    void theKubeletKeepsMemoryForEachPodTheInterfacesAllow() {
        var type = type("m5.xlarge");

        assertThat(type.capacity().amount(Resources.PODS)).isEqualTo(Quantity.ofUnits(58));
        assertThat(type.overhead().kubeReserved())
                .isEqualTo(
                        Resources.parse(
                                "cpu", "80m", "memory", "893Mi", "ephemeral-storage", "1Gi"));
    }

    @Test
    void reservedInterfacesLowerThePodsButNotTheReservedMemory() {
        var type = typeWith(Ec2Settings.DEFAULT.withReservedInterfaces(1), "m5.xlarge");

        assertThat(type.capacity().amount(Resources.PODS)).isEqualTo(Quantity.ofUnits(44));
        assertThat(type.overhead()).isEqualTo(type("m5.xlarge").overhead());
    }

    @Test
    void aTypeWhoseInterfacesAreAllReservedTakesNoPods() {
        var type = typeWith(Ec2Settings.DEFAULT.withReservedInterfaces(4), "m5.xlarge");

        assertThat(type.capacity().amount(Resources.PODS)).isEqualTo(Quantity.ZERO);
    }

    @Test
    void theMaximumOfPodsReplacesWhatTheInterfacesAllow() {
        var type = typeWith(Ec2Settings.DEFAULT.withPodsMax(110), "m5.xlarge");

        assertThat(type.capacity().amount(Resources.PODS)).isEqualTo(Quantity.ofUnits(110));
    }

    @Test
    void onlyTheDefaultNetworkCardBringsPods() {
        assertThat(type("p5.48xlarge").capacity().amount(Resources.PODS))
                .isEqualTo(Quantity.ofUnits(2 * 49 + 2));
    }

    @Test
    void theHypervisorKeepsItsShareOfMemoryRoundedUpToMebibytes() {
        assertThat(type("m5.large").capacity().amount(Resources.MEMORY).toBinaryString())
                .isEqualTo((8_192 - 615) + "Mi");
    }

    @Test
    void gravitonKeeps64MebibytesMore() {
        assertThat(type("m7g.large").capacity().amount(Resources.MEMORY).toBinaryString())
                .isEqualTo((8_192 - 64 - 610) + "Mi");
    }

    @Test
    void withoutMemoryOverheadPodsSeeAllTheMemory() {
        var type = typeWith(Ec2Settings.DEFAULT.withMemoryOverhead(BigDecimal.ZERO), "m5.large");

        assertThat(type.capacity().amount(Resources.MEMORY).toBinaryString()).isEqualTo("8Gi");
    }

    @Test
    void aFractionOfAGpuIsNamedButNotCounted() {
        var type = type("g6f.large");

        assertThat(type.requirements().on(Ec2Labels.GPU_NAME).values()).containsExactly("l4");
        assertThat(type.requirements().on(Ec2Labels.GPU_COUNT).values()).containsExactly("0");
        assertThat(type.capacity().amount(Ec2Resources.NVIDIA_GPU)).isEqualTo(Quantity.ZERO);
    }

    @Test
    void aNameOfSeveralWordsBecomesOneLabelValue() {
        assertThat(type("g7e.2xlarge").requirements().on(Ec2Labels.GPU_NAME).values())
                .containsExactly("rtx-pro-server-6000");
    }

    @Test
    void aTypeWithoutAGpuRefusesTheGpuLabels() {
        var requirements = type("m5.large").requirements();

        assertThat(requirements.orNull(Ec2Labels.GPU_NAME))
                .isEqualTo(Requirement.doesNotExist(Ec2Labels.GPU_NAME));
        assertThat(requirements.orNull(Ec2Labels.ACCELERATOR_COUNT))
                .isEqualTo(Requirement.doesNotExist(Ec2Labels.ACCELERATOR_COUNT));
    }

    @ParameterizedTest
    @CsvSource({
        "u-6tb1.56xlarge, u, 1, u-6tb1, 56xlarge, false",
        "u7i-12tb.224xlarge, u, 7, u7i-12tb, 224xlarge, false",
        "m7i-flex.large, m, 7, m7i-flex, large, true",
        "mac2-m2.metal, mac, 2, mac2-m2, metal, false"
    })
    void aNameTellsCategoryGenerationFamilySizeAndFlex(
            String name,
            String category,
            String generation,
            String family,
            String size,
            String flex) {
        var requirements = type(name).requirements();

        assertThat(
                        List.of(
                                requirements.on(Ec2Labels.CATEGORY).anyValue(),
                                requirements.on(Ec2Labels.GENERATION).anyValue(),
                                requirements.on(Ec2Labels.FAMILY).anyValue(),
                                requirements.on(Ec2Labels.SIZE).anyValue(),
                                requirements.on(Ec2Labels.FLEX).anyValue()))
                .containsExactly(category, generation, family, size, flex);
    }

    @Test
    void aNameWithoutAGenerationHasNeitherCategoryNorGeneration() {
        var requirements = type("mac-m4.metal").requirements();

        assertThat(requirements.orNull(Ec2Labels.CATEGORY))
                .isEqualTo(Requirement.doesNotExist(Ec2Labels.CATEGORY));
        assertThat(requirements.orNull(Ec2Labels.GENERATION))
                .isEqualTo(Requirement.doesNotExist(Ec2Labels.GENERATION));
    }

    @Test
    void theFirstKnownArchitectureCounts() {
        assertThat(type("t2.micro").requirements().on(LabelKeys.ARCH).values())
                .containsExactly("amd64");
    }

    @Test
    void anUnknownArchitectureMatchesNoPod() {
        assertThat(type("mac2.metal").requirements().on(LabelKeys.ARCH).values())
                .containsExactly("[arm64_mac]");
    }

    @Test
    void everyTypeSpeaksOnlyWellKnownLabels() {
        assertThat(ALL)
                .allSatisfy(
                        type ->
                                assertThat(Ec2Labels.VOCABULARY.wellKnown())
                                        .containsAll(type.requirements().keys()));
    }

    @Test
    void zonesThatAreNotOursHaveUnavailableOfferingsWithoutAZoneId() {
        var type = typeWith(Ec2Settings.DEFAULT.withZones(List.of("us-east-1b")), "m5.large");

        assertThat(type.requirements().on(LabelKeys.ZONE).values()).containsExactly("us-east-1b");
        assertThat(type.requirements().on(Ec2Labels.ZONE_ID).values()).containsExactly("use1-az4");
        assertThat(type.offerings())
                .filteredOn(Offering::isAvailable)
                .extracting(Offering::zone)
                .containsExactly("us-east-1b", "us-east-1b");
        assertThat(type.offerings())
                .filteredOn(offering -> !offering.isAvailable())
                .hasSize(10)
                .noneMatch(offering -> offering.requirements().has(Ec2Labels.ZONE_ID));
    }

    @Test
    void anUnknownZoneIsToldWithTheKnownOnes() {
        var settings = Ec2Settings.DEFAULT.withZones(List.of("us-west-2a"));

        assertThatThrownBy(() -> CATALOGUE.instanceTypes(settings))
                .hasMessageContaining(
                        "zone \"us-west-2a\" is unknown; wanted some of [us-east-1a,");
    }
}
