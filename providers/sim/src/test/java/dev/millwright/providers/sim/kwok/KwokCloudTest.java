package dev.millwright.providers.sim.kwok;

import static dev.millwright.testing.kit.cloud.MachineClaimBuilder.machineClaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.providers.sim.KwokTypes;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.RebootAnswer;
import dev.millwright.spi.TerminateAnswer;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

final class KwokCloudTest {

    private static final ApiAnswer UNREACHABLE = new ApiAnswer.Unreachable("connection refused");

    private final KwokRig rig = new KwokRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void theNodeIsMadeForKwok() {
        var machine =
                launched(
                        claim("web-x7")
                                .label("team", "blue")
                                .annotation("note", "kept")
                                .request("cpu", "1")
                                .types("c-2x-amd64-linux", "m-64x-arm64-linux")
                                .capacityTypes("spot")
                                .zones("test-zone-c")
                                .build());
        rig.settle();

        var node = nodeOf(machine);
        assertThat(node.providerId()).isEqualTo(machine.providerId()).startsWith("kwok://kwok-");
        assertThat(node.meta().labels())
                .isEqualTo(machine.labels())
                .containsEntry("team", "blue")
                .containsEntry("kwok.x-k8s.io/node", "fake")
                .containsEntry("kwok-partition", "a")
                .containsEntry("eks-node-viewer/instance-price", "0.038006")
                .containsEntry(LabelKeys.HOSTNAME, "web-x7")
                .containsEntry(LabelKeys.INSTANCE_TYPE, "c-2x-amd64-linux")
                .containsEntry(LabelKeys.ZONE, "test-zone-c")
                .containsEntry(LabelKeys.CAPACITY_TYPE, "spot")
                .containsEntry("karpenter.kwok.sh/instance-family", "c");
        assertThat(node.meta().annotations())
                .containsEntry("note", "kept")
                .containsEntry("kwok.x-k8s.io/node", "fake");
        assertThat(node.node().taints())
                .extracting(Object::toString)
                .containsExactly("karpenter.sh/unregistered:NoExecute");
        assertThat(node.node().capacity()).isEqualTo(Resources.parse("cpu", "1"));
        assertThat(node.node().allocatable())
                .isEqualTo(
                        Resources.parse(
                                "cpu",
                                "1900m",
                                "memory",
                                "4086Mi",
                                "pods",
                                "32",
                                "ephemeral-storage",
                                "20Gi"));
        assertThat(node.meta().owners())
                .singleElement()
                .matches(owner -> owner.uid().equals("web-x7-uid"));
    }

    @Test
    void labelsOfTheMachineWinOverTheClaims() {
        var machine =
                launched(
                        claim("a")
                                .label(LabelKeys.INSTANCE_TYPE, "from-the-claim")
                                .label(LabelKeys.HOSTNAME, "from-the-claim")
                                .label("tier", "from-the-claim")
                                .requirement("tier", Operator.IN, "from-the-requirement")
                                .types("c-1x-amd64-linux")
                                .build());

        assertThat(machine.labels())
                .containsEntry(LabelKeys.INSTANCE_TYPE, "c-1x-amd64-linux")
                .containsEntry(LabelKeys.HOSTNAME, "a")
                .containsEntry("tier", "from-the-requirement");
    }

    @Test
    void equallyCheapZonesAllGetMachines() {
        var zones =
                IntStream.range(0, 40)
                        .mapToObj(number -> launched(claim("claim-" + number).build()))
                        .map(machine -> machine.labels().getOrDefault(LabelKeys.ZONE, ""))
                        .toList();

        assertThat(zones).contains("test-zone-a", "test-zone-b", "test-zone-c", "test-zone-d");
    }

    @Test
    void theNodeWaitsForTheDelayOfItsClass() {
        rig.putClass("slow", "True", "1m30s");

        launched(claim("a").nodeClass(KwokRig.named("slow")).build());
        rig.settle();

        assertThat(rig.waits).containsExactly(Duration.ofSeconds(90));
    }

    @Test
    void aNodeThatIsRefusedIsTriedAgain() {
        rig.api.nextAnswer(UNREACHABLE).nextAnswer(new ApiAnswer.Refused(500, "Error", "no"));

        var machine = launched(claim("a").build());
        rig.settle();

        assertThat(nodeOf(machine).providerId()).isEqualTo(machine.providerId());
        assertThat(rig.givenUp).isEmpty();
    }

    @Test
    void aNodeThatIsRefusedForGoodIsGivenUp() {
        IntStream.range(0, 7).forEach(_ -> rig.api.nextAnswer(UNREACHABLE));

        var machine = launched(claim("a").build());
        rig.settle();

        assertThat(rig.givenUp).hasSize(1);
        assertThat(rig.cloud().find(machine.providerId())).isEqualTo(new FindAnswer.Gone());
    }

    @Test
    void aControllerThatDiedBeforeWritingDownALaunchFindsItsMachine() {
        var first = launched(claim("a").build());
        rig.settle();
        rig.restart();

        var second = launched(claim("a").build());
        rig.settle();

        assertThat(second.providerId()).isEqualTo(first.providerId());
        assertThat(second.labels()).isEqualTo(first.labels());
        assertThat(machines()).hasSize(1);
    }

    @Test
    void aControllerThatDiedBeforeTheNodeWasThereMakesTheSameAgain() {
        IntStream.range(0, 7).forEach(_ -> rig.api.nextAnswer(UNREACHABLE));
        var first = launched(claim("a").build());
        rig.settle();
        rig.restart();

        var second = launched(claim("a").build());
        rig.settle();

        assertThat(second).isEqualTo(first);
        assertThat(machines()).hasSize(1);
    }

    @Test
    void aLaunchThatWasWrittenDownIsResumedWithTheSameMachine() {
        IntStream.range(0, 7).forEach(_ -> rig.api.nextAnswer(UNREACHABLE));
        var machine = launched(claim("a").build());
        rig.settle();
        rig.restart();
        var written = claim("a").providerId(machine.providerId());
        for (var label : machine.labels().entrySet()) {
            written = written.label(label.getKey(), label.getValue());
        }

        rig.cloud().resume(written.build());
        rig.settle();

        assertThat(nodeOf(machine).meta().labels()).isEqualTo(machine.labels());
    }

    @Test
    void aClaimOfAnotherCloudIsNotResumed() {
        rig.cloud().resume(claim("a").providerId("aws:///a/i-1").build());
        rig.settle();

        assertThat(machines()).isEmpty();
    }

    @Test
    void aNodeThatWasBeingCreatedWhileItsMachineWasTerminatedDoesNotStay() {
        var claim = claim("a").build();
        rig.beforeCreation(() -> rig.cloud().terminate(claim));

        launched(claim);
        rig.settle();

        assertThat(machines()).isEmpty();
    }

    @Test
    void aRegisteredNodeIsLeftToItsFinalizer() {
        var machine = launched(claim("a").build());
        rig.settle();
        finalizeNode(machine);

        var answer = rig.cloud().terminate(claimOf("a", machine));

        assertThat(answer).isEqualTo(new TerminateAnswer.Gone());
        assertThat(nodeOf(machine).isDeleting()).isTrue();
        assertThat(rig.cloud().find(machine.providerId())).isEqualTo(new FindAnswer.Gone());
        assertThat(machines()).singleElement().matches(Machine::isTerminating);
    }

    @Test
    void terminationDeletesTheClaimWithItsUid() {
        var claim = claim("a").build();
        rig.put(claim);
        var machine = launched(claim);
        rig.settle();

        rig.cloud().terminate(claimOf("a", machine));

        assertThat(rig.api.writes())
                .contains(
                        new ApiWrite.Delete(
                                ResourceType.NODE_CLAIM, new ObjectName("", "a"), "a-uid", null));
        assertThat(rig.api.find(ResourceType.NODE_CLAIM, new ObjectName("", "a"))).isNull();
    }

    @Test
    void aNewerClaimOfTheSameNameIsLeftAlone() {
        rig.put(claim("a").uid("newer").build());
        var machine = launched(claim("a").build());
        rig.settle();

        assertThat(rig.cloud().terminate(claimOf("a", machine)))
                .isEqualTo(new TerminateAnswer.Gone());
        assertThat(rig.api.find(ResourceType.NODE_CLAIM, new ObjectName("", "a"))).isNotNull();
    }

    @Test
    void aTerminationTheServerDidNotHearIsTriedAgain() {
        var machine = launched(claim("a").build());
        rig.settle();
        rig.api.nextAnswer(new ApiAnswer.Refused(404, "NotFound", "")).nextAnswer(UNREACHABLE);

        assertThat(rig.cloud().terminate(claimOf("a", machine)))
                .isInstanceOf(TerminateAnswer.Failed.class);
        assertThat(rig.cloud().terminate(claimOf("a", machine)))
                .isEqualTo(new TerminateAnswer.Gone());
    }

    @Test
    void aClaimThatNeverHeardOfItsMachineLeavesNone() {
        launched(claim("a").build());
        rig.settle();

        rig.cloud().terminate(claim("a").build());

        assertThat(machines()).isEmpty();
    }

    @Test
    void nodesWithoutAClaimAreListedAndOthersAreNot() {
        var leaked = launched(claim("gone").build());
        rig.settle();
        rig.restart();
        rig.api.put(
                ResourceType.NODE, Tree.of("metadata", Tree.of("name", "control-plane")).mapping());

        assertThat(machines()).extracting(Machine::providerId).containsExactly(leaked.providerId());
    }

    @Test
    void typesCanComeFromAFile() {
        var types =
                KwokTypes.read(
                        Source.text(
                                "types.json",
                                """
                                [{"name": "x9.large", "architecture": "arm64",
                                  "operatingSystems": ["linux"],
                                  "resources": {"cpu": "2", "memory": "8Gi"},
                                  "offerings": [{"Price": 0.5, "Available": false, "Requirements": [
                                    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
                                    {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["z1"]},
                                    {"key": "example.com/rack", "operator": "In", "values": ["r1"]}]}]}]
                                """));
        try (var filed = new KwokRig(types)) {
            var answer = filed.cloud().launch(claim("a").build());

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            LaunchAnswer.Launched.class,
                            launched ->
                                    assertThat(launched.machine().labels())
                                            .containsEntry("example.com/rack", "r1")
                                            .containsEntry(
                                                    "karpenter.kwok.sh/instance-size", "large"));
            assertThat(filed.cloud().traits().vocabulary().wellKnown())
                    .contains("example.com/rack");
        }
    }

    @Test
    void kwoksOwnLabelsAreWellKnownAndItsDomainIsRestricted() {
        var vocabulary = rig.cloud().traits().vocabulary();

        assertThat(vocabulary.isRestricted("karpenter.kwok.sh/instance-cpu")).isFalse();
        assertThat(vocabulary.isRestricted("karpenter.kwok.sh/other")).isTrue();
        assertThat(rig.cloud().traits().name()).isEqualTo("kwok");
    }

    @Test
    void nodesThatAreNotReadyForTenMinutesAreRepaired() {
        assertThat(rig.cloud().traits().repairPolicies())
                .extracting(policy -> policy.conditionType() + "=" + policy.conditionStatus())
                .startsWith("Ready=False", "Ready=Unknown");
    }

    @Test
    void aRebootGivesTheNodeAnotherBootIdOfTheOperationsName() {
        var machine = launched(claim("a").build());
        rig.settle();

        var answer = rig.cloud().reboot(claimOf("a", machine), "first");

        assertThat(answer).isEqualTo(new RebootAnswer.Accepted());
        assertThat(nodeOf(machine).bootId()).isEqualTo("kwok-first");
    }

    @Test
    void aMachineThatIsGoneIsNotRebooted() {
        var gone = claim("a").providerId("kwok://nobody").build();

        assertThat(rig.cloud().reboot(gone, "first")).isEqualTo(new RebootAnswer.Gone());
    }

    private static MachineClaimBuilder claim(String name) {
        return machineClaim(name).nodeClass(KwokRig.named("default"));
    }

    private static MachineClaim claimOf(String name, Machine machine) {
        return claim(name).providerId(machine.providerId()).build();
    }

    private Machine launched(MachineClaim claim) {
        if (rig.cloud().launch(claim) instanceof LaunchAnswer.Launched(var machine)) {
            return machine;
        }
        throw new AssertionError("%s was not launched".formatted(claim.name()));
    }

    private List<Machine> machines() {
        if (rig.cloud().list() instanceof ListAnswer.Machines(var machines)) {
            return machines;
        }
        throw new AssertionError("the list failed");
    }

    private NodeObject nodeOf(Machine machine) {
        var object = rig.nodeNamed(machine.providerId().substring("kwok://".length()));
        if (object == null) {
            throw new AssertionError("there is no Node for " + machine.providerId());
        }
        return new ObjectReader(LabelVocabulary.CORE).node(object);
    }

    private void finalizeNode(Machine machine) {
        var name = new ObjectName("", machine.providerId().substring("kwok://".length()));
        var patch =
                Tree.of(
                        "metadata",
                        new Tree().putTextList("finalizers", List.of("karpenter.sh/termination")));
        rig.api.write(
                new ApiWrite.Patch(
                        ResourceType.NODE,
                        name,
                        ApiWrite.PatchKind.MERGE,
                        ApiWrite.Subresource.NONE,
                        patch.mapping()));
    }
}
