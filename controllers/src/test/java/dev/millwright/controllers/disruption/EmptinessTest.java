package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Rig;
import dev.millwright.testing.kit.disruption.DisruptionStage;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// A node without pods goes after fifteen seconds; one that anything holds stays.
final class EmptinessTest {

    private static final String POOL =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: default, uid: pool}
            spec:
              disruption: {consolidateAfter: 0s, budgets: [{nodes: "100%"}]}
              template:
                spec:
                  requirements: []
                  nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: default}
            """;

    private static final String CLAIM =
            """
            apiVersion: karpenter.sh/v1
            kind: NodeClaim
            metadata:
              name: a
              uid: a-uid
              labels: {karpenter.sh/nodepool: default, karpenter.sh/capacity-type: spot}
              finalizers: [karpenter.sh/termination]
            spec:
              requirements: []
              nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: default}
            status:
              providerID: fake://a
              nodeName: node-a
              conditions:
              - {type: Launched, status: "True"}
              - {type: Registered, status: "True"}
              - {type: Initialized, status: "True"}
              - {type: Consolidatable, status: "True"}
            """;

    private static final String NODE =
            """
            apiVersion: v1
            kind: Node
            metadata:
              name: node-a
              uid: node-uid
              labels:
                karpenter.sh/nodepool: default
                karpenter.sh/registered: "true"
                karpenter.sh/initialized: "true"
                karpenter.test.sh/testnodeclass: default
            spec: {providerID: "fake://a"}
            status: {conditions: [{type: Ready, status: "True"}]}
            """;

    private static String pod(String more) {
        return """
        apiVersion: v1
        kind: Pod
        metadata: {name: web, namespace: shop, uid: web%s}
        spec: {nodeName: node-a, containers: [{name: main}]}
        status: {phase: Running, startTime: "2026-01-01T00:00:00Z"}
        """
                .formatted(more);
    }

    private final DisruptionStage stage = new DisruptionStage();
    private final Rig rig = stage.rig;

    @BeforeEach
    void fleet() {
        rig.apply(POOL).apply(CLAIM).apply(NODE);
    }

    /// Chooses, waits, and does it.
    private void pass() {
        stage.passes();
        stage.work();
    }

    private boolean isGoing() {
        return rig.claim("a").isDeleting();
    }

    @Test
    void anEmptyNodeIsTaintedAndItsClaimDeleted() {
        pass();

        assertThat(isGoing()).isTrue();
        assertThat(rig.node("node-a").node().taints()).anyMatch(Taint.DISRUPTED::matches);
        assertThat(rig.claim("a").conditions().isTrue(ClaimObject.DISRUPTION_REASON)).isTrue();
        assertThat(
                        rig.count(
                                Families.NODECLAIMS_DISRUPTED,
                                "empty",
                                "default",
                                "spot",
                                "when_empty_or_underutilized",
                                "graceful"))
                .isEqualTo(1);
    }

    @Test
    void nothingHappensBeforeTheWaitIsOver() {
        var ending = stage.pass();
        rig.advance(Duration.ofSeconds(14));
        stage.pass();

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(15)));
        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    void aPodThatComesWhileWeWaitSavesTheNode() {
        stage.pass();
        rig.advance(Duration.ofSeconds(15));
        rig.apply(pod(""));
        stage.pass();

        assertThat(isGoing()).isFalse();
        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    void aNodeWithAPodStays() {
        rig.apply(pod(""));
        pass();

        assertThat(isGoing()).isFalse();
    }

    @Test
    void aDaemonKeepsNoNode() {
        rig.apply(
                pod(
                        ", ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: d, controller: true}]"));
        pass();

        assertThat(isGoing()).isTrue();
    }

    @Test
    void aDaemonThatMustNotBeDisruptedKeepsItsNode() {
        rig.apply(
                pod(
                        ", annotations: {karpenter.sh/do-not-disrupt: \"true\"}, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: d, controller: true}]"));
        pass();

        assertThat(isGoing()).isFalse();
    }

    @Test
    void aNominatedNodeStays() {
        stage.marks.nominate("node-a", rig.now().plusSeconds(60));
        pass();

        assertThat(isGoing()).isFalse();
    }

    @Test
    void aNodeItsOwnerProtectsStays() {
        rig.apply(
                NODE.replace(
                        "  uid: node-uid",
                        "  uid: node-uid\n  annotations: {karpenter.sh/do-not-disrupt: \"true\"}"));
        pass();

        assertThat(isGoing()).isFalse();
    }

    @Test
    void aBudgetOfZeroKeepsTheNode() {
        rig.apply(POOL.replace("100%", "0"));
        pass();

        assertThat(isGoing()).isFalse();
    }

    @Test
    void aBudgetThatCannotBeReadKeepsTheNode() {
        rig.apply(
                POOL.replace(
                        "{nodes: \"100%\"}",
                        "{nodes: \"100%\", schedule: \"61 * * * *\", duration: 1h}"));
        pass();

        assertThat(isGoing()).isFalse();
    }

    @Test
    void neverMeansNever() {
        rig.apply(POOL.replace("consolidateAfter: 0s", "consolidateAfter: Never"));
        pass();

        assertThat(isGoing()).isFalse();
    }

    @Test
    void aClaimThatIsNotConsolidatableStays() {
        rig.apply(CLAIM.replace("  - {type: Consolidatable, status: \"True\"}\n", ""));
        pass();

        assertThat(isGoing()).isFalse();
    }

    @Test
    void anotherClaimUnderTheSameNameIsNotTheOneWeChose() {
        stage.pass();
        rig.advance(Duration.ofSeconds(15));
        rig.apply(CLAIM.replace("a-uid", "other-uid"));
        stage.pass();

        assertThat(isGoing()).isFalse();
    }

    @Test
    void whileTheCloudOwesAnAnswerNothingIsDone() {
        rig.apply(
                CLAIM.replace("name: a\n", "name: b\n")
                        .replace("a-uid", "b-uid")
                        .replace("  providerID: fake://a\n", ""));
        pass();

        assertThat(isGoing()).isFalse();
    }

    @Test
    void marksOfAProcessThatDiedAreTakenBack() {
        rig.apply(
                NODE.replace(
                        "spec: {providerID: \"fake://a\"}",
                        "spec: {providerID: \"fake://a\", taints: [{key: karpenter.sh/disrupted, effect: NoSchedule}]}"));
        rig.apply(pod(""));

        stage.pass();

        assertThat(rig.node("node-a").node().taints()).isEmpty();
        assertThat(isGoing()).isFalse();
    }
}
