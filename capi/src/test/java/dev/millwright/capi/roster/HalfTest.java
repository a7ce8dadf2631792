package dev.millwright.capi.roster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

final class HalfTest {

    @Test
    void halvesThatRunApartElectApart() {
        var infrastructure = Half.leaseName(List.of(Half.INFRASTRUCTURE));
        var controlPlane = Half.leaseName(List.of(Half.CONTROL_PLANE));
        var both = Half.leaseName(List.of(Half.values()));
        assertThat(List.of(infrastructure, controlPlane, both))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[0-9a-f]{32}\\.capt\\.ai"));
    }

    @Test
    void theOrderInWhichTheyAreNamedDoesNotMatter() {
        assertThat(Half.leaseName(List.of(Half.CONTROL_PLANE, Half.INFRASTRUCTURE)))
                .isEqualTo(Half.leaseName(List.of(Half.INFRASTRUCTURE, Half.CONTROL_PLANE)));
    }

    @Test
    void theLeaseIsTheHashOfTheName() {
        // printf infrastructure | md5sum
        assertThat(Half.leaseName(List.of(Half.INFRASTRUCTURE)))
                .isEqualTo("6e3301c94e4de897ec67fa9735a848d5.capt.ai");
    }

    @Test
    void aHalfIsKnownByItsWordAlone() {
        assertThat(Half.named("control-plane")).isEqualTo(Half.CONTROL_PLANE);
        assertThat(Half.named("ControlPlane")).isNull();
        assertThat(Half.words()).containsExactly("infrastructure", "control-plane");
    }
}
