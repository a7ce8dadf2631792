package dev.millwright.runtime.log;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// The pairs of a line in the order they were given; of two with one key the later counts.
public record LogFields(SequencedMap<String, @Nullable Object> byKey) {

    public static final LogFields NONE = new LogFields(new LinkedHashMap<>());

    /// Stands where a key came without a value: the line is still worth having.
    private static final String VALUE_MISSING = "(no value)";

    public LogFields {
        byKey = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(byKey));
    }

    /// What a failure knows beside its message, such as the object it is about. It becomes pairs.
    public interface Detailed {
        SequencedMap<String, Object> details();
    }

    public LogFields plus(@Nullable Object... keyValues) {
        if (keyValues.length == 0) {
            return this;
        }
        var more = new LinkedHashMap<String, @Nullable Object>(byKey);
        for (var index = 0; index < keyValues.length; index += 2) {
            var key = String.valueOf(keyValues[index]);
            var value = index + 1 < keyValues.length ? keyValues[index + 1] : VALUE_MISSING;
            more.put(key, value);
            if (value instanceof Detailed detailed) {
                more.putAll(detailed.details());
            }
        }
        return new LogFields(more);
    }
}
