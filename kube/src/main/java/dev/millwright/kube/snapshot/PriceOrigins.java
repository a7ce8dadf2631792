package dev.millwright.kube.snapshot;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Where the prices of a problem come from, for who shows them.
public interface PriceOrigins {

    /// @param asOf the day of the price, or of those it was worked out from
    /// @param isEstimated whether nobody published just this price for today
    record Origin(String asOf, boolean isEstimated) {}

    /// The files bring their own prices, of which nothing else is known.
    PriceOrigins OWN =
            new PriceOrigins() {
                @Override
                public @Nullable String region() {
                    return null;
                }

                @Override
                public List<String> words() {
                    return List.of();
                }

                @Override
                public @Nullable Origin of(String type, String zone, String capacityType) {
                    return null;
                }
            };

    /// Where the machines are; null where the files bring their own.
    @Nullable String region();

    /// What a person should know of the prices as a whole, a sentence each.
    List<String> words();

    /// Null where nothing is known of such a price.
    @Nullable Origin of(String type, String zone, String capacityType);

    default boolean isEstimated(String type, String zone, String capacityType) {
        var origin = of(type, zone, capacityType);
        return origin != null && origin.isEstimated();
    }
}
