package dev.millwright.cli.market;

import dev.millwright.kube.snapshot.PriceOrigins;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Prices that somebody wrote down: nothing of them is an estimate of ours.
record ListedPrices(@Nullable String region, String file) implements PriceOrigins {

    @Override
    public List<String> words() {
        return List.of("prices are those of %s; what is not in it is not for sale".formatted(file));
    }

    @Override
    public @Nullable Origin of(String type, String zone, String capacityType) {
        return null;
    }
}
