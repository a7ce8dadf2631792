package dev.millwright.kube.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;

/// Reads JSON: one value after another until the file ends.
final class JsonText {

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(Limits.DEPTH_MAX)
                                    .maxStringLength(Limits.TEXT_LENGTH_MAX)
                                    .maxNumberLength(Limits.NUMBER_LENGTH_MAX)
                                    .build())
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build();

    private static final Pattern UNEXPECTED =
            Pattern.compile("Unexpected character \\((.+?) \\(code");

    private final String file;
    private final JsonParser parser;
    private final DocumentSink sink;
    private final SharedTexts texts = new SharedTexts();

    private JsonText(String file, JsonParser parser, DocumentSink sink) {
        this.file = file;
        this.parser = parser;
        this.sink = sink;
    }

    static void read(String file, InputStream stream, DocumentSink sink) throws IOException {
        try (var parser = FACTORY.createParser(stream)) {
            new JsonText(file, parser, sink).documents();
        } catch (StreamConstraintsException bound) {
            throw fault(file, bound, "goes past a bound: %s".formatted(bound.getOriginalMessage()));
        } catch (JsonEOFException cut) {
            throw fault(file, cut, "ends in the middle of an object; was it cut off?");
        } catch (JsonProcessingException broken) {
            throw fault(file, broken, "is not JSON: " + words(broken.getOriginalMessage()));
        }
    }

    /// What the parser expected is told in names of its own; the place says enough without.
    private static String words(String message) {
        var unknown = UNEXPECTED.matcher(message);
        if (unknown.find()) {
            return "found %s here; wanted a value, a name or the end".formatted(unknown.group(1));
        }
        return message.startsWith("Unrecognized token")
                ? message.replaceFirst(
                        ": was expecting.*",
                        "; wanted a value in quotes, a number, true, false or null")
                : message.replaceFirst(" at \\[Source:.*", "");
    }

    private static DocumentException fault(
            String file, JsonProcessingException failure, String problem) {
        var location = failure.getLocation();
        var position =
                location == null
                        ? Position.of(file)
                        : new Position(
                                file,
                                Math.max(0, location.getLineNr()),
                                Math.max(0, location.getColumnNr()));
        return new DocumentException(Fault.ofText(position, Shortened.message(problem)));
    }

    private void documents() throws IOException {
        while (parser.nextToken() != null) {
            sink.document(
                    parser.currentToken() == JsonToken.START_OBJECT ? mapping(true) : value());
        }
    }

    private Position position() {
        var location = parser.currentTokenLocation();
        return new Position(file, location.getLineNr(), location.getColumnNr());
    }

    private Value value() throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(false);
            case START_ARRAY -> sequence();
            case VALUE_STRING -> new Value.Text(position(), texts.shared(parser.getText()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                    new Value.Numeral(position(), texts.shared(parser.getText()));
            case VALUE_TRUE -> new Value.Flag(position(), true);
            case VALUE_FALSE -> new Value.Flag(position(), false);
            case VALUE_NULL -> new Value.Nothing(position());
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                    throw new IllegalStateException(
                            "token %s begins no value".formatted(parser.currentToken()));
        };
    }

    private Value.Mapping mapping(boolean isTop) throws IOException {
        var position = position();
        var fields = new LinkedHashMap<String, Value>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            var at = position();
            parser.nextToken();
            var isStreamed =
                    isTop
                            && parser.currentToken() == JsonToken.START_ARRAY
                            && sink.isStreamed(name);
            if (fields.put(name, isStreamed ? streamed(name) : value()) != null) {
                throw new DocumentException(
                        Fault.ofText(
                                at,
                                "field \"%s\" is given twice in one mapping; keep one of them"
                                        .formatted(Shortened.of(name))));
            }
            bound(fields.size());
        }
        return new Value.Mapping(position, fields);
    }

    private Value.Sequence streamed(String field) throws IOException {
        var position = position();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            sink.element(field, value());
        }
        return new Value.Sequence(position, List.of());
    }

    private Value.Sequence sequence() throws IOException {
        var position = position();
        var elements = new ArrayList<Value>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value());
            bound(elements.size());
        }
        return new Value.Sequence(position, elements);
    }

    private void bound(int size) {
        if (size > Limits.ELEMENTS_MAX) {
            throw new DocumentException(
                    Fault.ofText(
                            position(),
                            "a list or mapping has more than %d elements; split it"
                                    .formatted(Limits.ELEMENTS_MAX)));
        }
    }
}
