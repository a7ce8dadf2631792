package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.kube.document.Tree;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Nodes that go back to spot, and pools that keep a mix of spot and on-demand: ours.
final class SpotTest {

    private final DisruptionStage stage = new DisruptionStage(SchedulingPolicy.DEFAULT, true);

    /// A node that is on-demand for want of spot, with a pod.
    private void returning(Manifest pod) {
        stage.rig.cloud().types(FakeCatalogue.linear(40));
        stage.pool("100%");
        var node = new FleetNode("a").type("fake-it-3", "4").consolidatable(false);
        stage.rig.apply(
                node.claim()
                        .condition("Drifted", "True", DriftAnswer.SPOT_AVAILABLE, "", Given.NOON),
                node.node());
        stage.rig.apply(pod);
    }

    private static Manifest pod() {
        return DisruptionStage.pod("web", "a");
    }

    private List<PlannedClaim> replacements() {
        return stage.queue.entries().stream()
                .flatMap(entry -> entry.command().replacements().stream())
                .map(each -> ((Replacement.Planned) each).claim())
                .toList();
    }

    @Test
    void aNodeReturnsToCheaperSpotAndToNothingElse() {
        returning(pod());

        stage.pass();

        var claim = replacements().getFirst();
        assertThat(claim.requirements().on(LabelKeys.CAPACITY_TYPE).values())
                .containsExactly("spot");
        assertThat(claim.types()).allMatch(type -> type.capacityType().equals("spot"));
    }

    @Test
    void aNodeWhosePodsWantOnDemandStays() {
        returning(
                pod().spec(
                                "nodeSelector",
                                Tree.of(LabelKeys.CAPACITY_TYPE, "on-demand").mapping()));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    private void mixed(FleetNode node) {
        stage.rig.cloud().types(FakeCatalogue.linear(40));
        stage.rig.apply(
                DisruptionStage.pool("default", DisruptionStage.disruption("100%").mapping())
                        .annotation(ControlKeys.ON_DEMAND_BASE, "1"));
        stage.add(node);
        stage.rig.apply(pod());
    }

    @Test
    void inAPoolWithAMixAnOnDemandNodeGivesWayToACheaperOnDemandNode() {
        mixed(new FleetNode("a").type("fake-it-35", "36"));

        stage.passes();

        assertThat(replacements())
                .singleElement()
                .satisfies(
                        claim ->
                                assertThat(claim.types())
                                        .allMatch(type -> type.capacityType().equals("on-demand")));
    }

    @Test
    void inAPoolWithAMixTheCheapestOnDemandNodeIsNotReplacedBySpot() {
        mixed(new FleetNode("a").type("fake-it-1", "2"));

        stage.passes();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    void whatDriftedInAPoolWithAMixIsReplacedInKind() {
        mixed(new FleetNode("a").type("fake-it-3", "4").drifted().consolidatable(false));

        stage.pass();

        assertThat(replacements().getFirst().types())
                .allMatch(type -> type.capacityType().equals("on-demand"));
    }
}
