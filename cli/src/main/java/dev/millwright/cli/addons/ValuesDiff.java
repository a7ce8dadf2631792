package dev.millwright.cli.addons;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Which values of a chart are others than before. What may be secret is shown as such.
final class ValuesDiff {

    /// One value; null where there is none.
    record Line(String path, @Nullable String before, @Nullable String after) {}

    /// Stands for what is not shown.
    static final String MASK = "***";

    private static final Pattern SECRET =
            Pattern.compile(
                    "(?i).*(passw|secret|token|credential|private|api_?key|bearer|authorization).*");

    private ValuesDiff() {}

    /// @param isSecret whether no value is shown: the proxy keeps them in a Secret
    static List<Line> of(String before, String after, boolean isSecret) {
        var was = leaves(before);
        var is = leaves(after);
        var paths = new TreeSet<>(was.keySet());
        paths.addAll(is.keySet());
        var lines = new ArrayList<Line>();
        for (var path : paths) {
            var old = was.get(path);
            var now = is.get(path);
            if (old == null || !old.equals(now)) {
                var isHidden = isSecret || SECRET.matcher(path).matches();
                lines.add(new Line(path, shown(old, isHidden), shown(now, isHidden)));
            }
        }
        return lines;
    }

    private static @Nullable String shown(@Nullable String value, boolean isHidden) {
        return value == null ? null : isHidden ? MASK : value;
    }

    /// Every value by its path. Lists are values: Helm replaces them as a whole.
    private static SequencedMap<String, String> leaves(String text) {
        var leaves = new TreeMap<String, String>();
        try {
            for (var document : DocumentReader.readAll(Source.text("values", text))) {
                put("", document, leaves);
            }
        } catch (DocumentException notYaml) {
            leaves.put("", "(no YAML)");
        }
        return leaves;
    }

    private static void put(String path, Value value, SequencedMap<String, String> leaves) {
        switch (value) {
            case Value.Mapping(_, var fields) when !fields.isEmpty() ->
                    fields.forEach(
                            (name, each) ->
                                    put(path.isEmpty() ? name : path + "." + name, each, leaves));
            case Value.Nothing _ -> {
                // Helm takes a null for no value.
            }
            case Value.Mapping _, Value.Sequence _, Value.Text _, Value.Numeral _, Value.Flag _ ->
                    leaves.put(path, JsonWriter.text(value));
        }
    }
}
