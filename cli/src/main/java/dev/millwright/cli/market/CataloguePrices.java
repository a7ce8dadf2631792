package dev.millwright.cli.market;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.snapshot.PriceOrigins;
import dev.millwright.providers.aws.pricing.Prices;
import dev.millwright.providers.sim.Ec2Sales;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Where the prices of a region come from: what AWS was asked, or else the catalogue.
///
/// @param live what AWS said today; null where nobody asked
/// @param today the day of it
record CataloguePrices(Ec2Sales sales, @Nullable Prices live, String today, boolean isRegionAssumed)
        implements PriceOrigins {

    @Override
    public String region() {
        return sales.region().name();
    }

    @Override
    public @Nullable Origin of(String type, String zone, String capacityType) {
        if (live != null && isTold(live, type, zone, capacityType)) {
            return new Origin(today, false);
        }
        var known = sales.origin(type, capacityType);
        return known == null ? null : new Origin(known.asOf(), known.isEstimated());
    }

    private static boolean isTold(Prices live, String type, String zone, String capacityType) {
        return capacityType.equals(LabelKeys.CAPACITY_TYPE_SPOT)
                ? live.spot(type, zone) != null
                : live.onDemand(type) != null;
    }

    @Override
    public List<String> words() {
        var words = new ArrayList<String>();
        words.add(
                "prices of %s%s: %s"
                        .formatted(
                                region(),
                                isRegionAssumed
                                        ? ", as no object names a region (--region names it)"
                                        : "",
                                live != null
                                        ? "as AWS said on %s; ~ marks an estimate".formatted(today)
                                        : "on demand as published on %s; spot, and what ~ marks, is an estimate from prices of %s"
                                                .formatted(
                                                        sales.publishedOn(),
                                                        Ec2Sales.ESTIMATED_FROM)));
        if (sales.region().isAssumed()) {
            words.add(
                    "which zone of %s sells which type is not known: each is taken to be sold in all of them"
                            .formatted(region()));
        }
        return words;
    }
}
