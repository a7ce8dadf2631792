package dev.millwright.core.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.policy.SchedulingPolicy.Packing;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What a plan says about its price.
final class PlanTest {

    private static Plan costing(double price) {
        return new Plan(List.of(), List.of(), List.of(), price, 0, Packing.FIRST_FIT);
    }

    @Test
    void aPlanIsOptimalWhereNoFleetCanCostLess() {
        assertThat(costing(2).withLowerBound(2).isOptimal()).isTrue();
        assertThat(costing(2).withLowerBound(1.9).isOptimal()).isFalse();
        assertThat(costing(0).isOptimal()).isTrue();
    }

    @Test
    void whatRoundingKeepsBelowThePriceIsThePrice() {
        assertThat(costing(2).withLowerBound(2 - 1e-8).lowerBoundPerHour()).isEqualTo(2);
        assertThat(costing(2).withLowerBound(2 - 1e-6).lowerBoundPerHour()).isEqualTo(2 - 1e-6);
    }

    @Test
    void aBoundIsNeverAboveThePriceNorBelowNothing() {
        assertThat(costing(2).withLowerBound(3).lowerBoundPerHour()).isEqualTo(2);
        assertThat(costing(2).withLowerBound(-1).lowerBoundPerHour()).isZero();
    }
}
