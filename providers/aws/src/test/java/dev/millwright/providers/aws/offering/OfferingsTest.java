package dev.millwright.providers.aws.offering;

import static dev.millwright.testing.kit.aws.ClassFactsDraft.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.policy.NodeOverlay;
import dev.millwright.core.quantity.Resources;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.instancetype.TypeSettings;
import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.NetworkInterface;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationState;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationType;
import dev.millwright.providers.aws.offering.UnavailableOfferings.Mark;
import dev.millwright.providers.aws.offering.UnavailableOfferings.Scope;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.aws.TypeShop;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class OfferingsTest {

    private static final String ON_DEMAND = LabelKeys.CAPACITY_TYPE_ON_DEMAND;
    private static final String SPOT = LabelKeys.CAPACITY_TYPE_SPOT;
    private static final String RESERVED = LabelKeys.CAPACITY_TYPE_RESERVED;
    private static final ClassFacts PLAIN = facts().build();

    private final TypeShop shop = new TypeShop();

    private boolean isAvailable(ClassFacts facts, String type) {
        return shop.type(facts, type).offerings().stream().anyMatch(Offering::isAvailable);
    }

    private boolean isAvailable(String type, String capacityType, String zone) {
        return shop.offering(PLAIN, type, capacityType, zone).isAvailable();
    }

    @Test
    @Tag("AWS-D7")
    void whatWasRefusedIsOutAndNothingElse() {
        shop.refuse(SPOT, "m5.large", "us-east-1a");

        assertThat(isAvailable("m5.large", SPOT, "us-east-1a")).isFalse();
        assertThat(isAvailable("m5.large", ON_DEMAND, "us-east-1a")).isTrue();
        assertThat(isAvailable("m5.large", SPOT, "us-east-1b")).isTrue();
        assertThat(isAvailable("m5.xlarge", SPOT, "us-east-1a")).isTrue();
    }

    @Test
    @Tag("AWS-D7")
    void aRefusalIsForgottenAfterThreeMinutes() {
        shop.refuse(SPOT, "m5.large", "us-east-1a");
        shop.advance(Duration.ofMinutes(3).minusMillis(1));
        assertThat(isAvailable("m5.large", SPOT, "us-east-1a")).isFalse();

        shop.advance(Duration.ofMillis(1));
        assertThat(isAvailable("m5.large", SPOT, "us-east-1a")).isTrue();
    }

    @Test
    @Tag("AWS-D7")
    void aRefusalRepeatedIsRememberedAnew() {
        shop.refuse(SPOT, "m5.large", "us-east-1a");
        shop.advance(Duration.ofMinutes(2));
        shop.refuse(SPOT, "m5.large", "us-east-1a");
        shop.advance(Duration.ofMinutes(2));

        assertThat(isAvailable("m5.large", SPOT, "us-east-1a")).isFalse();
    }

    @Test
    @Tag("AWS-D7")
    void aTypeRefusedEverywhereIsStillListed() {
        for (var zone : List.of("us-east-1a", "us-east-1b", "us-east-1c")) {
            shop.refuse(SPOT, "m5.large", zone);
            shop.refuse(ON_DEMAND, "m5.large", zone);
        }

        assertThat(isAvailable(PLAIN, "m5.large")).isFalse();
        assertThat(shop.types(PLAIN)).extracting(InstanceType::name).contains("m5.large");
    }

    @Test
    @Tag("AWS-D7")
    void aCapacityTypeIsOutAsAWhole() {
        shop.unavailable().markCapacityType(SPOT, shop.now());

        assertThat(shop.types(PLAIN))
                .allMatch(
                        type ->
                                type.offerings().stream()
                                        .filter(each -> each.capacityType().equals(SPOT))
                                        .noneMatch(Offering::isAvailable));
        assertThat(isAvailable("m5.large", ON_DEMAND, "us-east-1a")).isTrue();
    }

    @Test
    @Tag("AWS-D7")
    void aZoneIsOutWhenAllItsSubnetsAre() {
        var facts = facts().subnet("subnet-4", "us-east-1a", "use1-az1").build();
        shop.unavailable().markSubnet("subnet-1", shop.now());
        assertThat(shop.offering(facts, "m5.large", SPOT, "us-east-1a").isAvailable()).isTrue();

        shop.unavailable().markSubnet("subnet-4", shop.now());
        assertThat(shop.offering(facts, "m5.large", SPOT, "us-east-1a").isAvailable()).isFalse();
        assertThat(shop.offering(facts, "m5.large", SPOT, "us-east-1b").isAvailable()).isTrue();
    }

    @Test
    @Tag("AWS-D7")
    void onlyTheRefusedTypeIsMadeAnew() {
        var before = shop.types(PLAIN);
        shop.refuse(SPOT, "m5.large", "us-east-1a");
        var after = shop.types(PLAIN);

        assertThat(renewed(before, after)).containsExactly("m5.large");
    }

    @Test
    @Tag("AWS-D7")
    void aRefusedCapacityTypeConcernsAllTypesThatHaveIt() {
        var before = shop.types(PLAIN);
        shop.unavailable().markCapacityType(SPOT, shop.now());
        var after = shop.types(PLAIN);

        assertThat(renewed(before, after)).hasSizeGreaterThan(50);
    }

    @SuppressWarnings("ReferenceEquality")
    private static List<String> renewed(List<InstanceType> before, List<InstanceType> after) {
        var old = new TreeMap<String, InstanceType>();
        before.forEach(type -> old.put(type.name(), type));
        return after.stream()
                .filter(type -> old.get(type.name()) != type)
                .map(InstanceType::name)
                .toList();
    }

    @Test
    @Tag("AWS-D7")
    void aRefusalInAPlacementGroupHoldsThereOnly() {
        var grouped = facts().group("pg-1", "cluster", 0).build();
        shop.unavailable()
                .mark(new Mark(SPOT, "m5.large", "us-east-1a", Scope.group("pg-1")), shop.now());

        assertThat(shop.offering(grouped, "m5.large", SPOT, "us-east-1a").isAvailable()).isFalse();
        assertThat(isAvailable("m5.large", SPOT, "us-east-1a")).isTrue();
    }

    @Test
    @Tag("AWS-D7")
    void aRefusalInAPartitionLeavesTheOthers() {
        var grouped = facts().group("pg-1", "partition", 3).build();
        shop.unavailable()
                .mark(
                        new Mark(SPOT, "m5.large", "us-east-1a", Scope.partition("pg-1", "2")),
                        shop.now());

        assertThat(partitions(grouped)).containsExactly("1 true", "2 false", "3 true");
        shop.unavailable()
                .mark(new Mark(SPOT, "m5.large", "us-east-1a", Scope.group("pg-1")), shop.now());
        assertThat(partitions(grouped)).containsExactly("1 false", "2 false", "3 false");
    }

    private List<String> partitions(ClassFacts facts) {
        return shop.type(facts, "m5.large").offerings().stream()
                .filter(each -> each.capacityType().equals(SPOT))
                .filter(each -> each.zone().equals("us-east-1a"))
                .map(
                        each ->
                                "%s %s"
                                        .formatted(
                                                each.requirements()
                                                        .on(Ec2Labels.PLACEMENT_GROUP_PARTITION)
                                                        .anyValue(),
                                                each.isAvailable()))
                .toList();
    }

    @Test
    @Tag("AWS-D8")
    void theListIsTheSameObjectUntilSomethingChanged() {
        var before = shop.types(facts().build());
        shop.advance(Duration.ofMinutes(4));

        assertThat(shop.types(facts().build())).isSameAs(before);
        assertThat(shop.types(facts().maxPods(10).build())).isNotSameAs(before);
        assertThat(shop.types(facts().build())).isSameAs(before);
    }

    @Test
    @Tag("AWS-D8")
    void subnetsInAnotherOrderChangeNothing() {
        var before = shop.types(facts().build());
        var shuffled =
                facts().withoutSubnets()
                        .subnet("subnet-3", "us-east-1c", "use1-az4")
                        .subnet("subnet-1", "us-east-1a", "use1-az1")
                        .subnet("subnet-2", "us-east-1b", "use1-az2")
                        .build();

        assertThat(shop.types(shuffled)).isSameAs(before);
    }

    @Test
    @Tag("AWS-D8")
    void classesThatDifferInWhatEc2LaunchesDoNotReadEachOthersAnswer() {
        assertThat(isAvailable(facts().family(AmiFamily.AL2).build(), "a1.large")).isTrue();
        assertThat(isAvailable(facts().family(AmiFamily.AL2023).build(), "a1.large")).isFalse();
        assertThat(isAvailable(PLAIN, "m5.large")).isTrue();
        assertThat(isAvailable(facts().nestedVirtualization().build(), "m5.large")).isFalse();
    }

    @Test
    void aTypeThatNoImageOfTheClassStartsOnIsNotForSale() {
        var image =
                new Ami(
                        "ami-x",
                        "amd64",
                        false,
                        List.of(
                                new SelectorRequirement(
                                        LabelKeys.ARCH, Operator.IN, List.of("amd64"), null)));

        assertThat(isAvailable(facts().amis(image).build(), "m5.large")).isTrue();
        assertThat(isAvailable(facts().amis(image).build(), "m6g.large")).isFalse();
        assertThat(isAvailable(facts().amis().build(), "m6g.large")).isTrue();
    }

    @Test
    @Tag("AWS-D9")
    void aTypeHasOneOfferingForEachZoneAndCapacityType() {
        assertThat(shop.type(PLAIN, "m5.large").offerings())
                .extracting(each -> each.zone() + " " + each.capacityType())
                .doesNotHaveDuplicates()
                .hasSize(12);
        assertThat(isAvailable("m5.large", ON_DEMAND, "us-east-1d")).isFalse();
    }

    @Test
    @Tag("AWS-D9")
    void aReservedOfferingHasItsSlotsAndNextToNoPrice() {
        var facts = facts().reservation("cr-1", "m5.large", "us-east-1a").build();
        shop.freeSlots("cr-1", 4);
        var offering = shop.offering(facts, "m5.large", RESERVED, "us-east-1a");

        assertThat(offering.isAvailable()).isTrue();
        assertThat(offering.reservationCapacity()).isEqualTo(4);
        assertThat(offering.pricePerHour()).isEqualTo(0.096 / 10_000_000, within(1e-15));
        assertThat(offering.requirements().on(Ec2Labels.RESERVATION_ID).values())
                .containsExactly("cr-1");
        assertThat(offering.requirements().on(Ec2Labels.ZONE_ID).values())
                .containsExactly("use1-az1");

        shop.freeSlots("cr-1", 0);
        assertThat(shop.offering(facts, "m5.large", RESERVED, "us-east-1a").isAvailable())
                .isFalse();
    }

    @ParameterizedTest
    @Tag("AWS-D9")
    @CsvSource({"ACTIVE, true", "EXPIRING, false"})
    void aCapacityBlockNearItsEndTakesNoMore(ReservationState state, boolean wanted) {
        var facts =
                facts().reservation(
                                "cr-1",
                                "p4d.24xlarge",
                                "us-east-1a",
                                ReservationType.CAPACITY_BLOCK,
                                state)
                        .build();
        shop.freeSlots("cr-1", 1);

        assertThat(shop.offering(facts, "p4d.24xlarge", RESERVED, "us-east-1a").isAvailable())
                .isEqualTo(wanted);
    }

    @Test
    @Tag("AWS-D9")
    void withTheGateOffAReservationIsNotOffered() {
        var off =
                new TypeShop(
                        new TypeSettings(
                                TypeShop.REGION, 0, TypeSettings.MEMORY_OVERHEAD_DEFAULT, false));
        var facts = facts().reservation("cr-1", "m5.large", "us-east-1a").build();
        off.freeSlots("cr-1", 4);

        assertThat(off.type(facts, "m5.large").offerings()).noneMatch(Offering::isReserved);
    }

    @Test
    @Tag("AWS-D9")
    void aShiftedZoneOffersNothing() {
        var facts = facts().reservation("cr-1", "m5.large", "us-east-1a").build();
        shop.freeSlots("cr-1", 4);
        assertThat(shop.offering(facts, "m5.large", RESERVED, "us-east-1a").isAvailable()).isTrue();

        shop.shift("use1-az1");
        assertThat(shop.type(facts, "m5.large").offerings())
                .filteredOn(each -> each.zone().equals("us-east-1a"))
                .noneMatch(Offering::isAvailable);
        assertThat(shop.offering(facts, "m5.large", SPOT, "us-east-1b").isAvailable()).isTrue();
    }

    @Test
    @Tag("AWS-D9")
    void connectionTrackingWantsNitro() {
        var tracked = facts().connectionTracked().build();

        assertThat(isAvailable(tracked, "m5.large")).isTrue();
        assertThat(isAvailable(tracked, "m4.large")).isFalse();
        assertThat(isAvailable(tracked, "m5.metal")).isFalse();
    }

    @Test
    @Tag("AWS-D9")
    void aPlacementStrategyWantsATypeThatHasIt() {
        assertThat(isAvailable(facts().group("pg-1", "cluster", 0).build(), "t3.large")).isFalse();
        assertThat(isAvailable(facts().group("pg-1", "spread", 0).build(), "t3.large")).isTrue();
        assertThat(isAvailable(facts().group("pg-1", "cluster", 0).build(), "m5.large")).isTrue();
    }

    @ParameterizedTest
    @Tag("AWS-D9")
    @CsvSource({
        "m5.large, 0, 0, INTERFACE, true",
        "m5.large, 0, 2, INTERFACE, true",
        "m5.large, 0, 3, INTERFACE, false",
        "m5.large, 1, 0, INTERFACE, false",
        "m5.large, 0, 1, EFA_ONLY, false",
        "p4d.24xlarge, 3, 1, EFA_ONLY, true",
        "p4d.24xlarge, 4, 1, EFA_ONLY, false",
        "m1.large, 0, 0, INTERFACE, false",
    })
    void interfacesOfTheClassWantATypeThatHasRoomForThem(
            String type, int card, int device, NetworkInterface.Type kind, boolean wanted) {
        var facts =
                facts().family(AmiFamily.AL2).interfaces(new NetworkInterface(card, device, kind));

        assertThat(isAvailable(facts.build(), type)).isEqualTo(wanted);
    }

    @Test
    @Tag("AWS-D10")
    void anOverlayWithAPricePutsAnUnpricedTypeOnSale() {
        assertThat(shop.prices().prices().onDemand("mac2.metal")).isNull();
        assertThat(isAvailable(PLAIN, "mac2.metal")).isFalse();

        shop.previewPrices(PreviewPrices.of(List.of(overlay("2.5", "mac2.metal"))));

        assertThat(isAvailable(PLAIN, "mac2.metal")).isTrue();
        assertThat(shop.type(PLAIN, "mac2.metal").offerings())
                .filteredOn(Offering::isAvailable)
                .allMatch(each -> each.pricePerHour() == 2.5);
        assertThat(shop.offering(PLAIN, "m5.large", ON_DEMAND, "us-east-1a").pricePerHour())
                .isEqualTo(0.096);
    }

    @Test
    @Tag("AWS-D10")
    void onlyAnOverlayThatNamesNothingButTypesGivesPrices() {
        var adjusted =
                new NodeOverlay(
                        "a",
                        0,
                        List.of(Requirement.in(LabelKeys.INSTANCE_TYPE, "mac2.metal")),
                        null,
                        "+10%",
                        Resources.NONE);
        var narrower =
                new NodeOverlay(
                        "b",
                        0,
                        List.of(
                                Requirement.in(LabelKeys.INSTANCE_TYPE, "mac2.metal"),
                                Requirement.in(LabelKeys.ZONE, "us-east-1a")),
                        "1",
                        null,
                        Resources.NONE);
        var negated =
                new NodeOverlay(
                        "c",
                        0,
                        List.of(
                                Requirement.of(
                                        LabelKeys.INSTANCE_TYPE, Operator.NOT_IN, "mac2.metal")),
                        "1",
                        null,
                        Resources.NONE);

        assertThat(PreviewPrices.of(List.of(adjusted, narrower, negated))).isEmpty();
        assertThat(PreviewPrices.of(List.of(overlay("1", "x"), heavier("2", "x"))))
                .isEqualTo(Map.of("x", 2.0));
    }

    private static NodeOverlay overlay(String price, String type) {
        return new NodeOverlay(
                "one",
                0,
                List.of(Requirement.in(LabelKeys.INSTANCE_TYPE, type)),
                price,
                null,
                Resources.NONE);
    }

    private static NodeOverlay heavier(String price, String type) {
        return new NodeOverlay(
                "two",
                10,
                List.of(Requirement.in(LabelKeys.INSTANCE_TYPE, type)),
                price,
                null,
                Resources.NONE);
    }

    @Test
    @Tag("AWS-D9")
    void withoutSubnetsThereIsNoList() {
        assertThat(shop.answer(facts().withoutSubnets().build()))
                .isInstanceOfSatisfying(
                        CatalogAnswer.Failed.class,
                        failed -> assertThat(failed.message()).contains("no subnets found"));
    }
}
