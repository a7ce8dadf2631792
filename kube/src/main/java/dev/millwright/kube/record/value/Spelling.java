package dev.millwright.kube.record.value;

import java.util.function.BiConsumer;
import java.util.function.Function;

/// How a kind of value is written and read: both name the same fields in the same order.
///
/// Spellings are told apart by who they are: two with the same fields are not the same.
final class Spelling<T> {

    private final String name;
    private final BiConsumer<ValueOut, T> writing;
    private final Function<ValueIn, T> reading;

    private Spelling(String name, BiConsumer<ValueOut, T> writing, Function<ValueIn, T> reading) {
        this.name = name;
        this.writing = writing;
        this.reading = reading;
    }

    /// Arguments of a constructor are read from left to right, which is the order they are written
    /// in.
    ///
    /// @param name for messages about damage
    static <T> Spelling<T> of(
            String name, BiConsumer<ValueOut, T> writing, Function<ValueIn, T> reading) {
        return new Spelling<>(name, writing, reading);
    }

    void write(ValueOut out, T value) {
        writing.accept(out, value);
    }

    T read(ValueIn in) {
        return reading.apply(in);
    }

    @Override
    public String toString() {
        return name;
    }
}
