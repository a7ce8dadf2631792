package dev.millwright.providers.aws.offering;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.NodeOverlay;
import dev.millwright.core.policy.PriceChange;

import java.util.Collection;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Prices of types that AWS sells but does not list: those of overlays which name types, state a
/// price and ask nothing else.
public final class PreviewPrices {

    private PreviewPrices() {}

    /// By type; of several the heaviest overlay's.
    ///
    /// @param overlays those without fault or conflict
    public static SequencedMap<String, Double> of(Collection<NodeOverlay> overlays) {
        var prices = new TreeMap<String, Double>();
        overlays.stream()
                .sorted(NodeOverlay.ORDER)
                .filter(PreviewPrices::isPlain)
                .forEach(
                        overlay -> {
                            if (overlay.priceChange() instanceof PriceChange.Replaced(var price)) {
                                types(overlay)
                                        .values()
                                        .forEach(
                                                type ->
                                                        prices.putIfAbsent(
                                                                type, price.doubleValue()));
                            }
                        });
        return prices;
    }

    private static boolean isPlain(NodeOverlay overlay) {
        return overlay.requirements().size() == 1
                && types(overlay).key().equals(LabelKeys.INSTANCE_TYPE)
                && types(overlay).operator() == Operator.IN;
    }

    private static Requirement types(NodeOverlay overlay) {
        return overlay.requirements().getFirst();
    }
}
