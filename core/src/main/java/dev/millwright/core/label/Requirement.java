package dev.millwright.core.label;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/// The values a label key may take: a finite set, or all but a finite set, perhaps within
/// whole-number bounds.
///
/// `minValues` asks that so many distinct values stay open until launch; it never changes which
/// values are allowed.
public final class Requirement {

    /// Values shown before a text says "and N others".
    private static final int VALUES_SHOWN_MAX = 5;

    private final String key;
    private final boolean isComplement;
    private final List<String> values;
    private final @Nullable Long lower;
    private final @Nullable Long upper;
    private final @Nullable Integer minValues;
    private final int hash;

    private Requirement(
            String key,
            boolean isComplement,
            List<String> sortedValues,
            Bounds bounds,
            @Nullable Integer minValues) {
        this.key = key;
        this.isComplement = isComplement;
        this.values = sortedValues;
        this.lower = bounds.lower();
        this.upper = bounds.upper();
        this.minValues = minValues;
        this.hash = Objects.hash(key, isComplement, values, lower, upper, minValues);
    }

    private record Bounds(@Nullable Long lower, @Nullable Long upper) {
        static final Bounds NONE = new Bounds(null, null);

        Bounds tighten(Bounds other) {
            var low =
                    lower == null
                            ? other.lower
                            : other.lower == null ? lower : max(lower, other.lower);
            var high =
                    upper == null
                            ? other.upper
                            : other.upper == null ? upper : min(upper, other.upper);
            return new Bounds(low, high);
        }

        boolean isEmpty() {
            return lower != null && upper != null && lower > upper;
        }

        boolean admits(String value) {
            if (lower == null && upper == null) {
                return true;
            }
            var number = wholeNumber(value);
            return number != null
                    && (lower == null || number >= lower)
                    && (upper == null || number <= upper);
        }

        private static Long max(Long one, Long other) {
            return one >= other ? one : other;
        }

        private static Long min(Long one, Long other) {
            return one <= other ? one : other;
        }
    }

    /// Builds a requirement with the key as given. [LabelVocabulary#requirement] also resolves
    /// aliases.
    ///
    /// @throws IllegalArgumentException when a numeric operator has not exactly one whole number
    public static Requirement of(
            String key, Operator operator, @Nullable Integer minValues, Collection<String> values) {
        return switch (operator) {
            case IN -> finite(key, values, minValues);
            case NOT_IN -> complement(key, values, Bounds.NONE, minValues);
            case EXISTS -> complement(key, List.of(), Bounds.NONE, minValues);
            case DOES_NOT_EXIST -> finite(key, List.of(), minValues);
            case GT -> above(key, number(key, operator, values), minValues);
            case LT -> below(key, number(key, operator, values), minValues);
            case GTE ->
                    complement(
                            key,
                            List.of(),
                            new Bounds(number(key, operator, values), null),
                            minValues);
            case LTE ->
                    complement(
                            key,
                            List.of(),
                            new Bounds(null, number(key, operator, values)),
                            minValues);
        };
    }

    public static Requirement of(String key, Operator operator, String... values) {
        return of(key, operator, null, List.of(values));
    }

    public static Requirement in(String key, String... values) {
        return of(key, Operator.IN, null, List.of(values));
    }

    public static Requirement exists(String key) {
        return of(key, Operator.EXISTS, null, List.of());
    }

    public static Requirement doesNotExist(String key) {
        return of(key, Operator.DOES_NOT_EXIST, null, List.of());
    }

    private static Requirement finite(
            String key, Collection<String> values, @Nullable Integer minValues) {
        return new Requirement(key, false, sorted(values), Bounds.NONE, minValues);
    }

    private static Requirement complement(
            String key, Collection<String> excluded, Bounds bounds, @Nullable Integer minValues) {
        return new Requirement(key, true, sorted(excluded), bounds, minValues);
    }

    /// Nothing is greater than the greatest number, so that `Gt` of it matches nothing (and, as the
    /// peer does, forgets minValues). [#below] answers alike at the least.
    private static Requirement above(String key, long number, @Nullable Integer minValues) {
        return number == Long.MAX_VALUE
                ? finite(key, List.of(), null)
                : complement(key, List.of(), new Bounds(number + 1, null), minValues);
    }

    private static Requirement below(String key, long number, @Nullable Integer minValues) {
        return number == Long.MIN_VALUE
                ? finite(key, List.of(), null)
                : complement(key, List.of(), new Bounds(null, number - 1), minValues);
    }

    private static long number(String key, Operator operator, Collection<String> values) {
        var number = values.size() == 1 ? wholeNumber(values.iterator().next()) : null;
        if (number == null) {
            throw new IllegalArgumentException(
                    "label \"%s\": operator %s has values %s; wanted exactly one whole number"
                            .formatted(key, operator.text(), values));
        }
        return number;
    }

    private static List<String> sorted(Collection<String> values) {
        return switch (values.size()) {
            case 0 -> List.of();
            case 1 -> List.of(values.iterator().next());
            default -> List.copyOf(new TreeSet<>(values));
        };
    }

    static @Nullable Long wholeNumber(String text) {
        if (text.isEmpty() || text.length() > 20) {
            return null;
        }
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException notANumber) {
            return null;
        }
    }

    public String key() {
        return key;
    }

    /// Whether all values but the listed ones are allowed.
    public boolean isComplement() {
        return isComplement;
    }

    /// The listed values in order: the allowed ones, or for a complement the excluded ones.
    public List<String> values() {
        return values;
    }

    public @Nullable Long lower() {
        return lower;
    }

    public @Nullable Long upper() {
        return upper;
    }

    public @Nullable Integer minValues() {
        return minValues;
    }

    public Requirement withMinValues(@Nullable Integer wanted) {
        return Objects.equals(wanted, minValues)
                ? this
                : new Requirement(key, isComplement, values, bounds(), wanted);
    }

    private Bounds bounds() {
        return lower == null && upper == null ? Bounds.NONE : new Bounds(lower, upper);
    }

    /// How the set would be written: bounds alone count as `Exists`.
    public Operator operator() {
        if (isComplement) {
            return values.isEmpty() ? Operator.EXISTS : Operator.NOT_IN;
        }
        return values.isEmpty() ? Operator.DOES_NOT_EXIST : Operator.IN;
    }

    /// Number of values; for a complement the greatest number less the excluded ones.
    public long size() {
        return isComplement ? Long.MAX_VALUE - values.size() : values.size();
    }

    public boolean has(String value) {
        var isListed = Collections.binarySearch(values, value) >= 0;
        return isListed != isComplement && bounds().admits(value);
    }

    public Requirement intersection(Requirement other) {
        var bounds = bounds().tighten(other.bounds());
        var most = greater(minValues, other.minValues);
        if (bounds.isEmpty()) {
            return new Requirement(key, false, List.of(), Bounds.NONE, most);
        }
        var isBothComplement = isComplement && other.isComplement;
        var kept = new TreeSet<String>();
        combined(other).stream().filter(bounds::admits).forEach(kept::add);
        return new Requirement(
                key, isBothComplement, sorted(kept), isBothComplement ? bounds : Bounds.NONE, most);
    }

    private List<String> combined(Requirement other) {
        if (isComplement && other.isComplement) {
            var union = new ArrayList<>(values);
            union.addAll(other.values);
            return union;
        }
        var finite = isComplement ? other : this;
        var filter = isComplement ? this : other;
        return finite.values.stream()
                .filter(
                        value ->
                                filter.isComplement
                                        != (Collections.binarySearch(filter.values, value) >= 0))
                .toList();
    }

    /// Whether [#intersection] would leave any value, without building it.
    public boolean intersects(Requirement other) {
        var bounds = bounds().tighten(other.bounds());
        if (bounds.isEmpty()) {
            return false;
        }
        if (isComplement && other.isComplement) {
            return true;
        }
        var finite = isComplement ? other : this;
        var filter = isComplement ? this : other;
        for (var value : finite.values) {
            var isListed = Collections.binarySearch(filter.values, value) >= 0;
            if (isListed != filter.isComplement && bounds.admits(value)) {
                return true;
            }
        }
        return false;
    }

    /// One allowed value, the same for the same requirement: the first of a finite set, else the
    /// smallest whole number from the lower bound (or zero) up that is not excluded; empty when
    /// none is.
    public String anyValue() {
        if (!isComplement) {
            return values.isEmpty() ? "" : values.getFirst();
        }
        var number = lower == null ? 0L : lower;
        // Few values are listed, so that it ends; past the greatest number it is below the bounds.
        while (values.contains(Long.toString(number))) {
            number++;
        }
        var value = Long.toString(number);
        return has(value) ? value : "";
    }

    /// The requirement in the API's form. Two bounds take two entries; values excluded between
    /// bounds take a further one, which Karpenter leaves out and so lets in values a pod forbids.
    public List<SelectorRequirement> selectorRequirements() {
        var entries = new ArrayList<SelectorRequirement>();
        if (lower != null) {
            entries.add(entry(Operator.GTE, List.of(Long.toString(lower))));
        }
        if (upper != null) {
            entries.add(entry(Operator.LTE, List.of(Long.toString(upper))));
        }
        if (entries.isEmpty() || !values.isEmpty()) {
            entries.add(entry(operator(), values));
        }
        return List.copyOf(entries);
    }

    private SelectorRequirement entry(Operator operator, List<String> listed) {
        return new SelectorRequirement(key, operator, listed, minValues);
    }

    private static @Nullable Integer greater(@Nullable Integer one, @Nullable Integer other) {
        if (one == null) {
            return other;
        }
        return other == null || one >= other ? one : other;
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof Requirement other
                && hash == other.hash
                && key.equals(other.key)
                && isComplement == other.isComplement
                && values.equals(other.values)
                && Objects.equals(lower, other.lower)
                && Objects.equals(upper, other.upper)
                && Objects.equals(minValues, other.minValues);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /// Text for people and events: `zone In [a b c d e and 2 others]`, bounds as `>=5 <=9`, then
    /// `minValues 3`.
    @Override
    public String toString() {
        var text = new StringBuilder(key).append(' ').append(operator().text());
        if (!values.isEmpty()) {
            text.append(' ').append(shortened());
        }
        if (lower != null) {
            text.append(" >=").append(lower);
        }
        if (upper != null) {
            text.append(" <=").append(upper);
        }
        if (minValues != null) {
            text.append(" minValues ").append(minValues);
        }
        return text.toString();
    }

    private String shortened() {
        if (values.size() <= VALUES_SHOWN_MAX) {
            return "[" + String.join(" ", values) + "]";
        }
        return "[%s and %d others]"
                .formatted(
                        String.join(" ", values.subList(0, VALUES_SHOWN_MAX)),
                        values.size() - VALUES_SHOWN_MAX);
    }
}
