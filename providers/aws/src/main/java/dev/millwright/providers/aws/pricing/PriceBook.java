package dev.millwright.providers.aws.pricing;

import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.PricingApi;
import dev.millwright.providers.aws.api.SpotPrice;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The prices of the region as they were last learned. Many read; a refresh that fails leaves all
/// as it was.
public final class PriceBook {

    /// @param isIsolated whether the network cannot reach the price list
    public record Market(String region, boolean isIsolated) {

        /// Why nobody asks the price list, or null where one does.
        public @Nullable String silence() {
            if (isIsolated) {
                return "the VPC is isolated";
            }
            return region.startsWith("us-gov-") ? "GovCloud has no price list" : null;
        }

        String currency() {
            return region.startsWith("cn-") ? "CNY" : "USD";
        }
    }

    private final Market market;
    private volatile Prices prices;
    private boolean isSilenceTold;

    public PriceBook(Market market) {
        this(market, Prices.ofTable(PriceTable.of(market.region())));
    }

    /// With prices that somebody else knows.
    public PriceBook(Market market, Prices prices) {
        this.market = market;
        this.prices = prices;
    }

    /// The region whose endpoint has the price list for a region.
    static String endpointRegion(String region) {
        if (region.startsWith("ap-")) {
            return "ap-south-1";
        }
        if (region.startsWith("cn-")) {
            return "cn-northwest-1";
        }
        return region.startsWith("eu-") ? "eu-central-1" : "us-east-1";
    }

    public Market market() {
        return market;
    }

    /// Why nobody asks the price list, the first time somebody wants to know; null afterwards.
    synchronized @Nullable String untoldSilence() {
        var silence = isSilenceTold ? null : market.silence();
        isSilenceTold = true;
        return silence;
    }

    /// The same object until a price changed.
    public Prices prices() {
        return prices;
    }

    /// Products of the price list: those of virtual machines and of bare metal.
    public record OnDemand(Asked<List<String>> virtual, Asked<List<String>> metal) {}

    /// Asks the price list, which not every market has: see [Market#silence].
    public OnDemand onDemandAnswer(PricingApi pricing) {
        return new OnDemand(
                Asked.of(() -> pricing.products(question(Metal.NO))),
                Asked.of(() -> pricing.products(question(Metal.YES))));
    }

    /// @return why all is as before, or null when it is new
    public @Nullable String acceptOnDemand(OnDemand answer) {
        if (answer.virtual() instanceof Asked.Refused<List<String>>(var fault)) {
            return "on-demand prices: " + fault.text();
        }
        if (answer.metal() instanceof Asked.Refused<List<String>>(var fault)) {
            return "on-demand prices: " + fault.text();
        }
        var told = read(answer.virtual());
        var toldMetal = read(answer.metal());
        if (told.isEmpty() || toldMetal.isEmpty()) {
            return "on-demand prices: the price list has %d of virtual and %d of bare-metal types; wanted some of both, the last ones are kept"
                    .formatted(told.size(), toldMetal.size());
        }
        told.putAll(toldMetal);
        replace(prices -> prices.withOnDemand(told));
        return null;
    }

    private SequencedMap<String, Double> read(Asked<List<String>> products) {
        var told =
                products instanceof Asked.Told<List<String>>(var listed)
                        ? listed
                        : List.<String>of();
        return PriceListing.read(told, market.currency());
    }

    /// The price list has machines of bare metal in a family of their own, and as dedicated ones.
    private enum Metal {
        NO("Shared", "Compute Instance"),
        YES("Dedicated", "Compute Instance (bare metal)");

        private final String tenancy;
        private final String family;

        Metal(String tenancy, String family) {
            this.tenancy = tenancy;
            this.family = family;
        }
    }

    private SequencedMap<String, String> question(Metal metal) {
        var fields = new LinkedHashMap<String, String>();
        fields.put("regionCode", market.region());
        fields.put("serviceCode", "AmazonEC2");
        fields.put("preInstalledSw", "NA");
        fields.put("operatingSystem", "Linux");
        fields.put("capacitystatus", "Used");
        fields.put("marketoption", "OnDemand");
        fields.put("tenancy", metal.tenancy);
        fields.put("productFamily", metal.family);
        return fields;
    }

    public Asked<List<SpotPrice>> spotAnswer(Ec2Api ec2, Instant now) {
        return Asked.of(() -> ec2.spotPrices(now));
    }

    /// @return why all is as before, or null when it is new
    public @Nullable String acceptSpot(Asked<List<SpotPrice>> answer) {
        return switch (answer) {
            case Asked.Refused<List<SpotPrice>>(var fault) -> "spot prices: " + fault.text();
            case Asked.Told<List<SpotPrice>>(var listed) -> acceptSpot(byTypeAndZone(listed));
        };
    }

    private @Nullable String acceptSpot(SequencedMap<String, SequencedMap<String, Double>> told) {
        if (told.isEmpty()) {
            return "spot prices: EC2 told none; the last ones are kept";
        }
        replace(prices -> prices.withSpot(told));
        return null;
    }

    private static SequencedMap<String, SequencedMap<String, Double>> byTypeAndZone(
            List<SpotPrice> told) {
        var byType = new TreeMap<String, SequencedMap<String, Double>>();
        Map<List<String>, Instant> newest = new HashMap<>();
        for (var each : told) {
            var place = List.of(each.instanceType(), each.zone());
            var known = newest.get(place);
            if (each.price().signum() > 0 && (known == null || !each.at().isBefore(known))) {
                newest.put(place, each.at());
                byType.computeIfAbsent(each.instanceType(), _ -> new TreeMap<>())
                        .put(each.zone(), each.price().doubleValue());
            }
        }
        return byType;
    }

    @FunctionalInterface
    private interface Renewal {
        Prices of(Prices old);
    }

    private synchronized void replace(Renewal renewal) {
        var renewed = renewal.of(prices);
        if (!renewed.equals(prices)) {
            prices = renewed;
        }
    }
}
