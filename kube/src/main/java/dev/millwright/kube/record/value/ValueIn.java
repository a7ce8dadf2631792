package dev.millwright.kube.record.value;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Reads what [ValueOut] wrote. Whatever the bytes are, it ends with a value or a
/// [DamageException], and takes no more memory than they are long.
final class ValueIn {

    private static final int SHIFT_MAX = 63;

    private final @Nullable ValueTable table;
    private final byte[] bytes;
    private final int numbersMax;
    private int position;

    /// @param numbersMax a value names only those below, so that reading ends
    ValueIn(@Nullable ValueTable table, byte[] bytes, int numbersMax) {
        this.table = table;
        this.bytes = bytes;
        this.numbersMax = numbersMax;
    }

    /// @throws DamageException when the bytes are not those of one value
    static <T> T plain(Spelling<T> spelling, byte[] bytes) {
        var in = new ValueIn(null, bytes, 0);
        var value = in.value(spelling);
        in.end(spelling.toString());
        return value;
    }

    private int take() {
        if (position == bytes.length) {
            throw new DamageException("ends after %d bytes; wanted more".formatted(position));
        }
        var one = bytes[position] & 0xFF;
        position++;
        return one;
    }

    byte[] raw(int length) {
        if (length > bytes.length - position) {
            throw new DamageException(
                    "found %d bytes at %d; wanted %d"
                            .formatted(bytes.length - position, position, length));
        }
        position += length;
        return Arrays.copyOfRange(bytes, position - length, position);
    }

    /// All that was not read yet.
    byte[] rest() {
        return raw(bytes.length - position);
    }

    void end(String what) {
        if (position != bytes.length) {
            throw new DamageException(
                    "%s: %d bytes are left over".formatted(what, bytes.length - position));
        }
    }

    private long bits() {
        var bits = 0L;
        for (var shift = 0; shift <= SHIFT_MAX; shift += 7) {
            var one = take();
            bits |= (long) (one & 0x7F) << shift;
            if ((one & 0x80) == 0) {
                return bits;
            }
        }
        throw new DamageException("a number at %d has no end".formatted(position));
    }

    int count() {
        var count = bits();
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw new DamageException("count %d at %d is none".formatted(count, position));
        }
        return (int) count;
    }

    /// Of things that take at least one byte each.
    int countWithin() {
        var count = count();
        if (count > bytes.length - position) {
            throw new DamageException(
                    "found a list of %d at %d, with %d bytes left"
                            .formatted(count, position, bytes.length - position));
        }
        return count;
    }

    long number() {
        var folded = bits();
        return folded >>> 1 ^ -(folded & 1);
    }

    /// A number that is no longer than an `int`.
    int whole() {
        var number = number();
        if (number != (int) number) {
            throw new DamageException("number %d at %d is too great".formatted(number, position));
        }
        return (int) number;
    }

    boolean flag() {
        var one = take();
        if (one > 1) {
            throw new DamageException("flag %d at %d is neither 0 nor 1".formatted(one, position));
        }
        return one == 1;
    }

    double real() {
        if (flag()) {
            return (double) number();
        }
        var raw = 0L;
        for (var index = 0; index < Double.BYTES; index++) {
            raw = raw << 8 | take();
        }
        return Double.longBitsToDouble(raw);
    }

    <E extends Enum<E>> E constant(Class<E> type) {
        var name = text();
        try {
            return Enum.valueOf(type, name);
        } catch (IllegalArgumentException unknown) {
            throw new DamageException(
                    "\"%s\" is no %s".formatted(name, type.getSimpleName()), unknown);
        }
    }

    Instant instant() {
        try {
            return Instant.ofEpochSecond(number(), count());
        } catch (DateTimeException | ArithmeticException outside) {
            throw new DamageException("a moment is out of range", outside);
        }
    }

    Duration duration() {
        try {
            return Duration.ofSeconds(number(), count());
        } catch (ArithmeticException outside) {
            throw new DamageException("a duration is out of range", outside);
        }
    }

    private int reference() {
        var number = count();
        if (number >= numbersMax) {
            throw new DamageException(
                    "value %d is named; there are %d".formatted(number, numbersMax));
        }
        return number;
    }

    String text() {
        return table != null
                ? table.text(reference())
                : new String(raw(count()), StandardCharsets.UTF_8);
    }

    <T> T value(Spelling<T> spelling) {
        return table != null ? table.value(spelling, reference()) : spelling.read(this);
    }

    <T> T inline(Spelling<T> spelling) {
        return spelling.read(this);
    }

    <T> @Nullable T valueOrNone(Spelling<T> spelling) {
        return flag() ? value(spelling) : null;
    }

    @Nullable String textOrNone() {
        return flag() ? text() : null;
    }

    @Nullable Long numberOrNone() {
        return flag() ? (Long) number() : null;
    }

    @Nullable Double realOrNone() {
        return flag() ? (Double) real() : null;
    }

    @Nullable Integer countOrNone() {
        return flag() ? (Integer) whole() : null;
    }

    @Nullable Instant instantOrNone() {
        return flag() ? instant() : null;
    }

    @Nullable Duration durationOrNone() {
        return flag() ? duration() : null;
    }

    <T> List<T> list(Spelling<T> spelling) {
        var count = countWithin();
        var values = new ArrayList<T>(count);
        for (var index = 0; index < count; index++) {
            values.add(value(spelling));
        }
        return values;
    }

    List<String> texts() {
        var count = countWithin();
        var texts = new ArrayList<String>(count);
        for (var index = 0; index < count; index++) {
            texts.add(text());
        }
        return texts;
    }

    <T> SequencedMap<String, T> map(Spelling<T> spelling) {
        var count = countWithin();
        var values = new TreeMap<String, T>();
        for (var index = 0; index < count; index++) {
            values.put(text(), value(spelling));
        }
        return values;
    }
}
