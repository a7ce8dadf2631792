package dev.millwright.providers.aws.nodeclass;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ObjectReader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;

/// Classes from texts.
public final class Classes {

    private Classes() {}

    /// Of a whole object as YAML or JSON.
    public static Ec2NodeClass read(String text) {
        return of(document(text));
    }

    /// Of a spec as YAML or JSON.
    public static Ec2NodeClass ofSpec(String spec) {
        return of(
                Tree.of()
                        .put("metadata", Tree.of("name", "default"))
                        .put("spec", document(spec))
                        .mapping());
    }

    /// Of a spec and a merge patch over it.
    public static Ec2NodeClass ofSpec(String spec, String patch) {
        return of(
                Tree.of()
                        .put("metadata", Tree.of("name", "default"))
                        .put("spec", merged(document(spec), document(patch)))
                        .mapping());
    }

    public static Ec2NodeClass of(Value.Mapping object) {
        return Ec2NodeClass.of(new ObjectReader(LabelVocabulary.CORE).nodeClass(object));
    }

    public static Value.Mapping document(String text) {
        return (Value.Mapping) DocumentReader.readAll(Source.text("text", text)).getFirst();
    }

    private static Value merged(Value below, Value above) {
        if (!(above instanceof Value.Mapping(_, var changes))) {
            return above;
        }
        var fields = new LinkedHashMap<String, Value>();
        if (below instanceof Value.Mapping(_, var before)) {
            fields.putAll(before);
        }
        changes.forEach(
                (name, change) -> {
                    if (change instanceof Value.Nothing) {
                        fields.remove(name);
                    } else {
                        fields.put(
                                name,
                                merged(
                                        fields.getOrDefault(
                                                name, new Value.Nothing(Position.NOWHERE)),
                                        change));
                    }
                });
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    /// A file beside the tests.
    public static String resource(String name) {
        try (var stream = Classes.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalArgumentException(name + " is not there");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
