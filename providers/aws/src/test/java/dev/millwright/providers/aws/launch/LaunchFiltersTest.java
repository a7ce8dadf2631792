package dev.millwright.providers.aws.launch;

import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.cloud.MachineClaimBuilder.machineClaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.catalog.Overhead;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Resources;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.InstanceTypeBuilder;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Stream;

/// Which types and offerings a launch asks EC2 for.
@Tag("AWS-F10")
class LaunchFiltersTest {

    private static final String ZONE = "test-zone-1a";
    private static final String OTHER_ZONE = "test-zone-1b";

    private static List<InstanceType> left(
            MachineClaimBuilder claim, InstanceTypeBuilder... types) {
        return apply(claim, types).types();
    }

    private static LaunchFilters.Outcome apply(
            MachineClaimBuilder claim, InstanceTypeBuilder... types) {
        return LaunchFilters.apply(
                Wish.of(claim.build(), Ec2Labels.VOCABULARY),
                Stream.of(types).map(LaunchFiltersTest::ofEc2).toList());
    }

    /// Without the labels of catalogues that EC2 does not have.
    private static InstanceType ofEc2(InstanceTypeBuilder builder) {
        var type = builder.build();
        return new InstanceType(
                type.name(),
                Requirements.of(
                        type.requirements().all().stream()
                                .filter(
                                        each ->
                                                Ec2Labels.VOCABULARY
                                                        .wellKnown()
                                                        .contains(each.key()))
                                .toList()),
                type.offerings(),
                type.capacity(),
                type.overhead());
    }

    private static List<String> names(List<InstanceType> types) {
        return types.stream().map(InstanceType::name).toList();
    }

    private static InstanceTypeBuilder type(String name) {
        return instanceType(name).cpu("4").memory("8Gi").withoutOverhead();
    }

    private static InstanceTypeBuilder onDemand(String name, double price) {
        return type(name).offering(ZONE, "on-demand", price);
    }

    private static Offering reserved(
            String zone, String id, String kind, boolean isInterruptible, int slots, double price) {
        return new Offering(
                Requirements.of(
                        in(LabelKeys.CAPACITY_TYPE, "reserved"),
                        in(LabelKeys.ZONE, zone),
                        in(Ec2Labels.RESERVATION_ID, id),
                        in(Ec2Labels.RESERVATION_TYPE, kind),
                        in(Ec2Labels.RESERVATION_INTERRUPTIBLE, Boolean.toString(isInterruptible))),
                price,
                true,
                slots,
                Offering.Overrides.NONE,
                false);
    }

    private static MachineClaimBuilder anyCapacity() {
        return machineClaim("claim").capacityTypes("reserved", "spot", "on-demand");
    }

    private static List<String> reservations(List<InstanceType> types) {
        return types.stream()
                .flatMap(type -> type.offerings().stream())
                .filter(Offering::isReserved)
                .map(offering -> offering.reservationId(Ec2Labels.RESERVATION_ID))
                .toList();
    }

    @Test
    void aTypeThatDoesNotMeetTheRequirementsIsLeftOut() {
        assertThat(
                        names(
                                left(
                                        machineClaim("claim").types("m5.large"),
                                        onDemand("m5.large", 1),
                                        onDemand("m5.xlarge", 2))))
                .containsExactly("m5.large");
    }

    @Test
    void aTypeWithTooLittleRoomIsLeftOut() {
        assertThat(
                        names(
                                left(
                                        machineClaim("claim").request("cpu", "6"),
                                        onDemand("small", 1),
                                        onDemand("large", 2).cpu("8"))))
                .containsExactly("large");
    }

    @Test
    void aTypeWithoutAnAvailableOfferingIsLeftOut() {
        assertThat(
                        names(
                                left(
                                        machineClaim("claim"),
                                        type("out")
                                                .offering(
                                                        Offering.of(ZONE, "on-demand", 1)
                                                                .unavailable()),
                                        onDemand("there", 2))))
                .containsExactly("there");
    }

    @Test
    void anOfferingInAZoneNobodyAskedForDoesNotCount() {
        assertThat(left(machineClaim("claim").zones(OTHER_ZONE), onDemand("elsewhere", 1)))
                .isEmpty();
    }

    @Test
    void roomAndOfferingMustBeOfTheSameGroup() {
        var roomy =
                new Offering(
                        Requirements.of(
                                in(LabelKeys.CAPACITY_TYPE, "on-demand"),
                                in(LabelKeys.ZONE, OTHER_ZONE)),
                        1,
                        true,
                        0,
                        new Offering.Overrides(
                                Resources.parse("cpu", "16"),
                                Overhead.ofKubeReserved(Resources.NONE)),
                        false);
        var type = onDemand("grown", 1).offering(roomy);

        assertThat(left(machineClaim("claim").request("cpu", "6").zones(ZONE), type)).isEmpty();
        assertThat(left(machineClaim("claim").request("cpu", "6").zones(OTHER_ZONE), type))
                .hasSize(1);
    }

    @Test
    void withoutReservedOfferingsNothingIsTakenAway() {
        assertThat(names(left(anyCapacity(), onDemand("a", 1), onDemand("b", 2))))
                .containsExactly("a", "b");
    }

    @Test
    void theKindOfReservationWithTheCheapestOfferingIsTaken() {
        var types =
                left(
                        anyCapacity(),
                        onDemand("a", 1)
                                .offering(reserved(ZONE, "cr-default", "default", false, 1, 0.2)),
                        onDemand("b", 1)
                                .offering(reserved(ZONE, "cr-spare", "default", true, 1, 0.1)));

        assertThat(names(types)).containsExactly("b");
        assertThat(reservations(types)).containsExactly("cr-spare");
    }

    @Test
    void atTheSamePriceDefaultComesBeforeBlocksAndBlocksBeforeInterruptible() {
        var ofDefault = onDemand("a", 1).offering(reserved(ZONE, "cr-1", "default", false, 1, 0.1));
        var block =
                onDemand("b", 1).offering(reserved(ZONE, "cr-2", "capacity-block", false, 1, 0.1));
        var spare = onDemand("c", 1).offering(reserved(ZONE, "cr-3", "default", true, 1, 0.1));

        assertThat(reservations(left(anyCapacity(), spare, block, ofDefault)))
                .containsExactly("cr-1");
        assertThat(reservations(left(anyCapacity(), spare, block))).containsExactly("cr-2");
        assertThat(reservations(left(anyCapacity(), spare))).containsExactly("cr-3");
    }

    @Test
    void reservationsDoNotMatterToWhoMayNotUseThem() {
        var type = onDemand("a", 1).offering(reserved(ZONE, "cr-1", "default", false, 1, 0.1));

        assertThat(left(machineClaim("claim").capacityTypes("on-demand"), type))
                .first()
                .satisfies(left -> assertThat(left.offerings()).hasSize(2));
    }

    @Test
    void ofCapacityBlocksTheSingleCheapestIsLeft() {
        var types =
                left(
                        anyCapacity(),
                        onDemand("a", 1)
                                .offering(reserved(ZONE, "cr-1", "capacity-block", false, 4, 0.3))
                                .offering(
                                        reserved(
                                                OTHER_ZONE,
                                                "cr-2",
                                                "capacity-block",
                                                false,
                                                4,
                                                0.2)),
                        onDemand("b", 1)
                                .offering(
                                        reserved(ZONE, "cr-3", "capacity-block", false, 4, 0.25)));

        assertThat(names(types)).containsExactly("a");
        assertThat(reservations(types)).containsExactly("cr-2");
    }

    @Test
    void ofReservationsInOneZoneTheOneWithMostLeftIsTaken() {
        var types =
                left(
                        anyCapacity(),
                        onDemand("a", 1)
                                .offering(reserved(ZONE, "cr-few", "default", false, 1, 0.1))
                                .offering(reserved(ZONE, "cr-many", "default", false, 9, 0.1))
                                .offering(
                                        reserved(OTHER_ZONE, "cr-other", "default", false, 2, 0.1)),
                        onDemand("b", 0.5));

        assertThat(names(types)).containsExactly("a");
        assertThat(reservations(types)).containsExactly("cr-many", "cr-other");
    }

    @Test
    void aReservationThatIsFullIsAsGoodAsNone() {
        var types =
                left(
                        anyCapacity(),
                        onDemand("a", 1)
                                .offering(reserved(ZONE, "cr-1", "default", false, 0, 0.1)));

        assertThat(names(types)).containsExactly("a");
        assertThat(types.getFirst().offerings()).hasSize(2);
    }

    @Test
    void metalAndAcceleratorsGoWhereSomethingOrdinaryIsLeft() {
        assertThat(
                        names(
                                left(
                                        machineClaim("claim"),
                                        onDemand("m5.metal", 1)
                                                .requirement(in(Ec2Labels.SIZE, "metal")),
                                        onDemand("c5.metal-24xl", 1)
                                                .requirement(in(Ec2Labels.SIZE, "metal-24xl")),
                                        onDemand("g4dn.xlarge", 1).resource("nvidia.com/gpu", "1"),
                                        onDemand("g4ad.xlarge", 1).resource("amd.com/gpu", "1"),
                                        onDemand("inf1.xlarge", 1)
                                                .resource("aws.amazon.com/neuron", "1"),
                                        onDemand("dl1.24xlarge", 1)
                                                .resource("habana.ai/gaudi", "8"),
                                        onDemand("m5.large", 9)
                                                .requirement(in(Ec2Labels.SIZE, "large")))))
                .containsExactly("m5.large");
    }

    @Test
    void metalStaysWhereNothingElseIs() {
        assertThat(
                        names(
                                left(
                                        machineClaim("claim"),
                                        onDemand("m5.metal", 1)
                                                .requirement(in(Ec2Labels.SIZE, "metal")))))
                .containsExactly("m5.metal");
    }

    @Test
    void minValuesKeepMetalAndDearSpot() {
        var claim =
                machineClaim("claim")
                        .capacityTypes("spot", "on-demand")
                        .requirement(Requirement.exists(LabelKeys.INSTANCE_TYPE).withMinValues(2));
        var types =
                left(
                        claim,
                        onDemand("m5.metal", 1).requirement(in(Ec2Labels.SIZE, "metal")),
                        onDemand("m5.large", 1).offering(ZONE, "spot", 3));

        assertThat(names(types)).containsExactly("m5.metal", "m5.large");
        assertThat(types.getLast().offerings()).hasSize(2);
    }

    @Test
    void spotThatCostsMoreThanTheCheapestOnDemandGoes() {
        var types =
                left(
                        machineClaim("claim").capacityTypes("spot", "on-demand"),
                        onDemand("a", 1.0)
                                .offering(ZONE, "spot", 0.5)
                                .offering(OTHER_ZONE, "spot", 1.5),
                        type("b").offering(ZONE, "spot", 2));

        assertThat(names(types)).containsExactly("a");
        assertThat(types.getFirst().offerings())
                .extracting(Offering::pricePerHour)
                .containsExactly(1.0, 0.5);
    }

    @Test
    void spotAtThePriceOfOnDemandStays() {
        assertThat(
                        left(
                                        machineClaim("claim").capacityTypes("spot", "on-demand"),
                                        onDemand("a", 1.0).offering(ZONE, "spot", 1.0))
                                .getFirst()
                                .offerings())
                .hasSize(2);
    }

    @Test
    void dearSpotStaysForWhoWantsNothingElse() {
        assertThat(
                        names(
                                left(
                                        machineClaim("claim").capacityTypes("spot"),
                                        onDemand("a", 1.0).offering(ZONE, "spot", 3.0))))
                .containsExactly("a");
    }

    @Test
    void theFilterThatRejectedATypeIsNamed() {
        var outcome =
                apply(
                        machineClaim("claim"),
                        onDemand("m5.metal", 1).requirement(in(Ec2Labels.SIZE, "metal")),
                        onDemand("m5.large", 1));

        assertThat(outcome.rejections())
                .containsExactly(
                        new LaunchFilters.Rejection("exotic-instance-filter", List.of("m5.metal")));
    }
}
