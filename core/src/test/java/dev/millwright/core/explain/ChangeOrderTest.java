package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.explain.PodChange.Neighbours;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Test;

import java.util.Comparator;
import java.util.List;

/// In which order changes of equal number are advised: what asks least of a person comes first.
final class ChangeOrderTest {

    private static final Taint TEAM = taint("team", "a");

    /// From the least effort to the most.
    private static final List<Change> CHANGES =
            List.of(
                    new PodChange.RenameLabel("zoen", "zone"),
                    new PodChange.UseValue("zone", "a", true),
                    new PodChange.Tolerate(TEAM, Toleration.PREFER_NO_SCHEDULE),
                    new PoolChange.RenameRequirement("p", "zoen", "zone"),
                    new PoolChange.ReplaceValue("p", "zone", "a", "b"),
                    limits("cpu", "8"),
                    limits("cpu", "16"),
                    limits("cpu", "16", "memory", "64Gi"),
                    new PodChange.Tolerate(TEAM),
                    new PodChange.Tolerate(taint("CriticalAddonsOnly", "")),
                    new PodChange.UseValue("zone", "a", false),
                    new PodChange.AskForLess(Resources.NONE, 0),
                    new PodChange.LoosenSpread("zone"),
                    new PodChange.AskForLess(Resources.NONE, 0.2),
                    new PodChange.DropNeighbours(Neighbours.NEAR, "zone"),
                    new PodChange.DropDemand("zone"),
                    new PodChange.AskForLess(Resources.NONE, 0.6),
                    new PodChange.AskForLess(Resources.NONE, 2),
                    new PodChange.DropHostPorts(List.of(80)),
                    new PoolChange.Admit("p", "zone", "a"),
                    new PoolChange.LowerMinValues("p", "zone", 1),
                    new PoolChange.AddLabel("p", "team", "a"),
                    new PoolChange.DropRequirement("p", "zone"),
                    new PoolChange.DropTaint("p", TEAM));

    private static final List<NodeChange> NODE_CHANGES =
            List.of(
                    new NodeChange.UnguardPod(new ObjectName("default", "a")),
                    new NodeChange.UnguardNode("a"),
                    new NodeChange.LoosenBudget(new ObjectName("default", "a")),
                    new NodeChange.RemoveBudget(new ObjectName("default", "a")),
                    new NodeChange.ConsolidateSoon("p"),
                    new NodeChange.ConsolidateUnderutilized("p"),
                    new NodeChange.OpenBudgets("p"),
                    new NodeChange.RaiseBudget("p", 0, 1),
                    new NodeChange.DropBudget("p", 0),
                    new NodeChange.Unfreeze("p", "NodePool p"),
                    new NodeChange.AllowSpotToSpot());

    private static Change limits(String... amounts) {
        return new PoolChange.RaiseLimits("p", Resources.parse(amounts));
    }

    @Test
    void slipsAreMendedBeforeLimitsAndPodsAreChangedBeforePools() {
        assertThat(CHANGES.reversed().stream().sorted(Comparator.comparingDouble(Change::effort)))
                .containsExactlyElementsOf(CHANGES);
    }

    @Test
    void anObjectIsChangedBeforeItsPoolAndAPoolBeforeTheOperator() {
        assertThat(NODE_CHANGES.stream().sorted(Comparator.comparingDouble(NodeChange::effort)))
                .containsExactlyElementsOf(NODE_CHANGES);
    }

    @Test
    void noChangeIsFreeAndNoneCostsAsMuchAsTwo() {
        assertThat(CHANGES).extracting(Change::effort).allSatisfy(ChangeOrderTest::assertOneStep);
        assertThat(NODE_CHANGES)
                .extracting(NodeChange::effort)
                .allSatisfy(ChangeOrderTest::assertOneStep);
    }

    private static void assertOneStep(double effort) {
        assertThat(effort).isBetween(1.0, 2.0);
    }
}
