package dev.millwright.core.quantity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

final class ResourcesTest {

    private static final Resources BOTH = Resources.parse("cpu", "2", "memory", "1Gi");

    @Test
    void aResourceThatIsNotListedCountsAsZero() {
        assertThat(BOTH.amount("pods")).isEqualTo(Quantity.ZERO);
        assertThat(BOTH.has("pods")).isFalse();
    }

    @Test
    void sumsListWhatEitherLists() {
        assertThat(BOTH.plus(Resources.parse("cpu", "1", "pods", "1")))
                .isEqualTo(Resources.parse("cpu", "3", "memory", "1Gi", "pods", "1"));
    }

    @Test
    void amountsOfTheSameNamesAreAddedOneByOne() {
        assertThat(BOTH.plus(Resources.parse("cpu", "1", "memory", "2Gi")))
                .isEqualTo(Resources.parse("cpu", "3", "memory", "3Gi"));
    }

    @Test
    void nothingAddedOrTakenAwayLeavesAllAsItWas() {
        assertThat(BOTH.plus(Resources.NONE)).isEqualTo(BOTH);
        assertThat(Resources.NONE.plus(BOTH)).isEqualTo(BOTH);
        assertThat(BOTH.minus(Resources.NONE)).isEqualTo(BOTH);
    }

    @Test
    void aListIsEmptyUntilItNamesAResource() {
        assertThat(Resources.NONE.isEmpty()).isTrue();
        assertThat(Resources.of("cpu", Quantity.ZERO).isEmpty()).isFalse();
    }

    @Test
    void theNamesAndAmountsListedAreGivenInTheOrderOfTheNames() {
        var resources = Resources.parse("memory", "1Gi", "cpu", "2");

        assertThat(resources.names()).containsExactly("cpu", "memory");
        assertThat(resources.amounts())
                .containsExactly(
                        Map.entry("cpu", Quantity.ofUnits(2)),
                        Map.entry("memory", Quantity.parse("1Gi")));
    }

    @Test
    void aResourceGivenAnAmountIsListedFromThenOn() {
        assertThat(Resources.of("cpu", Quantity.parse("2")).with("memory", Quantity.parse("1Gi")))
                .isEqualTo(BOTH);
        assertThat(BOTH.has("cpu")).isTrue();
    }

    @Test
    void aSumOverManyListsWhatAnyOfThemLists() {
        var all =
                List.of(
                        Resources.parse("cpu", "1"),
                        BOTH,
                        Resources.NONE,
                        Resources.parse("cpu", "500m", "pods", "1"));

        assertThat(Resources.sum(all))
                .isEqualTo(Resources.parse("cpu", "3500m", "memory", "1Gi", "pods", "1"));
    }

    @Test
    void theSumOfNothingIsNothing() {
        assertThat(Resources.sum(List.of())).isEqualTo(Resources.NONE);
    }

    @ParameterizedTest
    @CsvSource({"cpu, 7, 1Gi", "memory, 2, 7"})
    void oneAmountIsReplacedAndTheOthersStay(String name, String cpu, String memory) {
        assertThat(BOTH.with(name, Quantity.parse("7")))
                .isEqualTo(Resources.parse("cpu", cpu, "memory", memory));
    }

    @Test
    void resourcesAreEqualByNamesAndAmounts() {
        var same = Resources.parse("memory", "1024Mi", "cpu", "2000m");

        assertThat(BOTH).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(BOTH)
                .isNotEqualTo(Resources.parse("cpu", "3", "memory", "1Gi"))
                .isNotEqualTo(Resources.parse("cpu", "2", "pods", "1Gi"))
                .isNotEqualTo("cpu 2, memory 1Gi");
    }

    @Test
    void resourcesThatDifferAreToldApartByTheirHash() {
        assertThat(BOTH).doesNotHaveSameHashCodeAs(Resources.parse("cpu", "3", "memory", "1Gi"));
    }

    @Test
    void differencesListOnlyWhatTheFirstLists() {
        assertThat(BOTH.minus(Resources.parse("cpu", "3", "pods", "1")))
                .isEqualTo(Resources.parse("cpu", "-1", "memory", "1Gi"));
    }

    @Test
    void theGreaterAmountOfEachIsTaken() {
        assertThat(BOTH.max(Resources.parse("cpu", "1", "memory", "2Gi", "pods", "1")))
                .isEqualTo(Resources.parse("cpu", "2", "memory", "2Gi", "pods", "1"));
    }

    @Test
    void theSmallerAmountIsTakenOfWhatBothList() {
        assertThat(BOTH.minOfShared(Resources.parse("cpu", "1", "pods", "1")))
                .isEqualTo(Resources.parse("cpu", "1"));
        assertThat(BOTH.minOfShared(Resources.parse("cpu", "3", "memory", "2Gi"))).isEqualTo(BOTH);
    }

    @Test
    void anOverrideReplacesEntriesOfItsNames() {
        assertThat(BOTH.overriddenBy(Resources.parse("cpu", "7")))
                .isEqualTo(Resources.parse("cpu", "7", "memory", "1Gi"));
    }

    @Test
    void negativeAmountsAreRaisedToZero() {
        assertThat(Resources.parse("cpu", "-1", "memory", "1").flooredAtZero())
                .isEqualTo(Resources.parse("cpu", "0", "memory", "1"));
    }

    @ParameterizedTest
    @CsvSource({"2, true", "3, true", "1999m, false", "0, false"})
    void demandFitsWhereNothingIsMissing(String available, boolean isFit) {
        assertThat(Resources.parse("cpu", "2").fitsIn(Resources.parse("cpu", available)))
                .isEqualTo(isFit);
    }

    @Test
    void demandForAResourceThatIsNotThereDoesNotFit() {
        assertThat(Resources.parse("example.com/gpu", "1").fitsIn(BOTH)).isFalse();
        assertThat(Resources.parse("example.com/gpu", "0").fitsIn(BOTH)).isTrue();
    }

    @Test
    void nothingFitsWhereAnyAmountIsNegative() {
        var overdrawn = Resources.parse("cpu", "4", "memory", "-1");

        assertThat(Resources.NONE.fitsIn(overdrawn)).isFalse();
        assertThat(Resources.parse("cpu", "1").fitsIn(overdrawn)).isFalse();
    }

    @Test
    void resourcesReadAsTextInTheOrderOfTheirNames() {
        assertThat(
                        Resources.parse(
                                "memory",
                                "1Gi",
                                "cpu",
                                "1500m",
                                "ephemeral-storage",
                                "20Gi",
                                "hugepages-2Mi",
                                "4Mi"))
                .hasToString("cpu 1500m, ephemeral-storage 20Gi, hugepages-2Mi 4Mi, memory 1Gi");
    }

    @Test
    void onlyBytesAreWrittenInBinaryUnits() {
        assertThat(Resources.parse("pods", "2048", "memory", "2048"))
                .hasToString("memory 2Ki, pods 2048");
    }
}
