package dev.millwright.testing.kit;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.PlannedClaim.TypeOption;

import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/// Claims about a NodeClaim that a plan makes.
public final class ClaimAssert extends AbstractAssert<ClaimAssert, PlannedClaim> {

    private final PlanAssert plan;

    ClaimAssert(PlannedClaim claim, PlanAssert plan) {
        super(claim, ClaimAssert.class);
        this.plan = plan;
    }

    public ClaimAssert inPool(String pool) {
        Assertions.assertThat(actual.nodePool()).as(plan.render()).isEqualTo(pool);
        return this;
    }

    public ClaimAssert cheapestType(String type) {
        Assertions.assertThat(actual.cheapest().name()).as(plan.render()).isEqualTo(type);
        return this;
    }

    public ClaimAssert cheapestZone(String zone) {
        Assertions.assertThat(actual.cheapest().zone()).as(plan.render()).isEqualTo(zone);
        return this;
    }

    public ClaimAssert cheapestCapacityType(String capacityType) {
        Assertions.assertThat(actual.cheapest().capacityType())
                .as(plan.render())
                .isEqualTo(capacityType);
        return this;
    }

    public ClaimAssert cheapestPrice(double pricePerHour) {
        Assertions.assertThat(actual.pricePerHour()).as(plan.render()).isEqualTo(pricePerHour);
        return this;
    }

    /// Exactly these types would do.
    public ClaimAssert offersTypes(String... types) {
        Assertions.assertThat(typeNames()).containsExactlyInAnyOrder(types);
        return this;
    }

    /// These types would do, perhaps among others.
    public ClaimAssert offersAmongOthers(String... types) {
        Assertions.assertThat(typeNames()).contains(types);
        return this;
    }

    public ClaimAssert doesNotOffer(String... types) {
        Assertions.assertThat(typeNames()).doesNotContain(types);
        return this;
    }

    public List<String> typeNames() {
        return actual.types().stream().map(TypeOption::name).toList();
    }

    /// Exactly these values of the key are left open.
    public ClaimAssert requires(String key, String... values) {
        var requirement = actual.requirements().on(key);
        Assertions.assertThat(requirement.isComplement())
                .as("%s of %s", requirement, plan.render())
                .isFalse();
        Assertions.assertThat(requirement.values())
                .as("%s of %s", requirement, plan.render())
                .isEqualTo(List.copyOf(new TreeSet<>(Arrays.asList(values))));
        return this;
    }

    /// Nothing is said about the key.
    public ClaimAssert saysNothingOf(String key) {
        Assertions.assertThat(actual.requirements().has(key)).as(plan.render()).isFalse();
        return this;
    }

    public ClaimAssert requests(String resource, String quantity) {
        Assertions.assertThat(actual.requests().amount(resource))
                .as("%s of %s", resource, plan.render())
                .isEqualTo(Quantity.parse(quantity));
        return this;
    }

    public ClaimAssert holdsReservations(String... ids) {
        Assertions.assertThat(actual.reservationIds()).containsExactlyInAnyOrder(ids);
        return this;
    }

    public ClaimAssert minValuesRelaxed(boolean isRelaxed) {
        Assertions.assertThat(actual.isMinValuesRelaxed()).as(plan.render()).isEqualTo(isRelaxed);
        return this;
    }

    /// Back to the plan.
    public PlanAssert and() {
        return plan;
    }
}
