package dev.millwright.core.scheduling;

import dev.millwright.core.scheduling.CheapestSearch.Solution;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// Chooses among the fleets that a search came by. The cheapest counts; of fleets that cost a hair
/// more than it, the one with the fewest nodes is taken: a node costs an address, daemons and
/// upgrades that no price list has.
final class FleetChoice {

    /// Part of the cheapest price that a fleet of fewer nodes may cost more.
    static final double HAIR = 0.005;

    /// Prices that differ by less are the same.
    static final double SAME_PRICE = 1e-9;

    private final List<Solution> found = new ArrayList<>();
    private final Map<Solution, Integer> inflexible = new HashMap<>();
    private Solution cheapest;

    FleetChoice(Solution first) {
        this.cheapest = first;
        found.add(first);
    }

    void add(Solution solution) {
        found.add(solution);
        if (solution.isBetterThan(cheapest)) {
            cheapest = solution;
        }
        found.removeIf(each -> !isNear(each));
    }

    /// The cheapest; of equal price the one with fewer nodes.
    Solution cheapest() {
        return cheapest;
    }

    /// The most that a fleet of fewer nodes may cost.
    double limit() {
        return cheapest.pricePerHour() * (1 + HAIR);
    }

    private boolean isNear(Solution solution) {
        return solution.equals(cheapest)
                || (solution.pricePerHour() <= limit() && solution.placesAllOf(cheapest));
    }

    /// The fleet of the fewest nodes among those near the cheapest that have no more spot claims
    /// with few types; of these the cheapest.
    Solution chosen() {
        var chosen = cheapest;
        for (var solution : found) {
            var nodes = solution.pass().claims().size();
            var nodesBefore = chosen.pass().claims().size();
            if ((nodes < nodesBefore
                            || (nodes == nodesBefore
                                    && solution.pricePerHour() < chosen.pricePerHour()))
                    && inflexibleClaims(solution) <= inflexibleClaims(cheapest)) {
                chosen = solution;
            }
        }
        return chosen;
    }

    private int inflexibleClaims(Solution solution) {
        return inflexible.computeIfAbsent(
                solution,
                each ->
                        (int)
                                each.pass().claims().stream()
                                        .filter(FleetChoice::isInflexible)
                                        .count());
    }

    private static boolean isInflexible(OpenClaim claim) {
        return isInflexible(claim.template(), claim.set(), claim.shapes());
    }

    /// Whether a machine that may be spot has few types to be bought as spot.
    static boolean isInflexible(PoolTemplate template, int set, long[] shapes) {
        var allowed = template.spotOfferings(set);
        var types = new HashSet<String>();
        for (var shape = Bits.next(shapes, 0); shape >= 0; shape = Bits.next(shapes, shape + 1)) {
            if (template.cheapestOffering(shape, allowed) != null
                    && types.add(template.shape(shape).type().name())
                    && types.size() >= LaunchChoice.SPOT_TYPES_MIN) {
                return false;
            }
        }
        return !types.isEmpty();
    }
}
