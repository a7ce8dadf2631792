package dev.millwright.world.cluster;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.translation.LabelTranslation;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Values out of objects that the API server accepted: what is absent or of another shape reads as
/// empty.
public final class Reading {

    private static final LabelTranslation LABELS = new LabelTranslation(LabelVocabulary.CORE);
    private static final Value.Mapping EMPTY = Tree.of().mapping();

    private Reading() {}

    public static @Nullable Value at(@Nullable Value from, String... path) {
        var found = from;
        for (var step : path) {
            found = found instanceof Value.Mapping(_, var fields) ? fields.get(step) : null;
        }
        return found instanceof Value.Nothing ? null : found;
    }

    /// Whether nobody has written there between two states of an object: trees that stayed as they
    /// were are the same objects.
    @SuppressWarnings("ReferenceEquality") // To compare content would cost more than it saves.
    public static boolean isUntouched(
            @Nullable Value before, @Nullable Value after, String... path) {
        return at(before, path) == at(after, path);
    }

    /// An empty mapping when there is none.
    public static Value.Mapping mapping(@Nullable Value from, String... path) {
        return at(from, path) instanceof Value.Mapping found ? found : EMPTY;
    }

    public static String text(@Nullable Value from, String... path) {
        return at(from, path) instanceof Value.Text(_, var text) ? text : "";
    }

    public static boolean isTrue(@Nullable Value from, String... path) {
        return at(from, path) instanceof Value.Flag(_, var isTrue) && isTrue;
    }

    public static @Nullable Long number(@Nullable Value from, String... path) {
        if (at(from, path) instanceof Value.Numeral(_, var text)) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException notWhole) {
                return null;
            }
        }
        return null;
    }

    public static int number(int fallback, @Nullable Value from, String... path) {
        var number = number(from, path);
        return number == null ? fallback : Math.toIntExact(number);
    }

    /// A number or a text, as it is written: Kubernetes' int-or-string.
    public static @Nullable String numberOrText(@Nullable Value from, String... path) {
        return switch (at(from, path)) {
            case Value.Numeral(_, var text) -> text;
            case Value.Text(_, var text) -> text;
            case null, default -> null;
        };
    }

    public static @Nullable Instant instant(@Nullable Value from, String... path) {
        var text = text(from, path);
        try {
            return text.isEmpty() ? null : Instant.parse(text);
        } catch (DateTimeParseException notATime) {
            return null;
        }
    }

    public static List<Value> list(@Nullable Value from, String... path) {
        return at(from, path) instanceof Value.Sequence(_, var elements) ? elements : List.of();
    }

    public static List<String> textList(@Nullable Value from, String... path) {
        return list(from, path).stream().map(Reading::text).toList();
    }

    /// In the order of the keys.
    public static Map<String, String> texts(@Nullable Value from, String... path) {
        var texts = new TreeMap<String, String>();
        mapping(from, path)
                .fields()
                .forEach(
                        (key, value) -> {
                            if (value instanceof Value.Text(_, var text)) {
                                texts.put(key, text);
                            }
                        });
        return Collections.unmodifiableMap(texts);
    }

    /// Null when absent, which selects nothing.
    public static @Nullable Selector selector(@Nullable Value from, String... path) {
        return LABELS.selector(field(at(from, path)));
    }

    public static List<Taint> taints(@Nullable Value from, String... path) {
        return LABELS.taints(field(at(from, path)));
    }

    public static List<Toleration> tolerations(@Nullable Value from, String... path) {
        return LABELS.tolerations(field(at(from, path)));
    }

    public static Resources resources(@Nullable Value from, String... path) {
        return field(at(from, path)).resources();
    }

    public static Tree amounts(Resources resources) {
        var tree = Tree.of();
        resources
                .amounts()
                .forEach((name, amount) -> tree.put(name, Resources.render(name, amount)));
        return tree;
    }

    /// The condition of this type, or null.
    public static Value.@Nullable Mapping condition(Value.Mapping object, String type) {
        for (var element : list(object, "status", "conditions")) {
            if (element instanceof Value.Mapping condition && type.equals(condition.text("type"))) {
                return condition;
            }
        }
        return null;
    }

    private static Field field(@Nullable Value value) {
        return Field.root("", value == null ? new Value.Nothing(NOWHERE) : value, new Faults());
    }

    private static final dev.millwright.kube.document.Position NOWHERE =
            dev.millwright.kube.document.Position.NOWHERE;
}
