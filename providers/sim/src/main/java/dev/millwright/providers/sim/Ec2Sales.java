package dev.millwright.providers.sim;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.spi.ec2.CatalogueFormatException;
import dev.millwright.spi.ec2.CsvTable;
import dev.millwright.spi.ec2.CsvTable.Row;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What EC2 sells in one region, in which zone and for how much, from files of ours. What a type is
/// stands in one table for all regions; only the region's own file is read besides.
public final class Ec2Sales {

    /// How a price is known.
    ///
    /// @param asOf the day it was asked, or that of the prices it was worked out from
    /// @param isEstimated whether it is worked out, or older than the newest list of any region
    public record Origin(String asOf, boolean isEstimated) {}

    /// The day of the prices that estimates are made from.
    public static final String ESTIMATED_FROM = Ec2Catalogue.SPOT_OBSERVED_ON;

    private static final CsvTable.Source TYPES_ELSEWHERE =
            new CsvTable.Source("ec2-types-elsewhere.csv", Ec2Catalogue.REGIONS_TOOL);

    /// A type of the table, and how the region sells it; null where it does not.
    private record Entry(Row row, @Nullable Ec2Description sold) {}

    private final Ec2Region region;
    private final SequencedMap<String, Entry> entries;

    private Ec2Sales(Ec2Region region, SequencedMap<String, Entry> entries) {
        this.region = region;
        this.entries = entries;
    }

    /// @throws CatalogueFormatException when a file is not what the format says
    public static Ec2Sales load(Ec2Region region) {
        var zones = List.copyOf(region.zoneIds().sequencedKeySet());
        var entries = new TreeMap<String, Entry>();
        if (region.name().equals(Ec2Catalogue.REGION)) {
            for (var row : Ec2Catalogue.homeRows()) {
                entries.put(
                        row.required("type"),
                        new Entry(row, Ec2Catalogue.describedAtHome(row, zones)));
            }
            elsewhere().forEach(row -> entries.put(row.required("type"), new Entry(row, null)));
        } else {
            var sold = new TreeMap<String, Row>();
            var source =
                    new CsvTable.Source(
                            "ec2-%s.csv.gz".formatted(region.name()), Ec2Catalogue.REGIONS_TOOL);
            CsvTable.load(Ec2Sales.class, source)
                    .rows()
                    .forEach(row -> sold.put(row.required("type"), row));
            table().forEach(
                            (name, row) -> {
                                var own = sold.get(name);
                                entries.put(
                                        name,
                                        new Entry(
                                                row,
                                                own == null
                                                        ? null
                                                        : Ec2Description.read(row, own, zones)));
                            });
        }
        return new Ec2Sales(region, entries);
    }

    /// A region that the catalogue has no prices of: every type, in every zone, for nothing known.
    public static Ec2Sales unpriced(Ec2Region region) {
        var entries = new TreeMap<String, Entry>();
        table().forEach((name, row) -> entries.put(name, new Entry(row, null)));
        return new Ec2Sales(region, entries);
    }

    /// What each type is, wherever it is sold.
    private static SequencedMap<String, Row> table() {
        var rows = new TreeMap<String, Row>();
        var all = new ArrayList<>(Ec2Catalogue.homeRows());
        all.addAll(elsewhere());
        all.forEach(row -> rows.put(row.required("type"), row));
        return rows;
    }

    private static List<Row> elsewhere() {
        return CsvTable.load(Ec2Sales.class, TYPES_ELSEWHERE).rows();
    }

    public Ec2Region region() {
        return region;
    }

    /// All types that are described, those that the region does not sell too.
    public SequencedSet<String> described() {
        return Collections.unmodifiableSequencedSet(new TreeSet<>(entries.keySet()));
    }

    public boolean isSold(String type) {
        var entry = entries.get(type);
        return entry != null && entry.sold() != null;
    }

    /// The types on sale, or all where nobody knows what is: each as its row describes it.
    public SequencedMap<String, Row> rows() {
        var rows = new TreeMap<String, Row>();
        var isAnySold = isAnySold();
        entries.forEach(
                (name, entry) -> {
                    if (!isAnySold || entry.sold() != null) {
                        rows.put(name, entry.row());
                    }
                });
        return rows;
    }

    private boolean isAnySold() {
        return entries.values().stream().anyMatch(entry -> entry.sold() != null);
    }

    public SequencedMap<String, SortedSet<String>> zonesByType() {
        var zones = new TreeMap<String, SortedSet<String>>();
        rows().sequencedKeySet()
                .forEach(
                        name -> {
                            var sold = sold(name);
                            zones.put(
                                    name,
                                    sold == null
                                            ? new TreeSet<>(region.zoneIds().sequencedKeySet())
                                            : offeredIn(sold));
                        });
        return zones;
    }

    private static SortedSet<String> offeredIn(Ec2Description sold) {
        var zones = new TreeSet<String>();
        sold.zones().forEach(offer -> zones.add(offer.zone()));
        return zones;
    }

    private @Nullable Ec2Description sold(String type) {
        var entry = entries.get(type);
        return entry == null ? null : entry.sold();
    }

    /// USD per hour by type.
    public SequencedMap<String, Double> onDemand() {
        var prices = new TreeMap<String, Double>();
        entries.forEach(
                (name, entry) -> {
                    var price = entry.sold() == null ? null : entry.sold().onDemandUsdPerHour();
                    if (price != null) {
                        prices.put(name, price.doubleValue());
                    }
                });
        return prices;
    }

    /// USD per hour by type and zone.
    public SequencedMap<String, SequencedMap<String, Double>> spot() {
        var prices = new TreeMap<String, SequencedMap<String, Double>>();
        entries.forEach(
                (name, entry) -> {
                    if (entry.sold() != null) {
                        var byZone = spot(entry.sold());
                        if (!byZone.isEmpty()) {
                            prices.put(name, byZone);
                        }
                    }
                });
        return prices;
    }

    private static SequencedMap<String, Double> spot(Ec2Description sold) {
        var byZone = new TreeMap<String, Double>();
        for (var offer : sold.zones()) {
            BigDecimal price = offer.spotUsdPerHour();
            if (price != null) {
                byZone.put(offer.zone(), price.doubleValue());
            }
        }
        return byZone;
    }

    /// How the price of a type is known; null where it has none. The zones of observed spot prices
    /// are not: which zone asked which is worked out, so that every spot price is an estimate.
    public @Nullable Origin origin(String type, String capacityType) {
        var sold = sold(type);
        if (sold == null || sold.onDemandUsdPerHour() == null) {
            return null;
        }
        var origins = sold.origins();
        return capacityType.equals(LabelKeys.CAPACITY_TYPE_SPOT)
                ? new Origin(
                        origins.isSpotObserved()
                                ? Ec2Catalogue.SPOT_OBSERVED_ON
                                : origins.onDemandAsOf(),
                        true)
                : new Origin(
                        origins.onDemandAsOf(),
                        !origins.isOnDemandPublished()
                                || origins.onDemandAsOf().equals(ESTIMATED_FROM));
    }

    /// The newest day of a published on-demand price.
    public String publishedOn() {
        return entries.values().stream()
                .map(Entry::sold)
                .filter(Objects::nonNull)
                .map(Ec2Description::origins)
                .filter(Ec2Description.Origins::isOnDemandPublished)
                .map(Ec2Description.Origins::onDemandAsOf)
                .max(Comparator.naturalOrder())
                .orElse("");
    }
}
