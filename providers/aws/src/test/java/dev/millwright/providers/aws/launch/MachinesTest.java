package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;
import static dev.millwright.providers.aws.launch.CloudRig.settled;
import static dev.millwright.providers.aws.launch.TemplateDataTest.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.TerminateAnswer;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// Instances once they are there: looked up, listed, tagged, left alone and ended.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
class MachinesTest {

    private static final CloudRig.Setup HEEDING =
            CloudRig.Setup.USUAL.flag("enable-zonal-shift", "true");

    private CloudRig rig = new CloudRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private void use(CloudRig.Setup setup) {
        rig.close();
        rig = new CloudRig(setup);
    }

    private static MachineClaimBuilder small(String name) {
        return claim(name).types("m5.large").capacityTypes("on-demand");
    }

    private static String id(Machine machine) {
        return Objects.requireNonNull(Machines.instanceId(machine.providerId()));
    }

    private List<Machine> list() {
        if (rig.cloud().list() instanceof ListAnswer.Machines(var machines)) {
            return machines;
        }
        throw new AssertionError("no list");
    }

    @Test
    @Tag("AWS-F4")
    void anInstanceInAnOpenReservationIsOnDemandWhileTheGateIsOff(TestAccount aws) {
        aws.reservations(
                reservation("cr-a", "m5.large", "us-east-1a").put("InstanceMatchCriteria", "open"));
        use(CloudRig.Setup.USUAL.flag("feature-gates", "ReservedCapacity=false"));
        rig.nodeClass();
        rig.launched(small("a").zones("us-east-1a"));

        assertThat(list())
                .singleElement()
                .satisfies(
                        machine ->
                                assertThat(machine.labels())
                                        .containsEntry(LabelKeys.CAPACITY_TYPE, "on-demand")
                                        .doesNotContainKey(Ec2Labels.RESERVATION_ID));
    }

    @Test
    @Tag("AWS-F5")
    void onlyInstancesOfThisClusterAreListed(TestAccount aws) throws AwsFault {
        rig.nodeClass();
        var ours = rig.launched(small("a"));
        var name = Requests.text(rig.template(), "LaunchTemplateName");
        try (var clients = aws.clients()) {
            for (var cluster : List.of("other-cluster", "test-cluster")) {
                clients.ec2().createFleet(foreign(name, cluster));
            }
        }

        assertThat(aws.instanceIds()).hasSize(3);
        assertThat(list()).extracting(Machine::providerId).containsExactly(ours.providerId());
        aws.pagesOf(1);
        rig.launched(small("b"));
        assertThat(list()).hasSize(2);
    }

    /// What the controllers then do about its claim is shown without a cloud.
    @Test
    @Tag("AWS-I7")
    void anInstanceThatSomebodyElseTerminatedIsGone(TestAccount aws) throws AwsFault {
        rig.nodeClass();
        var gone = rig.launched(small("a"));
        var there = rig.launched(small("b"));
        try (var clients = aws.clients()) {
            clients.ec2().terminate(List.of(id(gone)));
        }

        assertThat(list()).extracting(Machine::providerId).containsExactly(there.providerId());
        assertThat(rig.cloud().find(gone.providerId())).isInstanceOf(FindAnswer.Gone.class);
    }

    /// Of another cluster with all our tags, of ours with only its name.
    private static FleetRequest foreign(String template, String cluster) {
        var tags = new TreeMap<String, String>();
        tags.put("eks:eks-cluster-name", cluster);
        if (!cluster.equals("test-cluster")) {
            tags.put("karpenter.sh/nodepool", "default");
            tags.put("karpenter.k8s.aws/ec2nodeclass", "default");
        }
        return new FleetRequest(
                1,
                "on-demand",
                null,
                "lowest-price",
                List.of(),
                null,
                tags,
                List.of(
                        new FleetRequest.Config(
                                template,
                                List.of(
                                        new FleetRequest.Override(
                                                "m5.large",
                                                "subnet-test1",
                                                "ami-al2023amd64standard",
                                                "us-east-1a",
                                                1)))),
                null);
    }

    private Machine inShiftedZone(TestAccount aws) {
        use(HEEDING);
        rig.nodeClass();
        var machine = rig.launched(small("a").zones("us-east-1a"));
        shift(aws, machine);
        return machine;
    }

    private void shift(TestAccount aws, Machine machine) {
        aws.shifts(
                TestAccount.CLUSTER_ARN,
                Tree.of("awayFrom", machine.labels().get(Ec2Labels.ZONE_ID))
                        .put("expiryTime", Given.NOON.plus(Duration.ofDays(1)).getEpochSecond()));
        rig.rig().run(rig.controller("zonalshift"));
        aws.forgetCalls();
    }

    @Test
    @Tag("AWS-F9")
    void anInstanceInAShiftedZoneIsNeitherDescribedNorTerminatedNorTagged(TestAccount aws) {
        var machine = inShiftedZone(aws);

        assertThat(rig.cloud().find(machine.providerId())).isInstanceOf(FindAnswer.Found.class);
        assertThat(rig.cloud().terminate(settled(small("a"), machine)))
                .isInstanceOf(TerminateAnswer.Failed.class);
        rig.rig().apply(tagged("a", machine.providerId()));
        assertThat(rig.rig().run(rig.controller("nodeclaim.tagging"), "a"))
                .isInstanceOf(Ending.Failed.class);
        assertThat(aws.calls())
                .doesNotContainKeys("DescribeInstances", "TerminateInstances", "CreateTags");
    }

    @Test
    @Tag("AWS-F9")
    void aProcessThatDoesNotKnowTheInstanceAsksAndStillLeavesItAlone(TestAccount aws) {
        var machine = inShiftedZone(aws);
        use(HEEDING);
        rig.nodeClass();
        rig.rig().run(rig.controller("zonalshift"));

        assertThat(rig.cloud().find(machine.providerId())).isInstanceOf(FindAnswer.Found.class);
        assertThat(aws.calls("DescribeInstances")).isEqualTo(1);
        assertThat(rig.cloud().terminate(settled(small("a"), machine)))
                .isInstanceOf(TerminateAnswer.Failed.class);
        assertThat(aws.calls("TerminateInstances")).isZero();
    }

    @Test
    @Tag("AWS-F9")
    void whatAListDoesNotTellIsForgottenUnlessItsZoneIsShifted(TestAccount aws) {
        var there = inShiftedZone(aws);
        var elsewhere = rig.launched(small("b").zones("us-east-1b"));
        aws.change(id(there), "terminated");
        aws.change(id(elsewhere), "terminated");
        aws.advance(Duration.ofHours(2));

        assertThat(list()).isEmpty();
        assertThat(rig.cloud().find(there.providerId())).isInstanceOf(FindAnswer.Found.class);
        assertThat(rig.cloud().find(elsewhere.providerId())).isEqualTo(new FindAnswer.Gone());
    }

    @Test
    @Tag("AWS-F9")
    void nothingIsLaunchedInAShiftedZone(TestAccount aws) {
        inShiftedZone(aws);

        assertThat(rig.launched(small("b")).labels().get(LabelKeys.ZONE))
                .isNotEqualTo("us-east-1a");
        assertThat(rig.launch(small("c").zones("us-east-1a")).toString())
                .startsWith("InsufficientCapacity");
    }

    private static Manifest tagged(String name, String providerId) {
        return Manifest.claim(name)
                .providerId(providerId)
                .status("nodeName", Tree.text("node-" + name))
                .spec(
                        "nodeClassRef",
                        Tree.of("group", "karpenter.k8s.aws")
                                .put("kind", "EC2NodeClass")
                                .put("name", "default")
                                .mapping());
    }

    private Ending tag(String claim) {
        return rig.rig().run(rig.controller("nodeclaim.tagging"), claim);
    }

    private static Map<String, String> written(TestAccount aws) {
        var tags = new TreeMap<String, String>();
        for (var request : aws.requests("CreateTags")) {
            for (var tag : Requests.list(request, "Tags")) {
                tags.put(Requests.text(tag, "Key"), Requests.text(tag, "Value"));
            }
        }
        return tags;
    }

    @Test
    @Tag("AWS-F14")
    void anInstanceIsTaggedOnceWithTheNamesOfItsClaimAndNode(TestAccount aws) {
        rig.nodeClass();
        var machine = rig.launched(small("a"));
        rig.rig().apply(tagged("a", machine.providerId()));
        tag("a");
        tag("a");

        // The cluster's name is there since the launch.
        assertThat(written(aws)).isEqualTo(Map.of("Name", "node-a", "karpenter.sh/nodeclaim", "a"));
        assertThat(aws.calls("CreateTags")).isEqualTo(1);
        assertThat(rig.rig().claim("a").meta().annotations())
                .containsEntry("karpenter.k8s.aws/tagged", "true")
                .containsEntry("compatibility.karpenter.k8s.aws/cluster-name-tagged", "true");
    }

    @Test
    @Tag("AWS-F14")
    void aTagThatIsThereIsNeverOverwritten(TestAccount aws) {
        rig.nodeClass("default", "tags", "{Name: mine}");
        var machine = rig.launched(small("a"));
        rig.rig().apply(tagged("a", machine.providerId()));
        tag("a");

        assertThat(written(aws)).isEqualTo(Map.of("karpenter.sh/nodeclaim", "a"));
    }

    @Test
    @Tag("AWS-F14")
    void claimsWithoutANodeOrThatAreGoingAreNotTagged(TestAccount aws) {
        rig.nodeClass();
        var machine = rig.launched(small("a"));
        rig.rig()
                .apply(
                        tagged("a", machine.providerId()).status("nodeName", Tree.text("")),
                        tagged("b", machine.providerId())
                                .finalizer("karpenter.sh/termination")
                                .deletedAt(Given.NOON));
        tag("a");
        tag("b");

        assertThat(aws.calls("CreateTags")).isZero();
    }

    @Test
    @Tag("AWS-F14")
    void aForeignIdIsToldAndAMissingInstanceIsLeft(TestAccount aws) {
        rig.nodeClass();
        rig.rig()
                .apply(
                        tagged("a", "gce://somewhere/else"),
                        tagged("b", "aws:///us-east-1a/i-00000000000000001"));

        assertThat(tag("a")).isNotInstanceOf(Ending.Failed.class);
        assertThat(rig.rig().lines()).hasSize(1);
        assertThat(tag("b")).isNotInstanceOf(Ending.Failed.class);
        assertThat(rig.rig().claim("b").meta().annotations())
                .doesNotContainKey("karpenter.k8s.aws/tagged");
        assertThat(aws.calls("CreateTags")).isZero();
    }

    @Test
    @Tag("AWS-F14")
    void aRefusedTagIsTriedAgain(TestAccount aws) {
        rig.nodeClass();
        var machine = rig.launched(small("a"));
        rig.rig().apply(tagged("a", machine.providerId()));
        aws.fail(ApiFault.refuse("CreateTags", "UnauthorizedOperation", 403));

        assertThat(tag("a")).isInstanceOf(Ending.Failed.class);
        assertThat(tag("a")).isNotInstanceOf(Ending.Failed.class);
        assertThat(rig.rig().claim("a").meta().annotations())
                .containsEntry("karpenter.k8s.aws/tagged", "true");
    }
}
