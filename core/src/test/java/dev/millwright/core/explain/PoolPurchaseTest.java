package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.daemonSet;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.explain.PoolExplanation.Fix;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.testing.kit.ClusterPart;
import dev.millwright.testing.kit.NodePoolBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.TreeMap;

/// Whether a pool has anything to buy, why not, and what would give it something.
final class PoolPurchaseTest {

    private static SchedulingProblem problem(NodePoolBuilder pool, ClusterPart... parts) {
        return cluster()
                .selling(instanceType("small").cpu("4").withoutOverhead())
                .with(pool)
                .with(parts)
                .problem();
    }

    private static PoolPurchase purchase(NodePoolBuilder pool, ClusterPart... parts) {
        return new PoolPurchase(problem(pool, parts), pool.nodePool());
    }

    private static List<String> findings(PoolPurchase purchase) {
        return purchase.findings().stream().map(PoolFinding::explain).toList();
    }

    private static List<String> fix(PoolPurchase purchase) {
        return switch (purchase.fix()) {
            case Fix.None(var why) -> List.of("none: " + why);
            case Fix.Buying(var changes) -> changes.stream().map(PoolChange::describe).toList();
            case Fix.Leaving(_) -> List.of("leaving");
        };
    }

    @Test
    void aPoolWithoutTroubleBuys() {
        var purchase = purchase(nodePool("p"));

        assertThat(purchase.buys()).isTrue();
        assertThat(purchase.isFaulty()).isFalse();
        assertThat(purchase.findings()).isEmpty();
    }

    @Test
    void aPoolOfWhichTheProviderHasSaidNothingBuysNothing() {
        var problem = problem(nodePool("p"));
        var unknown =
                new SchedulingProblem(
                        problem.snapshot(), problem.nodePools(), new TreeMap<>(), problem.policy());
        var purchase = new PoolPurchase(unknown, nodePool("p").nodePool());

        assertThat(purchase.buys()).isFalse();
        assertThat(purchase.findings()).containsExactly(new PoolFinding.WithoutCatalogue());
        assertThat(fix(purchase))
                .containsExactly(
                        "none: nothing is known of what it could buy; mend its node class first");
    }

    @Test
    void daemonsThatFillEveryNodeLeaveNothingToBuy() {
        var purchase = purchase(nodePool("p"), daemonSet("log").cpu("9"));

        assertThat(purchase.buys()).isFalse();
        assertThat(findings(purchase)).singleElement().asString().contains("daemons take: cpu 9");
        assertThat(fix(purchase))
                .containsExactly("none: no set of up to 3 changes that we know of helps");
    }

    @Test
    void daemonsOfNodesThatGoStillNeedRoom() {
        var purchase =
                purchase(
                        nodePool("p"),
                        daemonSet("log").cpu("1"),
                        node("a").pool("p").markedForDeletion(),
                        pod("log-1", "9").ownedBy("DaemonSet", "log").onNode("a"));

        assertThat(purchase.buys()).isFalse();
    }

    @Test
    void noTaintKeepsTheQuestionOut() {
        assertThat(purchase(nodePool("p").taint(taint("team", "a"))).buys()).isTrue();
    }

    @Test
    void onlyItsOwnNodesThatStayCountAgainstItsLimit() {
        var pool = nodePool("p").limit("nodes", "1");

        assertThat(purchase(pool, node("a").pool("p")).buys()).isFalse();
        assertThat(purchase(pool, node("a").pool("other")).buys()).isTrue();
        assertThat(purchase(pool, node("a").pool("p").markedForDeletion()).buys()).isTrue();
    }

    @Test
    void roomOnNodesThatAreThereIsNoPurchase() {
        var pool = nodePool("p").requirement(in(LabelKeys.INSTANCE_TYPE, "gone"));

        assertThat(purchase(pool, node("a").pool("p")).buys()).isFalse();
    }

    @Test
    void aLimitSaysWhatIsUsedAndWhatOneMoreNodeNeeds() {
        var purchase = purchase(nodePool("p").limit("cpu", "6"), node("a").pool("p").cpu("4"));

        assertThat(findings(purchase))
                .containsExactly("limits.cpu is 6 and 4 of it is used; one more node needs 8");
        assertThat(fix(purchase)).containsExactly("raise the limit of cpu to 8");
    }

    @Test
    void severalFaultsAreMendedTogether() {
        var pool =
                nodePool("p")
                        .requirement(in("karpenter.sh/capacity-typ", "spot"))
                        .limit("cpu", "1");
        var purchase = purchase(pool);

        assertThat(purchase.isFaulty()).isTrue();
        assertThat(fix(purchase))
                .containsExactlyInAnyOrder(
                        "require it of label karpenter.sh/capacity-type instead of karpenter.sh/capacity-typ",
                        "raise the limit of cpu to 4");
    }

    @Test
    void whereMinValuesFailAndNoTypeIsLeftTheRequirementIsToBlame() {
        var pool =
                nodePool("p")
                        .requirement(in(LabelKeys.ARCH, "riscv"))
                        .minValues(LabelKeys.INSTANCE_TYPE, 2);

        assertThat(findings(purchase(pool)))
                .first()
                .isEqualTo("no instance type of 1 meets kubernetes.io/arch In [riscv]");
    }

    @Test
    void otherPodsThatWaitTakeNothingFromTheLimit() {
        var problem =
                cluster()
                        .selling(instanceType("single").pods(1))
                        .with(nodePool("p").limit("cpu", "4"), pod("other", "3"))
                        .problem();

        assertThat(new PoolPurchase(problem, problem.nodePools().getFirst()).buys()).isTrue();
    }
}
