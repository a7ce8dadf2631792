package dev.millwright.providers.aws.classes;

import static dev.millwright.testing.kit.Given.instanceType;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.providers.aws.network.SubnetOffer;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/// Which subnets a launch is offered, by the addresses that earlier launches have left.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-C4")
class SubnetAddressesTest {

    private static final String ZONE = "us-east-1a";

    private final ClassRig rig = new ClassRig();

    /// Two subnets of one zone, of which the first has a few more addresses.
    @BeforeEach
    void twoSubnetsOfOneZone(TestAccount aws) {
        aws.fixtureIn(ZONE, ZONE, "us-east-1b");
        aws.freeAddresses("subnet-test1", 100);
        aws.freeAddresses("subnet-test2", 90);
        aws.freeAddresses("subnet-test3", 80);
        rig.make();
        rig.look();
    }

    private static InstanceType machine(String name, int pods, Offering offering) {
        return instanceType(name).pods(pods).offering(offering).build();
    }

    private static InstanceType onDemand(int pods) {
        return machine("machine-" + pods, pods, Offering.of(ZONE, "on-demand", 1));
    }

    private SubnetOffer launch(InstanceType... types) {
        return rig.subnets().forLaunch(rig.nodeClass(), List.of(types), "on-demand");
    }

    private String chosen(InstanceType... types) {
        return launch(types).subnetIds().getOrDefault(ZONE, "");
    }

    @Test
    void aLaunchIsOfferedTheFullestSubnetOfEachZone() {
        assertThat(launch(onDemand(5)).subnetIds())
                .containsEntry(ZONE, "subnet-test1")
                .containsEntry("us-east-1b", "subnet-test3")
                .hasSize(2);
    }

    @Test
    void addressesOfLaunchesUnderWayAreTakenOff() {
        assertThat(chosen(onDemand(30))).isEqualTo("subnet-test1");
        assertThat(chosen(onDemand(30))).isEqualTo("subnet-test2");
        assertThat(chosen(onDemand(30))).isEqualTo("subnet-test1");
    }

    @Test
    void theSmallestTypeThatCanBeHadThereCounts() {
        var elsewhere = machine("elsewhere", 1, Offering.of("us-east-1b", "on-demand", 1));
        var spot = machine("spot", 2, Offering.of(ZONE, "spot", 1));
        var out = machine("out", 3, Offering.of(ZONE, "on-demand", 1).unavailable());

        var share = launch(elsewhere, spot, out, onDemand(30), onDemand(20)).byZone().get(ZONE);

        assertThat(share.deducted()).isEqualTo(20);
    }

    @Test
    void whatNobodyWentToIsGivenBack() {
        var offer = launch(onDemand(30));
        rig.subnets().giveBack(offer, List.of("subnet-test3"));

        assertThat(chosen(onDemand(30))).isEqualTo("subnet-test1");
    }

    @Test
    void whatAnInstanceWentToIsNotGivenBack() {
        var offer = launch(onDemand(30));
        rig.subnets().giveBack(offer, List.of("subnet-test1"));

        assertThat(chosen(onDemand(30))).isEqualTo("subnet-test2");
    }

    @Test
    void aNewCountForgetsWhatIsUnderWayAndIsNotRaisedByWhatComesBackLate() {
        var offer = launch(onDemand(50));
        rig.lookAfter(Duration.ofMinutes(1));
        assertThat(chosen(onDemand(5))).isEqualTo("subnet-test1");
        assertThat(chosen(onDemand(5))).isEqualTo("subnet-test1");
        rig.subnets().giveBack(offer, List.of());

        assertThat(chosen(onDemand(5))).isEqualTo("subnet-test1");
        assertThat(chosen(onDemand(5))).isEqualTo("subnet-test2");
    }

    @Test
    void aSubnetThatRanOutComesLastUntilItIsCountedAnew() {
        rig.subnets().exhausted("subnet-test1");
        assertThat(chosen(onDemand(5))).isEqualTo("subnet-test2");

        rig.lookAfter(Duration.ofMinutes(1));
        assertThat(chosen(onDemand(5))).isEqualTo("subnet-test1");
    }

    @Test
    void manyLaunchesAtOnceLoseNoAddress() throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Boolean> launchAndBack =
                    () -> {
                        rig.subnets().giveBack(launch(onDemand(3)), List.of());
                        return true;
                    };
            threads.invokeAll(Collections.nCopies(200, launchAndBack));
        }

        assertThat(chosen(onDemand(11))).isEqualTo("subnet-test1");
        assertThat(chosen(onDemand(1))).isEqualTo("subnet-test2");
        assertThat(chosen(onDemand(1))).isEqualTo("subnet-test1");
    }

    @Test
    void theOrderOfTheStatusDecidesWhereNobodyHasCounted() {
        rig.rig().advance(Duration.ofMinutes(6));

        assertThat(chosen(onDemand(5))).isEqualTo("subnet-test1");
    }

    @Test
    void aZonesIdIsKnownByItsSubnets() {
        assertThat(rig.subnets().zoneId(ZONE)).isEqualTo("use1-az2");
        assertThat(rig.subnets().zoneId("us-east-1f")).isNull();
    }
}
