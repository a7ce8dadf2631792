package dev.millwright.core.quantity;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/// Amounts by resource name, in the order of the names. A resource that is not listed counts as
/// zero.
///
/// Two sorted arrays, since a plan compares and looks up tens of thousands of these and most hold
/// three names (`FirstFitBenchmark`).
public final class Resources {

    public static final String CPU = "cpu";
    public static final String MEMORY = "memory";
    public static final String PODS = "pods";
    public static final String EPHEMERAL_STORAGE = "ephemeral-storage";

    /// The pseudo-resource NodePool limits use to bound the number of nodes.
    public static final String NODES = "nodes";

    public static final String HUGE_PAGES_PREFIX = "hugepages-";

    public static final Resources NONE = new Resources(new String[0], new Quantity[0]);

    private final String[] names;
    private final Quantity[] values;
    private final int hash;

    private Resources(String[] sortedNames, Quantity[] values) {
        this.names = sortedNames;
        this.values = values;
        this.hash = 31 * Arrays.hashCode(sortedNames) + Arrays.hashCode(values);
    }

    public Resources(Map<String, Quantity> amounts) {
        this(new TreeMap<>(amounts));
    }

    private Resources(SequencedMap<String, Quantity> sorted) {
        this(sorted.keySet().toArray(String[]::new), sorted.values().toArray(Quantity[]::new));
    }

    public static Resources of(String name, Quantity amount) {
        return new Resources(new String[] {name}, new Quantity[] {amount});
    }

    /// Reads pairs of name and quantity text, e.g. `parse("cpu", "500m", "memory", "1Gi")`.
    public static Resources parse(String... namesAndTexts) {
        var amounts = new TreeMap<String, Quantity>();
        for (var index = 0; index < namesAndTexts.length; index += 2) {
            amounts.put(namesAndTexts[index], Quantity.parse(namesAndTexts[index + 1]));
        }
        return new Resources((SequencedMap<String, Quantity>) amounts);
    }

    public SequencedMap<String, Quantity> amounts() {
        return Collections.unmodifiableSequencedMap(mutable());
    }

    private SequencedMap<String, Quantity> mutable() {
        SequencedMap<String, Quantity> amounts = new TreeMap<>();
        for (var index = 0; index < names.length; index++) {
            amounts.put(names[index], values[index]);
        }
        return amounts;
    }

    public List<String> names() {
        return Collections.unmodifiableList(Arrays.asList(names));
    }

    private int find(String name) {
        for (var index = 0; index < names.length; index++) {
            if (names[index].equals(name)) {
                return index;
            }
        }
        return -1;
    }

    public Quantity amount(String name) {
        var index = find(name);
        return index < 0 ? Quantity.ZERO : values[index];
    }

    public boolean has(String name) {
        return find(name) >= 0;
    }

    public boolean isEmpty() {
        return names.length == 0;
    }

    public Resources with(String name, Quantity amount) {
        var index = find(name);
        if (index >= 0) {
            var changed = values.clone();
            changed[index] = amount;
            return new Resources(names, changed);
        }
        var copy = mutable();
        copy.put(name, amount);
        return new Resources(copy);
    }

    /// The entries of `others` in place of ours of the same name.
    public Resources overriddenBy(Resources others) {
        return merged(others, (_, other) -> other);
    }

    public Resources plus(Resources other) {
        return merged(other, Quantity::plus);
    }

    /// All of them together. One map for the whole sum: it is taken over every pod of a cluster.
    public static Resources sum(Iterable<Resources> all) {
        var amounts = new TreeMap<String, Quantity>();
        for (var each : all) {
            for (var index = 0; index < each.names.length; index++) {
                amounts.merge(each.names[index], each.values[index], Quantity::plus);
            }
        }
        return amounts.isEmpty() ? NONE : new Resources((SequencedMap<String, Quantity>) amounts);
    }

    public Resources max(Resources other) {
        return merged(other, Quantity::max);
    }

    private Resources merged(Resources other, BinaryOperator<Quantity> merge) {
        if (other.isEmpty()) {
            return this;
        }
        if (isEmpty()) {
            return other;
        }
        if (Arrays.equals(names, other.names)) {
            var merged = values.clone();
            Arrays.setAll(merged, index -> merge.apply(values[index], other.values[index]));
            return new Resources(names, merged);
        }
        var both = mutable();
        for (var index = 0; index < other.names.length; index++) {
            both.merge(other.names[index], other.values[index], merge);
        }
        return new Resources(both);
    }

    /// Subtracts what is listed here; a resource listed only in `other` is left out, as Karpenter's
    /// bookkeeping does.
    public Resources minus(Resources other) {
        if (other.isEmpty()) {
            return this;
        }
        var rest = values.clone();
        for (var index = 0; index < rest.length; index++) {
            rest[index] = rest[index].minus(other.amount(names[index]));
        }
        return new Resources(names, rest);
    }

    /// The smaller amount of each resource that both list.
    public Resources minOfShared(Resources other) {
        var smaller = new TreeMap<String, Quantity>();
        for (var index = 0; index < names.length; index++) {
            if (other.has(names[index])) {
                smaller.put(names[index], values[index].min(other.amount(names[index])));
            }
        }
        return new Resources((SequencedMap<String, Quantity>) smaller);
    }

    public Resources flooredAtZero() {
        var floored = values.clone();
        Arrays.setAll(floored, index -> values[index].max(Quantity.ZERO));
        return new Resources(names, floored);
    }

    public boolean hasNegative() {
        for (var value : values) {
            if (value.isNegative()) {
                return true;
            }
        }
        return false;
    }

    /// Whether this demand fits into `available`. Nothing fits where any available amount is
    /// negative.
    public boolean fitsIn(Resources available) {
        if (available.hasNegative()) {
            return false;
        }
        for (var index = 0; index < names.length; index++) {
            if (values[index].compareTo(available.amount(names[index])) > 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof Resources other
                && hash == other.hash
                && Arrays.equals(names, other.names)
                && Arrays.equals(values, other.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /// Text for people: `cpu 500m, memory 1Gi`.
    @Override
    public String toString() {
        var text = new StringJoiner(", ");
        for (var index = 0; index < names.length; index++) {
            text.add(names[index] + " " + render(names[index], values[index]));
        }
        return text.toString();
    }

    public static String render(String name, Quantity amount) {
        var isBytes =
                name.equals(MEMORY)
                        || name.equals(EPHEMERAL_STORAGE)
                        || name.startsWith(HUGE_PAGES_PREFIX);
        return isBytes ? amount.toBinaryString() : amount.toString();
    }
}
