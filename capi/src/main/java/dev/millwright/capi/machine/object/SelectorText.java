package dev.millwright.capi.machine.object;

import dev.millwright.core.label.Selector;

import java.util.ArrayList;

/// A selector as `kubectl -l` takes it, for the scale subresource.
public final class SelectorText {

    private SelectorText() {}

    public static String of(Selector selector) {
        var parts = new ArrayList<String>();
        selector.matchLabels().forEach((key, value) -> parts.add(key + "=" + value));
        for (var expression : selector.expressions()) {
            var values = String.join(",", expression.values());
            parts.add(
                    switch (expression.operator()) {
                        case IN -> "%s in (%s)".formatted(expression.key(), values);
                        case NOT_IN -> "%s notin (%s)".formatted(expression.key(), values);
                        case EXISTS -> expression.key();
                        case DOES_NOT_EXIST -> "!" + expression.key();
                        case GT, LT, GTE, LTE ->
                                throw new IllegalArgumentException(
                                        "operator %s is not for selectors"
                                                .formatted(expression.operator().text()));
                    });
        }
        return String.join(",", parts);
    }
}
