package dev.millwright.testing.bench.comparison;

import dev.millwright.testing.kit.generator.PlainJson;

import java.util.List;
import java.util.Map;

/// An answer of a program we started: one object of JSON.
public record JsonLine(String program, Map<?, ?> fields) {

    /// @param program whose words these are, for messages
    public static JsonLine parse(String program, String text) {
        return new JsonLine(program, PlainJson.object(text));
    }

    public boolean has(String name) {
        return fields.containsKey(name);
    }

    public String text(String name) {
        return fields.get(name) instanceof String text ? text : "";
    }

    public boolean isTrue(String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }

    /// Elements of a list; none when it is left out.
    public int count(String name) {
        return fields.get(name) instanceof List<?> list ? list.size() : 0;
    }

    /// The last element of a list of objects.
    public JsonLine lastOf(String name) {
        if (fields.get(name) instanceof List<?> list
                && !list.isEmpty()
                && list.getLast() instanceof Map<?, ?> map) {
            return new JsonLine(program + "." + name, map);
        }
        throw new IllegalStateException("%s has no list %s of objects".formatted(program, name));
    }

    public JsonLine at(String name) {
        if (fields.get(name) instanceof Map<?, ?> map) {
            return new JsonLine(program + "." + name, map);
        }
        throw new IllegalStateException("%s has no object %s".formatted(program, name));
    }

    public double number(String name) {
        if (fields.get(name) instanceof Number number) {
            return number.doubleValue();
        }
        throw new IllegalStateException(
                "%s has %s for %s; wanted a number".formatted(program, fields.get(name), name));
    }
}
