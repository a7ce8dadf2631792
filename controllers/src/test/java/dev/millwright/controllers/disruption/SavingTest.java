package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What consolidations that were carried out take off an hour's price.
final class SavingTest {

    private static final double HAIR = 1e-9;
    private static final List<InstanceType> TYPES = FakeCatalogue.linear(40);

    private final DisruptionStage stage = new DisruptionStage(SchedulingPolicy.DEFAULT, true);

    private static double onDemand(String type) {
        return TYPES.stream()
                .filter(each -> each.name().equals(type))
                .map(SavingTest::onDemand)
                .findFirst()
                .orElseThrow();
    }

    private static double onDemand(InstanceType type) {
        return type.offerings().stream()
                .filter(each -> each.zone().equals("test-zone-1"))
                .filter(each -> each.capacityType().equals("on-demand"))
                .findFirst()
                .orElseThrow()
                .pricePerHour();
    }

    private double saved(String reason, String consolidation) {
        return stage.rig.count(OwnFamilies.CONSOLIDATION_SAVED, reason, consolidation);
    }

    /// A large node with a small pod, that gives way.
    private void largeNode() {
        stage.rig.cloud().types(TYPES);
        stage.pool("100%").add(new FleetNode("a").type("fake-it-35", "36"));
        stage.rig.apply(DisruptionStage.pod("web", "a"));
        stage.passes();
    }

    /// The cloud answers with this type for the one claim that was made.
    private void replacedBy(String type) {
        var made = stage.made("a").getFirst();
        stage.add(
                new FleetNode(made)
                        .uid(stage.rig.claim(made).meta().uid())
                        .type(type, "2")
                        .consolidatable(false));
        stage.work();
    }

    @Test
    void anEmptyNodeSavesItsPrice() {
        stage.rig.cloud().types(TYPES);
        stage.pool("100%").add(new FleetNode("a").type("fake-it-3", "4"));
        stage.passes();
        stage.work();

        assertThat(saved("empty", "empty")).isCloseTo(onDemand("fake-it-3"), within(HAIR));
    }

    @Test
    void aReplacementCostsWhatItBecameAndNotWhatWasPlanned() {
        largeNode();
        replacedBy("fake-it-9");

        assertThat(saved("underutilized", "single"))
                .isCloseTo(onDemand("fake-it-35") - onDemand("fake-it-9"), within(HAIR));
    }

    @Test
    void nothingIsSavedBeforeTheNodeGoes() {
        largeNode();
        stage.work();

        assertThat(saved("underutilized", "single")).isZero();
    }

    @Test
    void aCommandThatIsLookedAtTwiceCountsOnce() {
        largeNode();
        replacedBy("fake-it-9");
        var once = saved("underutilized", "single");
        stage.work();

        assertThat(saved("underutilized", "single")).isPositive().isEqualTo(once);
    }
}
