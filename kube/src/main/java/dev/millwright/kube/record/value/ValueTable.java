package dev.millwright.kube.record.value;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The values of a [Dictionary], by their numbers. Bytes become a value when it is first asked for.
final class ValueTable {

    private sealed interface Entry {

        record Unread(byte[] bytes) implements Entry {}

        record Text(String text) implements Entry {}

        record Read(Spelling<?> spelling, Object value) implements Entry {}
    }

    private final List<Entry> entries = new ArrayList<>();

    void add(byte[] bytes) {
        entries.add(new Entry.Unread(bytes));
    }

    /// Reads what names values of this table.
    ValueIn in(byte[] bytes) {
        return new ValueIn(this, bytes, entries.size());
    }

    String text(int number) {
        return switch (entries.get(number)) {
            case Entry.Text(var text) -> text;
            case Entry.Unread(var bytes) -> {
                var text = new String(bytes, StandardCharsets.UTF_8);
                entries.set(number, new Entry.Text(text));
                yield text;
            }
            case Entry.Read(var spelling, _) ->
                    throw new DamageException(
                            "value %d is a %s; wanted a text".formatted(number, spelling));
        };
    }

    <T> T value(Spelling<T> spelling, int number) {
        return switch (entries.get(number)) {
            case Entry.Read(var found, var value) -> {
                if (found != spelling) {
                    throw new DamageException(
                            "value %d is a %s; wanted a %s".formatted(number, found, spelling));
                }
                @SuppressWarnings("unchecked") // It was read by this very spelling.
                var known = (T) value;
                yield known;
            }
            case Entry.Unread(var bytes) -> read(spelling, number, bytes);
            case Entry.Text(_) ->
                    throw new DamageException(
                            "value %d is a text; wanted a %s".formatted(number, spelling));
        };
    }

    private <T> T read(Spelling<T> spelling, int number, byte[] bytes) {
        var in = new ValueIn(this, bytes, number);
        T value;
        try {
            value = spelling.read(in);
        } catch (DamageException damage) {
            throw damage;
        } catch (RuntimeException refused) {
            // Constructors of core refuse what no such value can be.
            throw new DamageException(
                    "value %d is no %s: %s".formatted(number, spelling, refused.getMessage()),
                    refused);
        }
        in.end(spelling.toString());
        entries.set(number, new Entry.Read(spelling, value));
        return value;
    }
}
