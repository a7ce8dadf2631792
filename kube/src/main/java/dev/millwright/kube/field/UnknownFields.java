package dev.millwright.kube.field;

import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.field.FieldTable.Content;

import java.util.ArrayList;
import java.util.List;

/// Finds the fields of objects that no version of their kind has: an API server would drop them,
/// and what their author meant would count for nothing.
public final class UnknownFields {

    /// More would not be read.
    private static final int TOLD_MAX = 200;

    /// Deeper than any API is.
    private static final int DEPTH_MAX = 40;

    /// A field that its object's kind does not have.
    public record Unknown(Field field, String advice) {

        public Fault fault() {
            return new Fault(
                    field.position(),
                    field.object(),
                    field.path(),
                    "is an unknown field and counts for nothing; " + advice);
        }
    }

    private final FieldTable table;
    private final List<Unknown> found = new ArrayList<>();

    public UnknownFields(FieldTable table) {
        this.table = table;
    }

    /// Looks at an object; of a kind that is not in the table nothing is known.
    public void check(Field object, String kind) {
        var shape = table.kinds().get(kind);
        if (shape != null) {
            walk(object, shape, 0);
        }
    }

    /// Each with its place, in the order they were found.
    public List<Unknown> found() {
        return List.copyOf(found);
    }

    private void walk(Field field, String shape, int depth) {
        var fields = table.fields(shape);
        if (fields == null || depth > DEPTH_MAX || found.size() >= TOLD_MAX) {
            return;
        }
        switch (field.value()) {
            case Value.Sequence _ ->
                    field.elements().forEach(element -> walk(element, shape, depth + 1));
            case Value.Mapping _ ->
                    field.entries()
                            .forEach(
                                    (name, child) -> {
                                        var content = fields.get(name);
                                        if (content == null) {
                                            tell(child, name, List.copyOf(fields.keySet()));
                                        } else {
                                            descend(child, content, depth + 1);
                                        }
                                    });
            case Value.Text _, Value.Numeral _, Value.Flag _, Value.Nothing _ -> {} // Not ours.
            case null -> {}
        }
    }

    private void descend(Field field, Content content, int depth) {
        var shape = content.shape();
        if (shape == null) {
            return;
        }
        if (content.isByKey() && field.value() instanceof Value.Mapping) {
            field.entries().forEach((_, child) -> walk(child, shape, depth));
        } else {
            walk(field, shape, depth);
        }
    }

    private void tell(Field field, String name, List<String> known) {
        if (found.size() < TOLD_MAX) {
            found.add(new Unknown(field, NearName.advice(Shortened.of(name), known)));
        }
    }
}
