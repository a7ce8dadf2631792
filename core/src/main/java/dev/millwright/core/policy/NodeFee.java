package dev.millwright.core.policy;

import dev.millwright.core.label.ControlKeys;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/// What a NodePool says a node of it costs an hour beside its machine: a licence or an agent that
/// is billed by the node, an address. `perHour` is null where the pool says nothing, or nothing
/// that makes sense.
public record NodeFee(@Nullable Double perHour, List<String> problems) {

    /// In words, for messages about a fee that is none.
    public static final String WANTED = "an amount an hour from 0 to 1000 such as 0.015";

    private static final BigDecimal PER_HOUR_MAX = BigDecimal.valueOf(1000);

    /// Digits that nobody needs for an amount of money; a longer text is not read.
    private static final int LENGTH_MAX = 20;

    public NodeFee {
        problems = List.copyOf(problems);
    }

    public static NodeFee of(Map<String, String> annotations) {
        var text = annotations.get(ControlKeys.NODE_FEE_PER_HOUR);
        if (text == null) {
            return new NodeFee(null, List.of());
        }
        var perHour = parse(text);
        if (perHour != null) {
            return new NodeFee(perHour, List.of());
        }
        var shown = text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX) + "…" : text;
        return new NodeFee(
                null,
                List.of(
                        "metadata.annotations[%s]: found \"%s\"; wanted %s"
                                .formatted(ControlKeys.NODE_FEE_PER_HOUR, shown, WANTED)));
    }

    /// Null when the text is no such amount.
    public static @Nullable Double parse(String text) {
        if (text.length() > LENGTH_MAX) {
            return null;
        }
        try {
            var amount = new BigDecimal(text);
            return amount.signum() < 0 || amount.compareTo(PER_HOUR_MAX) > 0
                    ? null
                    : (Double) amount.doubleValue();
        } catch (NumberFormatException noNumber) {
            return null;
        }
    }
}
