package dev.millwright.cli;

import dev.millwright.core.forecast.Purchase;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.kube.snapshot.PriceOrigins;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// How a price is known, beside each place where one is shown: a mark in tables, keys in JSON.
record PriceWords(PriceOrigins origins) {

    private static final String ESTIMATE = "~";

    private static final String ESTIMATED = "estimated";

    String perHour(PlannedClaim.TypeOption option) {
        return marked(isEstimated(option), Money.perHour(option.pricePerHour()));
    }

    String perHour(Purchase node) {
        return marked(isEstimated(node), Money.perHour(node.pricePerHour()));
    }

    static String marked(boolean isEstimated, String price) {
        return isEstimated ? ESTIMATE + price : price;
    }

    boolean isEstimated(PlannedClaim.TypeOption option) {
        return origins.isEstimated(option.name(), option.zone(), option.capacityType());
    }

    boolean isEstimated(Purchase node) {
        return origins.isEstimated(node.instanceType(), node.zone(), node.capacityType());
    }

    boolean isAnyEstimated(Collection<Purchase> nodes) {
        return nodes.stream().anyMatch(this::isEstimated);
    }

    /// Beside `pricePerHour` of a node.
    void put(SequencedMap<String, Object> result, PlannedClaim.TypeOption option) {
        put(result, origins.of(option.name(), option.zone(), option.capacityType()));
    }

    void put(SequencedMap<String, Object> result, Purchase node) {
        put(result, origins.of(node.instanceType(), node.zone(), node.capacityType()));
    }

    private static void put(
            SequencedMap<String, Object> result, PriceOrigins.@Nullable Origin origin) {
        if (origin != null) {
            putEstimated(result, origin.isEstimated());
            result.put("priceAsOf", origin.asOf());
        }
    }

    /// Beside a sum; nothing where all of it is published.
    static void putEstimated(SequencedMap<String, Object> result, boolean isEstimated) {
        if (isEstimated) {
            result.put(ESTIMATED, true);
        }
    }

    /// Of the whole; nothing where the files bring their own prices.
    void putWhole(SequencedMap<String, Object> result) {
        if (origins.region() != null) {
            var whole = new LinkedHashMap<String, Object>();
            whole.put("region", origins.region());
            whole.put("origin", String.join("; ", origins.words()));
            result.put("prices", whole);
        }
    }
}
