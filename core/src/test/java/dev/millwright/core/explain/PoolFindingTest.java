package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.in;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.explain.PoolFinding.About;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.scheduling.WaitReason;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/// What is found about a pool, in words and for tables.
final class PoolFindingTest {

    private static final ObjectName WEB = new ObjectName("default", "web");

    private static PoolFinding budget(int allowed, int disrupting, boolean hasEnd) {
        return new PoolFinding.BudgetSpent(
                1, allowed, disrupting, List.of(Reason.EMPTY), hasEnd ? NOON : null);
    }

    private static PoolFinding excludes(int alone, String meant) {
        return new PoolFinding.Excludes(
                List.of(in("arch", "a"), in("os", "b")), alone, 2, 9, meant);
    }

    static Stream<Arguments> findings() {
        return Stream.of(
                arguments(
                        new PoolFinding.NotReady(""),
                        About.READY,
                        "NotReady",
                        0,
                        "its condition Ready is not True"),
                arguments(
                        new PoolFinding.NotReady("no class"),
                        About.READY,
                        "NotReady",
                        0,
                        "it is not ready: no class"),
                arguments(
                        new PoolFinding.Deleting(),
                        About.READY,
                        "Deleting",
                        0,
                        "it is being deleted"),
                arguments(
                        new PoolFinding.StaticPool(3),
                        About.READY,
                        "StaticPool",
                        0,
                        "it keeps 3 nodes and buys none for pods"),
                arguments(new PoolFinding.Faulty("wrong", null), About.READY, "Faulty", 0, "wrong"),
                arguments(
                        new PoolFinding.Faulty("wrong", "right"),
                        About.READY,
                        "Faulty",
                        0,
                        "wrong; maybe \"right\"?"),
                arguments(
                        new PoolFinding.PerhapsMeant("a", "b"),
                        About.TYPES,
                        "PerhapsMeant",
                        0,
                        "label \"a\" is known to nobody else; maybe \"b\"?"),
                arguments(
                        new PoolFinding.WithoutCatalogue(),
                        About.TYPES,
                        "WithoutCatalogue",
                        0,
                        "its provider has not said what it can buy; see its node class"),
                arguments(
                        excludes(0, "x"),
                        About.TYPES,
                        "Excludes",
                        0,
                        "no instance type of 9 meets arch In [a] and os In [b]; maybe \"x\"?"),
                arguments(
                        excludes(1, null),
                        About.TYPES,
                        "Excludes",
                        0,
                        "arch In [a] and os In [b] excludes all 2 instance types that the other requirements leave"),
                arguments(
                        new PoolFinding.ExcludedTogether(9),
                        About.TYPES,
                        "ExcludedTogether",
                        0,
                        "its requirements together leave none of 9 instance types, and no single one is to blame"),
                arguments(
                        new PoolFinding.TooFewValues("arch", 3, 2),
                        About.TYPES,
                        "TooFewValues",
                        0,
                        "minValues of \"arch\" is 3, but the instance types left have only 2"),
                arguments(
                        new PoolFinding.LimitReached(
                                "memory",
                                Quantity.parse("4Gi"),
                                Quantity.parse("3Gi"),
                                Quantity.parse("5Gi")),
                        About.LIMITS,
                        "LimitReached",
                        0,
                        "limits.memory is 4Gi and 3Gi of it is used; one more node needs 5Gi"),
                arguments(
                        new PoolFinding.Unbuyable(new WaitReason.OptedOut()),
                        About.TYPES,
                        new WaitReason.OptedOut().label(),
                        0,
                        new WaitReason.OptedOut().explain()),
                arguments(
                        new PoolFinding.Refuses("Taint", 1, WEB, "no"),
                        About.PODS,
                        "Taint",
                        1,
                        "refuses 1 waiting pod, such as default/web: no"),
                arguments(
                        new PoolFinding.Refuses("Taint", 2, WEB, "no"),
                        About.PODS,
                        "Taint",
                        2,
                        "refuses 2 waiting pods, such as default/web: no"),
                arguments(
                        new PoolFinding.Closed(
                                List.of(Reason.EMPTY, Reason.DRIFTED), new KeepReason.TooTight()),
                        About.DISRUPTION,
                        "TooTight",
                        0,
                        "Empty, Drifted: " + new KeepReason.TooTight().explain()),
                arguments(
                        budget(0, 0, false),
                        About.DISRUPTION,
                        "BudgetSpent",
                        0,
                        "Empty: disruption.budgets[1] lets no node go"),
                arguments(
                        budget(1, 1, true),
                        About.DISRUPTION,
                        "BudgetSpent",
                        0,
                        "Empty: disruption.budgets[1] lets at most 1 node go, and 1 is going or not ready until 2026-01-01T12:00:00Z"),
                arguments(
                        budget(2, 2, false),
                        About.DISRUPTION,
                        "BudgetSpent",
                        0,
                        "Empty: disruption.budgets[1] lets at most 2 nodes go, and 2 are going or not ready"),
                arguments(
                        new PoolFinding.NodesKept(new KeepReason.NotDrifted(), 1, "a"),
                        About.NODES,
                        "NotDrifted",
                        1,
                        "1 node stays, such as a: it has not drifted"),
                arguments(
                        new PoolFinding.NodesKept(new KeepReason.NotDrifted(), 2, "a"),
                        About.NODES,
                        "NotDrifted",
                        2,
                        "2 nodes stay, such as a: it has not drifted"),
                arguments(
                        new PoolFinding.NodesGo(1, "a"),
                        About.NODES,
                        "NodesGo",
                        1,
                        "1 node goes, such as a"),
                arguments(
                        new PoolFinding.NodesGo(2, "a"),
                        About.NODES,
                        "NodesGo",
                        2,
                        "2 nodes go, such as a"));
    }

    @ParameterizedTest
    @MethodSource("findings")
    void aFindingSaysWhatItIsAboutAndHowOftenItIsSo(
            PoolFinding finding, About about, String label, int count, String explained) {
        assertThat(finding.about()).isEqualTo(about);
        assertThat(finding.about().text()).isEqualToIgnoringCase(about.name());
        assertThat(finding.label()).isEqualTo(label);
        assertThat(finding.count()).isEqualTo(count);
        assertThat(finding.explain()).isEqualTo(explained);
    }
}
