package dev.millwright.capi.machine.object;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.TreeMap;

/// Documents compared by what they say, whatever order, position or empty field they have.
public final class Values {

    private Values() {}

    /// Fields in the order of their names; what is empty is left out, as an API server may add or
    /// drop it.
    public static Value canonical(Value value) {
        return switch (value) {
            case Value.Text(_, var text) -> new Value.Text(Position.NOWHERE, text);
            case Value.Numeral(_, var text) -> new Value.Numeral(Position.NOWHERE, text);
            case Value.Flag(_, var isTrue) -> new Value.Flag(Position.NOWHERE, isTrue);
            case Value.Nothing(_) -> new Value.Nothing(Position.NOWHERE);
            case Value.Sequence(_, var elements) ->
                    Tree.list(elements.stream().map(Values::canonical).toList());
            case Value.Mapping(_, var fields) -> {
                var sorted = new TreeMap<String, Value>();
                fields.forEach(
                        (name, field) -> {
                            var inner = canonical(field);
                            if (!isEmpty(inner)) {
                                sorted.put(name, inner);
                            }
                        });
                yield new Value.Mapping(Position.NOWHERE, new LinkedHashMap<>(sorted));
            }
        };
    }

    private static boolean isEmpty(Value value) {
        return switch (value) {
            case Value.Nothing(_) -> true;
            case Value.Mapping(_, var fields) -> fields.isEmpty();
            case Value.Sequence(_, var elements) -> elements.isEmpty();
            case Value.Text(_, _), Value.Numeral(_, _), Value.Flag(_, _) -> false;
        };
    }

    /// An absent value is the same as an empty one.
    public static boolean areSame(@Nullable Value one, @Nullable Value other) {
        var left = one == null ? Tree.of().mapping() : canonical(one);
        var right = other == null ? Tree.of().mapping() : canonical(other);
        return (isEmpty(left) && isEmpty(right)) || left.equals(right);
    }

    /// Hexadecimal; the same for documents that say the same.
    public static String hash(Value value, String salt) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(JsonWriter.bytes(canonical(value)));
            digest.update(salt.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    public static Value.Mapping mapping(@Nullable Value value) {
        return value instanceof Value.Mapping mapping ? mapping : Tree.of().mapping();
    }

    /// The same document with one field set, or taken away where the value is null.
    public static Value.Mapping with(Value.Mapping document, String name, @Nullable Value value) {
        var fields = new LinkedHashMap<>(document.fields());
        if (value == null) {
            fields.remove(name);
        } else {
            fields.put(name, value);
        }
        return new Value.Mapping(document.position(), fields);
    }
}
