package dev.millwright.controllers.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.PlannedClaim.TypeOption;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Stream;

final class MatchingTest {

    private static final Resources ONE = Resources.parse("cpu", "1");

    private static ShadowMachine bought(String type) {
        return new ShadowMachine("default", type, "zone", "spot", 1, ONE);
    }

    private static PlannedClaim planned(String... types) {
        var options =
                Stream.of(types)
                        .map(type -> new TypeOption(type, "zone", "spot", 1, Resources.NONE))
                        .toList();
        return new PlannedClaim(
                "default", Requirements.NONE, options, List.of(), ONE, List.of(), false);
    }

    @Test
    void whichOfItsTypesTheCloudPicksDoesNotMatter() {
        assertThat(Matching.isSame(List.of(bought("b")), List.of(planned("a", "b")))).isTrue();
    }

    @Test
    void anotherNumberOfMachinesIsAnotherDecision() {
        assertThat(Matching.isSame(List.of(bought("a")), List.of(planned("a"), planned("a"))))
                .isFalse();
    }

    @Test
    void aTypeThatNoClaimNamesIsAnotherDecision() {
        assertThat(Matching.isSame(List.of(bought("c")), List.of(planned("a", "b")))).isFalse();
    }

    @Test
    void aMachineForMorePodsIsAnotherDecision() {
        var large =
                new ShadowMachine("default", "a", "zone", "spot", 1, Resources.parse("cpu", "2"));
        assertThat(Matching.isSame(List.of(large), List.of(planned("a")))).isFalse();
    }

    @Test
    void anotherCapacityTypeIsAnotherDecision() {
        var onDemand = new ShadowMachine("default", "a", "zone", "on-demand", 1, ONE);
        assertThat(Matching.isSame(List.of(onDemand), List.of(planned("a")))).isFalse();
    }

    @Test
    void aMachineMakesRoomForOneThatFitsNowhereElse() {
        assertThat(
                        Matching.isSame(
                                List.of(bought("a"), bought("b")),
                                List.of(planned("a", "b"), planned("a"))))
                .isTrue();
    }

    @Test
    void theDifferenceOfAMonthIsTheHoursTimesSevenHundredAndThirty() {
        var launched =
                new Comparison.Launched(
                        List.of(bought("a"), bought("a")), List.of(bought("a")), 1, 0, false);

        var totals = Totals.NONE.plus(launched);

        assertThat(totals.savedPerMonth()).isEqualTo(730);
        assertThat(totals.differed()).isEqualTo(1);
        assertThat(totals.agreed()).isZero();
    }
}
