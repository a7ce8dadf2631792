package dev.millwright.kube.document;

import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// Reads YAML: the documents of a file one after another.
///
/// It builds from the parser's events and not from its composed nodes, because those have no bound
/// on depth and stand in memory whole.
final class YamlText {

    /// The parser copies all of a long text with each buffer that it fills.
    private static final int BUFFER_CHARACTERS = 1 << 16;

    private static final LoadSettings SETTINGS =
            LoadSettings.builder()
                    .setBufferSize(BUFFER_CHARACTERS)
                    .setCodePointLimit(Integer.MAX_VALUE) // The stream is bounded already.
                    .setParseComments(false)
                    .setUseMarks(true)
                    .build();

    private static final String MERGE = "<<";

    /// A value that has a name, and how many values it stands for.
    private record Anchored(Value value, long weight) {}

    private final String file;
    private final Iterator<Event> events;
    private final DocumentSink sink;
    private final SharedTexts texts = new SharedTexts();
    private final Map<String, Anchored> anchors = new HashMap<>();

    /// Values built in this document, those that aliases stand for counted each time.
    private long built;

    private long aliased;

    private YamlText(String file, Iterator<Event> events, DocumentSink sink) {
        this.file = file;
        this.events = events;
        this.sink = sink;
    }

    static void read(String file, InputStream stream, DocumentSink sink) throws IOException {
        try {
            var events =
                    new Parse(SETTINGS)
                            .parseInputStream(new LineBoundStream(stream, Limits.LINE_BYTES_MAX))
                            .iterator();
            new YamlText(file, events, sink).documents();
        } catch (MarkedYamlEngineException broken) {
            throw new DocumentException(
                    Fault.ofText(
                            position(file, broken),
                            "is not YAML: " + Shortened.message(broken.getProblem())));
        } catch (YamlEngineException broken) {
            if (broken.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new DocumentException(
                    Fault.ofText(
                            Position.of(file),
                            "is not YAML: "
                                    + Shortened.message(String.valueOf(broken.getMessage()))));
        }
    }

    private static Position position(String file, MarkedYamlEngineException broken) {
        return broken.getProblemMark()
                .map(mark -> new Position(file, mark.getLine() + 1, mark.getColumn() + 1))
                .orElse(Position.of(file));
    }

    private Position position(Event event) {
        return event.getStartMark()
                .map(mark -> new Position(file, mark.getLine() + 1, mark.getColumn() + 1))
                .orElse(Position.of(file));
    }

    private void documents() {
        while (events.hasNext()) {
            var event = events.next();
            switch (event.getEventId()) {
                case StreamStart, StreamEnd, DocumentEnd, Comment -> {}
                case DocumentStart -> {
                    anchors.clear();
                    built = 0;
                    aliased = 0;
                }
                case Alias, Scalar, SequenceStart, SequenceEnd, MappingStart, MappingEnd ->
                        top(event);
            }
        }
    }

    /// An empty document, as between two separators, holds nothing to tell of.
    private void top(Event event) {
        var value =
                event instanceof MappingStartEvent mapping
                        ? mapping(mapping, 1, true)
                        : value(event, 1);
        if (!(value instanceof Value.Nothing)) {
            sink.document(value);
        }
    }

    private Value value(Event event, int depth) {
        if (depth > Limits.DEPTH_MAX) {
            throw fault(
                    event,
                    "values stand more than %d levels deep; wanted fewer"
                            .formatted(Limits.DEPTH_MAX));
        }
        var before = built;
        built++;
        var value =
                switch (event) {
                    case AliasEvent alias -> aliased(alias);
                    case ScalarEvent scalar -> scalar(scalar);
                    case SequenceStartEvent sequence -> sequence(sequence, depth);
                    case MappingStartEvent mapping -> mapping(mapping, depth, false);
                    default ->
                            throw fault(event, "%s begins no value".formatted(event.getEventId()));
                };
        if (event instanceof NodeEvent node && !(event instanceof AliasEvent)) {
            node.getAnchor()
                    .ifPresent(
                            anchor ->
                                    anchors.put(
                                            anchor.getValue(),
                                            new Anchored(value, built - before)));
        }
        return value;
    }

    private Value aliased(AliasEvent event) {
        var name = event.getAlias().getValue();
        var anchored = anchors.get(name);
        if (anchored == null) {
            throw fault(
                    event,
                    "alias *%s names no value before it; wanted one marked &%s"
                            .formatted(Shortened.of(name), Shortened.of(name)));
        }
        built += anchored.weight();
        aliased += anchored.weight();
        if (aliased > Limits.ALIASED_VALUES_MAX) {
            throw fault(
                    event,
                    "aliases stand for more than %d values; write them out or split the file"
                            .formatted(Limits.ALIASED_VALUES_MAX));
        }
        return anchored.value();
    }

    private Value scalar(ScalarEvent event) {
        var text = texts.shared(event.getValue());
        if (text.length() > Limits.TEXT_LENGTH_MAX) {
            throw fault(
                    event,
                    "a text has %d characters; wanted at most %d"
                            .formatted(text.length(), Limits.TEXT_LENGTH_MAX));
        }
        var tag = event.getTag().orElse("");
        if (tag.startsWith("!")) {
            throw fault(
                    event, "tag %s means nothing here; take it away".formatted(Shortened.of(tag)));
        }
        var isText = tag.endsWith(":str") || (tag.isEmpty() && !event.isPlain());
        return isText
                ? new Value.Text(position(event), text)
                : PlainScalar.of(position(event), text);
    }

    private Value.Sequence sequence(SequenceStartEvent start, int depth) {
        var elements = new ArrayList<Value>();
        for (var event = events.next();
                event.getEventId() != Event.ID.SequenceEnd;
                event = events.next()) {
            elements.add(value(event, depth + 1));
            bound(event, elements.size());
        }
        return new Value.Sequence(position(start), elements);
    }

    private Value.Sequence streamed(SequenceStartEvent start, String field) {
        for (var event = events.next();
                event.getEventId() != Event.ID.SequenceEnd;
                event = events.next()) {
            sink.element(field, value(event, 2));
        }
        return new Value.Sequence(position(start), List.of());
    }

    private Value.Mapping mapping(MappingStartEvent start, int depth, boolean isTop) {
        var fields = new LinkedHashMap<String, Value>();
        var merged = new LinkedHashMap<String, Value>();
        for (var event = events.next();
                event.getEventId() != Event.ID.MappingEnd;
                event = events.next()) {
            var name = key(event);
            var next = events.next();
            var value =
                    isTop && next instanceof SequenceStartEvent sequence && sink.isStreamed(name)
                            ? streamed(sequence, name)
                            : value(next, depth + 1);
            if (name.equals(MERGE)) {
                merge(event, value, merged);
            } else if (fields.put(name, value) != null) {
                throw fault(
                        event,
                        "field \"%s\" is given twice in one mapping; keep one of them"
                                .formatted(Shortened.of(name)));
            }
            bound(event, fields.size());
        }
        merged.forEach(fields::putIfAbsent);
        return new Value.Mapping(position(start), fields);
    }

    private String key(Event event) {
        var scalar =
                switch (event) {
                    case ScalarEvent key -> key.getValue();
                    case AliasEvent alias -> text(aliased(alias));
                    default -> null;
                };
        if (scalar == null) {
            throw fault(event, "a field's name is a list or a mapping; wanted a word");
        }
        return texts.shared(scalar);
    }

    private static @Nullable String text(Value value) {
        return value instanceof Value.Text(_, var text) ? text : null;
    }

    /// `<<: *defaults` and `<<: [*one, *other]`: the fields of others where we have none ourselves.
    private void merge(Event event, Value value, SequencedMap<String, Value> merged) {
        var sources = value instanceof Value.Sequence(_, var elements) ? elements : List.of(value);
        for (var source : sources) {
            if (!(source instanceof Value.Mapping(_, var fields))) {
                throw fault(
                        event,
                        "<< has %s; wanted a mapping or a list of them"
                                .formatted(source.describe()));
            }
            fields.forEach(merged::putIfAbsent);
            bound(event, merged.size());
        }
    }

    private void bound(Event event, int size) {
        if (size > Limits.ELEMENTS_MAX) {
            throw fault(
                    event,
                    "a list or mapping has more than %d elements; split it"
                            .formatted(Limits.ELEMENTS_MAX));
        }
    }

    private DocumentException fault(Event event, String problem) {
        return new DocumentException(Fault.ofText(position(event), problem));
    }
}
