package dev.millwright.world.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.document.Tree;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class PodInvariantsTest {

    private final Tale tale = new Tale();

    private static Thing leaving(String name, Instant at) {
        return Tale.claimOf(name).deletedAt(at);
    }

    private Tale threePods() {
        return tale.running("n1")
                .deployment(3)
                .put("kubelet", Thing.pod("web-a", "n1"))
                .put("kubelet", Thing.pod("web-b", "n1"))
                .put("kubelet", Thing.pod("web-c", "n1"))
                .after(Duration.ofMinutes(1));
    }

    @Test
    void anEvictionWithinItsBudgetIsLawful() {
        threePods().budget("maxUnavailable", "1").evicted(Thing.pod("web-a", "n1"));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aSecondEvictionAgainstTheBudgetIsSeen() {
        threePods()
                .budget("maxUnavailable", "1")
                .evicted(Thing.pod("web-a", "n1"))
                .evicted(Thing.pod("web-b", "n1"));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("pod-budget");
        assertThat(tale.breaches().getFirst().message())
                .isEqualTo(
                        "Pod default/web-b: was made to leave node n1 by a/eviction-queue, which leaves 1 healthy pods to budget default/web; wanted at least 2 (maxUnavailable 1)");
    }

    @Test
    void shareOfABudgetIsRoundedUp() {
        threePods()
                .budget("minAvailable", "50%")
                .evicted(Thing.pod("web-a", "n1"))
                .evicted(Thing.pod("web-b", "n1"));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("pod-budget");
    }

    @Test
    void aDeletionPastTheBudgetIsSeenLikeAnEviction() {
        threePods()
                .budget("minAvailable", "3")
                .remove("a/node.termination", Thing.pod("web-a", "n1"));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("pod-budget");
    }

    @Test
    void whatUsersDeleteIsTheirOwnAffair() {
        threePods().budget("minAvailable", "3").remove("user", Thing.pod("web-a", "n1"));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aPodThatFailedAMomentAgoIsForgiven() {
        threePods()
                .budget("maxUnavailable", "1")
                .put("kubelet", Thing.pod("web-a", "n1").condition("Ready", "False", ""))
                .evicted(Thing.pod("web-b", "n1"));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aPodThatIsIllMayGoWhileEnoughWereHealthyAMomentAgo() {
        threePods()
                .budget("maxUnavailable", "1")
                .put("kubelet", Thing.pod("web-a", "n1").condition("Ready", "False", ""))
                .put("kubelet", Thing.pod("web-b", "n1").condition("Ready", "False", ""))
                .evicted(Thing.pod("web-b", "n1").condition("Ready", "False", ""));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aPodThatFailedAWhileAgoIsNot() {
        threePods()
                .budget("maxUnavailable", "1")
                .put("kubelet", Thing.pod("web-a", "n1").condition("Ready", "False", ""))
                .after(Bounds.BUDGET_LAG.plusSeconds(1))
                .evicted(Thing.pod("web-b", "n1"));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("pod-budget");
    }

    @Test
    void aPodThatAsksToBeLeftAloneMustBe() {
        var pod = Thing.pod("web-a", "n1").annotation(LabelKeys.DO_NOT_DISRUPT, "true");
        threePods().put("kubelet", pod).after(Duration.ofHours(1)).evicted(pod);

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("do-not-disrupt");
    }

    @Test
    void atItsNodesDeadlineEveryPodMayGo() {
        var pod = Thing.pod("web-a", "n1").annotation(LabelKeys.DO_NOT_DISRUPT, "true");
        threePods()
                .budget("minAvailable", "3")
                .put("kubelet", pod)
                .after(Duration.ofHours(1))
                .put(
                        "a/nodeclaim.lifecycle",
                        leaving("n1", tale.now())
                                .annotation(
                                        AnnotationKeys.TERMINATION_TIMESTAMP,
                                        tale.now().plusSeconds(20).toString()))
                .evicted(pod);

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void anAnnotationWhoseTimeIsUpGuardsNobody() {
        var pod =
                Thing.pod("web-a", "n1")
                        .annotation(LabelKeys.DO_NOT_DISRUPT, "10m")
                        .status("startTime", Tree.text(Tale.NOON.toString()));
        threePods().put("kubelet", pod).after(Duration.ofMinutes(11)).evicted(pod);

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aMachineThatEndsUnderItsPodsIsSeen() {
        threePods().asked("terminate", Tale.claimOf("n1"), "Started");

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("drained-first");
    }

    @Test
    void aMachineThatEndsWhenItsPodsAreGoneIsLawful() {
        tale.running("n1").asked("terminate", Tale.claimOf("n1"), "Started");

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aPodThatWaitsForEverIsSeen() {
        tale.put("replicaset", Thing.waitingPod("web-a")).after(Bounds.WAITING_POD.plusSeconds(1));

        assertThat(tale.breaches()).extracting(Breach::invariant).containsExactly("pod-runs");
    }

    @Test
    void aPodThatRunsInTimeIsLawful() {
        tale.put("replicaset", Thing.waitingPod("web-a"))
                .after(Duration.ofMinutes(5))
                .put("kubelet", Thing.pod("web-a", "n1"))
                .after(Bounds.WAITING_POD.plusSeconds(1));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void thePatienceWithAPodBeginsAnewAfterTrouble() {
        tale.put("replicaset", Thing.waitingPod("web-a"))
                .after(Duration.ofMinutes(20))
                .struck()
                .after(Duration.ofMinutes(20));

        assertThat(tale.breaches()).isEmpty();
    }

    @Test
    void aPodThatIsNotMeantToRunMayWait() {
        tale.put("replicaset", Thing.waitingPod("web-a").annotation(PodsRun.NEVER_RUNS, "limits"))
                .after(Bounds.WAITING_POD.plusSeconds(1));

        assertThat(tale.breaches()).isEmpty();
    }
}
