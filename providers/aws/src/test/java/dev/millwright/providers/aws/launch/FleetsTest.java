package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;
import static dev.millwright.providers.aws.launch.TemplateDataTest.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.LaunchFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;

/// What EC2 is asked for, and what is learned from what it refuses.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
class FleetsTest {

    private static final String FAILURES = "karpenter_cloudprovider_instance_launch_failures_total";
    private static final String EFA = "vpc.amazonaws.com/efa";
    private static final String FULL = "InsufficientFreeAddressesInSubnet";

    private final CloudRig rig = new CloudRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private static MachineClaimBuilder small(String... capacityTypes) {
        return claim("a").types("m5.large").capacityTypes(capacityTypes);
    }

    private List<Offering> offerings(Predicate<Offering> filter) {
        var pool = rig.rig().pool("default").pool();
        if (!(rig.cloud().catalog(pool) instanceof CatalogAnswer.Types(var types))) {
            throw new AssertionError("no types");
        }
        return types.stream().flatMap(type -> type.offerings().stream()).filter(filter).toList();
    }

    private List<Offering> offeredIn(String zone) {
        return offerings(offering -> offering.isAvailable() && offering.zone().equals(zone));
    }

    private void assertOut(LaunchAnswer answer) {
        assertThat(answer).isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
    }

    @Test
    @Tag("AWS-F1")
    void whereTheCheapestSixtyTypesLeaveAMinimumUnmetThereIsNoCapacity() {
        rig.nodeClass();
        var many = Requirement.exists(LabelKeys.INSTANCE_TYPE).withMinValues(61);

        var answer = rig.launch(claim("a").requirement(many));

        assertOut(answer);
        assertThat(answer.toString()).contains("60 cheapest");
        assertThat(rig.fleets()).isEmpty();
    }

    @Test
    @Tag("AWS-F1")
    void whereEc2HasNothingLeftThereIsNoCapacityAndItIsNotAskedAgain(TestAccount aws) {
        rig.nodeClass();
        aws.refuse(LaunchFault.noCapacity("m5.large"));

        assertOut(rig.launch(small("on-demand")));
        assertThat(rig.fleets()).hasSize(1);
        assertOut(rig.launch(small("on-demand")));
        assertThat(rig.fleets()).hasSize(1);

        aws.noFaults();
        rig.advance(Duration.ofMinutes(3));
        rig.launched(small("on-demand"));
    }

    @Test
    @Tag("AWS-F1")
    void withoutTheRoleForSpotThereIsNoSpotAtAll(TestAccount aws) {
        rig.nodeClass();
        rig.rig().apply(Manifest.claim("a"));
        aws.refuse(
                LaunchFault.noCapacity("*")
                        .as("spot")
                        .saying("AuthFailure.ServiceLinkedRoleCreationNotPermitted", "denied"));

        assertOut(rig.launch(small("spot")));
        assertThat(offerings(each -> each.isAvailable() && each.capacityType().equals("spot")))
                .isEmpty();
        assertThat(rig.launched(small("spot", "on-demand")).labels())
                .containsEntry(LabelKeys.CAPACITY_TYPE, "on-demand");
        assertThat(rig.events())
                .hasSize(1)
                .allMatch(event -> event.type().text().equals("Warning"));
    }

    @Test
    @Tag("AWS-F1")
    void whereNoMoreFleetsAreAllowedThereIsNoCapacity(TestAccount aws) {
        rig.nodeClass();
        aws.refuse(LaunchFault.noCapacity("*").saying("MaxFleetCountExceeded", "too many fleets"));

        assertOut(rig.launch(small("on-demand")));
    }

    @Test
    @Tag("AWS-F1")
    void whereAllReservationsAreFullThereIsNoCapacityAndTheNextLaunchDoesWithoutThem(
            TestAccount aws) {
        aws.reservations(reservation("cr-a", "m5.large", "us-east-1a"));
        rig.nodeClass("default", "capacityReservationSelectorTerms", "[{id: cr-a}]");
        aws.refuse(
                LaunchFault.noCapacity("*").saying("ReservationCapacityExceeded", "full").times(1));

        assertOut(rig.launch(small("reserved", "on-demand")));
        assertThat(rig.launched(small("reserved", "on-demand")).labels())
                .containsEntry(LabelKeys.CAPACITY_TYPE, "on-demand");
    }

    @Test
    @Tag("AWS-F1")
    void aSpreadGroupThatIsFullInAZoneIsOutThereForAllTypesAndForItselfAlone(TestAccount aws) {
        aws.placementGroups(
                Tree.of("GroupId", "pg-1").put("GroupName", "group").put("Strategy", "spread"));
        rig.nodeClass("default", "placementGroupSelector", "{name: group}");
        rig.nodeClass("other");
        aws.refuse(
                LaunchFault.noCapacity("c5.large")
                        .in("us-east-1a")
                        .saying(
                                "InsufficientInstanceCapacity",
                                "reached the limit of instances in this spread placement group"));
        var inA = claim("a").capacityTypes("on-demand").zones("us-east-1a");
        rig.launched(inA.types("c5.large", "m5.large"));

        aws.noFaults();
        assertOut(rig.launch(inA.uid("b").types("m5.large")));
        rig.launched(inA.uid("c").types("m5.large").nodeClass(CloudRig.classNamed("other")));
        rig.launched(claim("d").types("m5.large").capacityTypes("on-demand").zones("us-east-1b"));
    }

    @Test
    @Tag("AWS-F2")
    void aReservationIsNotFullBecauseEc2WasBusy(TestAccount aws) {
        aws.reservations(reservation("cr-a", "m5.large", "us-east-1a"));
        rig.nodeClass("default", "capacityReservationSelectorTerms", "[{id: cr-a}]");
        aws.refuse(LaunchFault.noCapacity("*").saying("RequestLimitExceeded", "busy").times(1));

        assertThat(rig.launch(small("reserved", "on-demand")))
                .isInstanceOfSatisfying(
                        LaunchAnswer.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo("RequestLimitExceeded"));
        assertThat(rig.launched(small("reserved", "on-demand")).labels())
                .containsEntry(LabelKeys.CAPACITY_TYPE, "reserved");
    }

    @Test
    @Tag("AWS-F3")
    void everyRefusalIsCountedEvenWhereThereIsAMachine(TestAccount aws) {
        rig.nodeClass();
        aws.refuse(
                LaunchFault.noCapacity("m5.large").in("us-east-1a"),
                LaunchFault.noCapacity("m5.large").in("us-east-1b").saying("Odd", "what?"));
        var machine = rig.launched(small("on-demand"));

        assertThat(machine.labels()).containsEntry(LabelKeys.ZONE, "us-east-1c");
        assertThat(rig.meter().counts(FAILURES))
                .hasSize(2)
                .containsValue(1.0)
                .containsKey(
                        FAILURES
                                + "[us-east-1b, %s, on-demand, LaunchFailed]"
                                        .formatted(zoneId("us-east-1b")));
        assertThat(rig.meter().counts(FAILURES).keySet())
                .anyMatch(series -> series.contains("[us-east-1a, " + zoneId("us-east-1a")));
    }

    private String zoneId(String zone) {
        var object = rig.rig().view().nodeClass(CloudRig.classNamed("default"));
        return Ec2NodeClass.of(Objects.requireNonNull(object)).status().subnets().stream()
                .filter(subnet -> subnet.zone().equals(zone))
                .findFirst()
                .orElseThrow()
                .zoneId();
    }

    @Test
    @Tag("AWS-F3")
    void aZoneWhoseIdIsNotKnownIsCountedWithoutIt(TestAccount aws) {
        rig.nodeClass();
        rig.advance(Duration.ofDays(2));
        aws.refuse(LaunchFault.noCapacity("m5.large"));
        rig.launch(small("on-demand").zones("us-east-1a"));

        assertThat(rig.meter().counts(FAILURES).keySet())
                .singleElement()
                .asString()
                .startsWith(FAILURES + "[us-east-1a, , on-demand, ");
    }

    @Test
    @Tag("AWS-F6")
    void aZoneWhoseOnlySubnetIsFullIsOutForThreeMinutes(TestAccount aws) {
        rig.nodeClass();
        aws.refuse(LaunchFault.noCapacity("*").of("subnet-test1").saying(FULL, "full"));

        assertOut(rig.launch(small("on-demand").zones("us-east-1a")));
        assertThat(offeredIn("us-east-1a")).isEmpty();
        assertThat(offeredIn("us-east-1b")).isNotEmpty();

        rig.advance(Duration.ofMinutes(3));
        assertThat(offeredIn("us-east-1a")).isNotEmpty();
    }

    @Test
    @Tag("AWS-F6")
    void aZoneWithAnotherSubnetStaysInAndThatOneIsTriedNext(TestAccount aws) {
        aws.fixtureIn("us-east-1a", "us-east-1a", "us-east-1b");
        aws.freeAddresses("subnet-test1", 4000);
        aws.freeAddresses("subnet-test2", 3000);
        rig.nodeClass();
        aws.refuse(LaunchFault.noCapacity("*").of("subnet-test1").saying(FULL, "full"));

        assertOut(rig.launch(small("on-demand").zones("us-east-1a")));
        assertThat(offeredIn("us-east-1a")).isNotEmpty();
        rig.launched(small("on-demand").uid("b").zones("us-east-1a"));
        assertThat(Requests.text(rig.fleet(), "LaunchTemplateConfigs.0.Overrides.0.SubnetId"))
                .isEqualTo("subnet-test2");

        aws.refuse(LaunchFault.noCapacity("*").of("subnet-test2").saying(FULL, "full"));
        assertOut(rig.launch(small("on-demand").uid("c").zones("us-east-1a")));
        assertThat(offeredIn("us-east-1a")).isEmpty();
        assertThat(offeredIn("us-east-1b")).isNotEmpty();
    }

    @ParameterizedTest
    @Tag("AWS-F7")
    @CsvSource({
        "spot, false, price-capacity-optimized",
        "spot, true, capacity-optimized-prioritized",
        "on-demand, false, lowest-price",
        "on-demand, true, prioritized",
    })
    void theStrategyHeedsPricesThatSomebodyChanged(
            String capacityType, boolean isOverlaid, String wanted) {
        rig.nodeClass();
        var claim = small(capacityType);
        rig.launched(
                isOverlaid ? claim.annotation(AnnotationKeys.PRICE_OVERLAY_APPLIED, "x") : claim);
        var isSpot = capacityType.equals("spot");

        assertThat(Requests.text(rig.fleet(), "SpotOptions.AllocationStrategy"))
                .isEqualTo(isSpot ? wanted : "");
        assertThat(Requests.text(rig.fleet(), "OnDemandOptions.AllocationStrategy"))
                .isEqualTo(isSpot ? "" : wanted);
        assertThat(
                        Requests.text(
                                rig.fleet(),
                                "TargetCapacitySpecification.DefaultTargetCapacityType"))
                .isEqualTo(capacityType);
    }

    @Test
    @Tag("AWS-F8")
    void aMachineHasTheEfaInterfacesThatWereAskedFor() {
        rig.nodeClass();
        var fast = claim("a").types("p4d.24xlarge").capacityTypes("on-demand");
        assertThat(rig.launched(fast).capacity().amounts()).doesNotContainKey(EFA);
        var machine = rig.launched(fast.uid("b").request(EFA, "1"));
        assertThat(machine.capacity().amount(EFA).units()).isEqualTo(4);

        if (!(rig.cloud().list() instanceof ListAnswer.Machines(var machines))) {
            throw new AssertionError("no list");
        }
        assertThat(machines)
                .extracting(each -> each.capacity().amount(EFA).units())
                .containsExactlyInAnyOrder(0L, 4L);
    }

    @Test
    @Tag("AWS-F12")
    void aContextGoesToEc2UnlessMinimumsWereRelaxed() {
        rig.nodeClass("default", "context", "cxt-1");
        rig.launched(small("on-demand"));
        assertThat(Requests.text(rig.fleet(), "Context")).isEqualTo("cxt-1");

        rig.launched(
                small("on-demand").uid("b").annotation(AnnotationKeys.MIN_VALUES_RELAXED, "true"));
        assertThat(Requests.text(rig.fleet(), "Context")).isEmpty();
    }

    @Test
    @Tag("AWS-F12")
    void theSubnetWithMostAddressesIsUsedAndWhatLaunchesTakeIsCounted(TestAccount aws) {
        aws.fixtureIn("us-east-1a", "us-east-1a", "us-east-1b");
        aws.freeAddresses("subnet-test1", 110);
        aws.freeAddresses("subnet-test2", 100);
        rig.nodeClass();
        var inA = small("on-demand").zones("us-east-1a");
        rig.launched(inA);
        rig.launched(inA.uid("b"));

        assertThat(rig.fleets())
                .extracting(
                        each -> Requests.text(each, "LaunchTemplateConfigs.0.Overrides.0.SubnetId"))
                .containsExactly("subnet-test1", "subnet-test2");
    }

    @Test
    @Tag("AWS-F12")
    void minimumsOfSeveralKeysAreKeptInTheRequest() {
        rig.nodeClass();
        var types =
                Requirement.in(LabelKeys.INSTANCE_TYPE, "m5.large", "c5.large", "r5.large")
                        .withMinValues(3);
        var families = Requirement.exists(Ec2Labels.FAMILY).withMinValues(3);
        rig.launched(
                claim("a").requirement(types).requirement(families).capacityTypes("on-demand"));

        var asked = new TreeSet<String>();
        for (var config : Requests.list(rig.fleet(), "LaunchTemplateConfigs")) {
            for (var override : Requests.list(config, "Overrides")) {
                asked.add(Requests.text(override, "InstanceType"));
            }
        }
        assertThat(asked).containsExactly("c5.large", "m5.large", "r5.large");
    }

    @Test
    @Tag("AWS-F12")
    void aLaunchTakesAPlaceOfItsReservationUntilTheMachineIsGone(TestAccount aws) {
        aws.reservations(
                reservation("cr-a", "m5.large", "us-east-1a").put("AvailableInstanceCount", 1));
        rig.nodeClass("default", "capacityReservationSelectorTerms", "[{id: cr-a}]");
        rig.advance(Duration.ofSeconds(1));
        var first = small("reserved", "on-demand");
        var machine = rig.launched(first);
        assertThat(machine.labels())
                .containsAllEntriesOf(
                        Map.of(
                                LabelKeys.CAPACITY_TYPE, "reserved",
                                Ec2Labels.RESERVATION_ID, "cr-a",
                                Ec2Labels.RESERVATION_TYPE, "default",
                                Ec2Labels.RESERVATION_INTERRUPTIBLE, "false"));
        assertThat(rig.launched(first.uid("b")).labels())
                .containsEntry(LabelKeys.CAPACITY_TYPE, "on-demand");

        aws.change(
                machine.providerId().substring(machine.providerId().lastIndexOf('/') + 1),
                "terminated");
        aws.advance(Duration.ofHours(2));
        rig.cloud().terminate(CloudRig.settled(first, machine));
        assertThat(rig.launched(first.uid("c")).labels())
                .containsEntry(LabelKeys.CAPACITY_TYPE, "reserved");
    }

    @Test
    @Tag("AWS-F3")
    void aRequestThatEc2DoesNotTakeIsToldWithItsReason(TestAccount aws) {
        rig.nodeClass();
        aws.fail(
                ApiFault.refuse("CreateFleet", "UnauthorizedOperation", 403)
                        .saying("with an explicit deny in a service control policy"));

        assertThat(rig.launch(small("on-demand")))
                .isInstanceOfSatisfying(
                        LaunchAnswer.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo("Unauthorized"));
    }
}
