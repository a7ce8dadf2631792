package dev.millwright.core.disruption;

import dev.millwright.core.catalog.Offering;
import dev.millwright.core.quantity.Resources;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What nodes cost beyond what their pods would have to: a guess at where there is something to
/// save, by which nodes are looked at in turn. It decides nothing.
final class Waste {

    /// What a core and a gibibyte cost at the least, in types of a pool and a capacity type.
    private record UnitPrices(double perCore, double perGibibyte) {

        private static final UnitPrices NONE = new UnitPrices(0, 0);

        double of(Need need) {
            return Math.max(need.cores() * perCore, need.gibibytes() * perGibibyte);
        }
    }

    private record Need(double cores, double gibibytes) {}

    private static final double GIBIBYTE = 1 << 30;

    private final DisruptionProblem problem;
    private final Map<String, Map<String, UnitPrices>> unitPrices = new HashMap<>();
    private final Map<String, Need> needs = new HashMap<>();
    private final Map<String, Double> waste = new HashMap<>();

    Waste(DisruptionProblem problem, List<Candidate> candidates) {
        this.problem = problem;
        for (var candidate : candidates) {
            var need = need(candidate);
            var units =
                    unitPrices
                            .computeIfAbsent(candidate.nodePool(), _ -> new HashMap<>())
                            .computeIfAbsent(
                                    candidate.machine().capacityType(),
                                    capacityType -> unitPrices(candidate.nodePool(), capacityType));
            needs.put(candidate.name(), need);
            waste.put(candidate.name(), candidate.spendPerHour() - units.of(need));
        }
    }

    private static Need need(Candidate candidate) {
        var cores = 0.0;
        var bytes = 0.0;
        for (var moved : candidate.machine().pods()) {
            if (moved.pod().state().isReschedulable()) {
                cores += moved.pod().requests().amount(Resources.CPU).toDouble();
                bytes += moved.pod().requests().amount(Resources.MEMORY).toDouble();
            }
        }
        return new Need(cores, bytes / GIBIBYTE);
    }

    private UnitPrices unitPrices(String pool, String capacityType) {
        var perCore = Double.POSITIVE_INFINITY;
        var perGibibyte = Double.POSITIVE_INFINITY;
        var fee = problem.scheduling().nodeFeePerHour(pool);
        for (var type : problem.types(pool)) {
            for (Offering offering : type.offerings()) {
                if (offering.isLaunchable() && offering.capacityType().equals(capacityType)) {
                    var room = type.allocatable();
                    var price = offering.pricePerHour() + fee;
                    perCore = Math.min(perCore, price / room.amount(Resources.CPU).toDouble());
                    perGibibyte =
                            Math.min(
                                    perGibibyte,
                                    price * GIBIBYTE / room.amount(Resources.MEMORY).toDouble());
                }
            }
        }
        return Double.isFinite(perCore) && Double.isFinite(perGibibyte)
                ? new UnitPrices(perCore, perGibibyte)
                : UnitPrices.NONE;
    }

    double perHour(Candidate candidate) {
        return waste.getOrDefault(candidate.name(), 0.0);
    }

    double perHour(List<Candidate> candidates) {
        return candidates.stream().mapToDouble(each -> perHour(each)).sum();
    }

    Comparator<Candidate> mostFirst() {
        return Comparator.comparingDouble((Candidate each) -> perHour(each))
                .reversed()
                .thenComparing(Candidate::name);
    }

    /// Those first whose pods want cores rather than memory.
    Comparator<Candidate> coresFirst() {
        return Comparator.comparingDouble((Candidate each) -> coresPerGibibyte(each))
                .reversed()
                .thenComparing(Candidate::name);
    }

    private double coresPerGibibyte(Candidate candidate) {
        var need = needs.getOrDefault(candidate.name(), new Need(0, 0));
        return need.cores() / Math.max(need.gibibytes(), 1e-3);
    }
}
