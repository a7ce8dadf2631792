package dev.millwright.core.policy;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A NodeOverlay: where the operator knows prices or resources of machines better than the
/// provider.
///
/// `price` and `priceAdjustment` keep the text of the object, so that a faulty overlay is a value
/// too and its faults can be told ([#problems]).
public record NodeOverlay(
        String name,
        int weight,
        List<Requirement> requirements,
        @Nullable String price,
        @Nullable String priceAdjustment,
        Resources capacity) {

    /// Resources that are the provider's to tell.
    private static final List<String> PROVIDERS_RESOURCES =
            List.of(Resources.CPU, Resources.MEMORY, Resources.EPHEMERAL_STORAGE, Resources.PODS);

    public static final int WEIGHT_MAX = 10_000;

    /// Heavier first; of equal weight the name later in the alphabet first.
    public static final Comparator<NodeOverlay> ORDER =
            Comparator.comparingInt(NodeOverlay::weight)
                    .thenComparing(NodeOverlay::name)
                    .reversed();

    public NodeOverlay {
        requirements = List.copyOf(requirements);
    }

    /// All that forbids the overlay; empty when it is sound.
    public List<String> problems(LabelVocabulary vocabulary) {
        var problems = new ArrayList<String>();
        if (weight < 0 || weight > WEIGHT_MAX) {
            problems.add("weight %d is not between 0 and %d".formatted(weight, WEIGHT_MAX));
        }
        for (var requirement : requirements) {
            var problem = vocabulary.problem(requirement);
            if (problem != null) {
                problems.add("requirements: " + problem);
            }
        }
        if (price != null && priceAdjustment != null) {
            problems.add("price and priceAdjustment exclude each other; keep one");
        }
        try {
            priceChange();
        } catch (IllegalArgumentException fault) {
            problems.add(String.valueOf(fault.getMessage()));
        }
        for (var resource : PROVIDERS_RESOURCES) {
            if (capacity.has(resource)) {
                problems.add(
                        "capacity: %s is the provider's to tell; only extended resources can be added"
                                .formatted(resource));
            }
        }
        return List.copyOf(problems);
    }

    public boolean changesPrices() {
        return price != null || priceAdjustment != null;
    }

    /// What becomes of prices, or null when they stay.
    ///
    /// @throws IllegalArgumentException when the text of the price or adjustment is none
    public @Nullable PriceChange priceChange() {
        if (price != null) {
            return PriceChange.parsePrice(price);
        }
        return priceAdjustment == null ? null : PriceChange.parseAdjustment(priceAdjustment);
    }
}
