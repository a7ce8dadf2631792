package dev.millwright.core.explain;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.FleetBuilder;
import dev.millwright.core.label.LabelKeys;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Whether nodes of a pool may go by choice, and why those stay that do.
final class PoolDeparturesTest {

    private static final InstanceType SMALL = type("small", 4, 1).build();

    private static List<String> findings(FleetBuilder fleet, String pool) {
        return new PoolDepartures(fleet.problem(), pool)
                .findings().stream().map(PoolFinding::explain).toList();
    }

    @Test
    void nodesOfOtherPoolsAreNotCounted() {
        var fleet =
                fleet().selling(SMALL)
                        .pool(nodePool("default"))
                        .pool(nodePool("other"))
                        .with(machine("a", SMALL), machine("b", SMALL).pool("other"));

        assertThat(findings(fleet, "other")).containsExactly("1 node goes, such as b");
    }

    @Test
    void theCommonestReasonIsToldFirst() {
        var fleet =
                fleet().selling(SMALL)
                        .with(
                                machine("a", SMALL).annotation(LabelKeys.DO_NOT_DISRUPT, "true"),
                                machine("b", SMALL).nominated(),
                                machine("c", SMALL).nominated());

        assertThat(findings(fleet, "default"))
                .extracting(each -> each.substring(0, each.indexOf(':')))
                .containsExactly("2 nodes stay, such as b", "1 node stays, such as a");
    }

    @Test
    void aPoolWhoseRulesNobodyKnowsIsNotClosed() {
        var departures =
                new PoolDepartures(fleet().selling(SMALL).budget("0").problem(), "unknown");

        assertThat(departures.isClosed()).isFalse();
        assertThat(departures.findings()).isEmpty();
        assertThat(departures.fix())
                .isEqualTo(new PoolExplanation.Fix.None("nothing more is known"));
    }

    @Test
    void aBudgetThatLetsNodesGoIsNotTold() {
        var fleet = fleet().selling(SMALL).budget("1").with(machine("a", SMALL));

        assertThat(findings(fleet, "default")).containsExactly("1 node goes, such as a");
    }

    @Test
    void aBudgetOfAPoolWithoutNodesIsNotSpent() {
        assertThat(findings(fleet().selling(SMALL).budget("0"), "default")).isEmpty();
    }
}
