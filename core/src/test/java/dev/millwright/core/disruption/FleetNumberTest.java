package dev.millwright.core.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

final class FleetNumberTest {

    private static final long A = FleetNumber.ofMachine("a", List.of("web", "web", "db"));
    private static final long B = FleetNumber.ofMachine("b", List.of("web"));

    @Test
    void theOrderOfPodsDoesNotMatter() {
        assertThat(FleetNumber.ofMachine("a", List.of("db", "web", "web"))).isEqualTo(A);
    }

    @Test
    void theNumberOfPodsMatters() {
        assertThat(FleetNumber.ofMachine("a", List.of("web", "db"))).isNotEqualTo(A);
    }

    @Test
    void podsOnAnotherMachineAreAnotherFleet() {
        assertThat(
                        FleetNumber.ofMachine("a", List.of("web"))
                                + FleetNumber.ofMachine("b", List.of("web", "web", "db")))
                .isNotEqualTo(A + B);
    }

    @Test
    void whatLeavesIsNotMistakenForWhatStays() {
        assertThat(FleetNumber.ofLeaving(A + B + B, A))
                .isNotEqualTo(FleetNumber.ofLeaving(A + A + B, B));
    }

    @Test
    void anotherMachineThatLeavesIsAnotherMove() {
        assertThat(FleetNumber.ofLeaving(A + B, A)).isNotEqualTo(FleetNumber.ofLeaving(A + B, B));
    }
}
