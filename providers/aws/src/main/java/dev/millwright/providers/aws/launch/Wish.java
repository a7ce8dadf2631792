package dev.millwright.providers.aws.launch;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Resources;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.MachineOptions;
import dev.millwright.spi.ec2.Ec2Labels;

import java.util.List;
import java.util.stream.Stream;

/// What a claim asks of its machine.
public record Wish(MachineClaim claim, Requirements requirements, LabelVocabulary vocabulary) {

    public static Wish of(MachineClaim claim, LabelVocabulary vocabulary) {
        return new Wish(claim, MachineOptions.wishes(claim, vocabulary), vocabulary);
    }

    public Resources requests() {
        return claim.requests();
    }

    public boolean allows(String capacityType) {
        return requirements.on(LabelKeys.CAPACITY_TYPE).has(capacityType);
    }

    public boolean hasMinValues() {
        return requirements.hasMinValues();
    }

    /// Whether a machine with these properties is one the claim would take.
    public boolean accepts(Requirements promises) {
        return requirements.isCompatible(promises, vocabulary.wellKnown());
    }

    /// The ways to buy the type that the claim would take and that can be had now.
    public Stream<Offering> launchable(InstanceType type) {
        return type.offerings().stream()
                .filter(Offering::isLaunchable)
                .filter(offering -> accepts(offering.requirements()));
    }

    /// What the cheapest machine of this type costs; infinity when there is none.
    public double cheapest(InstanceType type) {
        return launchable(type)
                .mapToDouble(Offering::pricePerHour)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /// `default` unless the claim rules it out.
    public String tenancy() {
        return requirements.on(Ec2Labels.TENANCY).has("default") ? "default" : "dedicated";
    }

    public boolean isPriceOverlaid() {
        return claim.annotations().containsKey(AnnotationKeys.PRICE_OVERLAY_APPLIED);
    }

    public boolean isMinValuesRelaxed() {
        return "true".equals(claim.annotations().get(AnnotationKeys.MIN_VALUES_RELAXED));
    }

    /// Reserved where the claim allows it and there is some, else spot, else on-demand.
    public String capacityType(List<InstanceType> types) {
        for (var candidate :
                List.of(LabelKeys.CAPACITY_TYPE_RESERVED, LabelKeys.CAPACITY_TYPE_SPOT)) {
            var isToBeHad =
                    allows(candidate)
                            && types.stream()
                                    .flatMap(this::launchable)
                                    .anyMatch(
                                            offering -> offering.capacityType().equals(candidate));
            if (isToBeHad) {
                return candidate;
            }
        }
        return LabelKeys.CAPACITY_TYPE_ON_DEMAND;
    }
}
