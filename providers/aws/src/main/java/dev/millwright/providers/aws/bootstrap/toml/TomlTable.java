package dev.millwright.providers.aws.bootstrap.toml;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// A table while it is read: it may be added to until the text has ended, but only in the way it
/// was begun.
final class TomlTable {

    /// How a table came to be.
    private enum Origin {
        /// On the way to another one; a header may still name it.
        IMPLIED,
        /// By a header of its own.
        HEADER,
        /// By a dotted key.
        DOTTED
    }

    /// What a key stands for.
    private sealed interface Entry {
        record Plain(Value value) implements Entry {}

        record Child(TomlTable table) implements Entry {}

        record Children(List<TomlTable> tables) implements Entry {}
    }

    private final Position position;
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>();
    private Origin origin;

    private TomlTable(Position position, Origin origin) {
        this.position = position;
        this.origin = origin;
    }

    static TomlTable root(Position position) {
        return new TomlTable(position, Origin.HEADER);
    }

    /// The table a header `[a.b.c]` names.
    TomlTable header(List<String> keys, Position at) throws TomlException {
        var parent = walk(keys.subList(0, keys.size() - 1), at);
        var name = keys.getLast();
        return switch (parent.entries.get(name)) {
            case null -> parent.begin(name, at, Origin.HEADER);
            case Entry.Child(var table) when table.origin == Origin.IMPLIED -> {
                table.origin = Origin.HEADER;
                yield table;
            }
            case Entry.Child _, Entry.Children _, Entry.Plain _ -> throw twice(keys, at);
        };
    }

    /// The next table of the list that a header `[[a.b.c]]` names.
    TomlTable element(List<String> keys, Position at) throws TomlException {
        var parent = walk(keys.subList(0, keys.size() - 1), at);
        var name = keys.getLast();
        var next = new TomlTable(at, Origin.HEADER);
        switch (parent.entries.get(name)) {
            case null ->
                    parent.entries.put(name, new Entry.Children(new ArrayList<>(List.of(next))));
            case Entry.Children(var tables) -> tables.add(next);
            case Entry.Child _, Entry.Plain _ -> throw twice(keys, at);
        }
        return next;
    }

    /// Down a header's path: through tables, and through the last of each list of tables.
    private TomlTable walk(List<String> keys, Position at) throws TomlException {
        var table = this;
        for (var key : keys) {
            table =
                    switch (table.entries.get(key)) {
                        case null -> table.begin(key, at, Origin.IMPLIED);
                        case Entry.Child(var child) -> child;
                        case Entry.Children(var tables) -> tables.getLast();
                        case Entry.Plain _ -> throw twice(keys, at);
                    };
        }
        return table;
    }

    /// A value under a key, which may be dotted.
    void put(List<String> keys, Value value, Position at) throws TomlException {
        var table = this;
        for (var key : keys.subList(0, keys.size() - 1)) {
            table =
                    switch (table.entries.get(key)) {
                        case null -> table.begin(key, at, Origin.DOTTED);
                        case Entry.Child(var child) when child.origin != Origin.HEADER -> child;
                        case Entry.Child _, Entry.Children _, Entry.Plain _ ->
                                throw twice(keys, at);
                    };
        }
        if (table.entries.putIfAbsent(keys.getLast(), new Entry.Plain(value)) != null) {
            throw twice(keys, at);
        }
    }

    private TomlTable begin(String name, Position at, Origin origin) {
        var table = new TomlTable(at, origin);
        entries.put(name, new Entry.Child(table));
        return table;
    }

    private static TomlException twice(List<String> keys, Position at) {
        return new TomlException(
                at.line(), "%s is already there; name it once".formatted(String.join(".", keys)));
    }

    Value.Mapping value() {
        var fields = new LinkedHashMap<String, Value>();
        entries.forEach(
                (name, entry) ->
                        fields.put(
                                name,
                                switch (entry) {
                                    case Entry.Plain(var value) -> value;
                                    case Entry.Child(var table) -> table.value();
                                    case Entry.Children(var tables) ->
                                            new Value.Sequence(
                                                    tables.getFirst().position,
                                                    tables.stream()
                                                            .map(table -> (Value) table.value())
                                                            .toList());
                                }));
        return new Value.Mapping(position, fields);
    }
}
