package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// Several nodes give way to none or to one.
final class MultiNodeTest {

    private final DisruptionStage stage = new DisruptionStage(SchedulingPolicy.DEFAULT, true);

    @BeforeEach
    void pool() {
        stage.pool("100%");
        stage.rig.cloud().types(FakeCatalogue.linear(40));
    }

    private static FleetNode node(String name) {
        return new FleetNode(name).type("fake-it-9", "10");
    }

    /// Three nodes with one pod of two cpus each.
    private void three(FleetNode a, FleetNode b, FleetNode c) {
        stage.add(a, b, c);
        stage.rig.apply(
                DisruptionStage.pod("one", "a").requests("cpu", "2"),
                DisruptionStage.pod("two", "b").requests("cpu", "2"),
                DisruptionStage.pod("three", "c").requests("cpu", "2"));
    }

    private List<Command> commands() {
        stage.passes();
        return stage.queue.entries().stream().map(entry -> entry.command()).toList();
    }

    @ParameterizedTest
    @CsvSource({"on-demand, on-demand", "spot, spot", "on-demand, spot"})
    @Tag("J144")
    @Tag("J145")
    @Tag("J146")
    void threeNodesBecomeOne(String first, String others) {
        three(
                node("a").label("karpenter.sh/capacity-type", first),
                node("b").label("karpenter.sh/capacity-type", others),
                node("c").label("karpenter.sh/capacity-type", others));

        var command = commands().getFirst();

        assertThat(command.nodes()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(command.replacements()).hasSize(1);
        assertThat(((Replacement.Planned) command.replacements().getFirst()).claim().types())
                .noneMatch(type -> type.name().equals("fake-it-9"));
        assertThat(stage.made("a", "b", "c")).hasSize(1);
    }

    /// A node of the type that is there already could just stay.
    @Test
    @Tag("J147")
    @Tag("J148")
    void nodesAreNotReplacedByOneOfTheirOwnType() {
        stage.rig.cloud().types(FakeCatalogue.linear(3).subList(2, 3));
        stage.add(
                new FleetNode("a").type("fake-it-2", "3"),
                new FleetNode("b").type("fake-it-2", "3"));
        stage.rig.apply(
                DisruptionStage.pod("one", "a").requests("cpu", "1"),
                DisruptionStage.pod("two", "b").requests("cpu", "1"));

        var commands = commands();

        assertThat(commands)
                .singleElement()
                .satisfies(
                        each -> {
                            assertThat(each.decision()).isEqualTo("delete");
                            assertThat(each.nodes()).hasSize(1);
                        });
        assertThat(stage.made("a", "b")).isEmpty();
    }

    @Test
    @Tag("J149")
    void severalNodesGoWhenTheirPodsFitOnAnother() {
        stage.add(node("a"), node("b"), node("c").consolidatable(false));
        stage.rig.apply(
                DisruptionStage.pod("one", "a").requests("cpu", "2"),
                DisruptionStage.pod("two", "b").requests("cpu", "2"),
                DisruptionStage.pod("three", "c").requests("cpu", "2"));

        var command = commands().getFirst();

        assertThat(command.nodes()).containsExactlyInAnyOrder("a", "b");
        assertThat(command.decision()).isEqualTo("delete");
        assertThat(
                        stage.rig.count(
                                Families.DISRUPTION_DECISIONS, "delete", "underutilized", "multi"))
                .isEqualTo(1);
    }

    @Test
    @Tag("J150")
    void nothingHappensBeforeTheWaitIsOver() {
        three(node("a"), node("b"), node("c"));
        stage.pass();
        stage.rig.advance(DisruptionStage.WAIT.minusSeconds(1));
        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
        stage.rig.advance(java.time.Duration.ofSeconds(1));
        stage.pass();
        assertThat(stage.queue.entries()).hasSize(1);
    }

    @Test
    @Tag("J151")
    void aCommandThatLosesANodeMeanwhileIsDropped() {
        three(node("a"), node("b"), node("c"));
        stage.pass();
        stage.add(node("b").annotation("karpenter.sh/do-not-disrupt", "true"));
        stage.rig.advance(DisruptionStage.WAIT);
        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.rig.count(Families.DISRUPTION_FAILED_VALIDATIONS, "multi")).isEqualTo(3);
    }

    @Test
    @Tag("J152")
    void emptyNodesAreLeftToEmptiness() {
        stage.add(node("a"), node("b"), node("c"));

        var commands = commands();

        assertThat(commands)
                .singleElement()
                .satisfies(
                        each -> assertThat(each.nodes()).containsExactlyInAnyOrder("a", "b", "c"));
        assertThat(stage.rig.count(Families.DISRUPTION_DECISIONS, "delete", "empty", "empty"))
                .isEqualTo(1);
    }

    @Test
    @Tag("J153")
    @Tag("J154")
    void whereSeveralCannotGoOneMay() {
        stage.rig.cloud().types(FakeCatalogue.linear(3));
        stage.add(
                new FleetNode("a").type("fake-it-2", "3"),
                new FleetNode("b").type("fake-it-2", "3"));
        stage.rig.apply(
                DisruptionStage.pod("one", "a").requests("cpu", "1"),
                DisruptionStage.pod("two", "b").requests("cpu", "2"),
                DisruptionStage.pod("three", "b").requests("cpu", "500m"));

        assertThat(commands())
                .singleElement()
                .satisfies(each -> assertThat(each.nodes()).containsExactly("a"));
    }

    @Test
    @Tag("J155")
    void thoseThatSaveMostForWhatTheyDisturbGoFirst() {
        stage.rig.apply(DisruptionStage.pool("default", DisruptionStage.disruption("2").mapping()));
        stage.add(
                node("a"), node("b").type("fake-it-29", "30"), node("c").type("fake-it-19", "20"));
        stage.rig.apply(
                DisruptionStage.pod("one", "a").requests("cpu", "2"),
                DisruptionStage.pod("two", "b").requests("cpu", "2"),
                DisruptionStage.pod("three", "c").requests("cpu", "2"));

        assertThat(commands().getFirst().nodes()).containsExactly("b", "c");
    }

    @Test
    @Tag("J77")
    @Tag("J78")
    void aBudgetBoundsHowManyGoAtOnce() {
        stage.rig.apply(DisruptionStage.pool("default", DisruptionStage.disruption("2").mapping()));
        three(node("a"), node("b"), node("c"));

        assertThat(commands().getFirst().nodes()).hasSize(2);
    }
}
