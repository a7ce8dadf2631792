package dev.millwright.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millwright.core.catalog.InstanceType.AllocatableGroup;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

final class InstanceTypeTest {

    private static final Overhead KEPT =
            new Overhead(
                    Resources.parse("cpu", "100m"),
                    Resources.parse("cpu", "50m", "memory", "1Gi"),
                    Resources.parse("memory", "100Mi"));

    private static InstanceType type(Resources capacity, Offering... offerings) {
        return new InstanceType("t", Requirements.NONE, List.of(offerings), capacity, KEPT);
    }

    private static Offering offering(String zone, Offering.Overrides overrides) {
        return new Offering(
                Requirements.of(
                        Requirement.in(LabelKeys.ZONE, zone),
                        Requirement.in(LabelKeys.CAPACITY_TYPE, "spot")),
                1,
                true,
                0,
                overrides,
                false);
    }

    @Test
    void podsGetCapacityLessAllOverhead() {
        var type = type(Resources.parse("cpu", "4", "memory", "8Gi", "pods", "10"));

        assertThat(type.allocatable())
                .isEqualTo(Resources.parse("cpu", "3850m", "memory", "7068Mi", "pods", "10"));
    }

    @Test
    void hugePagesComeOutOfMemory() {
        var type =
                type(
                        Resources.parse(
                                "cpu",
                                "4",
                                "memory",
                                "8Gi",
                                "hugepages-2Mi",
                                "1Gi",
                                "hugepages-1Gi",
                                "2Gi"));

        assertThat(type.allocatable().amount("memory"))
                .isEqualTo(Resources.parse("memory", "3996Mi").amount("memory"));
        assertThat(type.allocatable().amount("hugepages-1Gi"))
                .isEqualTo(Resources.parse("x", "2Gi").amount("x"));
    }

    @Test
    void hugePagesNeverMakeMemoryNegative() {
        var type = type(Resources.parse("cpu", "4", "memory", "2Gi", "hugepages-1Gi", "4Gi"));

        assertThat(type.allocatable().amount("memory").isZero()).isTrue();
    }

    @Test
    void anOverrideReplacesCapacityAndOverheadOfItsNames() {
        var overrides =
                new Offering.Overrides(
                        Resources.parse("cpu", "8", "example.com/gpu", "1"),
                        Overhead.ofKubeReserved(Resources.parse("cpu", "1")));
        var type = type(Resources.parse("cpu", "4", "memory", "8Gi"));

        assertThat(type.allocatable(overrides))
                .isEqualTo(Resources.parse("cpu", "7", "example.com/gpu", "1", "memory", "7068Mi"));
    }

    @Test
    void availableOfferingsAreGroupedByTheRoomTheyLeave() {
        var more = new Offering.Overrides(Resources.parse("cpu", "8"), null);
        var plain = offering("a", Offering.Overrides.NONE);
        var large = offering("b", more);
        var largeToo = offering("c", more);
        var type =
                type(
                        Resources.parse("cpu", "4"),
                        plain,
                        large,
                        largeToo,
                        offering("d", more).unavailable());

        assertThat(type.allocatableGroups())
                .containsExactly(
                        new AllocatableGroup(Resources.parse("cpu", "3850m"), List.of(plain)),
                        new AllocatableGroup(
                                Resources.parse("cpu", "7850m"), List.of(large, largeToo)));
    }

    @Test
    void theGroupWithoutOverridesIsThereEvenWhenEmpty() {
        assertThat(type(Resources.parse("cpu", "4")).allocatableGroups())
                .containsExactly(new AllocatableGroup(Resources.parse("cpu", "3850m"), List.of()));
    }

    @Test
    void anOverlaidCapacityIsRemembered() {
        var overlaid =
                type(Resources.parse("cpu", "4"))
                        .withOverlaidCapacity(Resources.parse("example.com/gpu", "1"));

        assertThat(overlaid.isCapacityOverlaid()).isTrue();
        assertThat(overlaid.capacity())
                .isEqualTo(Resources.parse("cpu", "4", "example.com/gpu", "1"));
    }

    // Offerings --------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({"spot, 0, true", "on-demand, 0, true", "reserved, 1, true", "reserved, 0, false"})
    void aReservationWithoutFreeSlotsGivesNoMachine(
            String capacityType, int slots, boolean isLaunchable) {
        var offering =
                new Offering(
                        Requirements.of(Requirement.in(LabelKeys.CAPACITY_TYPE, capacityType)),
                        1,
                        true,
                        slots,
                        Offering.Overrides.NONE,
                        false);

        assertThat(offering.isLaunchable()).isEqualTo(isLaunchable);
        assertThat(offering.unavailable().isLaunchable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, Double.NaN, Double.POSITIVE_INFINITY})
    void aPriceThatIsNoPriceIsRefused(double price) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Offering.of("a", "spot", price))
                .withMessageContaining("price");
    }

    @Test
    void anOfferingKnowsItsZoneAndCapacityType() {
        var offering = Offering.of("a", "spot", 0.5);

        assertThat(offering.zone()).isEqualTo("a");
        assertThat(offering.capacityType()).isEqualTo("spot");
        assertThat(offering.withOverlaidPrice(0.25).pricePerHour()).isEqualTo(0.25);
        assertThat(offering.withOverlaidPrice(0.25).isPriceOverlaid()).isTrue();
    }

    @Test
    void typesAreEqualByAllThatIsKnownOfThem() {
        var one = type(Resources.parse("cpu", "4"), offering("a", Offering.Overrides.NONE));
        var same = type(Resources.parse("cpu", "4"), offering("a", Offering.Overrides.NONE));

        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same).hasToString(same.toString());
        assertThat(one)
                .isNotEqualTo(
                        type(Resources.parse("cpu", "5"), offering("a", Offering.Overrides.NONE)))
                .isNotEqualTo(
                        type(Resources.parse("cpu", "4"), offering("b", Offering.Overrides.NONE)))
                .isNotEqualTo("t");
        assertThat(one).doesNotHaveSameHashCodeAs(type(Resources.parse("cpu", "5")));
        assertThat(one.toString()).contains("name=t", "cpu 4");
    }

    @Test
    void aTypeTellsWhatItIsAndHowItIsSold() {
        var offering = offering("a", Offering.Overrides.NONE);
        var type = type(Resources.parse("cpu", "4"), offering);
        var other = offering("b", Offering.Overrides.NONE);

        assertThat(type.name()).isEqualTo("t");
        assertThat(type.requirements()).isEqualTo(Requirements.NONE);
        assertThat(type.offerings()).containsExactly(offering);
        assertThat(type.overhead()).isEqualTo(KEPT);
        assertThat(type.volumeAttachmentLimits()).isEmpty();
        assertThat(type.isCapacityOverlaid()).isFalse();
        assertThat(type.withOfferings(List.of(other)).offerings()).containsExactly(other);
        assertThat(type.withOfferings(List.of(other)).withOfferings(List.of(offering)))
                .isEqualTo(type);
    }

    @Test
    void anOfferingTellsItsZoneItsKindAndItsReservation() {
        var reserved =
                new Offering(
                        Requirements.of(
                                Requirement.in(LabelKeys.ZONE, "a"),
                                Requirement.in(LabelKeys.CAPACITY_TYPE, "reserved"),
                                Requirement.in("reservation", "r-1")),
                        1,
                        true,
                        1,
                        Offering.Overrides.NONE,
                        false);

        assertThat(reserved.zone()).isEqualTo("a");
        assertThat(reserved.capacityType()).isEqualTo("reserved");
        assertThat(reserved.reservationId("reservation")).isEqualTo("r-1");
        assertThat(reserved.reservationId("other")).isEmpty();
    }

    @Test
    void anOverrideIsEmptyWhenItReplacesNothing() {
        assertThat(Offering.Overrides.NONE.isEmpty()).isTrue();
        assertThat(new Offering.Overrides(Resources.parse("cpu", "1"), null).isEmpty()).isFalse();
        assertThat(new Offering.Overrides(Resources.NONE, KEPT).isEmpty()).isFalse();
    }
}
