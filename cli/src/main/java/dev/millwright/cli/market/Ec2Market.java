package dev.millwright.cli.market;

import dev.millwright.cli.market.MarketSettings.PriceSource;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.policy.NodePool;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.snapshot.PoolCatalogues.Answer;
import dev.millwright.kube.snapshot.PoolCatalogues.Cluster;
import dev.millwright.kube.snapshot.PriceOrigins;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.aws.instancetype.CatalogueRow;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.instancetype.DiscoveredMemory;
import dev.millwright.providers.aws.instancetype.KnownTypes;
import dev.millwright.providers.aws.instancetype.TypeSettings;
import dev.millwright.providers.aws.instancetype.TypeTables;
import dev.millwright.providers.aws.offering.MarketNews;
import dev.millwright.providers.aws.offering.PreviewPrices;
import dev.millwright.providers.aws.offering.TypeCatalogue;
import dev.millwright.providers.aws.offering.UnavailableOfferings;
import dev.millwright.providers.aws.pricing.PriceBook;
import dev.millwright.providers.aws.pricing.Prices;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Region;
import dev.millwright.providers.sim.Ec2Sales;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What the pools of a cluster on EC2 can buy: the region's types as each pool's class would run
/// them, by the same rules as the operator.
final class Ec2Market {

    private final MarketSettings settings;
    private final LiveMarket live;
    private final Instant now;

    Ec2Market(MarketSettings settings, LiveMarket live, Instant now) {
        this.settings = settings;
        this.live = live;
        this.now = now;
    }

    /// Types, zones and prices as somebody knows them.
    private record Sold(
            KnownTypes types, Prices prices, @Nullable Prices asked, List<String> notes) {}

    Answer of(Cluster cluster, List<NodePool> pools) {
        var classes = new ClassReading(cluster);
        var found = settings.region() == null ? RegionSearch.find(cluster, classes.all()) : null;
        var named = settings.region() == null ? found : settings.region();
        var sales = sales(cluster, named == null ? Ec2Catalogue.REGION : named);
        var list = settings.prices() instanceof PriceSource.Listed(_, var prices) ? prices : null;
        var notes = new ArrayList<>(new KnownPlaces(cluster, sales, list).check(classes.all()));
        var sold =
                switch (settings.prices()) {
                    case PriceSource.Live() -> asked(sales);
                    case PriceSource.Catalogue() -> listed(sales, prices(sales));
                    case PriceSource.Listed _ -> listed(sales, open(sales));
                };
        notes.addAll(sold.notes());
        var catalogue = catalogue(cluster, sales.region(), sold);
        var byPool = new TreeMap<String, List<InstanceType>>();
        for (var pool : pools) {
            var types = types(cluster, catalogue, pool, classes.facts(pool, sales.region()));
            var priced = list == null ? types : list.applied(types);
            byPool.put(
                    pool.name(),
                    list == null ? priced : Strangers.added(cluster, pool, priced, list));
        }
        notes.addAll(classes.notes());
        var origins = origins(sales, sold, named == null);
        notes.addAll(0, origins.words());
        return new Answer(byPool, Ec2Labels.VOCABULARY, origins, notes);
    }

    private PriceOrigins origins(Ec2Sales sales, Sold sold, boolean isRegionAssumed) {
        return settings.prices() instanceof PriceSource.Listed(var file, _)
                ? new ListedPrices(sales.region().name(), file)
                : new CataloguePrices(
                        sales,
                        sold.asked(),
                        LocalDate.ofInstant(now, ZoneOffset.UTC).toString(),
                        isRegionAssumed);
    }

    /// @throws DocumentException when nobody has prices of the region
    private Ec2Sales sales(Cluster cluster, String name) {
        var regions = Ec2Region.all();
        var known = regions.get(name);
        if (known != null) {
            return Ec2Sales.load(known);
        }
        if (settings.prices() instanceof PriceSource.Catalogue) {
            throw new DocumentException(
                    Fault.ofText(
                            Position.of(cluster.name()),
                            "the region %s is unknown: the catalogue has prices of %s; give those of %s by --prices FILE, or ask AWS by --prices aws"
                                    .formatted(
                                            name,
                                            String.join(", ", regions.sequencedKeySet()),
                                            name)));
        }
        return Ec2Sales.unpriced(new Ec2Region(name, zonesOf(cluster, name), true));
    }

    /// Zones of a region that the catalogue does not know: those that the cluster is in.
    private static SequencedMap<String, String> zonesOf(Cluster cluster, String region) {
        var zones = new TreeMap<String, String>();
        Stream.concat(
                        cluster.snapshot().nodes().stream().map(RegionSearch::zoneOf),
                        new ClassReading(cluster)
                                .all().stream()
                                        .flatMap(each -> each.status().subnets().stream())
                                        .map(subnet -> subnet.zone()))
                .filter(Objects::nonNull)
                .filter(zone -> region.equals(Ec2Region.ofZone(zone)))
                .forEach(zone -> zones.put(zone, ""));
        return zones;
    }

    private static Sold listed(Ec2Sales sales, Prices prices) {
        return new Sold(types(sales), prices, null, List.of());
    }

    private static Prices prices(Ec2Sales sales) {
        return new Prices(sales.onDemand(), sales.spot(), new TreeMap<>());
    }

    /// The catalogue's prices, and 0 where it has none: for a list that says itself what is for
    /// sale and for how much.
    private static Prices open(Ec2Sales sales) {
        var onDemand = new TreeMap<String, Double>();
        var spot = new TreeMap<String, SequencedMap<String, Double>>();
        sales.zonesByType()
                .forEach(
                        (type, zones) -> {
                            onDemand.put(type, 0.0);
                            var byZone = new TreeMap<String, Double>();
                            zones.forEach(zone -> byZone.put(zone, 0.0));
                            spot.put(type, byZone);
                        });
        return new Prices(onDemand, spot, new TreeMap<>())
                .withOnDemand(sales.onDemand())
                .withSpot(sales.spot());
    }

    private static KnownTypes types(Ec2Sales sales) {
        var infos = new ArrayList<InstanceTypeInfo>();
        sales.rows().sequencedValues().forEach(row -> infos.add(CatalogueRow.info(row)));
        var types = new KnownTypes(TypeTables.load());
        types.acceptTypes(new Asked.Told<>(infos));
        types.acceptZones(
                new Asked.Told<SequencedMap<String, SortedSet<String>>>(sales.zonesByType()));
        return types;
    }

    /// AWS's own word on types, zones and prices; where it has none, the catalogue's.
    private Sold asked(Ec2Sales sales) {
        var market = new PriceBook.Market(sales.region().name(), false);
        var nothing = new Prices(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        var book = new PriceBook(market, nothing);
        var notes = new ArrayList<String>();
        var types = new KnownTypes(TypeTables.load());
        try (var door = live.open(sales.region().name())) {
            refuse(types.refresh(door.ec2()));
            var spot = book.acceptSpot(book.spotAnswer(door.ec2(), now));
            var silence = market.silence();
            var onDemand =
                    silence == null
                            ? book.acceptOnDemand(book.onDemandAnswer(door.pricing()))
                            : null;
            refuse(Stream.of(spot, onDemand).filter(Objects::nonNull).toList());
            if (silence != null) {
                notes.add(
                        "on-demand prices are those of the catalogue, because %s"
                                .formatted(silence));
            }
        }
        var asked = book.prices();
        var prices =
                prices(sales)
                        .withOnDemand(asked.onDemand())
                        .withSpot(Objects.requireNonNull(asked.spot()));
        return new Sold(types, prices, asked, notes);
    }

    private static void refuse(List<String> faults) {
        if (!faults.isEmpty()) {
            throw new UncheckedIOException(
                    new IOException(
                            "AWS does not tell its prices: %s; check the credentials, or leave --prices aws out"
                                    .formatted(String.join("; ", faults))));
        }
    }

    private TypeCatalogue catalogue(Cluster cluster, Ec2Region region, Sold sold) {
        return new TypeCatalogue(
                new TypeSettings(region.name()),
                new TypeCatalogue.Sources(
                        sold.types(),
                        new DiscoveredMemory(),
                        new PriceBook(new PriceBook.Market(region.name(), true), sold.prices()),
                        new UnavailableOfferings(),
                        new Still(PreviewPrices.of(cluster.overlays()))));
    }

    private List<InstanceType> types(
            Cluster cluster, TypeCatalogue catalogue, NodePool pool, ClassFacts facts) {
        return switch (catalogue.types(facts, now)) {
            case CatalogAnswer.Types(var types) -> types;
            case CatalogAnswer.Failed(var why) -> throw unknown(cluster, pool, why);
            case CatalogAnswer.Unevaluated() ->
                    throw unknown(cluster, pool, "overlays are not worked in yet");
        };
    }

    private static DocumentException unknown(Cluster cluster, NodePool pool, String why) {
        return new DocumentException(
                Fault.ofText(
                        Position.of(cluster.name()),
                        "what NodePool %s can buy is not known: %s".formatted(pool.name(), why)));
    }

    /// Nobody tells any news of a cluster that is only looked at.
    private record Still(SequencedMap<String, Double> previewPrices) implements MarketNews {
        @Override
        public SequencedSet<String> shiftedZoneIds(Instant now) {
            return new TreeSet<>();
        }

        @Override
        public int freeSlots(String reservationId) {
            return 0;
        }
    }
}
