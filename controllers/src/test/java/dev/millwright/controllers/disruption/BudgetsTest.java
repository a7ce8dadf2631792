package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Allowances.Allowance;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.kube.document.Tree;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                .filteredOn(line -> line.message().contains("that cannot be read"))
                .hasSize(1);
    }

    /// Fields of the pool that say when nodes go, each written so that nobody can read it.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    budgets          | [{nodes: "10 %"}]
                    budgets          | [{nodes: -1}]
                    budgets          | [{nodes: {a: b}}]
                    budgets          | [{nodes: "1", schedule: "every night", duration: 1h}]
                    budgets          | [{nodes: "1", schedule: "0 3 * * *", duration: 1d}]
                    budgets          | [{nodes: "1", duration: 1h}]
                    budgets          | [{nodes: "100%", reasons: [Drfited]}]
                    consolidateAfter | ten minutes
                    """)
    void whatCannotBeReadClosesItsPoolAndNoOther(String field, String value) {
        stage.rig.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: default, uid: default-uid}
                spec:
                  disruption: {%s: %s}
                  template:
                    spec:
                      requirements: []
                      nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: default}
                status: {conditions: [{type: Ready, status: "True", reason: Ready, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}
                """
                        .formatted(field, value));
        stage.rig.apply(
                DisruptionStage.pool("other", DisruptionStage.disruption("100%").mapping()));
        three().add(new FleetNode("d").drifted(), new FleetNode("z").pool("other"));

        stage.passes();

        assertThat(allowance().allowed()).isZero();
        assertThat(stage.queue.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.command().nodes()).containsExactly("z"));
        assertThat(stage.rig.lines())
                .filteredOn(line -> line.message().contains("that cannot be read"))
                .singleElement()
                .satisfies(line -> assertThat(line.keyValues().toString()).contains(field));
    }
}
