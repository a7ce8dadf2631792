package dev.millwright.runtime.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import dev.millwright.core.quantity.GoDuration;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;

/// Writes a line as one JSON object. Keys and their order are Karpenter's, so that what parses its
/// log parses ours.
final class JsonLine {

    /// Characters of one text; a line is for reading.
    private static final int TEXT_LENGTH_MAX = 16_384;

    /// Elements of one list or map.
    private static final int ELEMENTS_MAX = 1_000;

    private static final int DEPTH_MAX = 8;

    /// Keys of the line itself. A pair that has one of them gets an underscore.
    private static final List<String> RESERVED =
            List.of("level", "time", "logger", "caller", "message", "commit");

    private static final JsonFactory JSON = new JsonFactory();
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);

    /// What stands before the pairs. An empty caller or commit is left out.
    record Head(
            LogLevel level,
            Instant time,
            String logger,
            String caller,
            String message,
            String commit) {}

    private JsonLine() {}

    static byte[] of(Head head, LogFields fields) {
        var bytes = new ByteArrayOutputStream();
        try (var json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("level", head.level().name());
            json.writeStringField("time", TIME.format(head.time()));
            json.writeStringField("logger", head.logger());
            if (!head.caller().isEmpty()) {
                json.writeStringField("caller", head.caller());
            }
            json.writeStringField("message", text(head.message()));
            if (!head.commit().isEmpty()) {
                json.writeStringField("commit", head.commit());
            }
            for (var field : fields.byKey().entrySet()) {
                json.writeFieldName(key(field.getKey()));
                value(json, field.getKey(), field.getValue(), 0);
            }
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        bytes.write('\n');
        return bytes.toByteArray();
    }

    private static String key(String key) {
        return RESERVED.contains(key) ? key + "_" : key;
    }

    private static void value(JsonGenerator json, String key, @Nullable Object value, int depth)
            throws IOException {
        if (Secrets.isSecret(key) && value != null) {
            json.writeString(Secrets.HIDDEN);
            return;
        }
        switch (value) {
            case null -> json.writeNull();
            case Boolean isTrue -> json.writeBoolean(isTrue);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number);
            case Double number when Double.isFinite(number) -> json.writeNumber(number);
            case Duration duration -> json.writeString(GoDuration.format(duration));
            case Instant time -> json.writeString(TIME.format(time));
            case Throwable failure -> json.writeString(text(words(failure)));
            case Map<?, ?> map when depth < DEPTH_MAX -> map(json, map, depth);
            case Iterable<?> list when depth < DEPTH_MAX -> list(json, list, depth);
            default -> json.writeString(text(String.valueOf(value)));
        }
    }

    private static void map(JsonGenerator json, Map<?, ?> map, int depth) throws IOException {
        json.writeStartObject();
        var left = ELEMENTS_MAX;
        for (var entry : map.entrySet()) {
            if (left-- == 0) {
                break;
            }
            var name = String.valueOf(entry.getKey());
            json.writeFieldName(name);
            value(json, name, entry.getValue(), depth + 1);
        }
        json.writeEndObject();
    }

    private static void list(JsonGenerator json, Iterable<?> list, int depth) throws IOException {
        json.writeStartArray();
        var left = ELEMENTS_MAX;
        for (var element : list) {
            if (left-- == 0) {
                break;
            }
            value(json, "", element, depth + 1);
        }
        json.writeEndArray();
    }

    /// A failure and what caused it, without stack traces: those are for us, not for who looks
    /// after the cluster.
    private static String words(Throwable failure) {
        var words = new StringBuilder();
        Throwable each = failure;
        for (var depth = 0; each != null && depth < DEPTH_MAX; depth++) {
            var message = each.getMessage();
            if (depth > 0) {
                words.append(", ");
            }
            words.append(message == null ? each.getClass().getSimpleName() : message);
            each = each.getCause();
        }
        return words.toString();
    }

    private static String text(String text) {
        var shown =
                text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX) + "…";
        return Secrets.without(shown);
    }
}
