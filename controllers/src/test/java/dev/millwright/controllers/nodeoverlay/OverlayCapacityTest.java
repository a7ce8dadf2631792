package dev.millwright.controllers.nodeoverlay;

import static dev.millwright.controllers.nodeoverlay.Overlays.IN_TWO;
import static dev.millwright.controllers.nodeoverlay.Overlays.SPOT;
import static dev.millwright.controllers.nodeoverlay.Overlays.TEAM_RED;
import static dev.millwright.controllers.nodeoverlay.Overlays.TYPE_A;
import static dev.millwright.controllers.nodeoverlay.Overlays.TYPE_B;
import static dev.millwright.controllers.nodeoverlay.Overlays.fuses;
import static dev.millwright.controllers.nodeoverlay.Overlays.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Overlays of capacity on a cluster: which hold, and what machines have then.
final class OverlayCapacityTest {

    private final Overlays cluster = new Overlays();

    @Test
    @Tag("K-OV-19")
    void capacitiesOfOneWeightConflict() {
        cluster.run(overlay("x", 1, fuses(1)), overlay("y", 1, fuses(2)));

        assertThat(cluster.holds("y")).isTrue();
        assertThat(cluster.reason("x")).isEqualTo("Conflict");
        assertThat(cluster.fusesOf("one")).containsExactly(2L, 2L);
    }

    @Test
    @Tag("K-OV-20")
    void ofThreeThatConflictOnlyTheLastNameHolds() {
        cluster.run(
                overlay("x", 1, fuses(1)), overlay("y", 1, fuses(2)), overlay("z", 1, fuses(3)));

        assertThat(cluster.holds("z")).isTrue();
        assertThat(cluster.reason("y")).isEqualTo("Conflict");
        assertThat(cluster.reason("x")).isEqualTo("Conflict");
    }

    @Test
    @Tag("K-OV-21")
    void equalCapacitiesConflictToo() {
        cluster.run(overlay("x", 1, fuses(2)), overlay("y", 1, fuses(2)));

        assertThat(cluster.holds("y")).isTrue();
        assertThat(cluster.reason("x")).isEqualTo("Conflict");
    }

    @Test
    @Tag("K-OV-22")
    void capacitiesOfDifferentMachinesDoNotConflict() {
        cluster.run(overlay("x", 1, fuses(1), TYPE_A), overlay("y", 1, fuses(2), TYPE_B));

        assertThat(cluster.holds("x")).isTrue();
        assertThat(cluster.fusesOf("one")).containsExactly(1L, 2L);
    }

    @Test
    @Tag("K-OV-23")
    void capacitiesOfDifferentWeightsDoNotConflict() {
        cluster.run(overlay("x", 1, fuses(1)), overlay("y", 2, fuses(2)));

        assertThat(cluster.holds("x")).isTrue();
        assertThat(cluster.fusesOf("one")).containsExactly(2L, 2L);
    }

    @Test
    @Tag("K-OV-24")
    void differentResourcesDoNotConflict() {
        cluster.run(overlay("x", 1, fuses(1)), overlay("y", 1, "capacity: {example.com/slot: 4}"));

        assertThat(cluster.holds("x")).isTrue();
        assertThat(cluster.holds("y")).isTrue();
        assertThat(cluster.types("one").getFirst().capacity().amount("example.com/slot").units())
                .isEqualTo(4);
        assertThat(cluster.fusesOf("one")).containsExactly(1L, 1L);
    }

    @Test
    @Tag("K-OV-49")
    void aCapacityMayBeOnePools() {
        cluster.run(overlay("x", 1, fuses(2), IN_TWO));

        assertThat(cluster.fusesOf("one")).containsExactly(0L, 0L);
        assertThat(cluster.fusesOf("two")).containsExactly(2L, 2L);
    }

    @Test
    @Tag("K-OV-50")
    void aHeavierCapacityForOnePoolWinsThereAndTheOtherHoldsElsewhere() {
        cluster.run(overlay("all", 1, fuses(1)), overlay("two", 2, fuses(2), IN_TWO));

        assertThat(cluster.fusesOf("one")).containsExactly(1L, 1L);
        assertThat(cluster.fusesOf("two")).containsExactly(2L, 2L);
    }

    @Test
    @Tag("K-OV-51")
    void aCapacityMayBeThatOfPoolsWithALabel() {
        cluster.run(overlay("x", 1, fuses(2), TEAM_RED));

        assertThat(cluster.fusesOf("one")).containsExactly(2L, 2L);
        assertThat(cluster.fusesOf("two")).containsExactly(0L, 0L);
    }

    @Test
    @Tag("K-OV-52")
    void aFaultyOverlayChangesNoCapacity() {
        cluster.run(
                overlay(
                        "x",
                        1,
                        fuses(2),
                        "{key: kubernetes.io/hostname, operator: In, values: [n]}"));

        assertThat(cluster.fusesOf("one")).containsExactly(0L, 0L);
    }

    @Test
    @Tag("K-OV-53")
    void aCapacityOfMachinesThatAreNotOfferedChangesNothing() {
        cluster.run(
                overlay(
                        "x",
                        1,
                        fuses(2),
                        "{key: topology.kubernetes.io/zone, operator: In, values: [test-zone-3]}"));

        assertThat(cluster.holds("x")).isTrue();
        assertThat(cluster.fusesOf("one")).containsExactly(0L, 0L);
    }

    @Test
    @Tag("K-OV-54")
    void aCapacityMayBeOneTypes() {
        cluster.run(overlay("x", 1, fuses(2), TYPE_B));

        assertThat(cluster.fusesOf("one")).containsExactly(0L, 2L);
    }

    @Test
    @Tag("K-OV-55")
    void severalOverlaysGiveSeveralTypesTheirCapacity() {
        cluster.run(
                overlay("x", 1, fuses(1), TYPE_A),
                overlay("y", 1, fuses(2), TYPE_B),
                overlay("z", 1, "capacity: {example.com/slot: 4}", TYPE_B));

        assertThat(cluster.fusesOf("one")).containsExactly(1L, 2L);
        assertThat(cluster.types("one").getLast().capacity().amount("example.com/slot").units())
                .isEqualTo(4);
    }

    @Test
    @Tag("K-OV-56")
    void severalOverlaysGiveOneTypeItsCapacity() {
        cluster.run(
                overlay("x", 1, fuses(1), TYPE_A),
                overlay("y", 1, "capacity: {example.com/slot: 4}", TYPE_A));

        var capacity = cluster.types("one").getFirst().capacity();
        assertThat(capacity.amount("example.com/fuse").units()).isEqualTo(1);
        assertThat(capacity.amount("example.com/slot").units()).isEqualTo(4);
    }

    @Test
    @Tag("K-OV-57")
    void aLighterCapacityHoldsWhereTheHeavierSaysNothing() {
        cluster.run(overlay("x", 1, fuses(1)), overlay("y", 2, fuses(2), TYPE_B));

        assertThat(cluster.fusesOf("one")).containsExactly(1L, 2L);
    }

    @Test
    @Tag("K-OV-58")
    void theHeaviestCapacityWins() {
        cluster.run(
                overlay("x", 3, fuses(3), TYPE_A),
                overlay("y", 2, fuses(2), TYPE_A),
                overlay("z", 1, fuses(1), TYPE_A));

        assertThat(cluster.fusesOf("one")).containsExactly(3L, 0L);
    }

    @Test
    @Tag("K-OV-59")
    void anOverlayThatConflictsOnOneTypeIsLaidOnNone() {
        cluster.run(overlay("x", 1, fuses(1)), overlay("y", 1, fuses(2), TYPE_B));

        assertThat(cluster.fusesOf("one")).containsExactly(0L, 2L);
    }

    @Test
    @Tag("K-OV-60")
    void anOverlayThatConflictsInOnePoolIsLaidInNone() {
        cluster.run(overlay("x", 1, fuses(1)), overlay("y", 1, fuses(2), IN_TWO));

        assertThat(cluster.fusesOf("one")).containsExactly(0L, 0L);
        assertThat(cluster.fusesOf("two")).containsExactly(2L, 2L);
    }

    @Test
    @Tag("K-OV-61")
    void priceAndCapacityMeetOnOneType() {
        cluster.run(
                overlay("x", 1, "price: \"5\"", TYPE_A, SPOT), overlay("y", 1, fuses(2), TYPE_A));

        assertThat(cluster.prices("one")).containsExactly(5.0, 1.0, 1.0, 1.0);
        assertThat(cluster.fusesOf("one")).containsExactly(2L, 0L);
    }
}
