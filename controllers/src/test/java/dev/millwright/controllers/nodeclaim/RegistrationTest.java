package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.NodeText.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class RegistrationTest {

    private static final String TAINT = "taints: [{key: team, value: a, effect: NoSchedule}]";
    private static final String STARTUP =
            "startupTaints: [{key: cni, value: waits, effect: NoExecute}]";

    private final ClaimStage stage = new ClaimStage();

    private String providerId() {
        return stage.providerId("a");
    }

    private List<String> taints(String node) {
        return stage.node(node).node().taints().stream().map(Taint::toString).toList();
    }

    @Test
    @Tag("H7")
    void aClaimIsRegisteredWhenItsNodeComes() {
        stage.launched(claim("a"));
        assertThat(stage.reason("a", ClaimObject.REGISTERED)).isEqualTo("NodeNotFound");

        stage.with(node("n", providerId())).live("a");

        assertThat(stage.isTrue("a", ClaimObject.REGISTERED)).isTrue();
        assertThat(stage.claim("a").status().nodeName()).isEqualTo("n");
        var zone = stage.claim("a").meta().label("topology.kubernetes.io/zone");
        assertThat(stage.rig().count(Families.NODES_CREATED, "default", zone)).isEqualTo(1);
    }

    @Test
    @Tag("H8")
    void aClaimOfAnotherProviderIsNotRegistered() {
        stage.with(claim("a").unmanaged().status("providerID: other:///1"))
                .with(node("n", "other:///1"))
                .live("a");

        assertThat(stage.isUnknown("a", ClaimObject.REGISTERED)).isTrue();
        assertThat(stage.node("n").meta().labels()).doesNotContainKey("karpenter.sh/registered");
    }

    @Test
    @Tag("H9")
    void theClaimOwnsItsNode() {
        stage.registered(claim("a"));

        assertThat(stage.node("a-node").meta().owners())
                .containsExactly(
                        new OwnerReference(
                                "karpenter.sh/v1", "NodeClaim", "a", "a-uid", false, true));
        assertThat(stage.node("a-node").meta().finalizers())
                .containsExactly("karpenter.sh/termination");
    }

    @Test
    @Tag("H10")
    void anOwnerThatIsThereIsNotAddedAgain() {
        stage.launched(claim("a"))
                .with(
                        node("n", providerId())
                                .metadata(
                                        "ownerReferences: [{apiVersion: karpenter.sh/v1, kind: NodeClaim, name: a, uid: a-uid, blockOwnerDeletion: true}]"))
                .live("a");

        assertThat(stage.node("n").meta().owners()).hasSize(1);
    }

    @Test
    @Tag("H11")
    void theNodeGetsTheRegisteredLabelAndLosesTheUnregisteredTaint() {
        stage.registered(claim("a"));

        assertThat(stage.node("a-node").meta().labels())
                .containsEntry("karpenter.sh/registered", "true");
        assertThat(taints("a-node")).isEmpty();
    }

    @Test
    @Tag("H12")
    void aNodeWithoutTheUnregisteredTaintIsRegisteredAllTheSameAndToldOf() {
        stage.launched(claim("a")).with(node("n", providerId()).tainted()).live("a");

        assertThat(stage.isTrue("a", ClaimObject.REGISTERED)).isTrue();
        assertThat(stage.rig().eventReasons()).containsExactly("UnregisteredTaintMissing");
    }

    @Test
    @Tag("H13")
    void theNodeGetsTheLabelsOfItsClaim() {
        stage.launched(claim("a").label("team", "a"))
                .with(node("n", providerId()).label("team", "b").label("own", "yes"))
                .live("a");

        assertThat(stage.node("n").meta().labels())
                .containsEntry("team", "a")
                .containsEntry("own", "yes")
                .containsEntry("karpenter.sh/nodepool", "default");
    }

    @Test
    @Tag("H14")
    void theNodeGetsTheAnnotationsOfItsClaim() {
        stage.registered(claim("a").annotation("karpenter.sh/do-not-disrupt", "true"));

        assertThat(stage.node("a-node").meta().annotations())
                .containsEntry("karpenter.sh/do-not-disrupt", "true");
    }

    @Test
    @Tag("H15")
    void theNodeGetsTheTaintsOfItsClaim() {
        stage.registered(claim("a").spec(TAINT));

        assertThat(taints("a-node")).containsExactly("team=a:NoSchedule");
    }

    @Test
    @Tag("H16")
    void theNodeGetsTaintsWhenItsLabelDoesNotForbidItLiterally() {
        stage.launched(claim("a").spec(TAINT))
                .with(node("n", providerId()).label("karpenter.sh/do-not-sync-taints", "false"))
                .live("a");

        assertThat(taints("n")).containsExactly("team=a:NoSchedule");
    }

    @Test
    @Tag("H17")
    void aNodeWhoseLabelForbidsItGetsNoTaints() {
        stage.launched(claim("a").spec(TAINT))
                .with(node("n", providerId()).label("karpenter.sh/do-not-sync-taints", "true"))
                .live("a");

        assertThat(stage.isTrue("a", ClaimObject.REGISTERED)).isTrue();
        assertThat(taints("n")).isEmpty();
    }

    @Test
    @Tag("H18")
    void aNodeWhoseLabelForbidsItGetsNoStartupTaints() {
        stage.launched(claim("a").spec(STARTUP))
                .with(node("n", providerId()).label("karpenter.sh/do-not-sync-taints", "true"))
                .live("a");

        assertThat(taints("n")).isEmpty();
    }

    @Test
    @Tag("H19")
    void theNodeGetsTheStartupTaintsOfItsClaim() {
        stage.registered(claim("a").spec(STARTUP));

        assertThat(taints("a-node")).containsExactly("cni=waits:NoExecute");
    }

    @Test
    @Tag("H20")
    void theNodeGetsStartupTaintsWhenItsLabelDoesNotForbidItLiterally() {
        stage.launched(claim("a").spec(STARTUP))
                .with(node("n", providerId()).label("karpenter.sh/do-not-sync-taints", "no"))
                .live("a");

        assertThat(taints("n")).containsExactly("cni=waits:NoExecute");
    }

    @Test
    @Tag("H21")
    void aStartupTaintThatWasRemovedDoesNotComeBack() {
        stage.registered(claim("a").spec(STARTUP));

        stage.taints("a-node").live("a");

        assertThat(taints("a-node")).isEmpty();
    }

    @Test
    void aTaintOfTheSameKeyAndEffectIsKeptAsItIs() {
        stage.launched(claim("a").spec(TAINT))
                .with(node("n", providerId()).tainted("{key: team, value: b, effect: NoSchedule}"))
                .live("a");

        assertThat(taints("n")).containsExactly("team=b:NoSchedule");
    }

    @Test
    void twoNodesWithOneProviderIdAreRefused() {
        stage.launched(claim("a"))
                .with(node("n1", providerId()))
                .with(node("n2", providerId()))
                .live("a");

        assertThat(stage.claim("a").conditions().isFalse(ClaimObject.REGISTERED)).isTrue();
        assertThat(stage.reason("a", ClaimObject.REGISTERED)).isEqualTo("MultipleNodesFound");
    }

    @Test
    void aNodeThatChangedMeanwhileIsTriedAgain() {
        stage.launched(claim("a")).with(node("n", providerId()));
        stage.rig().api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "changed"));

        assertThat(stage.live("a")).isInstanceOf(Ending.Retry.class);
        assertThat(stage.isTrue("a", ClaimObject.REGISTERED)).isFalse();
        stage.live("a");

        assertThat(stage.isTrue("a", ClaimObject.REGISTERED)).isTrue();
    }

    @Test
    void aClaimThatWaitsForItsNodeComesAgainAtTheDeadline() {
        stage.with(claim("a"));

        assertThat(stage.live("a")).isEqualTo(new Ending.Again(Duration.ofMinutes(15)));
    }
}
