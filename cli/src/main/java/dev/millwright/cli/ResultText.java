package dev.millwright.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;

import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes a result of maps, lists, texts and numbers as JSON or YAML.
final class ResultText {

    /// Decimals kept of prices and times: more would show how a sum was rounded, not what it is.
    private static final int DECIMALS_MAX = 6;

    private ResultText() {}

    static BigDecimal number(double value) {
        var rounded =
                BigDecimal.valueOf(value)
                        .setScale(DECIMALS_MAX, RoundingMode.HALF_EVEN)
                        .stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }

    static void json(Map<String, ?> result, PrintWriter out) {
        var indented =
                new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
        try (var generator =
                new JsonFactory()
                        .createGenerator(out)
                        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                        .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
                        .setPrettyPrinter(indented)) {
            write(generator, result);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        out.println();
        out.flush();
    }

    private static void write(JsonGenerator generator, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> generator.writeNull();
            case Map<?, ?> map -> {
                generator.writeStartObject();
                for (var entry : map.entrySet()) {
                    generator.writeFieldName(String.valueOf(entry.getKey()));
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
            case BigDecimal number -> generator.writeNumber(number);
            case Integer number -> generator.writeNumber(number);
            case Long number -> generator.writeNumber(number);
            case Boolean flag -> generator.writeBoolean(flag);
            default -> generator.writeString(value.toString());
        }
    }

    /// The YAML writer has no words of its own for decimals.
    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Map<?, ?> map -> {
                var copy = new LinkedHashMap<@Nullable Object, @Nullable Object>();
                map.forEach((key, each) -> copy.put(key, plain(each)));
                yield copy;
            }
            case List<?> list -> {
                var copy = new ArrayList<@Nullable Object>();
                list.forEach(each -> copy.add(plain(each)));
                yield copy;
            }
            case BigDecimal number when number.scale() <= 0 -> number.toBigInteger();
            case BigDecimal number -> number.doubleValue();
            default -> value;
        };
    }

    static void yaml(Map<String, ?> result, PrintWriter out) {
        var settings =
                DumpSettings.builder()
                        .setDefaultFlowStyle(FlowStyle.BLOCK)
                        .setDereferenceAliases(true)
                        .build();
        out.print(new Dump(settings).dumpToString(plain(result)));
        out.flush();
    }
}
