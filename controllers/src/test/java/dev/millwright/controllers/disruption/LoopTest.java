package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// The pass as a whole: what it undoes, when it waits, what it does not do twice.
final class LoopTest {

    private final DisruptionStage stage = new DisruptionStage();

    @Test
    @Tag("J1")
    void podsOfNodesThatGoMayBeMeantForNodesThatAreNotInitialised() {
        stage.pool("100%")
                .add(
                        new FleetNode("a").drifted().consolidatable(false),
                        new FleetNode("b").deletedAt(stage.now()),
                        new FleetNode("c").initialized(false));
        stage.rig.apply(DisruptionStage.pod("web", "b"));

        stage.pass();

        assertThat(stage.queue.entries()).hasSize(1);
    }

    @Test
    void podsOfACandidateAreNotMeantForNodesThatAreNotInitialised() {
        stage.pool("100%").add(new FleetNode("a").drifted(), new FleetNode("c").initialized(false));
        stage.rig.apply(DisruptionStage.pod("web", "a"));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.told("DisruptionBlocked", "a"))
                .anyMatch(text -> text.contains("not initialised"));
    }

    @Test
    @Tag("J4")
    void nothingIsChosenWhileAReplacementHasNoMachine() {
        stage.pool("100%")
                .add(
                        new FleetNode("a").type("arm-instance-type", "16").drifted(),
                        new FleetNode("b").type("arm-instance-type", "16").drifted());
        stage.rig.apply(
                DisruptionStage.pod("one", "a").requests("cpu", "15"),
                DisruptionStage.pod("two", "b").requests("cpu", "15"));

        var ending = stage.pass();

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(1)));
        assertThat(stage.made("a", "b")).hasSize(1);
    }

    @Test
    @Tag("J2")
    void oneReplacementFollowsTheOther() {
        stage.pool("100%")
                .add(
                        new FleetNode("a").type("arm-instance-type", "16").drifted(),
                        new FleetNode("b").type("arm-instance-type", "16").drifted());
        stage.rig.apply(
                DisruptionStage.pod("one", "a").requests("cpu", "15"),
                DisruptionStage.pod("two", "b").requests("cpu", "15"));

        stage.pass();
        stage.launched();
        stage.pass();

        assertThat(stage.made("a", "b")).hasSize(2);
    }

    @Test
    @Tag("J5")
    void aTaintThatNoCommandStandsBehindIsRemoved() {
        stage.pool("100%").add(new FleetNode("a").tainted().consolidatable(false));

        stage.pass();

        assertThat(stage.isTainted("a")).isFalse();
    }

    @Test
    @Tag("J6")
    void aTaintIsRemovedWhenTheReplacementCannotBeMade() {
        stage.pool("100%").add(new FleetNode("a").drifted().consolidatable(false));
        stage.rig.apply(
                DisruptionStage.pod("web", "a"), Manifest.pool("default").limits("cpu", "1"));

        stage.rig.run(stage.controller);

        assertThat(stage.queue.entries()).isEmpty();
        stage.rig.run(stage.controller);
        assertThat(stage.isTainted("a")).isFalse();
        assertThat(stage.saysWhy("a")).isFalse();
    }

    @Test
    void aTaintOfANodeThatGoesIsLeft() {
        stage.pool("100%").add(new FleetNode("a").tainted().deletedAt(stage.now()));

        stage.pass();

        assertThat(stage.isTainted("a")).isTrue();
    }

    @Test
    void anEmptinessThatMarksOnlySomeGoesOnWithThose() {
        stage.pool("100%").add(new FleetNode("a"), new FleetNode("b"));
        stage.pass();
        stage.rig.advance(DisruptionStage.WAIT);
        stage.rig.api().nextAnswer(new ApiAnswer.Refused(500, "InternalError", "busy"));
        stage.rig.run(stage.controller);
        stage.rig.run(stage.controller);

        assertThat(stage.queue.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.command().nodes()).containsExactly("b"));
    }

    @Test
    void aRestartTakesMarksBackAndBeginsAnew() {
        stage.pool("100%").add(new FleetNode("a").drifted().consolidatable(false));
        stage.rig.apply(DisruptionStage.pod("web", "a"));
        stage.pass();
        stage.launched();

        var next = new DisruptionStage(stage.rig);
        next.rig.run(next.controller);

        assertThat(next.isTainted("a")).isFalse();
        assertThat(next.saysWhy("a")).isFalse();
    }

    @Test
    void anUnchangedClusterIsNotSearchedAgain() {
        stage.pool("100%").add(new FleetNode("a").type("small-instance-type", "2"));
        stage.rig.apply(DisruptionStage.pod("web", "a"));
        stage.pass();
        var searched =
                stage.rig
                        .observations(
                                dev.millwright.controllers.metrics.Families.DISRUPTION_EVALUATION,
                                "underutilized",
                                "single")
                        .size();

        stage.rig.advance(Duration.ofSeconds(10));
        stage.pass();
        assertThat(searches()).isEqualTo(searched);

        stage.rig.advance(Duration.ofMinutes(5));
        stage.pass();
        assertThat(searches()).isEqualTo(searched + 1);

        stage.rig.apply(DisruptionStage.pod("second", "a"));
        stage.pass();
        assertThat(searches()).isEqualTo(searched + 2);
    }

    private int searches() {
        return stage.rig
                .observations(
                        dev.millwright.controllers.metrics.Families.DISRUPTION_EVALUATION,
                        "underutilized",
                        "single")
                .size();
    }
}
