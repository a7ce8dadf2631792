package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;
import static dev.millwright.providers.aws.launch.CloudRig.settled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.TerminateAnswer;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.LaunchFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Questions to EC2 that come close together are asked as one.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-F11")
class BatchersTest {

    private static final String SIZE = "karpenter_cloudprovider_batcher_batch_size";
    private static final String TIME = "karpenter_cloudprovider_batcher_batch_time_seconds";

    private final CloudRig rig = new CloudRig();

    @BeforeEach
    void aTemplateIsThere(TestAccount aws) {
        rig.nodeClass();
        rig.launched(small("first"));
        aws.forgetCalls();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static MachineClaimBuilder small(String name) {
        return claim(name).types("m5.large").capacityTypes("on-demand");
    }

    private List<LaunchAnswer> launch(int count) {
        return rig.together(
                IntStream.range(0, count)
                        .mapToObj(n -> (Supplier<LaunchAnswer>) () -> rig.launch(small("c" + n)))
                        .toList());
    }

    @Test
    void requestsThatAreTheSameBecomeOneFleet() {
        var answers = launch(20);

        assertThat(rig.fleets()).hasSize(1);
        assertThat(Requests.text(rig.fleet(), "TargetCapacitySpecification.TotalTargetCapacity"))
                .isEqualTo("20");
        assertThat(answers)
                .extracting(each -> CloudRig.machine(each).providerId())
                .doesNotHaveDuplicates();
        assertThat(rig.meter().observations(SIZE + "[create_fleet]")).contains(20.0);
        assertThat(rig.meter().observations(TIME + "[create_fleet]")).isNotEmpty();
    }

    @Test
    void threeHundredRequestsAreOneFleet() {
        assertThat(launch(300)).allMatch(LaunchAnswer.Launched.class::isInstance);
        assertThat(rig.fleets()).hasSize(1);
    }

    @Test
    void requestsThatDifferBecomeAFleetEach() {
        rig.launched(claim("warm").types("m5.xlarge").capacityTypes("on-demand"));
        var answers =
                rig.together(
                        List.<Supplier<LaunchAnswer>>of(
                                () -> rig.launch(small("a")),
                                () -> rig.launch(small("b").zones("us-east-1a")),
                                () -> rig.launch(small("c"))));

        assertThat(answers).allMatch(LaunchAnswer.Launched.class::isInstance);
        assertThat(rig.fleets()).hasSize(3);
    }

    @Test
    void whatEc2RefusesIsToldToAllWhoAsked(TestAccount aws) {
        aws.fail(ApiFault.refuse("CreateFleet", "UnauthorizedOperation", 403));

        assertThat(launch(5))
                .allSatisfy(
                        answer ->
                                assertThat(answer)
                                        .isInstanceOfSatisfying(
                                                LaunchAnswer.Refused.class,
                                                refused ->
                                                        assertThat(refused.reason())
                                                                .isEqualTo("Unauthorized")));
        assertThat(rig.fleets()).hasSize(1);
    }

    @Test
    void whereEc2GivesFewerTheOthersHearWhy(TestAccount aws) {
        aws.refuse(LaunchFault.noCapacity("m5.large").butFor(3));

        var answers = launch(5);

        assertThat(answers).filteredOn(LaunchAnswer.Launched.class::isInstance).hasSize(3);
        assertThat(answers)
                .filteredOn(LaunchAnswer.InsufficientCapacity.class::isInstance)
                .hasSize(2)
                .allMatch(answer -> answer.toString().contains("InsufficientInstanceCapacity"));
    }

    private List<Machine> machines(int count) {
        return launch(count).stream().map(CloudRig::machine).toList();
    }

    private static List<Supplier<FindAnswer>> finds(CloudRig rig, List<Machine> machines) {
        return machines.stream()
                .map(machine -> (Supplier<FindAnswer>) () -> rig.cloud().find(machine.providerId()))
                .toList();
    }

    @Test
    void instancesAreDescribedTogetherAndAnUnknownOneSpoilsNothing(TestAccount aws) {
        var machines = machines(3);
        aws.forgetCalls();
        try (var other = new CloudRig()) {
            other.nodeClass();
            assertThat(other.together(finds(other, machines)))
                    .allMatch(FindAnswer.Found.class::isInstance);
            assertThat(aws.calls("DescribeInstances")).isEqualTo(1);
            assertThat(other.meter().observations(SIZE + "[describe_instances]"))
                    .containsExactly(3.0);
        }
        try (var other = new CloudRig()) {
            other.nodeClass();
            var finds = new ArrayList<>(finds(other, machines));
            finds.add(() -> other.cloud().find("aws:///us-east-1a/i-00000000000000001"));
            var answers = other.together(finds);
            assertThat(answers.subList(0, 3)).allMatch(FindAnswer.Found.class::isInstance);
            assertThat(answers.getLast()).isEqualTo(new FindAnswer.Gone());
        }
    }

    @Test
    void instancesAreTerminatedTogetherAndOneByOneWhereThatFails(TestAccount aws) {
        var machines = machines(4);
        aws.fail(ApiFault.refuse("TerminateInstances", "InvalidInstanceID.NotFound", 400));

        var answers =
                rig.together(
                        machines.stream()
                                .map(
                                        machine ->
                                                (Supplier<TerminateAnswer>)
                                                        () ->
                                                                rig.cloud()
                                                                        .terminate(
                                                                                settled(
                                                                                        small("x"),
                                                                                        machine)))
                                .toList());

        assertThat(answers).containsOnly(new TerminateAnswer.Started());
        if (!(rig.cloud().list() instanceof ListAnswer.Machines(var listed))) {
            throw new AssertionError("no list");
        }
        // Only the one that was there before stays.
        assertThat(listed).filteredOn(each -> !each.isTerminating()).hasSize(1);
    }
}
