package dev.millwright.controllers.nodeoverlay;

import static dev.millwright.controllers.nodeoverlay.Overlays.IN_TWO;
import static dev.millwright.controllers.nodeoverlay.Overlays.IN_ZONE_1;
import static dev.millwright.controllers.nodeoverlay.Overlays.IN_ZONE_2;
import static dev.millwright.controllers.nodeoverlay.Overlays.SPOT;
import static dev.millwright.controllers.nodeoverlay.Overlays.TEAM_RED;
import static dev.millwright.controllers.nodeoverlay.Overlays.TYPE_A;
import static dev.millwright.controllers.nodeoverlay.Overlays.TYPE_B;
import static dev.millwright.controllers.nodeoverlay.Overlays.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodeoverlay.Overlays.Form;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Overlays of prices on a cluster: which hold, and what pools pay then.
final class OverlayPriceTest {

    private static final String ABSENT =
            "{key: node.kubernetes.io/instance-type, operator: In, values: [c]}";
    private static final String HOST = "{key: kubernetes.io/hostname, operator: In, values: [n]}";

    private final Overlays cluster = new Overlays();

    // Conflicts ----------------------------------------------------------------------------------

    @Test
    @Tag("K-OV-5")
    void overlaysOfOneTypeConflict() {
        cluster.run(
                overlay("x", 1, "price: \"3\"", TYPE_A), overlay("y", 1, "price: \"5\"", TYPE_A));

        assertThat(cluster.holds("y")).isTrue();
        assertThat(cluster.reason("x")).isEqualTo("Conflict");
        assertThat(cluster.validity("x").message()).contains("NodeOverlay y", "another weight");
        assertThat(cluster.rig.eventReasons()).containsExactly("NodeOverlayValidationFailed");
    }

    @Test
    @Tag("K-OV-6")
    void overlaysOfDifferentTypesDoNotConflict() {
        cluster.run(
                overlay("x", 1, "price: \"3\"", TYPE_A), overlay("y", 1, "price: \"5\"", TYPE_B));

        assertThat(cluster.holds("x")).isTrue();
        assertThat(cluster.holds("y")).isTrue();
        assertThat(cluster.prices("one")).containsExactly(3.0, 3.0, 5.0, 5.0);
    }

    @Test
    @Tag("K-OV-7")
    void overlaysOfOneZoneConflict() {
        cluster.run(
                overlay("x", 1, "price: \"3\"", IN_ZONE_1),
                overlay("y", 1, "price: \"5\"", IN_ZONE_1));

        assertThat(cluster.reason("x")).isEqualTo("Conflict");
    }

    @Test
    @Tag("K-OV-8")
    void overlaysOfOneCapacityTypeConflict() {
        cluster.run(overlay("x", 1, "price: \"3\"", SPOT), overlay("y", 1, "price: \"5\"", SPOT));

        assertThat(cluster.reason("x")).isEqualTo("Conflict");
    }

    @Test
    @Tag("K-OV-9")
    void overlaysOfDifferentZonesDoNotConflict() {
        cluster.run(
                overlay("x", 1, "price: \"3\"", IN_ZONE_1),
                overlay("y", 1, "price: \"5\"", IN_ZONE_2));

        assertThat(cluster.holds("x")).isTrue();
        assertThat(cluster.prices("one")).containsExactly(3.0, 5.0, 3.0, 5.0);
    }

    @Test
    @Tag("K-OV-10")
    void overlaysThatMeetOnOneOfferingConflict() {
        cluster.run(
                overlay("x", 1, "price: \"3\"", SPOT), overlay("y", 1, "price: \"5\"", IN_ZONE_1));

        assertThat(cluster.reason("x")).isEqualTo("Conflict");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-11")
    @Tag("K-OV-12")
    void differentPricesOfOneWeightConflict(Form form) {
        cluster.run(overlay("x", 1, form.of(3)), overlay("y", 1, form.of(5)));

        assertThat(cluster.holds("y")).isTrue();
        assertThat(cluster.reason("x")).isEqualTo("Conflict");
        assertThat(cluster.prices("one")).containsOnly(5.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-13")
    @Tag("K-OV-14")
    void equalPricesOfOneWeightConflict(Form form) {
        cluster.run(overlay("x", 1, form.of(5)), overlay("y", 1, form.of(5)));

        assertThat(cluster.reason("x")).isEqualTo("Conflict");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-15")
    @Tag("K-OV-16")
    void pricesOfMachinesThatExcludeEachOtherDoNotConflict(Form form) {
        cluster.run(overlay("x", 1, form.of(3), TYPE_A), overlay("y", 1, form.of(5), TYPE_B));

        assertThat(cluster.holds("x")).isTrue();
        assertThat(cluster.holds("y")).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-17")
    @Tag("K-OV-18")
    void pricesOfDifferentWeightsDoNotConflict(Form form) {
        cluster.run(overlay("x", 1, form.of(3)), overlay("y", 2, form.of(5)));

        assertThat(cluster.holds("x")).isTrue();
        assertThat(cluster.holds("y")).isTrue();
        assertThat(cluster.prices("one")).containsOnly(5.0);
    }

    // What is meant ------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-25")
    @Tag("K-OV-26")
    void aPriceMayBeOnePools(Form form) {
        cluster.run(overlay("x", 1, form.of(5), IN_TWO));

        assertThat(cluster.prices("one")).containsOnly(1.0);
        assertThat(cluster.prices("two")).containsOnly(5.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-27")
    @Tag("K-OV-28")
    void aHeavierPriceForOnePoolWinsThereAndTheOtherHoldsElsewhere(Form form) {
        cluster.run(overlay("all", 1, form.of(3)), overlay("two", 2, form.of(5), IN_TWO));

        assertThat(cluster.prices("one")).containsOnly(3.0);
        assertThat(cluster.prices("two")).containsOnly(5.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-29")
    @Tag("K-OV-30")
    void aPriceMayBeThatOfPoolsWithALabel(Form form) {
        cluster.run(overlay("x", 1, form.of(5), TEAM_RED));

        assertThat(cluster.prices("one")).containsOnly(5.0);
        assertThat(cluster.prices("two")).containsOnly(1.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-31")
    @Tag("K-OV-32")
    void aFaultyOverlayChangesNoPrice(Form form) {
        cluster.run(overlay("x", 1, form.of(5), HOST));

        assertThat(cluster.reason("x")).isEqualTo("RuntimeValidation");
        assertThat(cluster.prices("one")).containsOnly(1.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-33")
    @Tag("K-OV-34")
    void aPriceOfMachinesThatAreNotOfferedChangesNothing(Form form) {
        cluster.run(overlay("x", 1, form.of(5), ABSENT));

        assertThat(cluster.holds("x")).isTrue();
        assertThat(cluster.prices("one")).containsOnly(1.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-35")
    @Tag("K-OV-36")
    void aPriceMayBeOneTypes(Form form) {
        cluster.run(overlay("x", 1, form.of(5), TYPE_B));

        assertThat(cluster.prices("one")).containsExactly(1.0, 1.0, 5.0, 5.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-37")
    @Tag("K-OV-38")
    void aPriceMayBeOneCapacityTypes(Form form) {
        cluster.run(overlay("x", 1, form.of(5), SPOT));

        assertThat(cluster.prices("one")).containsExactly(5.0, 1.0, 5.0, 1.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-39")
    @Tag("K-OV-40")
    void aPriceMayBeOneZones(Form form) {
        cluster.run(overlay("x", 1, form.of(5), IN_ZONE_2));

        assertThat(cluster.prices("one")).containsExactly(1.0, 5.0, 1.0, 5.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-41")
    @Tag("K-OV-42")
    void severalOverlaysPriceSeveralOfferings(Form form) {
        cluster.run(
                overlay("x", 1, form.of(3), TYPE_A, IN_ZONE_1),
                overlay("y", 1, form.of(5), TYPE_A, IN_ZONE_2),
                overlay("z", 1, form.of(7), TYPE_B));

        assertThat(cluster.prices("one")).containsExactly(3.0, 5.0, 7.0, 7.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-43")
    @Tag("K-OV-44")
    void ofSeveralOverlaysTheHeaviestPricesAnOffering(Form form) {
        cluster.run(
                overlay("x", 1, form.of(3)),
                overlay("y", 2, form.of(5), TYPE_A),
                overlay("z", 3, form.of(7), TYPE_A, IN_ZONE_1));

        assertThat(cluster.prices("one")).containsExactly(7.0, 5.0, 3.0, 3.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-45")
    @Tag("K-OV-46")
    void anOverlayThatConflictsOnOneTypeIsLaidOnNone(Form form) {
        cluster.run(overlay("x", 1, form.of(3)), overlay("y", 1, form.of(5), TYPE_B));

        assertThat(cluster.reason("x")).isEqualTo("Conflict");
        assertThat(cluster.prices("one")).containsExactly(1.0, 1.0, 5.0, 5.0);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("K-OV-47")
    @Tag("K-OV-48")
    void anOverlayThatConflictsInOnePoolIsLaidInNone(Form form) {
        cluster.run(overlay("x", 1, form.of(3)), overlay("y", 1, form.of(5), IN_TWO));

        assertThat(cluster.prices("one")).containsOnly(1.0);
        assertThat(cluster.prices("two")).containsOnly(5.0);
    }
}
