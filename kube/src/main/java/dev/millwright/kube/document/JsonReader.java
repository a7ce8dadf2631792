package dev.millwright.kube.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Consumer;

/// Reads what an API server sends: objects one after another, or a list element by element.
///
/// Unlike [DocumentReader] it knows no positions. Nobody mends a server's answer by line and
/// column, and without them two equal objects are equal, equal texts are one value, and reading is
/// cheap. `metadata.managedFields`, often half of an object and of no use to us, is skipped.
///
/// Not for several threads at once.
public final class JsonReader implements Closeable {

    private static final JsonFactory FACTORY = factory(Long.MAX_VALUE, Limits.TEXT_LENGTH_MAX);

    /// A text of three bytes becomes a value of a hundred; their number bounds the memory.
    private static final JsonFactory FOREIGN =
            factory(Limits.FOREIGN_TOKENS_MAX, Limits.FOREIGN_TEXT_LENGTH_MAX);

    private static JsonFactory factory(long tokensMax, int textLengthMax) {
        return JsonFactory.builder()
                .streamReadConstraints(
                        StreamReadConstraints.builder()
                                .maxNestingDepth(Limits.DEPTH_MAX)
                                .maxStringLength(textLengthMax)
                                .maxNumberLength(Limits.NUMBER_LENGTH_MAX)
                                .maxTokenCount(tokensMax)
                                .build())
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .build();
    }

    private static final Value TRUE = new Value.Flag(Position.NOWHERE, true);
    private static final Value FALSE = new Value.Flag(Position.NOWHERE, false);
    private static final Value NOTHING = new Value.Nothing(Position.NOWHERE);

    private static final Value.Mapping EMPTY = Tree.of().mapping();

    private static final String METADATA = "metadata";
    private static final String MANAGED_FIELDS = "managedFields";

    private final JsonParser parser;

    public JsonReader(InputStream stream) throws IOException {
        this(FACTORY.createParser(stream));
    }

    private JsonReader(JsonParser parser) {
        this.parser = parser;
    }

    /// For what somebody wrote who may mean us harm: each object has a bounded number of values.
    public static JsonReader ofForeign(InputStream stream) throws IOException {
        return new JsonReader(FOREIGN.createParser(stream));
    }

    /// The one object these bytes are.
    ///
    /// @throws IOException when they are anything else
    public static Value.Mapping object(byte[] bytes) throws IOException {
        try (var parser = FACTORY.createParser(bytes)) {
            return one(parser);
        }
    }

    public static Value.Mapping object(InputStream stream) throws IOException {
        try (var parser = FACTORY.createParser(stream)) {
            return one(parser);
        }
    }

    /// The one object that the stream is.
    ///
    /// @throws IOException when it is anything else
    public Value.Mapping only() throws IOException {
        return one(parser);
    }

    private static Value.Mapping one(JsonParser parser) throws IOException {
        try {
            parser.nextToken();
            var object = topLevel(parser);
            if (parser.nextToken() != null) {
                throw new IOException("is longer than one JSON object");
            }
            return object;
        } catch (JsonProcessingException broken) {
            throw plain(broken);
        }
    }

    /// The next object of the stream, as soon as its last byte is there, or null at the end.
    ///
    /// @throws EOFException when the stream ends inside an object
    public Value.@Nullable Mapping next() throws IOException {
        try {
            return parser.nextToken() == null ? null : topLevel(parser);
        } catch (JsonProcessingException broken) {
            throw plain(broken);
        }
    }

    /// The one object of the stream, the elements of its `items` given one by one. Those begin with
    /// the fields of `head`: lists leave out what is the same for all, such as the kind.
    public Value.Mapping list(Value.Mapping head, Consumer<Value.Mapping> items)
            throws IOException {
        try {
            var list = listed(head, items);
            if (parser.nextToken() != null) {
                throw new IOException("is longer than one JSON object");
            }
            return list;
        } catch (JsonProcessingException broken) {
            throw plain(broken);
        }
    }

    private Value.Mapping listed(Value.Mapping head, Consumer<Value.Mapping> items)
            throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw unwanted(parser.currentToken());
        }
        var fields = new LinkedHashMap<String, Value>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            if (parser.nextToken() == JsonToken.START_ARRAY && name.equals("items")) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.accept(topLevel(parser, head));
                }
            } else {
                fields.put(name, value(parser));
            }
        }
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    private static Value.Mapping topLevel(JsonParser parser) throws IOException {
        return topLevel(parser, EMPTY);
    }

    private static Value.Mapping topLevel(JsonParser parser, Value.Mapping head)
            throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw unwanted(parser.currentToken());
        }
        return mapping(parser, false, new LinkedHashMap<>(head.fields()));
    }

    private static IOException unwanted(@Nullable JsonToken found) {
        return found == null
                ? new EOFException("is empty; wanted a JSON object")
                : new IOException("begins with %s; wanted a JSON object".formatted(found));
    }

    /// Jackson's own messages quote their source; these do not, since an answer may hold a secret.
    private static IOException plain(JsonProcessingException broken) {
        var location = broken.getLocation();
        var at = location == null ? "" : " at byte " + location.getByteOffset();
        if (broken instanceof JsonEOFException) {
            return new EOFException("ends inside a JSON object" + at);
        }
        if (broken instanceof StreamConstraintsException) {
            return new IOException("has more values, or deeper or longer ones, than we read" + at);
        }
        return new IOException("is not the JSON we read" + at);
    }

    private static Value value(JsonParser parser) throws IOException {
        return value(parser, false);
    }

    private static Value value(JsonParser parser, boolean isMetadata) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(parser, isMetadata, new LinkedHashMap<>());
            case START_ARRAY -> sequence(parser);
            case VALUE_STRING -> SharedValues.text(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                    new Value.Numeral(Position.NOWHERE, parser.getText());
            case VALUE_TRUE -> TRUE;
            case VALUE_FALSE -> FALSE;
            case VALUE_NULL -> NOTHING;
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                    throw unwanted(parser.currentToken());
        };
    }

    private static Value.Mapping mapping(
            JsonParser parser, boolean isMetadata, SequencedMap<String, Value> fields)
            throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            parser.nextToken();
            if (isMetadata && name.equals(MANAGED_FIELDS)) {
                parser.skipChildren();
            } else {
                fields.put(name, value(parser, name.equals(METADATA)));
            }
            bound(fields.size());
        }
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    private static Value.Sequence sequence(JsonParser parser) throws IOException {
        var elements = new ArrayList<Value>(4);
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(parser));
            bound(elements.size());
        }
        return new Value.Sequence(Position.NOWHERE, List.copyOf(elements));
    }

    private static void bound(int size) throws IOException {
        if (size > Limits.ELEMENTS_MAX) {
            throw new IOException(
                    "has a list or mapping of more than %d elements"
                            .formatted(Limits.ELEMENTS_MAX));
        }
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
