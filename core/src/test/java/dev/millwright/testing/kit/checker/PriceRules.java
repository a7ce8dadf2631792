package dev.millwright.testing.kit.checker;

import dev.millwright.core.scheduling.PlannedClaim;

import java.util.ArrayList;
import java.util.List;

/// The plan's price is that of its claims' cheapest types, and its lower bound is no more.
final class PriceRules {

    private static final double TOLERANCE = 1e-9;

    private final Facts facts;

    PriceRules(Facts facts) {
        this.facts = facts;
    }

    List<Violation> check() {
        var plan = facts.plan();
        var violations = new ArrayList<Violation>();
        var sum =
                plan.claims().stream()
                        .filter(claim -> !claim.types().isEmpty())
                        .mapToDouble(PlannedClaim::pricePerHour)
                        .sum();
        var tolerance = TOLERANCE * Math.max(1, sum);
        if (!(Math.abs(plan.pricePerHour() - sum) <= tolerance)) {
            violations.add(
                    new Violation(
                            Violation.Rule.PRICE,
                            "plan",
                            "says %s, its claims cost %s".formatted(plan.pricePerHour(), sum)));
        }
        if (!(plan.lowerBoundPerHour() <= plan.spendPerHour() + tolerance)) {
            violations.add(
                    new Violation(
                            Violation.Rule.PRICE,
                            "plan",
                            "costs %s, below its lower bound %s"
                                    .formatted(plan.spendPerHour(), plan.lowerBoundPerHour())));
        }
        return violations;
    }
}
