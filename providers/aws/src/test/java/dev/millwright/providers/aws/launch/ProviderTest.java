package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;
import static dev.millwright.providers.aws.launch.CloudRig.classNamed;
import static dev.millwright.providers.aws.launch.CloudRig.settled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.kube.document.Tree;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.RegistrationHook;
import dev.millwright.spi.ec2.Ec2Labels;
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
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;
import java.util.TreeMap;

/// What the provider says of classes that will not do, and of machines it launched.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
class ProviderTest {

    private final CloudRig rig = new CloudRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private static MachineClaimBuilder small() {
        return claim("a").types("m5.large").capacityTypes("on-demand");
    }

    @ParameterizedTest
    @Tag("AWS-F12")
    @ValueSource(booleans = {false, true})
    void aClassThatIsMissingOrGoingIsNoCapacityAndTheClaimHearsOfIt(boolean isGoing) {
        rig.rig().apply(Manifest.claim("a"));
        if (isGoing) {
            rig.nodeClass().delete("default");
        }

        assertThat(rig.launch(small())).isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
        assertThat(rig.events())
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.type().text()).isEqualTo("Warning");
                            assertThat(event.subject().name().name()).isEqualTo("a");
                        });
        assertThat(rig.fleets()).isEmpty();
    }

    @Test
    @Tag("AWS-F12")
    void aPoolWhoseClassIsMissingHasNoTypesAndHearsOfIt() {
        var pool = rig.rig().pool("default").pool();

        assertThat(rig.cloud().catalog(pool))
                .isInstanceOfSatisfying(
                        CatalogAnswer.Types.class, told -> assertThat(told.types()).isEmpty());
        assertThat(rig.events())
                .singleElement()
                .satisfies(event -> assertThat(event.subject().name().name()).isEqualTo("default"));
    }

    @Test
    @Tag("AWS-F12")
    void aClassThatIsNotReadyIsToldSo() {
        rig.nodeClass("default", "subnetSelectorTerms", "[{id: subnet-none}]");

        assertThat(rig.launch(small())).isInstanceOf(LaunchAnswer.NodeClassNotReady.class);
    }

    @Test
    @Tag("AWS-F12")
    void aClassThatNobodyHasLookedAtIsNotKnownToBeReady() {
        rig.rig()
                .apply(
                        """
                        apiVersion: karpenter.k8s.aws/v1
                        kind: EC2NodeClass
                        metadata: {name: default, uid: u}
                        spec:
                          amiSelectorTerms: [{alias: al2023@latest}]
                          role: test-role
                          subnetSelectorTerms: [{id: subnet-test1}]
                          securityGroupSelectorTerms: [{id: sg-test1}]
                        """);

        assertThat(rig.launch(small()))
                .isInstanceOfSatisfying(
                        LaunchAnswer.Refused.class,
                        refused ->
                                assertThat(refused.reason())
                                        .isEqualTo("NodeClassReadinessUnknown"));
    }

    @Test
    @Tag("AWS-F12")
    void aClassThatChangedSinceItWasLookedAtIsNotReady() {
        rig.nodeClass().change("default", "detailedMonitoring", "true");
        assertThat(rig.launch(small())).isInstanceOf(LaunchAnswer.NodeClassNotReady.class);

        rig.look("default");
        assertThat(rig.launch(small())).isInstanceOf(LaunchAnswer.Launched.class);
    }

    @Test
    @Tag("AWS-F12")
    void aTagThatIsOursAloneMakesTheClassNotReady() {
        rig.nodeClass("default", "tags", "{karpenter.sh/nodepool: mine}");

        assertThat(rig.launch(small())).isInstanceOf(LaunchAnswer.NodeClassNotReady.class);
        assertThat(rig.fleets()).isEmpty();
    }

    @Test
    @Tag("AWS-F12")
    void withoutATypeThatWouldDoThereIsNoCapacity() {
        rig.nodeClass();

        assertThat(rig.launch(claim("a").requirement(LabelKeys.ARCH, Operator.IN, "riscv64")))
                .isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
        assertThat(rig.fleets()).isEmpty();
    }

    @Test
    @Tag("AWS-F12")
    void aMachineBearsImageZoneIdAndWhatItsClassWas() {
        rig.nodeClass();
        var machine = rig.launched(small().zones("us-east-1b"));

        assertThat(machine.imageId()).isEqualTo("ami-al2023amd64standard");
        assertThat(machine.providerId()).matches("aws:///us-east-1b/i-[0-9a-f]+");
        assertThat(machine.labels().get(Ec2Labels.ZONE_ID)).startsWith("use1-az");
        assertThat(machine.labels()).containsEntry(LabelKeys.NODE_POOL, "default");
        assertThat(machine.annotations())
                .containsOnlyKeys(
                        "karpenter.k8s.aws/ec2nodeclass-hash",
                        "karpenter.k8s.aws/ec2nodeclass-hash-version",
                        "karpenter.k8s.aws/instance-profile-name");
    }

    private RegistrationHook hook() {
        return rig.cloud().registrationHooks().getFirst();
    }

    private Machine inGroup(TestAccount aws, String strategy) {
        aws.placementGroups(
                Tree.of("GroupId", "pg-1")
                        .put("GroupName", "group")
                        .put("Strategy", strategy)
                        .put("PartitionCount", strategy.equals("partition") ? 3 : 0));
        rig.nodeClass("default", "placementGroupSelector", "{name: group}");
        return rig.launched(small());
    }

    private static MachineClaim without(MachineClaim claim, String label) {
        var builder =
                MachineClaimBuilder.machineClaim(claim.name())
                        .nodeClass(claim.nodeClassRef())
                        .providerId(claim.providerId());
        for (var entry : claim.labels().entrySet()) {
            if (!entry.getKey().equals(label)) {
                builder = builder.label(entry.getKey(), entry.getValue());
            }
        }
        return builder.build();
    }

    private static final RegistrationHook.Answer PASSED =
            new RegistrationHook.Answer.Passed(new TreeMap<>());

    @Test
    @Tag("AWS-F13")
    void aNodeWithoutAGroupRegistersAtOnce(TestAccount aws) {
        rig.nodeClass();
        var claim = settled(small(), rig.launched(small()));
        aws.forgetCalls();

        assertThat(hook().registered(claim)).isEqualTo(PASSED);
        assertThat(aws.calls("DescribeInstances")).isZero();
    }

    @ParameterizedTest
    @Tag("AWS-F13")
    @CsvSource({"cluster", "spread"})
    void aNodeInAnotherKindOfGroupRegistersAtOnce(String strategy, TestAccount aws) {
        var machine = inGroup(aws, strategy);
        assertThat(machine.labels()).containsEntry(Ec2Labels.PLACEMENT_GROUP_ID, "pg-1");

        assertThat(hook().registered(settled(small(), machine))).isEqualTo(PASSED);
    }

    @Test
    @Tag("AWS-F13")
    void aNodeInAPartitionGetsItsNumberAsALabel(TestAccount aws) {
        var machine = inGroup(aws, "partition");
        var claim = without(settled(small(), machine), Ec2Labels.PLACEMENT_GROUP_PARTITION);

        assertThat(hook().registered(claim))
                .isEqualTo(
                        new RegistrationHook.Answer.Passed(
                                new TreeMap<>(Map.of(Ec2Labels.PLACEMENT_GROUP_PARTITION, "1"))));
    }

    @Test
    @Tag("AWS-F13")
    void aNodeWhosePartitionWasAskedForRegistersAtOnce(TestAccount aws) {
        inGroup(aws, "partition");
        var asked =
                small().uid("b")
                        .requirement(Ec2Labels.PLACEMENT_GROUP_PARTITION, Operator.IN, "3", "2");
        var machine = rig.launched(asked);
        aws.forgetCalls();

        assertThat(machine.labels()).containsEntry(Ec2Labels.PLACEMENT_GROUP_PARTITION, "2");
        assertThat(hook().registered(settled(asked, machine))).isEqualTo(PASSED);
        assertThat(aws.calls("DescribeInstances")).isZero();
    }

    @Test
    @Tag("AWS-F13")
    void aNodeWaitsForItsIdAndFailsWithoutItsInstance(TestAccount aws) {
        var machine = inGroup(aws, "partition");
        var claim = without(settled(small(), machine), Ec2Labels.PLACEMENT_GROUP_PARTITION);
        var nameless = new MachineClaimBuilder(claim).providerId("").build();
        assertThat(hook().registered(nameless)).isInstanceOf(RegistrationHook.Answer.Pending.class);

        var missing =
                new MachineClaimBuilder(claim)
                        .providerId("aws:///us-east-1a/i-00000000000000001")
                        .build();
        assertThat(hook().registered(missing)).isInstanceOf(RegistrationHook.Answer.Failed.class);
    }

    @Test
    @Tag("AWS-F13")
    void aNodeWhoseNumberEc2DoesNotTellYetWaits(TestAccount aws) {
        rig.nodeClass();
        var stray = rig.launched(small());
        inGroup(aws, "partition");
        var claim =
                new MachineClaimBuilder(settled(small(), stray))
                        .nodeClass(classNamed("default"))
                        .label(Ec2Labels.PLACEMENT_GROUP_ID, "pg-1")
                        .build();

        assertThat(hook().registered(claim)).isInstanceOf(RegistrationHook.Answer.Pending.class);
    }
}
