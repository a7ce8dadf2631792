package dev.millwright.controllers.shadow;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.kube.object.ClaimObject;

import org.jspecify.annotations.Nullable;

/// A machine that somebody bought, or would have. The price is 0 where nobody knows it; `requests`
/// are of the pods it is for.
record ShadowMachine(
        String nodePool,
        String instanceType,
        String zone,
        String capacityType,
        double pricePerHour,
        Resources requests) {

    /// The cheapest that would do.
    static ShadowMachine of(PlannedClaim claim) {
        var cheapest = claim.cheapest();
        return new ShadowMachine(
                claim.nodePool(),
                cheapest.name(),
                cheapest.zone(),
                cheapest.capacityType(),
                cheapest.pricePerHour(),
                claim.requests());
    }

    /// Null until the claim says what it became.
    static @Nullable ShadowMachine of(ClaimObject claim, @Nullable Double pricePerHour) {
        var type = claim.meta().label(LabelKeys.INSTANCE_TYPE);
        return type.isEmpty()
                ? null
                : new ShadowMachine(
                        claim.nodePool(),
                        type,
                        claim.meta().label(LabelKeys.ZONE),
                        claim.meta().label(LabelKeys.CAPACITY_TYPE),
                        pricePerHour == null ? 0 : pricePerHour,
                        claim.spec().requests());
    }

    @Override
    public String toString() {
        return "%s %s in %s".formatted(capacityType, instanceType, zone);
    }
}
