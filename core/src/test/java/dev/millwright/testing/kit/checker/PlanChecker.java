package dev.millwright.testing.kit.checker;

import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.ArrayList;
import java.util.List;

/// Judges a plan against the problem it answers.
///
/// A plan does not say in which order pods of different nodes were placed, so that only what holds
/// for every legal order is checked. Each rule's class says why it does. Wishes (preferred terms,
/// soft spread) are not checked at all.
public final class PlanChecker {

    private PlanChecker() {}

    public static List<Violation> check(SchedulingProblem problem, Plan plan) {
        var facts = new Facts(problem, plan);
        var violations = new ArrayList<Violation>();
        violations.addAll(new AccountRules(facts).check());
        violations.addAll(new ExistingNodeRules(facts).check());
        violations.addAll(new ClaimRules(facts).check());
        violations.addAll(new TypeRules(facts).check());
        violations.addAll(new PoolRules(facts).check());
        violations.addAll(new AffinityRules(facts).check());
        violations.addAll(new SpreadRules(facts).check());
        violations.addAll(new PriceRules(facts).check());
        violations.addAll(new OverlookedRules(facts).check());
        return List.copyOf(violations);
    }
}
