package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.doesNotExist;
import static dev.millwright.testing.kit.Given.exists;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.notIn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

/// Which zone a waiting pod will end in, as far as its constraints decide it.
final class EffectiveZoneTest {

    private static final Requirement ANYWHERE = exists(ZONE);
    private static final List<Requirement> NO_VOLUMES = List.of();

    @Tag("B145")
    @Test
    void aVolumeOpenToSeveralZonesIsFlexible() {
        assertThat(zone(ANYWHERE, List.of(in(ZONE, ZONE_1), in(ZONE, ZONE_2)), null))
                .isEqualTo("flexible");
    }

    @Tag("B146")
    @Test
    void aVolumeInOneZoneDecides() {
        assertThat(zone(ANYWHERE, List.of(in(ZONE, ZONE_2)), null)).isEqualTo(ZONE_2);
    }

    @Tag("B147")
    @Test
    void aVolumeWhereThePodMayNotGoLeavesNoZone() {
        assertThat(zone(in(ZONE, ZONE_1), List.of(in(ZONE, ZONE_2)), null)).isEqualTo("none");
    }

    @Tag("B148")
    @Test
    void aPodThatSaysNothingIsFlexible() {
        assertThat(zone(ANYWHERE, NO_VOLUMES, null)).isEqualTo("flexible");
    }

    @Tag("B149")
    @Test
    void volumesAndAffinityDecideTogether() {
        assertThat(
                        zone(
                                in(ZONE, ZONE_1, ZONE_2),
                                List.of(in(ZONE, ZONE_2), in(ZONE, ZONE_3)),
                                null))
                .isEqualTo(ZONE_2);
    }

    @Tag("B150")
    @Test
    void withoutItsWishesAPodIsFlexible() {
        assertThat(zone(notIn(ZONE, ZONE_1), NO_VOLUMES, null)).isEqualTo("flexible");
    }

    @Tag("B151")
    @Test
    void aRequiredZoneDecides() {
        assertThat(zone(in(ZONE, ZONE_3), NO_VOLUMES, null)).isEqualTo(ZONE_3);
    }

    @Tag("B151")
    @Test
    void twoRequiredZonesAreFlexible() {
        assertThat(zone(in(ZONE, ZONE_1, ZONE_3), NO_VOLUMES, null)).isEqualTo("flexible");
    }

    @Tag("B152")
    @Test
    void theZoneOfPodsToBeNearDecides() {
        assertThat(zone(ANYWHERE, NO_VOLUMES, Set.of(ZONE_1))).isEqualTo(ZONE_1);
    }

    @Tag("B153")
    @Test
    void theOnlyZoneWithoutPodsToAvoidDecides() {
        assertThat(zone(notIn(ZONE, ZONE_3), NO_VOLUMES, Set.of(ZONE_2, ZONE_3))).isEqualTo(ZONE_2);
    }

    @Tag("B154")
    @Test
    void theOnlyZoneASpreadAllowsDecides() {
        assertThat(zone(in(ZONE, ZONE_1, ZONE_2), NO_VOLUMES, Set.of(ZONE_2, ZONE_3)))
                .isEqualTo(ZONE_2);
    }

    @Tag("B155")
    @Test
    void aSpreadWithoutAValidZoneLeavesNone() {
        assertThat(zone(ANYWHERE, NO_VOLUMES, Set.of())).isEqualTo("none");
    }

    @Tag("B156")
    @Test
    void anAffinityThatNothingSatisfiesLeavesNone() {
        assertThat(EffectiveZone.of(in(ZONE, ZONE_1), NO_VOLUMES, null, false))
                .isEqualTo(new EffectiveZone.None());
    }

    @Tag("B157")
    @Test
    void anAntiAffinityInAllAllowedZonesLeavesNone() {
        assertThat(zone(in(ZONE, ZONE_1), NO_VOLUMES, Set.of(ZONE_2))).isEqualTo("none");
    }

    @Test
    void aPodThatWantsNoZoneLabelHasNone() {
        assertThat(zone(doesNotExist(ZONE), NO_VOLUMES, null)).isEqualTo("none");
    }

    @Test
    void anUnconstrainedVolumeLeavesThePodsOwnZones() {
        assertThat(zone(in(ZONE, ZONE_1), List.of(exists(ZONE)), null)).isEqualTo(ZONE_1);
    }

    private static String zone(
            Requirement required, List<Requirement> volumes, @Nullable Set<String> valid) {
        return EffectiveZone.of(required, volumes, valid, true).label();
    }
}
