package dev.millwright.controllers.node;

import static dev.millwright.controllers.node.PodDraft.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A node with a deadline is empty by then, whatever holds its pods.
final class DeadlineTest {

    private final Stage stage = new Stage();
    private final Instant start = stage.rig.now();

    /// A node that must be empty in five minutes, with these pods.
    private void going(PodDraft... pods) {
        stage.goingNode("n1").deadline("n1", start.plusSeconds(300)).pods(pods);
    }

    private void at(int second) {
        stage.rig.advance(Duration.between(stage.rig.now(), start.plusSeconds(second)));
    }

    private List<Long> graces() {
        return stage.rig.api().writes().stream()
                .filter(ApiWrite.Delete.class::isInstance)
                .map(ApiWrite.Delete.class::cast)
                .filter(delete -> delete.name().namespace().equals("default"))
                .map(ApiWrite.Delete::graceSeconds)
                .toList();
    }

    @Tag("I22")
    @Test
    void aGuardedPodIsDeletedWhenItsGraceNoLongerFits() {
        going(pod("a", "n1").graceSeconds(60).doNotDisrupt("true"));
        stage.drain("n1");
        at(240);
        stage.drain("n1");
        assertThat(stage.leaving()).isEmpty();

        at(241);
        stage.drain("n1");

        assertThat(stage.leaving()).containsExactly("a");
        assertThat(graces()).containsExactly(59L);
        assertThat(stage.end("a")).isEqualTo(start.plusSeconds(300));
    }

    @Tag("I22")
    @Test
    void aPodWithMoreGraceThanTheNodeHasIsDeletedAtOnce() {
        going(pod("a", "n1").graceSeconds(3_600).doNotDisrupt("true"));

        stage.drain("n1");

        assertThat(graces()).containsExactly(300L);
    }

    @Tag("I22")
    @Test
    void anAbsurdGraceIsOneThatDoesNotFit() {
        going(pod("a", "n1").graceSeconds(Long.MAX_VALUE).doNotDisrupt("true"));

        stage.drain("n1");

        assertThat(graces()).containsExactly(300L);
    }

    @Tag("I23")
    @Test
    void podsWithoutTimeLeftDoNotWaitForTheirTier() {
        going(
                pod("plain", "n1").doNotDisrupt("true"),
                pod("critical", "n1").critical().graceSeconds(3_600),
                pod("patient", "n1").critical());

        stage.drain("n1");

        assertThat(stage.leaving()).containsExactly("critical");
    }

    @Tag("I24")
    @Test
    void budgetsAreHonouredWhileThereIsTime() {
        going(pod("a", "n1"));
        stage.rig
                .api()
                .evictionAnswer(
                        Stage.name("a"), new ApiAnswer.Refused(429, "TooManyRequests", "no"));

        stage.drain("n1");
        at(270);
        stage.drain("n1");
        stage.evict("a");
        assertThat(graces()).isEmpty();
        assertThat(stage.evictions()).isEqualTo(2);

        at(271);
        stage.drain("n1");
        assertThat(graces()).containsExactly(29L);
    }

    @Tag("I24")
    @Test
    void podsThatAreNotDrainedAreNotDeletedEither() {
        going(
                pod("tolerant", "n1").tolerates("karpenter.sh/disrupted", "Exists", ""),
                pod("static", "n1").ownedBy("v1", "Node"),
                pod("done", "n1").phase("Succeeded"));

        at(400);
        stage.drain("n1");

        assertThat(stage.leaving()).isEmpty();
        assertThat(graces()).isEmpty();
    }

    @Tag("I24")
    @Test
    void aPodThatStatesNoGraceIsNeverDeletedAheadOfTime() {
        going(pod("a", "n1").withoutGrace().doNotDisrupt("true"));

        at(1_000);
        stage.drain("n1");

        assertThat(graces()).isEmpty();
    }

    @Tag("I25")
    @Test
    void aPodOnItsWayOutIsHurriedWhenItWouldStayTooLong() {
        going(pod("a", "n1").graceSeconds(600).endingAt(start.plusSeconds(600)));

        stage.drain("n1");

        assertThat(graces()).containsExactly(300L);
        assertThat(stage.end("a")).isEqualTo(start.plusSeconds(300));
    }

    @Tag("I25")
    @Test
    void aPodThatEndsInTimeIsNotHurried() {
        going(pod("a", "n1").graceSeconds(60).endingAt(start.plusSeconds(60)));

        stage.drain("n1");

        assertThat(graces()).isEmpty();
        assertThat(stage.queue.size()).isZero();
    }

    @Test
    void aPodDeletedAfterTheDeadlineIsNotDeletedOverAndOver() {
        going(pod("a", "n1").doNotDisrupt("true"));
        at(310);

        stage.drain("n1");
        stage.drain("n1");
        at(311);
        stage.drain("n1");

        assertThat(graces()).containsExactly(1L);
    }

    @Test
    void theDeadlineIsToldOnTheNode() {
        going(pod("a", "n1"));

        stage.drain("n1");

        assertThat(stage.rig.eventReasons()).contains("TerminationGracePeriodExpiring");
    }

    @Test
    void aDeadlineThatIsNoTimeCountsForNothing() {
        stage.goingNode("n1").annotate("n1", "tomorrow").pods(pod("a", "n1").doNotDisrupt("true"));

        at(100_000);
        stage.drain("n1");
        stage.drain("n1");

        assertThat(stage.leaving()).isEmpty();
        assertThat(stage.rig.lines())
                .filteredOn(line -> line.message().contains("no time"))
                .hasSize(1);
    }
}
