package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.Command;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

/// A command is seen through, or taken back.
final class QueueTest {

    private final DisruptionStage stage = new DisruptionStage();

    /// A drifted node with a pod, and its replacement under way.
    private String begun() {
        stage.pool("100%").add(new FleetNode("a").drifted().consolidatable(false));
        stage.rig.apply(DisruptionStage.pod("web", "a"));
        stage.pass();
        return stage.made("a").getFirst();
    }

    private void vanish(String claim) {
        stage.rig.api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", claim));
    }

    @Test
    @Tag("J-QUEUE-1")
    void theTaintStaysWhileReplacementsAreWaitedFor() {
        stage.launched(begun());
        stage.work();
        stage.pass();

        assertThat(stage.isTainted("a")).isTrue();
        assertThat(stage.isGoing("a")).isFalse();
        assertThat(stage.rig.eventReasons())
                .contains("DisruptionLaunching", "DisruptionWaitingReadiness");
    }

    @Test
    @Tag("J-QUEUE-2")
    void nothingIsTakenBackBeforeTheTimeIsOver() {
        stage.launched(begun());
        stage.rig.advance(Duration.ofMinutes(10));
        stage.work();

        assertThat(stage.isTainted("a")).isTrue();
        assertThat(stage.queue.entries()).hasSize(1);
    }

    @Test
    void whereNothingIsChangedNothingIsBegunAndTheNextLookRests() {
        var dry = DisruptionStage.dry();
        dry.pool("100%").add(new FleetNode("a").drifted().consolidatable(false));

        assertThat(dry.pass()).isEqualTo(new Ending.Again(Duration.ofSeconds(10)));
        assertThat(dry.queue.entries()).isEmpty();
        assertThat(dry.marks.isMarked("fake://a")).isFalse();
    }

    @Test
    @Tag("J-QUEUE-3")
    void aReplacementThatIsGoneTakesTheCommandBack() {
        vanish(begun());
        stage.work();

        assertThat(stage.isTainted("a")).isFalse();
        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.marks.isMarked("fake://a")).isFalse();
    }

    @Test
    @Tag("J-QUEUE-4")
    void theNodeIsFreeAgainWhenTheTimeIsOver() {
        stage.launched(begun());
        stage.rig.advance(Duration.ofMinutes(10).plusSeconds(1));
        stage.work();

        assertThat(stage.isTainted("a")).isFalse();
        assertThat(stage.saysWhy("a")).isFalse();
        assertThat(stage.isMarked("a")).isFalse();
        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-QUEUE-5")
    void anInitialisedReplacementEndsTheCommand() {
        stage.initialized(begun());
        stage.work();

        assertThat(stage.isGoing("a")).isTrue();
        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.told("DisruptionTerminating", "a")).hasSize(2);
    }

    @Test
    @Tag("J-QUEUE-6")
    void allReplacementsAreWaitedFor() {
        stage.pool("100%").add(new FleetNode("a").type("arm-instance-type", "16").drifted());
        stage.rig.cloud().types(dev.millwright.testing.kit.FakeCatalogue.linear(4));
        stage.rig.apply(
                DisruptionStage.pod("one", "a").requests("cpu", "3"),
                DisruptionStage.pod("two", "a").requests("cpu", "3"));
        stage.pass();
        var made = stage.made("a");

        stage.initialized(made.getFirst());
        stage.work();
        assertThat(stage.isGoing("a")).isFalse();

        stage.initialized(made.getLast());
        stage.work();
        assertThat(stage.isGoing("a")).isTrue();
    }

    @Test
    @Tag("J-QUEUE-7")
    void withoutReplacementsNothingIsWaitedFor() {
        stage.pool("100%").add(new FleetNode("a").drifted().consolidatable(false));
        stage.pass();
        stage.work();

        assertThat(stage.isGoing("a")).isTrue();
    }

    @Test
    @Tag("J-QUEUE-8")
    void twoCommandsEndEachInItsTime() {
        stage.pool("100%")
                .add(
                        new FleetNode("a").type("arm-instance-type", "16").drifted(),
                        new FleetNode("b").type("arm-instance-type", "16").drifted());
        stage.rig.apply(
                DisruptionStage.pod("one", "a").requests("cpu", "15"),
                DisruptionStage.pod("two", "b").requests("cpu", "15"));
        stage.pass();
        var first = stage.made("a", "b").getFirst();
        stage.initialized(first);
        stage.pass();
        var second = stage.made("a", "b", first).getFirst();

        stage.work();
        assertThat(stage.isGoing("a")).isTrue();
        assertThat(stage.isGoing("b")).isFalse();

        stage.initialized(second);
        stage.work();
        assertThat(stage.isGoing("b")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "100, PT10M",
        "4000, PT10M",
        "10000, PT13M20S",
        "40000, PT53M20S",
        "80000, PT1H",
        "100000, PT1H"
    })
    @Tag("J-QUEUE-9")
    @Tag("J-QUEUE-10")
    @Tag("J-QUEUE-11")
    @Tag("J-QUEUE-12")
    @Tag("J-QUEUE-13")
    @Tag("J-QUEUE-14")
    void theTimeGrowsWithTheNodesThatAreToGo(int nodes, Duration most) {
        assertThat(Command.timeout(nodes)).isEqualTo(most);
    }

    @Test
    void aDeletionThatFailsIsTriedAgain() {
        stage.initialized(begun());
        stage.rig.api().nextAnswer(new ApiAnswer.Refused(500, "InternalError", "busy"));
        stage.work();
        assertThat(stage.queue.entries()).hasSize(1);

        stage.work();
        assertThat(stage.isGoing("a")).isTrue();
        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    void aClaimThatSomebodyElseDeletedNeedsNoSecondDeletion() {
        var made = begun();
        stage.initialized(made);
        stage.add(new FleetNode("a").drifted().deletedAt(stage.now()));
        stage.rig.api().forgetWrites();
        stage.work();

        assertThat(stage.rig.api().writes()).isEmpty();
        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    void anotherClaimOfTheSameNameIsNotDeleted() {
        stage.initialized(begun());
        stage.add(new FleetNode("a").uid("other"));
        stage.work();

        assertThat(stage.isGoing("a")).isFalse();
    }

    @Test
    void aReplacementThatChangesCallsForItsCommand() {
        var made = begun();
        var watch = stage.queueController.watches().getFirst();

        assertThat(watch.kind()).isEqualTo(dev.millwright.kube.cache.Kind.NODE_CLAIM);
        assertThat(stage.queue.entries().getFirst().replacements()).containsExactly(made);
    }
}
