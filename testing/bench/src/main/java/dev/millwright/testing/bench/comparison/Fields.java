package dev.millwright.testing.bench.comparison;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/// An object of JSON in the making.
public final class Fields {

    private Fields() {}

    /// Names and values in turn; a pair whose value is null is left out.
    public static Map<String, Object> of(@Nullable Object... namesAndValues) {
        var fields = new LinkedHashMap<String, Object>();
        for (var index = 0; index < namesAndValues.length; index += 2) {
            var name = namesAndValues[index];
            var value = namesAndValues[index + 1];
            if (name != null && value != null) {
                fields.put(name.toString(), value);
            }
        }
        return fields;
    }
}
