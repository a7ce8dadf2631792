package dev.millwright.controllers.node;

import static dev.millwright.controllers.node.PodDraft.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.TerminateAnswer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// A node whose deletion was asked for goes, after its pods, its volumes and its machine.
final class TerminationTest {

    private final Stage stage = new Stage();

    @Tag("I1")
    @Test
    void aNodeGoesWithItsMachine() {
        stage.goingNode("n1");

        stage.terminate("n1");
        stage.rig.advance(Duration.ofSeconds(5));
        assertThat(stage.terminate("n1")).isEqualTo(new Ending.Again(Duration.ofSeconds(5)));
        assertThat(stage.isThere("n1")).isTrue();
        assertThat(stage.rig.claim("n1-claim").conditions().isTrue("InstanceTerminating")).isTrue();

        stage.rig.advance(Duration.ofSeconds(5));
        stage.terminate("n1");
        assertThat(stage.isThere("n1")).isFalse();
        assertThat(stage.rig.cloud().machines()).isEmpty();
    }

    @Tag("I1")
    @Test
    void aCloudThatFailsIsAskedAgainAndTheNodeStays() {
        stage.goingNode("n1");
        stage.rig.cloud().nextTerminate(new TerminateAnswer.Failed("throttled"));
        stage.terminate("n1");
        stage.rig.advance(Duration.ofSeconds(5));

        var ending = stage.terminate("n1");
        assertThat(ending).isInstanceOf(Ending.Failed.class);
        assertThat(stage.isThere("n1")).isTrue();

        stage.terminateFor("n1", 2);
        assertThat(stage.isThere("n1")).isFalse();
    }

    @Tag("I2")
    @Test
    void aNodeWithoutClaimIsEmptiedAndGoes() {
        stage.bareNode("n1", "True").deleteNode("n1").pods(pod("a", "n1"));

        stage.drain("n1");
        assertThat(stage.leaving()).containsExactly("a");

        stage.vanish("a").terminate("n1");
        assertThat(stage.isThere("n1")).isFalse();
        assertThat(stage.rig.cloud().terminations()).isEmpty();
    }

    @Tag("I3")
    @Test
    void aNodeWithTwoClaimsIsTakenForOneWithout() {
        stage.node("n1").claim("n1", "second").deleteNode("n1");

        stage.terminateFor("n1", 4);

        assertThat(stage.isThere("n1")).isFalse();
        assertThat(stage.rig.claim("n1-claim").isDeleting()).isFalse();
        assertThat(stage.rig.claim("second").isDeleting()).isFalse();
        assertThat(stage.rig.cloud().terminations()).isEmpty();
    }

    @Tag("I4")
    @Test
    void nodesOfOthersAreLeftAlone() {
        stage.rig.apply(
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: n1
                  finalizers: [karpenter.sh/termination]
                spec: {providerID: "fake:///zone-1/n1"}
                """);
        stage.deleteNode("n1").pods(pod("a", "n1"));

        stage.terminateFor("n1", 4);

        assertThat(stage.isThere("n1")).isTrue();
        assertThat(stage.rig.api().writes()).isEmpty();
    }

    @Tag("I5")
    @Test
    void theClaimIsDeletedWithTheNode() {
        stage.goingNode("n1");

        stage.terminate("n1");

        assertThat(stage.rig.claim("n1-claim").isDeleting()).isTrue();
    }

    @Tag("I6")
    @Test
    void manyNodesGoSideBySide() {
        stage.goingNode("n1").goingNode("n2").goingNode("n3");

        stage.terminate("n1");
        stage.terminate("n2");
        stage.terminate("n3");
        stage.rig.advance(Duration.ofSeconds(5));
        stage.terminate("n1");
        stage.terminate("n2");
        stage.terminate("n3");
        assertThat(stage.rig.cloud().terminations()).hasSize(3);

        stage.terminate("n1");
        stage.terminate("n2");
        stage.terminate("n3");
        assertThat(stage.rig.view().nodes()).isEmpty();
    }

    @Tag("I6")
    @Test
    void aHundredNodesAreLookedAtAtOnceOnOneCore() {
        assertThat(stage.termination.pace().atOnce()).isEqualTo(100);
        assertThat(stage.termination.pace().perSecond()).isEqualTo(10);
        assertThat(stage.termination.pace().burst()).isEqualTo(100);
    }

    @Tag("I7")
    @Test
    void loadBalancersAreToldToLeaveTheNodeOut() {
        stage.goingNode("n1").pods(pod("a", "n1"));

        stage.terminate("n1");

        assertThat(stage.rig.node("n1").meta().labels())
                .containsEntry(
                        "node.kubernetes.io/exclude-from-external-load-balancers", "karpenter");
    }

    @Tag("I7")
    @Test
    void theTaintReplacesOthersOfItsKeyAndKeepsTheRest() {
        stage.node("n1");
        stage.rig
                .api()
                .write(
                        new ApiWrite.Patch(
                                ResourceType.NODE,
                                new ObjectName("", "n1"),
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.NONE,
                                Manifests.taints(
                                        "karpenter.sh/disrupted=old:NoExecute",
                                        "example.com/mine=x:NoSchedule")));
        stage.deleteNode("n1").pods(pod("a", "n1"));

        stage.terminate("n1");

        assertThat(stage.rig.node("n1").node().taints())
                .extracting(Taint::toString)
                .containsExactly(
                        "example.com/mine=x:NoSchedule", "karpenter.sh/disrupted:NoSchedule");
    }

    @Tag("I18")
    @Test
    void aNodeWhoseMachineIsGoneGoesAtOnceWithoutDraining() {
        stage.notReadyNode("n1").deleteNode("n1").pods(pod("a", "n1"));
        stage.rig.cloud().remove(Stage.providerId("n1"));

        stage.terminate("n1");

        assertThat(stage.isThere("n1")).isFalse();
        assertThat(stage.evictions()).isZero();
        assertThat(stage.rig.claim("n1-claim").isDeleting()).isTrue();
    }

    @Tag("I18")
    @Test
    void aCloudThatCannotSayWhetherTheMachineIsThereIsAskedAgain() {
        stage.notReadyNode("n1").deleteNode("n1").pods(pod("a", "n1"));
        stage.rig.cloud().nextFind(new FindAnswer.Failed("throttled"));

        assertThat(stage.terminate("n1")).isInstanceOf(Ending.Failed.class);
        assertThat(stage.isThere("n1")).isTrue();

        stage.drain("n1");
        assertThat(stage.leaving()).containsExactly("a");
    }

    @Tag("I19")
    @Test
    void aReadyNodeIsDrainedEvenIfItsMachineSeemsGone() {
        stage.goingNode("n1").pods(pod("a", "n1"));
        stage.rig.cloud().remove(Stage.providerId("n1"));

        stage.drain("n1");

        assertThat(stage.isThere("n1")).isTrue();
        assertThat(stage.rig.cloud().finds()).isEmpty();
        assertThat(stage.leaving()).containsExactly("a");
    }

    @Tag("I27")
    @Test
    void theMachineStaysUntilItsVolumesAreDetached() {
        stage.goingNode("n1");
        stage.rig.apply(Manifests.attachment("va-1", "n1", "pv-1"));
        stage.rig.apply(Manifests.attachment("va-other", "n2", "pv-2"));

        stage.terminateFor("n1", 3);
        assertThat(stage.rig.claim("n1-claim").conditions().find(ClaimObject.VOLUMES_DETACHED))
                .extracting(Condition::status, Condition::reason)
                .containsExactly(Condition.Status.UNKNOWN, "AwaitingVolumeDetachment");
        assertThat(stage.rig.cloud().terminations()).isEmpty();
        assertThat(stage.rig.events())
                .filteredOn(event -> event.reason().equals("AwaitingVolumeDetachment"))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.message()).contains("va-1"));

        stage.rig.api().vanish(ResourceType.VOLUME_ATTACHMENT, new ObjectName("", "va-1"));
        stage.terminate("n1");
        assertThat(stage.rig.cloud().terminations()).hasSize(1);
        assertThat(stage.rig.claim("n1-claim").conditions().isTrue(ClaimObject.VOLUMES_DETACHED))
                .isTrue();
    }

    @Tag("I27")
    @Test
    void atMostFiveVolumesAreNamed() {
        stage.goingNode("n1");
        stage.rig.apply(Manifests.attachments(7, "n1"));

        stage.terminateFor("n1", 2);

        assertThat(stage.rig.events().getLast().message())
                .contains("va-5", "2 others")
                .doesNotContain("va-6");
    }

    @Tag("I28")
    @Test
    void volumesOfPodsThatStayAreNotWaitedFor() {
        stage.goingNode("n1")
                .pods(
                        pod("a", "n1")
                                .tolerates("karpenter.sh/disrupted", "Exists", "")
                                .volume("data"));
        stage.rig.apply(Manifests.volumeClaim("data", "pv-1"));
        stage.rig.apply(Manifests.attachment("va-1", "n1", "pv-1"));
        stage.rig.apply(Manifests.attachment("va-inline", "n1", null));

        stage.terminateFor("n1", 3);

        assertThat(stage.isThere("n1")).isFalse();
    }

    @Tag("I29")
    @Test
    void afterTheDeadlineVolumesAreNotWaitedFor() {
        stage.goingNode("n1").deadline("n1", stage.rig.now().plusSeconds(60));
        stage.rig.apply(Manifests.attachment("va-1", "n1", "pv-1"));

        stage.terminateFor("n1", 12);
        assertThat(stage.rig.cloud().terminations()).isEmpty();

        stage.rig.advance(Duration.ofSeconds(1));
        stage.terminate("n1");
        assertThat(stage.rig.cloud().terminations()).hasSize(1);
        assertThat(stage.rig.claim("n1-claim").conditions().find(ClaimObject.VOLUMES_DETACHED))
                .extracting(Condition::status, Condition::reason)
                .containsExactly(Condition.Status.FALSE, "TerminationGracePeriodElapsed");
    }

    @Tag("I30")
    @Test
    void aNodeThatIsGoneIsCounted() {
        stage.goingNode("n1");

        stage.terminateFor("n1", 6);

        assertThat(stage.rig.count(Families.NODES_TERMINATED, "default", "zone-1")).isEqualTo(1);
    }

    @Tag("I31")
    @Test
    void aNodeThatIsDrainedIsCountedOnce() {
        stage.goingNode("n1");
        stage.terminate("n1");
        assertThat(stage.rig.count(Families.NODES_DRAINED, "default")).isZero();

        stage.rig.advance(Duration.ofSeconds(5));
        stage.terminate("n1");
        stage.terminate("n1");
        assertThat(stage.rig.count(Families.NODES_DRAINED, "default")).isEqualTo(1);
    }

    @Tag("I31")
    @Test
    void aDrainThatCouldNotBeWrittenDownIsNotCounted() {
        stage.goingNode("n1");
        stage.terminate("n1");
        stage.rig.advance(Duration.ofSeconds(5));
        stage.rig.api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "modified"));

        assertThat(stage.terminate("n1")).isEqualTo(new Ending.Retry());
        assertThat(stage.rig.count(Families.NODES_DRAINED, "default")).isZero();
        assertThat(stage.rig.cloud().terminations()).isEmpty();
    }

    @Tag("I32")
    @Test
    void howLongItTookAndHowLongItLivedIsMeasured() {
        stage.node("n1");
        stage.rig.advance(Duration.ofMinutes(30));
        stage.deleteNode("n1");

        stage.terminateFor("n1", 6);

        assertThat(stage.rig.observations(Families.NODES_TERMINATION, "default"))
                .containsExactly(10.0);
        assertThat(stage.rig.observations(Families.NODES_LIFETIME, "default"))
                .containsExactly(1810.0);
    }
}
