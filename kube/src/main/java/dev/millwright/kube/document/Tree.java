package dev.millwright.kube.document;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Builds a mapping that was not read from a file.
public final class Tree {

    private final LinkedHashMap<String, Value> fields = new LinkedHashMap<>();

    public static Tree of() {
        return new Tree();
    }

    public static Tree of(String name, String text) {
        return new Tree().put(name, text);
    }

    public static Tree of(String name, Tree child) {
        return new Tree().put(name, child);
    }

    public Tree put(String name, Value value) {
        fields.put(name, value);
        return this;
    }

    public Tree put(String name, String text) {
        return put(name, text(text));
    }

    public Tree put(String name, long number) {
        return put(name, new Value.Numeral(Position.NOWHERE, Long.toString(number)));
    }

    public Tree put(String name, boolean isTrue) {
        return put(name, new Value.Flag(Position.NOWHERE, isTrue));
    }

    public Tree put(String name, Tree child) {
        return put(name, child.mapping());
    }

    /// A null that is written: a merge patch deletes the field by it.
    public Tree putNothing(String name) {
        return put(name, new Value.Nothing(Position.NOWHERE));
    }

    public Tree putUnlessEmpty(String name, @Nullable String text) {
        return text == null || text.isEmpty() ? this : put(name, text);
    }

    public Tree putTexts(String name, Map<String, String> texts) {
        return put(name, texts(texts));
    }

    public Tree putList(String name, List<? extends Value> elements) {
        return put(name, list(elements));
    }

    public Tree putTextList(String name, List<String> texts) {
        return putList(name, texts.stream().map(Tree::text).toList());
    }

    public boolean isEmpty() {
        return fields.isEmpty();
    }

    public Value.Mapping mapping() {
        return new Value.Mapping(Position.NOWHERE, new LinkedHashMap<>(fields));
    }

    public static Value text(String text) {
        return new Value.Text(Position.NOWHERE, text);
    }

    public static Value list(List<? extends Value> elements) {
        return new Value.Sequence(Position.NOWHERE, List.copyOf(elements));
    }

    public static Value.Mapping texts(Map<String, String> texts) {
        var tree = new Tree();
        texts.forEach(tree::put);
        return tree.mapping();
    }
}
