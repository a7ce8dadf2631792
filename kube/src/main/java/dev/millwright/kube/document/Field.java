package dev.millwright.kube.document;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.QuantityFormatException;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A field of an object, there or not, with its path.
///
/// Reading never throws. A field of the wrong shape is noted among the faults and reads as absent,
/// so that one pass over a file finds all that is wrong with it. The path is made only for a fault.
public final class Field {

    /// Longest label key: a prefix of 253 characters, a slash and a name of 63.
    private static final int KEY_LENGTH_MAX = 317;

    /// Entries of one map of labels, annotations or resources.
    private static final int ENTRIES_MAX = 10_000;

    private final Scope scope;
    private final @Nullable Field parent;
    private final String step;
    private final @Nullable Value value;
    private final Position position;

    /// What all fields of one object share.
    private record Scope(String object, Faults faults) {}

    private Field(
            Scope scope,
            @Nullable Field parent,
            String step,
            @Nullable Value value,
            Position position) {
        this.scope = scope;
        this.parent = parent;
        this.step = step;
        this.value = value instanceof Value.Nothing ? null : value;
        this.position = position;
    }

    /// The object itself; messages call it by `object`, e.g. `NodePool default`.
    public static Field root(String object, Value value, Faults faults) {
        return new Field(new Scope(object, faults), null, "", value, value.position());
    }

    /// The same field under another name for its object.
    public Field named(String object) {
        return new Field(new Scope(object, scope.faults()), parent, step, value, position);
    }

    /// An absent field's position is that of the nearest one above it that is there.
    public Position position() {
        return position;
    }

    public boolean isPresent() {
        return value != null;
    }

    /// As it was read; null where the field is absent.
    public @Nullable Value value() {
        return value;
    }

    public String object() {
        return scope.object();
    }

    public String path() {
        if (parent == null) {
            return "";
        }
        var above = parent.path();
        if (step.startsWith("[")) {
            return above + step;
        }
        if (step.indexOf('.') >= 0 || step.indexOf('/') >= 0) {
            return above + "[" + Shortened.of(step) + "]";
        }
        return above.isEmpty() ? Shortened.of(step) : above + "." + Shortened.of(step);
    }

    public void fault(String problem) {
        scope.faults().add(new Fault(position, scope.object(), path(), problem));
    }

    private void unwanted(Value found, String wanted) {
        fault("found %s; wanted %s".formatted(found.describe(), wanted));
    }

    public void missing(String wanted) {
        fault("is missing; wanted " + wanted);
    }

    public Field at(String name) {
        return switch (value) {
            case null -> absent(name);
            case Value.Mapping(_, var fields) -> {
                var child = fields.get(name);
                yield child == null
                        ? absent(name)
                        : new Field(scope, this, name, child, child.position());
            }
            case Value found -> {
                unwanted(found, "a mapping");
                yield absent(name);
            }
        };
    }

    private Field absent(String name) {
        return new Field(scope, this, name, null, position);
    }

    public List<Field> elements() {
        return switch (value) {
            case null -> List.of();
            case Value.Sequence(_, var elements) -> {
                var fields = new ArrayList<Field>(elements.size());
                for (var index = 0; index < elements.size(); index++) {
                    var element = elements.get(index);
                    var at = "[" + index + "]";
                    fields.add(new Field(scope, this, at, element, element.position()));
                }
                yield fields;
            }
            case Value found -> {
                unwanted(found, "a list");
                yield List.of();
            }
        };
    }

    /// The fields of a mapping by name, in the order of the file.
    public SequencedMap<String, Field> entries() {
        return switch (value) {
            case null -> Collections.emptySortedMap();
            case Value.Mapping(_, var fields) -> {
                if (fields.size() > ENTRIES_MAX) {
                    fault(
                            "has %d entries; wanted at most %d"
                                    .formatted(fields.size(), ENTRIES_MAX));
                    yield Collections.emptySortedMap();
                }
                var entries = new LinkedHashMap<String, Field>();
                fields.forEach(
                        (name, child) ->
                                entries.put(
                                        name,
                                        new Field(scope, this, name, child, child.position())));
                yield entries;
            }
            case Value found -> {
                unwanted(found, "a mapping");
                yield Collections.emptySortedMap();
            }
        };
    }

    public @Nullable String text() {
        return switch (value) {
            case null -> null;
            case Value.Text(_, var text) -> text;
            case Value.Numeral(_, var text) -> {
                fault(
                        "found the number %s; wanted text, so put it in quotes"
                                .formatted(Shortened.of(text)));
                yield null;
            }
            case Value.Flag(_, var isTrue) -> {
                fault("found the boolean %s; wanted text, so put it in quotes".formatted(isTrue));
                yield null;
            }
            case Value found -> {
                unwanted(found, "text");
                yield null;
            }
        };
    }

    public String text(String fallback) {
        var text = text();
        return text == null ? fallback : text;
    }

    /// Text that must be there and not be empty; a fault and an empty text otherwise.
    public String requiredText(String wanted) {
        if (value == null || (value instanceof Value.Text(_, var text) && text.isEmpty())) {
            missing(wanted);
            return "";
        }
        return text("");
    }

    /// Text or number, as it is written: Kubernetes' int-or-string.
    public @Nullable String textOrNumber() {
        return value instanceof Value.Numeral(_, var number) ? number : text();
    }

    public boolean isTrue() {
        return switch (value) {
            case null -> false;
            case Value.Flag(_, var isTrue) -> isTrue;
            case Value found -> {
                unwanted(found, "true or false");
                yield false;
            }
        };
    }

    /// A whole number between the two, or null when absent or faulty.
    public @Nullable Long whole(long least, long most) {
        return switch (value) {
            case null -> null;
            case Value.Numeral(_, var text) -> {
                try {
                    var number = Long.parseLong(text);
                    if (number >= least && number <= most) {
                        yield number;
                    }
                } catch (NumberFormatException notWhole) {
                    // Told below, like a number out of bounds.
                }
                fault(
                        "found %s; wanted a whole number from %d to %d"
                                .formatted(Shortened.of(text), least, most));
                yield null;
            }
            case Value found -> {
                unwanted(found, "a whole number");
                yield null;
            }
        };
    }

    public int whole(int least, int most, int fallback) {
        var number = whole(least, (long) most);
        return number == null ? fallback : Math.toIntExact(number);
    }

    /// A number of at least zero, or null when absent or faulty.
    public @Nullable Double amount() {
        return switch (value) {
            case null -> null;
            case Value.Numeral(_, var text) -> {
                try {
                    var number = Double.parseDouble(text);
                    if (number >= 0 && !Double.isInfinite(number)) {
                        yield number;
                    }
                } catch (NumberFormatException notDecimal) {
                    // Told below, like a number out of bounds.
                }
                fault("found %s; wanted a number of at least 0".formatted(Shortened.of(text)));
                yield null;
            }
            case Value found -> {
                unwanted(found, "a number of at least 0");
                yield null;
            }
        };
    }

    public @Nullable Instant instant() {
        var text = text();
        if (text == null) {
            return null;
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException notATime) {
            fault(
                    "found \"%s\"; wanted a time such as 2026-01-01T00:00:00Z"
                            .formatted(Shortened.of(text)));
            return null;
        }
    }

    /// A quantity of at least zero, or null when absent or faulty.
    public @Nullable Quantity quantity() {
        var text = textOrNumber();
        if (text == null) {
            return null;
        }
        try {
            var quantity = Quantity.parse(text);
            if (!quantity.isNegative()) {
                return quantity;
            }
            fault("quantity \"%s\" is negative; wanted at least 0".formatted(Shortened.of(text)));
        } catch (QuantityFormatException notAQuantity) {
            fault(String.valueOf(notAQuantity.getMessage()));
        }
        return null;
    }

    /// Amounts by resource name.
    public Resources resources() {
        if (value == null) {
            return Resources.NONE;
        }
        var amounts = new TreeMap<String, Quantity>();
        entries()
                .forEach(
                        (name, field) -> {
                            var quantity = field.quantity();
                            if (quantity != null && field.isKey(name)) {
                                amounts.put(name, quantity);
                            }
                        });
        return new Resources(amounts);
    }

    /// Texts by key, none longer than `lengthMax`.
    public SequencedMap<String, String> texts(int lengthMax) {
        var texts = new TreeMap<String, String>();
        if (value == null) {
            return texts;
        }
        entries()
                .forEach(
                        (name, field) -> {
                            var text = field.text();
                            if (text != null && field.isKey(name) && field.fits(text, lengthMax)) {
                                texts.put(name, text);
                            }
                        });
        return texts;
    }

    private boolean isKey(String name) {
        if (name.isEmpty() || name.length() > KEY_LENGTH_MAX) {
            fault("key has %d characters; wanted 1 to %d".formatted(name.length(), KEY_LENGTH_MAX));
            return false;
        }
        return true;
    }

    private boolean fits(String text, int lengthMax) {
        if (text.length() > lengthMax) {
            fault(
                    "found \"%s\"; wanted at most %d characters"
                            .formatted(Shortened.of(text), lengthMax));
            return false;
        }
        return true;
    }

    /// The texts of a list.
    public List<String> textList() {
        var texts = new ArrayList<String>();
        for (var element : elements()) {
            var text = element.text();
            if (text != null) {
                texts.add(text);
            } else if (!element.isPresent()) {
                element.missing("text");
            }
        }
        return texts;
    }
}
