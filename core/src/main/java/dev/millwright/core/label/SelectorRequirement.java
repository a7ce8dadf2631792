package dev.millwright.core.label;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A requirement in the API's form: one operator and its values, in order. What one [Requirement]
/// says may take several of these.
public record SelectorRequirement(
        String key, Operator operator, List<String> values, @Nullable Integer minValues) {

    public SelectorRequirement {
        values = List.copyOf(values);
    }

    @Override
    public String toString() {
        return "%s %s %s%s"
                .formatted(
                        key,
                        operator.text(),
                        values,
                        minValues == null ? "" : " minValues " + minValues);
    }
}
