package dev.millwright.testing.e2e.chart;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Objects that a chart came to, or that a server has.
public record Rendered(String text, List<Value.Mapping> objects) {

    public Rendered {
        objects = List.copyOf(objects);
    }

    public static Rendered of(String text) {
        return new Rendered(
                text,
                DocumentReader.readAll(Source.text("rendered", text)).stream()
                        .filter(Value.Mapping.class::isInstance)
                        .map(Value.Mapping.class::cast)
                        .toList());
    }

    /// As `Kind name`, sorted.
    List<String> names() {
        return objects.stream()
                .map(each -> "%s %s".formatted(each.text("kind"), text(each, "metadata", "name")))
                .sorted()
                .toList();
    }

    Value.Mapping find(String kind, String name) {
        return objects.stream()
                .filter(each -> kind.equals(each.text("kind")))
                .filter(each -> name.equals(text(each, "metadata", "name")))
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("no %s %s in %s".formatted(kind, name, names())));
    }

    Value.Mapping deployment() {
        return find("Deployment", "karpenter");
    }

    /// The pod that the Deployment makes.
    public Value.Mapping pod() {
        return mapping(deployment(), "spec", "template", "spec");
    }

    /// A field of an object as JSON, or `absent`.
    String json(Value.Mapping object, String... path) {
        var found = at(object, path);
        return found == null ? "absent" : JsonWriter.text(found);
    }

    /// Variables of a pod's first container; those that the kubelet would fill in hold their source
    /// as JSON.
    public static SequencedMap<String, String> environment(Value.Mapping pod) {
        var variables = new TreeMap<String, String>();
        for (var each : elements(container(pod), "env").toList()) {
            var name = String.valueOf(each.text("name"));
            var value = each.text("value");
            var source = each.fields().get("valueFrom");
            variables.put(
                    name, value != null ? value : source == null ? "" : JsonWriter.text(source));
        }
        return variables;
    }

    public static List<String> arguments(Value.Mapping pod) {
        return at(container(pod), "args") instanceof Value.Sequence(_, var elements)
                ? elements.stream()
                        .map(each -> each instanceof Value.Text(_, var word) ? word : "?")
                        .toList()
                : List.of();
    }

    static Value.Mapping container(Value.Mapping pod) {
        return elements(pod, "containers").findFirst().orElseThrow();
    }

    static Value.Mapping mapping(Value.Mapping object, String... path) {
        if (at(object, path) instanceof Value.Mapping found) {
            return found;
        }
        throw new AssertionError("%s has no mapping %s".formatted(object, List.of(path)));
    }

    static String text(Value.Mapping object, String... path) {
        return at(object, path) instanceof Value.Text(_, var text) ? text : "";
    }

    private static Stream<Value.Mapping> elements(Value.Mapping object, String field) {
        return object.fields().get(field) instanceof Value.Sequence(_, var elements)
                ? elements.stream()
                        .filter(Value.Mapping.class::isInstance)
                        .map(Value.Mapping.class::cast)
                : Stream.of();
    }

    private static @Nullable Value at(Value.Mapping object, String... path) {
        Value here = object;
        for (var field : path) {
            if (!(here instanceof Value.Mapping(_, var fields)) || !fields.containsKey(field)) {
                return null;
            }
            here = fields.get(field);
        }
        return here;
    }
}
