package dev.millwright.cli.market;

import org.jspecify.annotations.Nullable;

/// What a command is told of the machines on sale.
///
/// @param region null to find it in the objects
public record MarketSettings(@Nullable String region, PriceSource prices) {

    public static final MarketSettings USUAL =
            new MarketSettings(null, new PriceSource.Catalogue());

    /// Whose prices count.
    public sealed interface PriceSource {

        record Catalogue() implements PriceSource {}

        record Listed(String file, PriceList list) implements PriceSource {}

        /// Asks AWS now.
        record Live() implements PriceSource {}
    }
}
