package dev.millwright.providers.aws.offering;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.providers.aws.instancetype.BareType;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.instancetype.DiscoveredMemory;
import dev.millwright.providers.aws.instancetype.KnownType;
import dev.millwright.providers.aws.instancetype.KnownTypes;
import dev.millwright.providers.aws.instancetype.TypeSettings;
import dev.millwright.providers.aws.offering.UnavailableOfferings.Marks;
import dev.millwright.providers.aws.pricing.PriceBook;
import dev.millwright.providers.aws.pricing.Prices;
import dev.millwright.spi.CatalogAnswer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;

/// What each class can buy: all types of the region, as the class would run them.
///
/// The answer is the same list until something changed, and a type that is not concerned stays the
/// same object. Everything an answer depends on is compared, so that none is ever stale: a class by
/// its [ClassFacts], all else by what was seen of it when the answer was made.
public final class TypeCatalogue {

    /// Answers nobody asked for so long are forgotten.
    private static final Duration KEPT = Duration.ofMinutes(5);

    /// Classes whose answer is kept, each of some four megabytes; the one not asked for longest
    /// goes first.
    private static final int CLASSES_MAX = 100;

    /// Where all comes from.
    public record Sources(
            KnownTypes types,
            DiscoveredMemory memory,
            PriceBook prices,
            UnavailableOfferings unavailable,
            MarketNews news) {}

    /// What types are made from, apart from the class.
    private record Ground(long types, long memory) {}

    /// What all offerings depend on.
    private record Weather(Prices prices, SequencedSet<String> shiftedZoneIds) {

        /// Prices by identity: they are the same object until one changed, and comparing them takes
        /// as long as making offerings.
        @SuppressWarnings("ReferenceEquality")
        boolean isSame(Weather other) {
            return prices == other.prices && shiftedZoneIds.equals(other.shiftedZoneIds);
        }
    }

    /// What single offerings depend on.
    private record News(
            Marks marks,
            SequencedMap<String, Double> previewPrices,
            SequencedMap<String, Integer> freeSlots) {

        boolean isSame(News other) {
            return marks.sequence() == other.marks.sequence()
                    && previewPrices.equals(other.previewPrices)
                    && freeSlots.equals(other.freeSlots);
        }

        Terms terms(ClassFacts facts, String type) {
            var slots = new TreeMap<String, Integer>();
            for (var reservation : facts.reservationsOf(type)) {
                slots.put(reservation.id(), freeSlots.getOrDefault(reservation.id(), 0));
            }
            return new Terms(marks.sequence(type), previewPrices.get(type), slots);
        }
    }

    /// What the offerings of one type depend on besides.
    private record Terms(
            long refusals,
            @Nullable Double previewPrice,
            SequencedMap<String, Integer> freeSlots) {}

    private record Row(BareType bare, Terms terms, InstanceType type) {}

    /// All that an answer was made from, besides the class.
    private record Basis(Ground ground, Weather weather, News news) {

        boolean isSame(Basis other) {
            return ground.equals(other.ground)
                    && weather.isSame(other.weather)
                    && news.isSame(other.news);
        }
    }

    private record Shown(
            Basis basis,
            SequencedMap<String, Row> rows,
            CatalogAnswer.Types answer,
            Instant askedAt) {}

    private final TypeSettings settings;
    private final Sources sources;
    private final LinkedHashMap<ClassFacts, Shown> shownByClass =
            new LinkedHashMap<>(16, 0.75f, true);

    public TypeCatalogue(TypeSettings settings, Sources sources) {
        this.settings = settings;
        this.sources = sources;
    }

    /// All types under the class, those that cannot be had too.
    public synchronized CatalogAnswer types(ClassFacts facts, Instant now) {
        var picture = sources.types().picture();
        var want = want(facts, picture);
        if (want != null) {
            return new CatalogAnswer.Failed(want);
        }
        try {
            return show(facts, picture, now).answer();
        } catch (IllegalArgumentException fault) {
            return new CatalogAnswer.Failed(String.valueOf(fault.getMessage()));
        }
    }

    /// The type of that name under the class; null when EC2 does not list it, or nothing is known
    /// yet.
    public synchronized @Nullable InstanceType find(ClassFacts facts, String name, Instant now) {
        if (!(types(facts, now) instanceof CatalogAnswer.Types)) {
            return null;
        }
        var shown = shownByClass.get(facts);
        var row = shown == null ? null : shown.rows().get(name);
        return row == null ? null : row.type();
    }

    /// What is missing before anything can be said, or null.
    private static @Nullable String want(ClassFacts facts, KnownTypes.Picture picture) {
        if (picture.types().isEmpty()) {
            return "no instance types found; EC2 has not told them yet";
        }
        if (picture.zones().isEmpty()) {
            return "no instance type offerings found; EC2 has not told them yet";
        }
        return facts.subnets().isEmpty()
                ? "no subnets found; the status of the class has none"
                : null;
    }

    private Shown show(ClassFacts facts, KnownTypes.Picture picture, Instant now) {
        var basis =
                new Basis(
                        new Ground(picture.version(), sources.memory().version(now)),
                        new Weather(sources.prices().prices(), sources.news().shiftedZoneIds(now)),
                        news(facts, now));
        var known = shownByClass.get(facts);
        var shown =
                known != null && known.basis().isSame(basis)
                        ? new Shown(known.basis(), known.rows(), known.answer(), now)
                        : renewed(facts, picture, basis, known, now);
        shownByClass.put(facts, shown);
        forget(now);
        return shown;
    }

    private News news(ClassFacts facts, Instant now) {
        var freeSlots = new TreeMap<String, Integer>();
        for (var reservation : facts.reservations()) {
            freeSlots.put(reservation.id(), sources.news().freeSlots(reservation.id()));
        }
        return new News(
                sources.unavailable().marks(now), sources.news().previewPrices(), freeSlots);
    }

    private Shown renewed(
            ClassFacts facts,
            KnownTypes.Picture picture,
            Basis basis,
            @Nullable Shown known,
            Instant now) {
        var offers =
                new Offers(
                        facts,
                        picture.zones(),
                        new Offers.Market(
                                basis.weather().prices(),
                                basis.news().marks(),
                                basis.weather().shiftedZoneIds()),
                        settings.isReservedCapacityOn());
        var isGroundSame = known != null && known.basis().ground().equals(basis.ground());
        var isWeatherSame = known != null && known.basis().weather().isSame(basis.weather());
        var rows = new TreeMap<String, Row>();
        var hasChanged = !isGroundSame;
        for (var type : picture.types().sequencedValues()) {
            var old = known != null && isGroundSame ? known.rows().get(type.name()) : null;
            var terms = basis.news().terms(facts, type.name());
            var row =
                    old != null && isWeatherSame && old.terms().equals(terms)
                            ? old
                            : row(old == null ? bare(type, facts) : old.bare(), terms, offers, old);
            hasChanged |= old == null || isAnother(old.type(), row.type());
            rows.put(type.name(), row);
        }
        return new Shown(
                basis, rows, known != null && !hasChanged ? known.answer() : answer(rows), now);
    }

    /// By identity: a row keeps its type where nothing changed.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isAnother(InstanceType before, InstanceType after) {
        return before != after;
    }

    private static Row row(BareType bare, Terms terms, Offers offers, @Nullable Row old) {
        var offerings = offers.of(bare, terms.previewPrice(), terms.freeSlots());
        return new Row(
                bare,
                terms,
                old != null && old.type().offerings().equals(offerings)
                        ? old.type()
                        : bare.type().withOfferings(offerings));
    }

    private BareType bare(KnownType type, ClassFacts facts) {
        try {
            var memory = sources.memory().find(type.name(), facts.amis());
            return BareType.of(type, facts, settings, memory);
        } catch (IllegalArgumentException fault) {
            throw new IllegalArgumentException(
                    "instance type %s: %s".formatted(type.name(), fault.getMessage()), fault);
        }
    }

    private static CatalogAnswer.Types answer(SequencedMap<String, Row> rows) {
        var types = new ArrayList<InstanceType>();
        rows.sequencedValues().forEach(row -> types.add(row.type()));
        return new CatalogAnswer.Types(types);
    }

    private void forget(Instant now) {
        shownByClass.sequencedValues().removeIf(shown -> shown.askedAt().plus(KEPT).isBefore(now));
        while (shownByClass.size() > CLASSES_MAX) {
            shownByClass.pollFirstEntry();
        }
    }
}
