package dev.millwright.testing.kit.generator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// JSON as plain values: maps, lists, texts, whole and broken numbers, and booleans. A null field
/// is left out.
public final class PlainJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private PlainJson() {}

    public static String text(Object value, boolean isIndented) {
        var text = new StringWriter();
        try (var generator = FACTORY.createGenerator(text)) {
            if (isIndented) {
                generator.useDefaultPrettyPrinter();
            }
            write(generator, value);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static void write(JsonGenerator generator, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> map -> {
                generator.writeStartObject();
                for (var entry : map.entrySet()) {
                    generator.writeFieldName(entry.getKey().toString());
                    write(generator, entry.getValue());
                }
                generator.writeEndObject();
            }
            case List<?> list -> {
                generator.writeStartArray();
                for (var element : list) {
                    write(generator, element);
                }
                generator.writeEndArray();
            }
            case Boolean flag -> generator.writeBoolean(flag);
            case Integer number -> generator.writeNumber(number);
            case Long number -> generator.writeNumber(number);
            case Double number -> generator.writeNumber(number);
            default -> generator.writeString(value.toString());
        }
    }

    /// @throws UncheckedIOException when the text is not one JSON object
    public static Map<String, Object> object(String text) {
        try (var parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("wanted a JSON object, found " + parser.currentToken());
            }
            return map(parser);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static Map<String, Object> map(JsonParser parser) throws IOException {
        var map = new LinkedHashMap<String, Object>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var name = parser.currentName();
            parser.nextToken();
            var value = value(parser);
            if (value != null) {
                map.put(name, value);
            }
        }
        return map;
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> map(parser);
            case START_ARRAY -> {
                var list = new ArrayList<Object>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    var element = value(parser);
                    if (element != null) {
                        list.add(element);
                    }
                }
                yield list;
            }
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> parser.getText();
        };
    }
}
