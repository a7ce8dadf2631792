package dev.millwright.core.quantity;

import java.util.Collections;
import java.util.SequencedMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/// Amounts by resource name, in the order of the names. A resource that is not listed counts as
/// zero.
public record Resources(SequencedMap<String, Quantity> amounts) {

    public static final String CPU = "cpu";
    public static final String MEMORY = "memory";
    public static final String PODS = "pods";
    public static final String EPHEMERAL_STORAGE = "ephemeral-storage";

    /// The pseudo-resource NodePool limits use to bound the number of nodes.
    public static final String NODES = "nodes";

    public static final String HUGE_PAGES_PREFIX = "hugepages-";

    public static final Resources NONE = new Resources(new TreeMap<>());

    public Resources {
        amounts = Collections.unmodifiableSequencedMap(new TreeMap<>(amounts));
    }

    public static Resources of(String name, Quantity amount) {
        return NONE.with(name, amount);
    }

    /// Reads pairs of name and quantity text, e.g. `of("cpu", "500m", "memory", "1Gi")`.
    public static Resources parse(String... namesAndTexts) {
        var amounts = new TreeMap<String, Quantity>();
        for (var index = 0; index < namesAndTexts.length; index += 2) {
            amounts.put(namesAndTexts[index], Quantity.parse(namesAndTexts[index + 1]));
        }
        return new Resources(amounts);
    }

    public Quantity amount(String name) {
        return amounts.getOrDefault(name, Quantity.ZERO);
    }

    public boolean has(String name) {
        return amounts.containsKey(name);
    }

    public boolean isEmpty() {
        return amounts.isEmpty();
    }

    public Resources with(String name, Quantity amount) {
        var copy = new TreeMap<>(amounts);
        copy.put(name, amount);
        return new Resources(copy);
    }

    /// The entries of `others` in place of ours of the same name.
    public Resources overriddenBy(Resources others) {
        if (others.isEmpty()) {
            return this;
        }
        var copy = new TreeMap<>(amounts);
        copy.putAll(others.amounts);
        return new Resources(copy);
    }

    public Resources plus(Resources other) {
        if (other.isEmpty()) {
            return this;
        }
        if (isEmpty()) {
            return other;
        }
        var sum = new TreeMap<>(amounts);
        other.amounts.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
        return new Resources(sum);
    }

    /// Subtracts what is listed here; a resource listed only in `other` is left out, as Karpenter's
    /// bookkeeping does.
    public Resources minus(Resources other) {
        if (other.isEmpty()) {
            return this;
        }
        var difference = new TreeMap<String, Quantity>();
        amounts.forEach((name, amount) -> difference.put(name, amount.minus(other.amount(name))));
        return new Resources(difference);
    }

    public Resources max(Resources other) {
        var greater = new TreeMap<>(amounts);
        other.amounts.forEach((name, amount) -> greater.merge(name, amount, Quantity::max));
        return new Resources(greater);
    }

    /// The smaller amount of each resource that both list.
    public Resources minOfShared(Resources other) {
        var smaller = new TreeMap<String, Quantity>();
        amounts.forEach(
                (name, amount) -> {
                    if (other.has(name)) {
                        smaller.put(name, amount.min(other.amount(name)));
                    }
                });
        return new Resources(smaller);
    }

    public Resources flooredAtZero() {
        var floored = new TreeMap<String, Quantity>();
        amounts.forEach((name, amount) -> floored.put(name, amount.max(Quantity.ZERO)));
        return new Resources(floored);
    }

    public boolean hasNegative() {
        return amounts.values().stream().anyMatch(Quantity::isNegative);
    }

    /// Whether this demand fits into `available`. Nothing fits where any available amount is
    /// negative.
    public boolean fitsIn(Resources available) {
        if (available.hasNegative()) {
            return false;
        }
        return amounts.entrySet().stream()
                .allMatch(
                        entry -> entry.getValue().compareTo(available.amount(entry.getKey())) <= 0);
    }

    /// Text for people: `cpu 500m, memory 1Gi`.
    @Override
    public String toString() {
        var text = new StringJoiner(", ");
        amounts.forEach((name, amount) -> text.add(name + " " + render(name, amount)));
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
