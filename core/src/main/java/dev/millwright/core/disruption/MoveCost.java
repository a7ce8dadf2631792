package dev.millwright.core.disruption;

import java.time.Duration;
import java.util.List;

/// What moves cost, in the currency of prices, so that it can be weighed against what they save.
///
/// A pod that moves costs what an average pod of the fleet costs while it gets going, times its
/// [DisruptionCost]; so the weights need no prices of their own. A node that is launched costs its
/// price while it runs beside those it replaces.
final class MoveCost {

    /// How long a pod does no work when it moves: it is stopped, its image pulled, it starts, and
    /// its caches fill.
    static final Duration WARM_UP = Duration.ofMinutes(3);

    /// How long old and new node are both paid for: launch, registration, and the old one's drain.
    static final Duration START_UP = Duration.ofMinutes(3);

    private final double pricePerPodHour;

    private MoveCost(double pricePerPodHour) {
        this.pricePerPodHour = pricePerPodHour;
    }

    static MoveCost of(List<Candidate> fleet) {
        var pods = fleet.stream().mapToDouble(MoveCost::pods).sum();
        var price = fleet.stream().mapToDouble(Candidate::spendPerHour).sum();
        return new MoveCost(pods > 0 ? price / pods : 0);
    }

    private static double pods(Candidate candidate) {
        return candidate.cost() - Candidate.COST_MIN;
    }

    static double hours(Duration duration) {
        return duration.toMillis() / 3.6e6;
    }

    double ofPods(List<Candidate> candidates) {
        return candidates.stream().mapToDouble(MoveCost::pods).sum()
                * pricePerPodHour
                * hours(WARM_UP);
    }

    static double ofLaunch(double pricePerHour) {
        return pricePerHour * hours(START_UP);
    }
}
