package dev.millwright.kube.record.value;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.SequencedMap;

/// Writes fields of values to bytes. Small numbers take few bytes; a value stands there as its
/// number in a [Dictionary], or in full where there is none.
final class ValueOut {

    private static final int SIZE_FIRST = 64;

    /// Doubles that are whole and no greater than this are written as such.
    private static final double WHOLE_MAX = 1L << 52;

    private final @Nullable Dictionary dictionary;
    private byte[] bytes = new byte[SIZE_FIRST];
    private int size;

    ValueOut(@Nullable Dictionary dictionary) {
        this.dictionary = dictionary;
    }

    /// The value with all that it consists of, spelled out: equal values have equal bytes.
    static <T> byte[] plain(Spelling<T> spelling, T value) {
        var out = new ValueOut(null);
        out.value(spelling, value);
        return out.bytes();
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void put(int one) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, size * 2);
        }
        bytes[size] = (byte) one;
        size++;
    }

    void raw(byte[] others) {
        if (size + others.length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + others.length, bytes.length * 2));
        }
        System.arraycopy(others, 0, bytes, size, others.length);
        size += others.length;
    }

    /// Seven bits a byte, the lowest first; all but the last byte have the highest bit.
    private void bits(long unsigned) {
        var rest = unsigned;
        while ((rest & ~0x7FL) != 0) {
            put((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        put((int) rest);
    }

    /// Never negative.
    void count(int count) {
        bits(count);
    }

    void number(long number) {
        bits(number << 1 ^ number >> 63);
    }

    void flag(boolean is) {
        put(is ? 1 : 0);
    }

    /// To the last bit.
    void real(double real) {
        var whole = (long) real;
        var isWhole =
                Math.abs(real) <= WHOLE_MAX
                        && Double.doubleToRawLongBits((double) whole)
                                == Double.doubleToRawLongBits(real);
        flag(isWhole);
        if (isWhole) {
            number(whole);
        } else {
            var raw = Double.doubleToRawLongBits(real);
            for (var shift = 56; shift >= 0; shift -= 8) {
                put((int) (raw >>> shift));
            }
        }
    }

    void constant(Enum<?> constant) {
        text(constant.name());
    }

    void instant(Instant instant) {
        number(instant.getEpochSecond());
        count(instant.getNano());
    }

    void duration(Duration duration) {
        number(duration.getSeconds());
        count(duration.getNano());
    }

    void text(String text) {
        if (dictionary != null) {
            count(dictionary.text(text));
        } else {
            var letters = text.getBytes(StandardCharsets.UTF_8);
            count(letters.length);
            raw(letters);
        }
    }

    <T> void value(Spelling<T> spelling, T value) {
        if (dictionary != null) {
            count(dictionary.number(spelling, value));
        } else {
            spelling.write(this, value);
        }
    }

    /// Where it stands, without a number of its own: for what hardly ever comes twice.
    <T> void inline(Spelling<T> spelling, T value) {
        spelling.write(this, value);
    }

    <T> void valueOrNone(Spelling<T> spelling, @Nullable T value) {
        flag(value != null);
        if (value != null) {
            value(spelling, value);
        }
    }

    void textOrNone(@Nullable String text) {
        flag(text != null);
        if (text != null) {
            text(text);
        }
    }

    void numberOrNone(@Nullable Long number) {
        flag(number != null);
        if (number != null) {
            number(number);
        }
    }

    void realOrNone(@Nullable Double real) {
        flag(real != null);
        if (real != null) {
            real(real);
        }
    }

    void countOrNone(@Nullable Integer count) {
        numberOrNone(count == null ? null : (long) count);
    }

    void instantOrNone(@Nullable Instant instant) {
        flag(instant != null);
        if (instant != null) {
            instant(instant);
        }
    }

    void durationOrNone(@Nullable Duration duration) {
        flag(duration != null);
        if (duration != null) {
            duration(duration);
        }
    }

    <T> void list(Spelling<T> spelling, Collection<T> values) {
        count(values.size());
        for (var value : values) {
            value(spelling, value);
        }
    }

    void texts(Collection<String> texts) {
        count(texts.size());
        texts.forEach(this::text);
    }

    <T> void map(Spelling<T> spelling, SequencedMap<String, T> values) {
        count(values.size());
        values.forEach(
                (key, value) -> {
                    text(key);
                    value(spelling, value);
                });
    }
}
