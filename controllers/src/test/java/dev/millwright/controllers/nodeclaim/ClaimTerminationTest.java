package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.NodeText.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.TerminateAnswer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

final class ClaimTerminationTest {

    private static final String DEADLINE = "karpenter.sh/nodeclaim-termination-timestamp";
    private static final Ending IN_FIVE_SECONDS = new Ending.Again(Duration.ofSeconds(5));

    private final ClaimStage stage = new ClaimStage();

    @Test
    @Tag("H58")
    void aDeletedClaimTakesItsNodeAndItsMachineAlong() {
        stage.initialized(claim("a")).deleteClaim("a");

        assertThat(stage.live("a")).isEqualTo(new Ending.Done());
        assertThat(stage.node("a-node").isDeleting()).isTrue();
        assertThat(stage.rig().cloud().terminations()).isEmpty();

        stage.nodeGoes("a-node");
        assertThat(stage.live("a")).isEqualTo(IN_FIVE_SECONDS);
        assertThat(stage.isTrue("a", ClaimObject.INSTANCE_TERMINATING)).isTrue();

        var claim = stage.claim("a");
        stage.rig().advance(Duration.ofSeconds(5));
        stage.live("a");

        assertThat(stage.hasClaim("a")).isFalse();
        assertThat(stage.rig().cloud().machines()).isEmpty();
        assertThat(
                        stage.rig()
                                .count(
                                        Families.NODECLAIMS_TERMINATED,
                                        "default",
                                        claim.meta().label("karpenter.sh/capacity-type"),
                                        claim.meta().label("topology.kubernetes.io/zone")))
                .isEqualTo(1);
        assertThat(stage.rig().observations(Families.NODECLAIMS_TERMINATION, "default"))
                .containsExactly(5.0);
        assertThat(stage.rig().observations(Families.NODECLAIMS_INSTANCE_TERMINATION, "default"))
                .containsExactly(5.0);
    }

    @Test
    @Tag("H59")
    void aClaimOfAnotherProviderIsNotCleanedUp() {
        stage.with(
                        claim("a")
                                .unmanaged()
                                .metadata("finalizers: [karpenter.sh/termination]")
                                .status("providerID: other:///1"))
                .deleteClaim("a")
                .live("a");

        assertThat(stage.claim("a").meta().finalizers()).contains("karpenter.sh/termination");
        assertThat(stage.rig().cloud().terminations()).isEmpty();
    }

    @Test
    @Tag("H60")
    void aClaimThatIsReadyStaysSoWhileItsMachineEnds() {
        stage.initialized(claim("a")).deleteClaim("a").nodeGoes("a-node").live("a");

        assertThat(stage.isTrue("a", ClaimObject.INSTANCE_TERMINATING)).isTrue();
        assertThat(stage.isTrue("a", ClaimObject.READY)).isTrue();
    }

    @Test
    @Tag("H61")
    void amountsThatAreWrittenInAnUncommonWayDoNotDisturb() {
        stage.launched(claim("a").spec("resources: {requests: {memory: \"50000\"}}"))
                .deleteClaim("a");

        assertThat(stage.live("a")).isEqualTo(IN_FIVE_SECONDS);
        stage.live("a");

        assertThat(stage.hasClaim("a")).isFalse();
    }

    @Test
    @Tag("H62")
    void aMachineThatCannotBeTerminatedIsTriedAgain() {
        stage.launched(claim("a")).deleteClaim("a").live("a");
        stage.rig().cloud().nextTerminate(new TerminateAnswer.Failed("throttled"));

        assertThat(stage.live("a")).isInstanceOf(Ending.Failed.class);
        stage.live("a");

        assertThat(stage.hasClaim("a")).isFalse();
    }

    @Test
    @Tag("H63")
    void theFinalizerStaysAsLongAsTheMachine() {
        stage.launched(claim("a")).deleteClaim("a").live("a");
        stage.rig().cloud().nextTerminate(new TerminateAnswer.Started());

        assertThat(stage.live("a")).isEqualTo(IN_FIVE_SECONDS);
        assertThat(stage.isTrue("a", ClaimObject.INSTANCE_TERMINATING)).isTrue();
    }

    @Test
    @Tag("H64")
    void allNodesOfTheClaimAreDeleted() {
        stage.registered(claim("a"));
        stage.with(node("second", stage.providerId("a")).metadata("finalizers: [somebodys]"))
                .deleteClaim("a");

        stage.live("a");

        assertThat(stage.node("a-node").isDeleting()).isTrue();
        assertThat(stage.node("second").isDeleting()).isTrue();
    }

    @Test
    @Tag("H65")
    void theMachineRunsUntilAllNodesAreGone() {
        stage.registered(claim("a"));
        stage.with(node("second", stage.providerId("a")).metadata("finalizers: [somebodys]"))
                .deleteClaim("a")
                .live("a");

        stage.nodeGoes("a-node").live("a");
        assertThat(stage.rig().cloud().terminations()).isEmpty();
        stage.nodeGoes("second").live("a");

        assertThat(stage.rig().cloud().terminations()).hasSize(1);
    }

    @Test
    @Tag("H66")
    void aClaimThatWasNeverLaunchedGoesOnceTheCloudKnowsNoMachineOfIt() {
        stage.with(claim("a").metadata("finalizers: [karpenter.sh/termination]"))
                .deleteClaim("a")
                .live("a");

        assertThat(stage.hasClaim("a")).isFalse();
        assertThat(stage.rig().cloud().machines()).isEmpty();
    }

    @Test
    void aMachineWhoseLaunchNobodyWroteDownGoesWithItsClaim() {
        stage.with(claim("a").metadata("finalizers: [karpenter.sh/termination]"));
        var launched = stage.rig().cloud().launch(MachineClaims.of(stage.claim("a")));
        assertThat(launched).isInstanceOf(LaunchAnswer.Launched.class);

        stage.deleteClaim("a").live("a");
        assertThat(stage.hasClaim("a")).isTrue();
        stage.live("a");

        assertThat(stage.hasClaim("a")).isFalse();
        assertThat(stage.rig().cloud().machines()).isEmpty();
    }

    @Test
    @Tag("H67")
    void nodesWithoutAProviderIdAreNobodysWhenTheClaimHasNone() {
        stage.with(claim("a").metadata("finalizers: [karpenter.sh/termination]"))
                .with(node("stranger", "\"\""))
                .deleteClaim("a")
                .live("a");

        assertThat(stage.hasClaim("a")).isFalse();
        assertThat(stage.node("stranger").isDeleting()).isFalse();
    }

    @Test
    @Tag("H68")
    void withoutAGracePeriodThereIsNoDeadline() {
        stage.registered(claim("a")).deleteClaim("a").live("a");

        assertThat(stage.claim("a").meta().annotations()).doesNotContainKey(DEADLINE);
    }

    @Test
    @Tag("H69")
    void theGracePeriodSetsADeadline() {
        stage.registered(claim("a").spec("terminationGracePeriod: 300s")).deleteClaim("a");

        stage.live("a");

        assertThat(stage.claim("a").meta().annotations())
                .containsEntry(DEADLINE, stage.rig().now().plusSeconds(300).toString());
        assertThat(stage.rig().eventReasons()).containsExactly("TerminationGracePeriodExpiring");
        assertThat(stage.node("a-node").isDeleting()).isTrue();
    }

    @Test
    @Tag("H70")
    void aDeadlineThatIsThereStays() {
        stage.registered(
                        claim("a")
                                .spec("terminationGracePeriod: 300s")
                                .annotation(DEADLINE, "2030-01-01T00:00:00Z"))
                .deleteClaim("a")
                .live("a");

        assertThat(stage.claim("a").meta().annotations())
                .containsEntry(DEADLINE, "2030-01-01T00:00:00Z");
        assertThat(stage.rig().events()).isEmpty();
    }

    @Test
    @Tag("H71")
    void nodesOfAClaimThatIsNotRegisteredAreNotTouched() {
        stage.launched(claim("a"));
        stage.with(node("n", stage.providerId("a")).metadata("finalizers: [somebodys]"))
                .deleteClaim("a");

        stage.live("a");

        assertThat(stage.node("n").isDeleting()).isFalse();
        assertThat(stage.rig().cloud().terminations()).hasSize(1);
    }

    @Test
    void aMachineLaunchedWhileItsClaimWasDeletedIsTerminated() {
        stage.with(claim("a").metadata("finalizers: [karpenter.sh/termination]"));
        stage.rig().api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "deleted meanwhile"));
        stage.live("a");
        stage.deleteClaim("a");

        stage.live("a");
        stage.live("a");

        assertThat(stage.hasClaim("a")).isFalse();
        assertThat(stage.rig().cloud().machines()).isEmpty();
    }

    @Test
    void aClaimWithoutOurFinalizerIsNotOursToEnd() {
        stage.with(claim("a").metadata("finalizers: [somebodys]")).deleteClaim("a").live("a");

        assertThat(stage.claim("a").meta().finalizers()).containsExactly("somebodys");
    }

    @Test
    void aConflictWhileReleasingIsTriedAgainAndCountedOnce() {
        stage.with(claim("a").metadata("finalizers: [karpenter.sh/termination]")).deleteClaim("a");
        stage.rig().api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "changed"));

        assertThat(stage.live("a")).isInstanceOf(Ending.Retry.class);
        stage.live("a");

        assertThat(stage.rig().count(Families.NODECLAIMS_TERMINATED, "default", "", ""))
                .isEqualTo(1);
    }

    @Test
    @Tag("H72")
    void aClaimGetsTheFinalizerBeforeItsMachine() {
        stage.rig().api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "changed"));

        var ending = stage.with(claim("a")).live("a");
        assertThat(ending).isInstanceOf(Ending.Retry.class);
        assertThat(stage.rig().cloud().launches()).isEmpty();
        stage.live("a");

        assertThat(stage.claim("a").meta().finalizers())
                .containsExactly("karpenter.sh/termination");
        assertThat(stage.rig().cloud().launches()).hasSize(1);
    }

    @Test
    @Tag("H73")
    void aClaimOfAnotherProviderGetsNoFinalizer() {
        stage.with(claim("a").unmanaged()).live("a");

        assertThat(stage.claim("a").meta().finalizers()).isEmpty();
    }

    @Test
    @Tag("H74")
    void whileAClaimEndsItsConditionsAreOfItsLastGeneration() {
        stage.initialized(claim("a")).deleteClaim("a").nodeGoes("a-node").live("a");

        var generation = stage.claim("a").meta().generation();
        assertThat(generation).isEqualTo(2);
        assertThat(stage.claim("a").conditions().all())
                .allSatisfy(
                        condition ->
                                assertThat(condition.observedGeneration()).isEqualTo(generation))
                .allSatisfy(condition -> assertThat(condition.isTrue()).isTrue());
    }

    @Test
    @Tag("H75")
    void conditionsFollowTheGenerationOfAClaim() {
        stage.initialized(claim("a"));
        stage.patch(
                ResourceType.NODE_CLAIM,
                "a",
                Subresource.NONE,
                Tree.of("spec", Tree.of("expireAfter", "1h")));
        assertThat(stage.claim("a").meta().generation()).isEqualTo(2);

        stage.live("a");

        assertThat(stage.claim("a").conditions().all())
                .allSatisfy(condition -> assertThat(condition.observedGeneration()).isEqualTo(2))
                .allSatisfy(condition -> assertThat(condition.isTrue()).isTrue());
    }
}
