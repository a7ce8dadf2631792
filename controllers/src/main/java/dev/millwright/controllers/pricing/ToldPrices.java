package dev.millwright.controllers.pricing;

import dev.millwright.controllers.pricing.PoolCosts.Bought;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Prices that are known to be missing, so that each is told once while it is missing. It holds as
/// many as the last look found.
public final class ToldPrices {

    /// A machine of a pool that has no price.
    public record Unknown(String nodePool, Bought bought) {}

    private Set<Unknown> told = Set.of();

    /// What is missing now and was not at the last look.
    public synchronized List<Unknown> untold(PoolCosts costs) {
        var now = new ArrayList<Unknown>();
        costs.unknown()
                .forEach((pool, ways) -> ways.forEach(way -> now.add(new Unknown(pool, way))));
        var untold = now.stream().filter(each -> !told.contains(each)).toList();
        told = new HashSet<>(now);
        return untold;
    }
}
