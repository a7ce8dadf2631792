package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.INSTANCE_TYPE;
import static dev.millwright.core.label.LabelKeys.OS;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.GPU_A;
import static dev.millwright.testing.kit.FakeCatalogue.GPU_B;
import static dev.millwright.testing.kit.FakeCatalogue.SIZE;
import static dev.millwright.testing.kit.FakeCatalogue.SPECIAL;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.doesNotExist;
import static dev.millwright.testing.kit.Given.exists;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which machines can serve a pod at all.
final class InstanceTypesTest {

    @Tag("B51")
    @Test
    void aPodLargerThanEveryTypeWaits() {
        var plan = cluster().with(pod("a", "17")).plan();

        assertThat(plan)
                .launchesNothing()
                .leavesWaiting("a")
                .becauseOf(Refusal.NoInstanceType.class)
                .because("had enough resources")
                .because("the nearest type lacks: cpu 1100m");
    }

    @Tag("B51")
    @Test
    void aMillionCpusAreTakenForATypingError() {
        var plan = cluster().with(pod("a", "1M")).plan();

        assertThat(plan).leavesWaiting("a").because("was m meant");
    }

    @Tag("B52")
    @Test
    void twoArchitecturesMakeTwoNodes() {
        var plan =
                cluster()
                        .with(pod("a").nodeSelector(ARCH, "amd64"))
                        .with(pod("b").nodeSelector(ARCH, "arm64"))
                        .plan();

        assertThat(plan).puts("a", "b").apart();
        assertThat(plan).claimOf("a").doesNotOffer("arm-instance-type");
        assertThat(plan).claimOf("b").offersTypes("arm-instance-type");
    }

    @Tag("B53")
    @Test
    void affinityOnTheInstanceTypeRestrictsIt() {
        var plan = cluster().with(pod("a").requires(in(INSTANCE_TYPE, "arm-instance-type"))).plan();

        assertThat(plan).claimOf("a").offersTypes("arm-instance-type");
    }

    @Tag("B54")
    @Test
    void affinityOnTheOperatingSystemRestrictsTypes() {
        var plan = cluster().with(pod("a").requires(in(OS, "ios"))).plan();

        assertThat(plan).claimOf("a").offersTypes("arm-instance-type");
    }

    @Tag("B55")
    @Test
    void thePoolsArchitectureRestrictsTypes() {
        var plan =
                cluster().with(nodePool("default").requirement(in(ARCH, "arm64")), pod("a")).plan();

        assertThat(plan).claimOf("a").offersTypes("arm-instance-type");
    }

    @Tag("B56")
    @Test
    void twoOperatingSystemsMakeTwoNodes() {
        var plan =
                cluster()
                        .with(pod("a").nodeSelector(OS, "linux"))
                        .with(pod("b").nodeSelector(OS, "windows"))
                        .plan();

        assertThat(plan).puts("a", "b").apart();
    }

    @Tag("B57")
    @Test
    void twoInstanceTypesMakeTwoNodes() {
        var plan =
                cluster()
                        .with(pod("a").nodeSelector(INSTANCE_TYPE, "small-instance-type"))
                        .with(pod("b").nodeSelector(INSTANCE_TYPE, "default-instance-type"))
                        .plan();

        assertThat(plan)
                .puts("a", "b")
                .apart()
                .launches("small-instance-type", "default-instance-type");
    }

    @Tag("B58")
    @Test
    void twoZonesMakeTwoNodes() {
        var plan =
                cluster()
                        .with(pod("a").nodeSelector(ZONE, ZONE_1))
                        .with(pod("b").nodeSelector(ZONE, ZONE_2))
                        .plan();

        assertThat(plan).puts("a", "b").apart().inZone("a", ZONE_1).inZone("b", ZONE_2);
    }

    @Tag("B59")
    @Test
    void differentDevicesMakeTwoNodes() {
        var plan =
                cluster()
                        .with(pod("a").resource(GPU_A, "1"))
                        .with(pod("b").resource(GPU_B, "1"))
                        .plan();

        assertThat(plan)
                .puts("a", "b")
                .apart()
                .launches("gpu-vendor-instance-type", "gpu-vendor-b-instance-type");
    }

    @Tag("B60")
    @Test
    void aPodThatWantsDevicesOfTwoMachinesWaits() {
        var plan = cluster().with(pod("a").resource(GPU_A, "1").resource(GPU_B, "1")).plan();

        assertThat(plan)
                .launchesNothing()
                .leavesWaiting("a")
                .becauseOf(Refusal.NoInstanceType.class);
    }

    // Labels of a provider ---------------------------------------------------------------------

    @Tag("B61")
    @Test
    void aProvidersLabelFiltersTypes() {
        var plan =
                cluster()
                        .with(pod("a").nodeSelector(SIZE, "large"))
                        .with(pod("b").nodeSelector(SIZE, "small"))
                        .plan();

        assertThat(plan).claimOf("a").offersTypes("arm-instance-type");
        assertThat(plan).claimOf("b").doesNotOffer("arm-instance-type");
    }

    @Tag("B62")
    @Test
    void contradictingProviderLabelsAreRefused() {
        var plan =
                cluster()
                        .with(
                                pod("a").nodeSelector(SIZE, "large")
                                        .nodeSelector(INSTANCE_TYPE, "small-instance-type"))
                        .plan();

        assertThat(plan)
                .launchesNothing()
                .leavesWaiting("a")
                .becauseOf(Refusal.NoInstanceType.class);
    }

    @Tag("B63")
    @Test
    void anOptionalLabelCanBeSelected() {
        var plan = cluster().with(pod("a").requires(exists(SPECIAL))).plan();

        assertThat(plan).claimOf("a").offersTypes("arm-instance-type");
    }

    @Tag("B64")
    @Test
    void anOptionalLabelCanBeExcluded() {
        var plan = cluster().with(pod("a").requires(doesNotExist(SPECIAL))).plan();

        assertThat(plan).schedulesAll().claimOf("a").doesNotOffer("arm-instance-type");
    }

    @Tag("B64")
    @Test
    void aValueOfAnOptionalLabelCanBeExcluded() {
        var plan = cluster().with(pod("a").requires(notIn(SPECIAL, "optional"))).plan();

        assertThat(plan).schedulesAll().claimOf("a").doesNotOffer("arm-instance-type");
    }

    // Pools without any type -------------------------------------------------------------------

    @Tag("B165")
    @Test
    void aPoolWithoutAnyTypeLeftTellsItToAPod() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(INSTANCE_TYPE, "unknown")))
                        .with(pod("a"))
                        .plan();

        assertThat(plan)
                .leavesWaiting("a")
                .because(WaitReason.NodePoolsWithoutTypes.class)
                .because("default");
    }

    @Tag("B166")
    @Test
    void poolsWithoutAnyTypeLeftTellItToEveryPod() {
        var plan =
                cluster()
                        .with(nodePool("one").requirement(in(INSTANCE_TYPE, "unknown")))
                        .with(nodePool("two").requirement(in(ARCH, "s390x")))
                        .with(pod("a"), pod("b"))
                        .plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.NodePoolsWithoutTypes.class);
        assertThat(plan)
                .leavesWaiting("b")
                .because(WaitReason.NodePoolsWithoutTypes.class)
                .because("one")
                .because("two");
    }

    @Tag("B167")
    @Test
    void contradictingRequirementsOfAPoolLeaveNoType() {
        var plan =
                cluster()
                        .with(
                                nodePool("default")
                                        .requirement(in(SIZE, "large"))
                                        .requirement(in(INSTANCE_TYPE, "small-instance-type")))
                        .with(pod("a"))
                        .plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.NodePoolsWithoutTypes.class);
    }

    @Tag("B168")
    @Test
    void aPoolInAZoneWithoutOffersHasNoType() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ZONE, "test-zone-9")))
                        .with(pod("a"))
                        .plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.NodePoolsWithoutTypes.class);
    }

    @Tag("B168")
    @Test
    void typesNobodyOffersNowAreNoTypes() {
        var plan = cluster().selling(instanceType("gone").unavailable()).with(pod("a")).plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.NodePoolsWithoutTypes.class);
    }

    @Tag("B10")
    @Test
    void aZoneAndACapacityTypeThatAreNotOfferedTogetherAreRefused() {
        var plan =
                cluster()
                        .with(
                                pod("a").nodeSelector(ZONE, ZONE_3)
                                        .nodeSelector(LabelKeys.CAPACITY_TYPE, "spot"))
                        .plan();

        assertThat(plan)
                .launchesNothing()
                .leavesWaiting("a")
                .becauseOf(Refusal.NoInstanceType.class)
                .because("had a required offering");
    }

    @Tag("B168")
    @Test
    void anOfferThatIsNotAvailableIsNotUsedAndNotPriced() {
        var plan =
                cluster()
                        .selling(
                                instanceType("plain")
                                        .offering(Offering.of(ZONE_1, "spot", 1).unavailable())
                                        .offering(ZONE_2, "spot", 2))
                        .with(pod("a"), pod("b").nodeSelector(ZONE, ZONE_1))
                        .plan();

        assertThat(plan).leavesWaiting(1).leavesWaiting("b");
        assertThat(plan).claimOf("a").cheapestZone(ZONE_2).cheapestPrice(2);
    }

    // Offerings that change the machine --------------------------------------------------------

    private static Offering withDevice(boolean isAvailable) {
        return new Offering(
                Requirements.of(
                        Requirement.in(LabelKeys.CAPACITY_TYPE, "on-demand"),
                        Requirement.in(LabelKeys.ZONE, ZONE_1)),
                5,
                isAvailable,
                0,
                new Offering.Overrides(Resources.parse(GPU_A, "1"), null),
                false);
    }

    @Tag("B174")
    @Test
    void aResourceOnlyAnOverrideBringsCanBeHad() {
        var plan =
                cluster()
                        .selling(
                                instanceType("plain")
                                        .offering(ZONE_2, "on-demand", 1)
                                        .offering(withDevice(true)))
                        .with(pod("a").resource(GPU_A, "1"))
                        .plan();

        assertThat(plan).claimOf("a").cheapestZone(ZONE_1).cheapestPrice(5);
    }

    @Tag("B174")
    @Test
    void anOverrideInAnotherZoneDoesNotHelp() {
        var plan =
                cluster()
                        .selling(
                                instanceType("plain")
                                        .offering(ZONE_2, "on-demand", 1)
                                        .offering(withDevice(true)))
                        .with(pod("a").resource(GPU_A, "1").nodeSelector(ZONE, ZONE_2))
                        .plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.NoInstanceType.class);
    }

    @Tag("B175")
    @Test
    void anOverrideThatIsNotAvailableCannotBeHad() {
        var plan =
                cluster()
                        .selling(
                                instanceType("plain")
                                        .offering(ZONE_2, "on-demand", 1)
                                        .offering(withDevice(false)))
                        .with(pod("a").resource(GPU_A, "1"))
                        .plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.NoInstanceType.class);
    }

    // Devices by claim -------------------------------------------------------------------------

    @Tag("B169")
    @Tag("B170")
    @Tag("B171")
    @Test
    void aPodWithResourceClaimsWaits() {
        var plan = cluster().with(pod("a").resourceClaims()).plan();

        assertThat(plan)
                .launchesNothing()
                .leavesWaiting("a")
                .because(WaitReason.ResourceClaimsUnsupported.class);
    }

    @Tag("B172")
    @Test
    void aPodWithoutResourceClaimsSchedulesBesideOneThatWaits() {
        var plan = cluster().with(pod("a").resourceClaims(), pod("b")).plan();

        assertThat(plan).schedules("b").leavesWaiting(1).leavesWaiting("a");
    }
}
