package dev.millwright.testing.kit.aws;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.instancetype.DiscoveredMemory;
import dev.millwright.providers.aws.instancetype.KnownTypes;
import dev.millwright.providers.aws.instancetype.TypeSettings;
import dev.millwright.providers.aws.instancetype.TypeTables;
import dev.millwright.providers.aws.offering.MarketNews;
import dev.millwright.providers.aws.offering.TypeCatalogue;
import dev.millwright.providers.aws.offering.UnavailableOfferings;
import dev.millwright.providers.aws.pricing.PriceBook;
import dev.millwright.spi.CatalogAnswer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// All that an AWS catalogue is made of, with the clock and the news held by the test. It sells
/// some families of every kind; to make all types for each test would take most of its time.
public final class TypeShop implements MarketNews {

    public static final String REGION = "us-east-1";

    private static final Instant START = Instant.parse("2026-01-05T12:00:00Z");

    // Read once: they take longer than most tests.
    private static final Ec2Infos INFOS =
            Ec2Infos.load()
                    .onlyFamilies(
                            "a1",
                            "c5",
                            "g4dn",
                            "inf1",
                            "inf2",
                            "m1",
                            "m4",
                            "m5",
                            "m5d",
                            "m6g",
                            "m7i-flex",
                            "mac2",
                            "p4d",
                            "r5d",
                            "t3",
                            "trn1");
    private static final TypeTables TABLES = TypeTables.load();

    private final KnownTypes known = new KnownTypes(TABLES);
    private final DiscoveredMemory memory = new DiscoveredMemory();
    private final PriceBook prices;
    private final UnavailableOfferings unavailable = new UnavailableOfferings();
    private final TypeCatalogue catalogue;

    private final SequencedSet<String> shiftedZoneIds = new TreeSet<>();
    private final SequencedMap<String, Integer> freeSlots = new TreeMap<>();
    private SequencedMap<String, Double> previewPrices = new TreeMap<>();
    private Instant now = START;

    public TypeShop() {
        this(new TypeSettings(REGION));
    }

    public TypeShop(TypeSettings settings) {
        this.prices = new PriceBook(new PriceBook.Market(settings.region(), false));
        this.catalogue =
                new TypeCatalogue(
                        settings,
                        new TypeCatalogue.Sources(known, memory, prices, unavailable, this));
        known.acceptTypes(new Asked.Told<>(List.copyOf(INFOS.types().sequencedValues())));
        known.acceptZones(new Asked.Told<>(INFOS.zonesByType()));
    }

    public Ec2Infos infos() {
        return INFOS;
    }

    public TypeCatalogue catalogue() {
        return catalogue;
    }

    public KnownTypes known() {
        return known;
    }

    public DiscoveredMemory memory() {
        return memory;
    }

    public PriceBook prices() {
        return prices;
    }

    public UnavailableOfferings unavailable() {
        return unavailable;
    }

    public Instant now() {
        return now;
    }

    public void advance(Duration time) {
        now = now.plus(time);
    }

    public void shift(String zoneId) {
        shiftedZoneIds.add(zoneId);
    }

    public void freeSlots(String reservationId, int free) {
        freeSlots.put(reservationId, free);
    }

    public void previewPrices(SequencedMap<String, Double> prices) {
        previewPrices = new TreeMap<>(prices);
    }

    public void refuse(String capacityType, String type, String zone) {
        unavailable.mark(capacityType, type, zone, now);
    }

    public CatalogAnswer answer(ClassFacts facts) {
        return catalogue.types(facts, now);
    }

    public List<InstanceType> types(ClassFacts facts) {
        return switch (answer(facts)) {
            case CatalogAnswer.Types(var types) -> types;
            case CatalogAnswer.Failed(var message) -> throw new AssertionError(message);
            case CatalogAnswer.Unevaluated() -> throw new AssertionError("not evaluated");
        };
    }

    public InstanceType type(ClassFacts facts, String name) {
        return types(facts).stream()
                .filter(type -> type.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no type " + name));
    }

    public Offering offering(ClassFacts facts, String type, String capacityType, String zone) {
        return type(facts, type).offerings().stream()
                .filter(offering -> offering.capacityType().equals(capacityType))
                .filter(offering -> offering.zone().equals(zone))
                .findFirst()
                .orElseThrow(
                        () ->
                                new AssertionError(
                                        "%s is not offered %s in %s"
                                                .formatted(type, capacityType, zone)));
    }

    @Override
    public SequencedSet<String> shiftedZoneIds(Instant at) {
        return new TreeSet<>(shiftedZoneIds);
    }

    @Override
    public int freeSlots(String reservationId) {
        return freeSlots.getOrDefault(reservationId, 0);
    }

    @Override
    public SequencedMap<String, Double> previewPrices() {
        return previewPrices;
    }
}
