package dev.millwright.core.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Test;

import java.util.List;

/// How amounts become whole numbers: against the pod where they must be rounded.
final class ResourceSpaceTest {

    private static Resources cpu(String amount) {
        return Resources.parse("cpu", amount);
    }

    private static ResourceSpace of(String demand, String supply) {
        return ResourceSpace.of(List.of(cpu(demand)), List.of(cpu(supply)));
    }

    @Test
    void wholeAmountsAreCountedInUnits() {
        var space = of("2", "4");

        assertThat(space.demand(cpu("2"))).containsExactly(2);
        assertThat(space.supply(cpu("4"))).containsExactly(4);
        assertThat(space.quantity(0, 3)).isEqualTo(Quantity.parse("3"));
    }

    @Test
    void aFineAmountOnEitherSideMakesTheUnitsFiner() {
        assertThat(of("500m", "4").demand(cpu("2"))).containsExactly(2_000);
        assertThat(of("2", "3500m").supply(cpu("3500m"))).containsExactly(3_500);
        assertThat(of("2", "3500m").quantity(0, 3_500)).isEqualTo(Quantity.parse("3500m"));
    }

    @Test
    void whatIsFinerStillIsRoundedAgainstThePod() {
        var space = of("1500u", "1500u");

        assertThat(space.demand(cpu("1500u"))).containsExactly(2);
        assertThat(space.supply(cpu("1500u"))).containsExactly(1);
        assertThat(space.demand(cpu("2m"))).containsExactly(2);
    }

    @Test
    void nobodyGivesRoomByAskingForLessThanNothing() {
        assertThat(of("1", "1").demand(cpu("-5"))).containsExactly(0);
        assertThat(of("1", "1").supply(cpu("-5"))).containsExactly(-5);
    }

    @Test
    void anAmountTooLargeToCountFitsNothing() {
        var space = of("9223372036854775807", "9223372036854775807");

        assertThat(space.demand(cpu("9223372036854775807")))
                .containsExactly(ResourceSpace.TOO_MUCH);
        assertThat(space.supply(cpu("9223372036854775807")))
                .containsExactly(ResourceSpace.TOO_MUCH - 1);
        assertThat(space.supply(cpu("-9223372036854775807")))
                .containsExactly(-ResourceSpace.TOO_MUCH);
    }

    @Test
    void sumsStayTooMuch() {
        assertThat(ResourceSpace.sum(ResourceSpace.TOO_MUCH, 1)).isEqualTo(ResourceSpace.TOO_MUCH);
        assertThat(ResourceSpace.sum(1, 2)).isEqualTo(3);
        assertThat(ResourceSpace.sum(new long[] {1, ResourceSpace.TOO_MUCH}, new long[] {2, 9}))
                .containsExactly(3, ResourceSpace.TOO_MUCH);
    }

    @Test
    void onlyWhatIsAskedForIsCounted() {
        var space =
                ResourceSpace.of(
                        List.of(cpu("1"), Resources.parse("gpu", "1")),
                        List.of(Resources.parse("cpu", "4", "memory", "1Gi")));

        assertThat(space.names()).containsExactly("cpu", "gpu");
        assertThat(space.size()).isEqualTo(2);
        assertThat(space.name(1)).isEqualTo("gpu");
        assertThat(space.indexOf("gpu")).isEqualTo(1);
        assertThat(space.indexOf("memory")).isEqualTo(-1);
        assertThat(space.resources(new long[] {0, 2})).isEqualTo(Resources.parse("gpu", "2"));
    }
}
