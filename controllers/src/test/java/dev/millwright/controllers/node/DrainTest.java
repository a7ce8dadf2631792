package dev.millwright.controllers.node;

import static dev.millwright.controllers.node.PodDraft.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// Which pods leave a node that goes, in which order, and who is waited for.
final class DrainTest {

    private static final Ending SOON = new Ending.Again(Duration.ofSeconds(1));

    private final Stage stage = new Stage();

    @Tag("I8")
    @Test
    void podsThatTolerateTheTaintByNameAreLeftAlone() {
        stage.goingNode("n1")
                .pods(
                        pod("a", "n1"),
                        pod("b", "n1").tolerates("karpenter.sh/disrupted", "Equal", "NoSchedule"));

        stage.drain("n1");
        assertThat(stage.leaving()).containsExactly("a");

        stage.vanish("a").terminateFor("n1", 4);
        assertThat(stage.isThere("n1")).isFalse();
        assertThat(stage.leaving()).isEmpty();
    }

    @Tag("I9")
    @Test
    void podsThatTolerateTheTaintWhateverItsValueAreLeftAlone() {
        stage.goingNode("n1")
                .pods(
                        pod("a", "n1"),
                        pod("b", "n1").tolerates("karpenter.sh/disrupted", "Exists", "NoSchedule"));

        stage.drain("n1");
        assertThat(stage.leaving()).containsExactly("a");

        stage.vanish("a").terminateFor("n1", 4);
        assertThat(stage.isThere("n1")).isFalse();
    }

    @Tag("I10")
    @Test
    void podsThatTolerateUnschedulableNodesAreEvicted() {
        stage.goingNode("n1")
                .pods(
                        pod("a", "n1")
                                .tolerates(
                                        "node.kubernetes.io/unschedulable",
                                        "Exists",
                                        "NoSchedule"));

        stage.drain("n1");

        assertThat(stage.leaving()).containsExactly("a");
    }

    @Tag("I11")
    @Test
    void podsWithoutAnOwnerAreEvicted() {
        stage.goingNode("n1").pods(pod("a", "n1"));

        stage.drain("n1");
        assertThat(stage.leaving()).containsExactly("a");

        stage.vanish("a").terminateFor("n1", 4);
        assertThat(stage.isThere("n1")).isFalse();
    }

    @Tag("I12")
    @Test
    void podsThatHaveEndedHoldNothingUp() {
        stage.goingNode("n1")
                .pods(pod("a", "n1").phase("Succeeded"), pod("b", "n1").phase("Failed"));

        stage.terminateFor("n1", 4);

        assertThat(stage.isThere("n1")).isFalse();
        assertThat(stage.evictions()).isZero();
    }

    @Tag("I13")
    @Test
    void aPodThatItsBudgetHoldsKeepsTheNode() {
        stage.goingNode("n1").pods(pod("a", "n1"));
        stage.rig
                .api()
                .evictionAnswer(
                        Stage.name("a"),
                        new ApiAnswer.Refused(429, "TooManyRequests", "the budget is used up"));

        stage.drain("n1");
        var ending = stage.evict("a");
        stage.terminateFor("n1", 10);

        assertThat(ending).isEqualTo(new Ending.Retry());
        assertThat(stage.isThere("n1")).isTrue();
        assertThat(stage.leaving()).isEmpty();
        assertThat(stage.rig.cloud().terminations()).isEmpty();
    }

    @Tag("I14")
    @Test
    void eachTierLeavesOnceTheOneBeforeItIsGone() {
        stage.goingNode("n1")
                .pods(
                        pod("critical-daemon", "n1").critical().daemon(),
                        pod("critical", "n1").critical(),
                        pod("daemon", "n1").daemon(),
                        pod("plain", "n1"));

        stage.drain("n1");
        assertThat(stage.leaving()).containsExactly("plain");
        stage.drain("n1");
        assertThat(stage.leaving()).containsExactly("plain");

        stage.vanish("plain").drain("n1");
        assertThat(stage.leaving()).containsExactly("daemon");

        stage.vanish("daemon").drain("n1");
        assertThat(stage.leaving()).containsExactly("critical");

        stage.vanish("critical").drain("n1");
        assertThat(stage.leaving()).containsExactly("critical-daemon");

        stage.vanish("critical-daemon").terminateFor("n1", 4);
        assertThat(stage.isThere("n1")).isFalse();
    }

    @Tag("I15")
    @Test
    void criticalPodsOfEitherClassLeaveAfterTheOthers() {
        stage.goingNode("n1")
                .pods(
                        pod("cluster", "n1").priorityClass("system-cluster-critical"),
                        pod("node", "n1").priorityClass("system-node-critical"),
                        pod("other", "n1").priorityClass("important"));

        stage.drain("n1");
        assertThat(stage.leaving()).containsExactly("other");

        stage.vanish("other").drain("n1");
        assertThat(stage.leaving()).containsExactly("cluster", "node");
    }

    @Tag("I16")
    @Test
    void podsTheKubeletRunsByItselfAreLeftAlone() {
        stage.goingNode("n1").pods(pod("a", "n1"), pod("static", "n1").ownedBy("v1", "Node"));

        stage.drain("n1");
        assertThat(stage.leaving()).containsExactly("a");

        stage.vanish("a").terminateFor("n1", 4);
        assertThat(stage.isThere("n1")).isFalse();
    }

    @Tag("I17")
    @Test
    void theNodeStaysUntilItsPodsHaveReallyGone() {
        stage.goingNode("n1").pods(pod("a", "n1"), pod("b", "n1"));

        var ending = stage.drain("n1");
        assertThat(ending).isEqualTo(SOON);
        assertThat(stage.rig.claim("n1-claim").conditions().find(ClaimObject.DRAINED))
                .extracting(Condition::status, Condition::reason)
                .containsExactly(Condition.Status.UNKNOWN, "Draining");

        stage.vanish("a");
        stage.rig.advance(Duration.ofSeconds(10));
        assertThat(stage.terminate("n1")).isEqualTo(SOON);
        assertThat(stage.rig.cloud().terminations()).isEmpty();

        stage.vanish("b").terminateFor("n1", 4);
        assertThat(stage.isThere("n1")).isFalse();
    }

    @Tag("I17")
    @Test
    void howManyPodsAreWaitedForIsTold() {
        stage.goingNode("n1").pods(pod("a", "n1"), pod("b", "n1"));

        stage.terminate("n1");

        assertThat(stage.rig.events())
                .filteredOn(event -> event.reason().equals("FailedDraining"))
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.message()).contains("n1", "2 pods");
                            assertThat(event.subject().kind()).isEqualTo("Node");
                        });
    }

    @Tag("I17")
    @Test
    void podsGuardedByAnnotationAreWaitedForAndNotEvicted() {
        stage.goingNode("n1").pods(pod("a", "n1").doNotDisrupt("true"));

        stage.drain("n1");
        stage.terminateFor("n1", 10);

        assertThat(stage.isThere("n1")).isTrue();
        assertThat(stage.leaving()).isEmpty();
    }

    @Tag("I20")
    @Test
    void aPodThatDoesNotEndIsGivenUpAfterAMinute() {
        stage.goingNode("n1");
        stage.pods(pod("a", "n1").endingAt(stage.rig.now()));

        stage.rig.advance(Duration.ofSeconds(60));
        assertThat(stage.terminate("n1")).isEqualTo(SOON);
        assertThat(stage.rig.view().pods()).hasSize(1);
        stage.terminateFor("n1", 5);

        assertThat(stage.isThere("n1")).isFalse();
    }

    @Tag("I20")
    @Test
    void aPodIsWaitedForWhileItsMinuteRuns() {
        stage.goingNode("n1");
        stage.pods(pod("a", "n1").endingAt(stage.rig.now()));

        stage.terminateFor("n1", 12);

        assertThat(stage.isThere("n1")).isTrue();
        assertThat(stage.rig.cloud().terminations()).isEmpty();
    }

    @Tag("I21")
    @Test
    void aNewPodOfTheSameNameElsewhereIsNotEvicted() {
        stage.goingNode("n1").node("n2").pods(pod("a", "n1").uid("old"));
        stage.terminate("n1");
        stage.vanish("a").pods(pod("a", "n2").uid("new"));

        stage.evictAllRung();
        stage.terminateFor("n1", 4);

        assertThat(stage.evictions()).isZero();
        assertThat(stage.leaving()).isEmpty();
        assertThat(stage.isThere("n1")).isFalse();
    }

    @Tag("I26")
    @Test
    void evenAnEmptyNodeDrainsForFiveSeconds() {
        stage.goingNode("n1");

        assertThat(stage.terminate("n1")).isEqualTo(SOON);
        stage.rig.advance(Duration.ofSeconds(4));
        assertThat(stage.terminate("n1")).isEqualTo(SOON);
        assertThat(stage.rig.cloud().terminations()).isEmpty();

        stage.rig.advance(Duration.ofSeconds(1));
        stage.terminate("n1");
        assertThat(stage.rig.cloud().terminations()).hasSize(1);
        assertThat(stage.rig.claim("n1-claim").conditions().isTrue(ClaimObject.DRAINED)).isTrue();
    }

    @Tag("I26")
    @Test
    void aPodThatCameJustBeforeTheTaintIsCaught() {
        stage.goingNode("n1");
        stage.terminate("n1");
        stage.rig.advance(Duration.ofSeconds(3));
        stage.pods(pod("late", "n1"));

        stage.rig.advance(Duration.ofSeconds(3));
        stage.drain("n1");

        assertThat(stage.leaving()).containsExactly("late");
        assertThat(stage.rig.cloud().terminations()).isEmpty();
    }
}
