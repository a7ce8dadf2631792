package dev.millwright.cli;

import dev.millwright.core.forecast.Forecast;
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

    /// In place of a price of 0 that nobody asks for.
    private static final String UNKNOWN = "?";

    String perHour(PlannedClaim.TypeOption option) {
        return marked(isEstimated(option), Money.perHour(option.pricePerHour()));
    }

    String perHour(Purchase node) {
        return isUnknown(node)
                ? UNKNOWN
                : marked(isEstimated(node), Money.perHour(node.pricePerHour()));
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

    /// Whether nobody told what such a node costs; sums are short of its price.
    boolean isUnknown(Purchase node) {
        return origins.region() != null
                && node.pricePerHour() == 0
                && origins.of(node.instanceType(), node.zone(), node.capacityType()) == null;
    }

    long unknown(Collection<Purchase> nodes) {
        return nodes.stream().filter(this::isUnknown).count();
    }

    /// Whether a difference of two sums would be wrong.
    boolean isAnyUnknown(Forecast forecast) {
        return unknown(forecast.before().nodes()) + unknown(forecast.after().nodes()) > 0;
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
        if (isUnknown(node)) {
            result.put("priceUnknown", true);
        }
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

    /// Beside a sum; nothing where every price is known.
    void putUnknown(SequencedMap<String, Object> result, Collection<Purchase> nodes) {
        var unknown = unknown(nodes);
        if (unknown > 0) {
            result.put("nodesOfUnknownPrice", unknown);
        }
    }

    /// Of the whole; null where the files bring their own prices.
    @Nullable SequencedMap<String, Object> whole() {
        if (origins.region() == null) {
            return null;
        }
        var whole = new LinkedHashMap<String, Object>();
        whole.put("region", origins.region());
        whole.put("origin", String.join("; ", origins.words()));
        return whole;
    }
}
