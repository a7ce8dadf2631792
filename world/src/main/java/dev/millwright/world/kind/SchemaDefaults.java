package dev.millwright.world.kind;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The defaults that the structural schema of a custom resource states.
///
/// Only they: what the schema forbids, and its rules in CEL, this store does not look at.
public final class SchemaDefaults {

    /// What a schema says about defaults at one place. Places without any below are left out.
    private record Place(
            @Nullable Value byDefault,
            SequencedMap<String, Place> properties,
            @Nullable Place elements,
            @Nullable Place others) {

        boolean isIdle() {
            return byDefault == null && properties.isEmpty() && elements == null && others == null;
        }
    }

    private final Kind kind;
    private final Place root;

    private SchemaDefaults(Kind kind, Place root) {
        this.kind = kind;
        this.root = root;
    }

    Kind kind() {
        return kind;
    }

    /// One for the stored version of each definition in the text.
    static List<SchemaDefaults> of(String definitions) {
        var found = new ArrayList<SchemaDefaults>();
        for (var document : DocumentReader.readAll(Source.text("definition", definitions))) {
            if (document instanceof Value.Mapping definition) {
                found.add(read(Trees.bareMapping(definition)));
            }
        }
        return found;
    }

    private static SchemaDefaults read(Value.Mapping definition) {
        for (var each : Trees.list(definition, "spec", "versions")) {
            if (each instanceof Value.Mapping version && Trees.isTrue(version, "storage")) {
                var schema = Trees.mapping(version, "schema", "openAPIV3Schema");
                return new SchemaDefaults(kind(definition, version), place(schema));
            }
        }
        throw new IllegalArgumentException(
                "the definition of %s has no stored version"
                        .formatted(Trees.meta(definition, "name")));
    }

    private static Kind kind(Value.Mapping definition, Value.Mapping version) {
        var type =
                new ResourceType(
                        Trees.text(definition, "spec", "group"),
                        Trees.text(version, "name"),
                        Trees.text(definition, "spec", "names", "plural"),
                        Trees.text(definition, "spec", "names", "kind"),
                        Trees.text(definition, "spec", "scope").equals("Namespaced"));
        var shortNames = new ArrayList<String>();
        for (var name : Trees.list(definition, "spec", "names", "shortNames")) {
            if (name instanceof Value.Text(_, var text)) {
                shortNames.add(text);
            }
        }
        var hasStatus = Trees.at(version, "subresources", "status") != null;
        return new Kind(
                type,
                true,
                hasStatus ? Kind.StatusPart.ALONE : Kind.StatusPart.NONE,
                true,
                false,
                shortNames,
                columns(version));
    }

    private static List<Kind.Column> columns(Value.Mapping version) {
        var columns = new ArrayList<Kind.Column>();
        for (var each : Trees.list(version, "additionalPrinterColumns")) {
            if (each instanceof Value.Mapping column) {
                var priority = Trees.number(column, "priority");
                columns.add(
                        new Kind.Column(
                                Trees.text(column, "name"),
                                Trees.text(column, "type"),
                                Trees.text(column, "jsonPath"),
                                priority == null ? 0 : Math.toIntExact(priority)));
            }
        }
        return columns;
    }

    private static Place place(Value.Mapping schema) {
        var properties = new LinkedHashMap<String, Place>();
        // In the order of names, as nothing else is promised.
        for (var field : new TreeMap<>(Trees.mapping(schema, "properties").fields()).entrySet()) {
            if (field.getValue() instanceof Value.Mapping below) {
                var place = place(below);
                if (!place.isIdle()) {
                    properties.put(field.getKey(), place);
                }
            }
        }
        return new Place(
                schema.fields().get("default"),
                properties,
                below(schema, "items"),
                below(schema, "additionalProperties"));
    }

    private static @Nullable Place below(Value.Mapping schema, String field) {
        if (!(schema.fields().get(field) instanceof Value.Mapping below)) {
            return null;
        }
        var place = place(below);
        return place.isIdle() ? null : place;
    }

    /// The object with its defaults; itself where none was missing.
    public Value.Mapping apply(Value.Mapping object) {
        return (Value.Mapping) filled(root, object);
    }

    private static Value filled(Place place, Value value) {
        return switch (value) {
            case Value.Mapping mapping -> filledMapping(place, mapping);
            case Value.Sequence(_, var elements) -> {
                var below = place.elements();
                yield below == null ? value : filledList(below, value, elements);
            }
            case Value other -> other;
        };
    }

    private static Value filledMapping(Place place, Value.Mapping mapping) {
        Map<String, Value> changed = null;
        for (var each : place.properties().entrySet()) {
            var name = each.getKey();
            var found = mapping.fields().get(name);
            var start = found == null ? each.getValue().byDefault() : found;
            if (start == null) {
                continue;
            }
            var filled = filled(each.getValue(), start);
            if (!filled.equals(found)) {
                changed = changed == null ? new LinkedHashMap<>(mapping.fields()) : changed;
                changed.put(name, filled);
            }
        }
        var others = place.others();
        if (others != null) {
            for (var each : mapping.fields().entrySet()) {
                var filled = filled(others, each.getValue());
                if (!filled.equals(each.getValue())) {
                    changed = changed == null ? new LinkedHashMap<>(mapping.fields()) : changed;
                    changed.put(each.getKey(), filled);
                }
            }
        }
        return changed == null
                ? mapping
                : new Value.Mapping(Position.NOWHERE, new LinkedHashMap<>(changed));
    }

    private static Value filledList(Place below, Value list, List<Value> elements) {
        var filled = elements.stream().map(each -> filled(below, each)).toList();
        return filled.equals(elements) ? list : new Value.Sequence(Position.NOWHERE, filled);
    }
}
