package dev.millwright.kube.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;

/// Writes values as JSON: no spaces, fields in their order, and numbers digit by digit as they were
/// read.
public final class JsonWriter {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private static final Pattern JSON_NUMBER =
            Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

    private JsonWriter() {}

    public static byte[] bytes(Value value) {
        var bytes = new ByteArrayOutputStream();
        try {
            write(value, bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory could not be written", impossible);
        }
        return bytes.toByteArray();
    }

    public static String text(Value value) {
        var text = new StringWriter();
        try (var generator = FACTORY.createGenerator(text)) {
            write(value, generator);
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory could not be written", impossible);
        }
        return text.toString();
    }

    /// The stream stays open.
    public static void write(Value value, OutputStream stream) throws IOException {
        try (var generator = FACTORY.createGenerator(stream)) {
            write(value, generator);
        }
    }

    private static void write(Value value, JsonGenerator generator) throws IOException {
        switch (value) {
            case Value.Text(_, var text) -> generator.writeString(text);
            case Value.Numeral(_, var text) -> generator.writeNumber(number(text));
            case Value.Flag(_, var isTrue) -> generator.writeBoolean(isTrue);
            case Value.Nothing(_) -> generator.writeNull();
            case Value.Sequence(_, var elements) -> {
                generator.writeStartArray();
                for (var element : elements) {
                    write(element, generator);
                }
                generator.writeEndArray();
            }
            case Value.Mapping(_, var fields) -> {
                generator.writeStartObject();
                for (var field : fields.entrySet()) {
                    generator.writeFieldName(field.getKey());
                    write(field.getValue(), generator);
                }
                generator.writeEndObject();
            }
        }
    }

    /// YAML knows numbers that JSON does not: `+1`, `.5`, `0x1f`, `0o17`.
    private static String number(String text) {
        if (JSON_NUMBER.matcher(text).matches()) {
            return text;
        }
        if (text.startsWith("0x")) {
            return new BigInteger(text.substring(2), 16).toString();
        }
        if (text.startsWith("0o")) {
            return new BigInteger(text.substring(2), 8).toString();
        }
        return new BigDecimal(text).toString();
    }
}
