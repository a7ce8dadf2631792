package dev.millwright.kube.crd;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A definition read as a document, for tests to look into.
record Definition(Field root, Faults faults) {

    static Definition of(String text) {
        var documents = DocumentReader.readAll(Source.text("definition", text));
        if (documents.size() != 1) {
            throw new IllegalArgumentException(documents.size() + " documents; wanted one");
        }
        var faults = new Faults();
        return new Definition(Field.root("CRD", documents.getFirst(), faults), faults);
    }

    Field names() {
        return root.at("spec").at("names");
    }

    Field version() {
        return root.at("spec").at("versions").elements().getFirst();
    }

    Field schema() {
        return version().at("schema").at("openAPIV3Schema");
    }

    /// Each column as `name type path priority`.
    List<String> columns() {
        return version().at("additionalPrinterColumns").elements().stream()
                .map(
                        column ->
                                "%s %s %s %d"
                                        .formatted(
                                                column.at("name").text(),
                                                column.at("type").text(),
                                                column.at("jsonPath").text(),
                                                column.at("priority").whole(0, 1, 0)))
                .toList();
    }

    /// The schemas of all properties below `field` by path, with `[]` for elements of a list.
    SequencedMap<String, Field> properties(Field field) {
        var found = new TreeMap<String, Field>();
        collect("", field, found);
        return found;
    }

    private static void collect(String path, Field schema, TreeMap<String, Field> found) {
        schema.at("properties")
                .entries()
                .forEach(
                        (name, property) -> {
                            var inner = path.isEmpty() ? name : path + "." + name;
                            found.put(inner, property);
                            collect(inner, property, found);
                            collect(inner + "[]", property.at("items"), found);
                        });
    }

    /// All CEL rules of the schema, those of nested schemas too.
    List<Field> rules() {
        var rules = new ArrayList<Field>(schema().at("x-kubernetes-validations").elements());
        for (var property : properties(schema()).sequencedValues()) {
            rules.addAll(property.at("x-kubernetes-validations").elements());
        }
        return rules;
    }
}
