package dev.millwright.kube.field;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The fields of all kinds that a plan reads, from a file that `kube/tools/fields.py` makes of the
/// API's own definitions.
///
/// @param kinds the shape of each kind
/// @param shapes the fields of each shape, and what each field's value is
public record FieldTable(
        SequencedMap<String, String> kinds,
        SequencedMap<String, SequencedMap<String, Content>> shapes) {

    /// What a field holds.
    ///
    /// @param shape null where it may be anything
    /// @param isByKey whether it is a mapping of such values, by keys of anybody's choice
    public record Content(@Nullable String shape, boolean isByKey) {}

    private static final String FILE = "fields.txt";

    public FieldTable {
        kinds = Collections.unmodifiableSequencedMap(new TreeMap<>(kinds));
        shapes = Collections.unmodifiableSequencedMap(new TreeMap<>(shapes));
    }

    /// Read once for the process, by who asks first.
    private static final class Loaded {
        private static final FieldTable TABLE = load();

        private Loaded() {}
    }

    public static FieldTable ofApi() {
        return Loaded.TABLE;
    }

    private static FieldTable load() {
        try (var stream = FieldTable.class.getResourceAsStream(FILE)) {
            if (stream == null) {
                throw new IllegalStateException(
                        "%s is not beside the classes; build the module with its resources"
                                .formatted(FILE));
            }
            return parse(
                    new String(stream.readAllBytes(), StandardCharsets.US_ASCII).lines().toList());
        } catch (IOException failure) {
            throw new UncheckedIOException("%s could not be read".formatted(FILE), failure);
        }
    }

    static FieldTable parse(List<String> lines) {
        var kinds = new TreeMap<String, String>();
        var shapes = new TreeMap<String, SequencedMap<String, Content>>();
        for (var line : lines) {
            var words = List.of(line.split(" ", -1));
            if (words.getFirst().equals("kind")) {
                kinds.put(words.get(1), words.get(2));
            } else {
                var fields = new LinkedHashMap<String, Content>();
                words.subList(2, words.size())
                        .forEach(
                                word -> {
                                    var parts = word.split(":", 2);
                                    fields.put(parts[0], content(parts.length < 2 ? "" : parts[1]));
                                });
                shapes.put(words.get(1), Collections.unmodifiableSequencedMap(fields));
            }
        }
        return new FieldTable(kinds, shapes);
    }

    private static Content content(String text) {
        if (text.isEmpty()) {
            return new Content(null, false);
        }
        return text.startsWith("*")
                ? new Content(text.substring(1), true)
                : new Content(text, false);
    }

    /// The fields of a shape; null where it is not in the table.
    @Nullable SequencedMap<String, Content> fields(String shape) {
        return shapes.get(shape);
    }
}
