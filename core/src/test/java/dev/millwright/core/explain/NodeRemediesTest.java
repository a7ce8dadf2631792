package dev.millwright.core.explain;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.KeepReason;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Map;

/// What is advised about a node that stays, reason by reason.
final class NodeRemediesTest {

    private static final InstanceType SMALL = type("small", 4, 1).build();

    /// Of all other reasons nothing that a person changes takes the node away.
    private static final Map<String, List<String>> ADVISED =
            Map.ofEntries(
                    Map.entry("PodGuarded", List.of("UnguardPod")),
                    Map.entry("NodeGuarded", List.of("UnguardNode")),
                    Map.entry("PodBudgetSpent", List.of("LoosenBudget")),
                    Map.entry("PodBudgetsContested", List.of("RemoveBudget", "RemoveBudget")),
                    Map.entry("ConsolidationOff", List.of("ConsolidateSoon")),
                    Map.entry("NotConsolidatable", List.of("ConsolidateSoon")),
                    Map.entry("OnlyWhenEmpty", List.of("ConsolidateUnderutilized")),
                    Map.entry("NotWorthIt", List.of("ConsolidateUnderutilized")),
                    Map.entry("PoolBudgetSpent", List.of("OpenBudgets")),
                    Map.entry("Frozen", List.of("Unfreeze")),
                    Map.entry("SpotToSpotOff", List.of("AllowSpotToSpot")));

    private static List<NodeChange> advised(KeepReason reason) {
        var problem =
                fleet().selling(SMALL)
                        .with(machine("b", SMALL).pool("other"), machine("a", SMALL))
                        .problem();
        return new NodeExplainer(problem).remedies("a", reason);
    }

    @ParameterizedTest
    @MethodSource("dev.millwright.core.disruption.KeepReasonTest#reasons")
    void eachReasonHasItsAdvice(KeepReason reason) {
        assertThat(advised(reason))
                .extracting(each -> each.getClass().getSimpleName())
                .isEqualTo(ADVISED.getOrDefault(reason.label(), List.of()));
    }

    @Test
    void adviceAboutAPoolIsAboutThatOfTheNode() {
        assertThat(advised(new KeepReason.NotConsolidatable()))
                .containsExactly(new NodeChange.ConsolidateSoon("default"));
        assertThat(advised(new KeepReason.NotWorthIt()))
                .containsExactly(new NodeChange.ConsolidateUnderutilized("default"));
    }
}
