package dev.millwright.testing.conformance.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Allowances.Allowance;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.kube.document.Tree;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/// How many nodes of a pool may go at once.
final class BudgetsTest {

    private final DisruptionStage stage = new DisruptionStage();

    private Allowance allowance(Reason reason) {
        return Allowances.of(stage.problem(), reason).byPool().get("default");
    }

    private Allowance allowance() {
        return allowance(Reason.DRIFTED);
    }

    private DisruptionStage three() {
        return stage.add(new FleetNode("a"), new FleetNode("b"), new FleetNode("c"));
    }

    @Test
    @Tag("J7")
    void nodesWithoutAClaimAreNotCounted() {
        stage.pool("100%");
        three();
        stage.rig.apply(new FleetNode("mine").node());

        assertThat(allowance()).isEqualTo(new Allowance(3, 0, 3));
    }

    @Test
    @Tag("J8")
    void nodesThatAreNotInitialisedAreNotCounted() {
        stage.pool("100%");
        three().add(new FleetNode("d").initialized(false));

        assertThat(allowance()).isEqualTo(new Allowance(3, 0, 3));
    }

    @Test
    @Tag("J9")
    void nodesWhoseMachineTerminatesAreNotCounted() {
        stage.pool("100%");
        three().add(new FleetNode("d").instanceTerminating());

        assertThat(allowance()).isEqualTo(new Allowance(3, 0, 3));
    }

    @Test
    @Tag("J10")
    void whatIsLeftIsNeverLessThanNothing() {
        stage.pool("1")
                .add(
                        new FleetNode("a").notReady(),
                        new FleetNode("b").notReady(),
                        new FleetNode("c").deletedAt(stage.now()));

        assertThat(allowance().left()).isZero();
    }

    @Test
    @Tag("J11")
    void nodesThatAreDeletedOrMarkedTakeUpBudget() {
        stage.pool("100%");
        three().add(new FleetNode("d").deletedAt(stage.now()));
        stage.marks.mark("fake://a");

        assertThat(allowance()).isEqualTo(new Allowance(4, 2, 4));
    }

    @Test
    @Tag("J12")
    void nodesThatAreNotReadyTakeUpBudget() {
        stage.pool("100%");
        three().add(new FleetNode("d").notReady());

        assertThat(allowance()).isEqualTo(new Allowance(4, 1, 4));
    }

    @Test
    void aShareIsRoundedUp() {
        stage.pool("10%");
        three();

        assertThat(allowance()).isEqualTo(new Allowance(3, 0, 1));
    }

    @Test
    void aBudgetForOneReasonLeavesTheOthers() {
        stage.rig.apply(
                DisruptionStage.pool(
                        "default",
                        DisruptionStage.disruption("2")
                                .putList(
                                        "budgets",
                                        List.of(
                                                Tree.of("nodes", "2").mapping(),
                                                Tree.of("nodes", "0")
                                                        .putTextList("reasons", List.of("Drifted"))
                                                        .mapping()))
                                .mapping()));
        three();

        assertThat(allowance(Reason.DRIFTED).allowed()).isZero();
        assertThat(allowance(Reason.EMPTY).allowed()).isEqualTo(2);
    }

    @Test
    void aBudgetThatCannotBeReadClosesItsPoolAndNoOther() {
        stage.rig.apply(
                DisruptionStage.pool("default", DisruptionStage.disruption("many").mapping()),
                DisruptionStage.pool("other", DisruptionStage.disruption("100%").mapping()));
        three().add(new FleetNode("z").pool("other"));

        stage.passes();

        assertThat(allowance().allowed()).isZero();
        assertThat(stage.queue.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.command().nodes()).containsExactly("z"));
        assertThat(stage.rig.lines())
                .filteredOn(line -> line.message().contains("budgets that cannot be read"))
                .hasSize(1);
    }
}
