package dev.millwright.kube.record.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;

/// A list that is written many times and changes little: only where it differs from the last time
/// is written, as runs that are copied and values that are new.
///
/// Whoever reads holds the same list in the same place, and follows.
final class Rows {

    /// The list as it was written last.
    static final class Written {

        private int[] numbers = new int[0];
        private Object last = List.of();

        @SuppressWarnings("ReferenceEquality") // The very same list needs no second look.
        <T> void write(ValueOut out, Spelling<T> spelling, List<T> rows, Dictionary dictionary) {
            if (rows == last) {
                out.flag(false);
                return;
            }
            var next = new int[rows.size()];
            for (var index = 0; index < next.length; index++) {
                next[index] = dictionary.number(spelling, rows.get(index));
            }
            last = rows;
            var isChanged = !Arrays.equals(numbers, next);
            out.flag(isChanged);
            if (isChanged) {
                changes(out, next);
                numbers = next;
            }
        }

        private void changes(ValueOut out, int[] next) {
            var places = new HashMap<Integer, Integer>();
            for (var place = numbers.length - 1; place >= 0; place--) {
                places.put(numbers[place], place);
            }
            out.count(next.length);
            var expected = 0;
            var index = 0;
            while (index < next.length) {
                var fresh = index;
                while (fresh < next.length && !places.containsKey(next[fresh])) {
                    fresh++;
                }
                out.count(fresh - index);
                for (; index < fresh; index++) {
                    out.count(next[index]);
                }
                if (index < next.length) {
                    var from = places.getOrDefault(next[index], 0);
                    var length = run(next, index, from);
                    out.number(from - expected);
                    out.count(length);
                    index += length;
                    expected = from + length;
                }
            }
        }

        private int run(int[] next, int index, int from) {
            var length = 0;
            while (index + length < next.length
                    && from + length < numbers.length
                    && next[index + length] == numbers[from + length]) {
                length++;
            }
            return length;
        }
    }

    /// The list as it was read last.
    static final class Read<T> {

        private List<T> last = List.of();

        List<T> read(ValueIn in, Spelling<T> spelling) {
            if (in.flag()) {
                last = List.copyOf(changed(in, spelling));
            }
            return last;
        }

        private List<T> changed(ValueIn in, Spelling<T> spelling) {
            var size = in.count();
            var next = new ArrayList<T>();
            var expected = 0;
            while (next.size() < size) {
                for (var left = in.count(); left > 0; left--) {
                    next.add(in.value(spelling));
                }
                if (next.size() < size) {
                    var from = Math.addExact(expected, in.whole());
                    var length = in.count();
                    if (from < 0 || length < 1 || length > last.size() - from) {
                        throw new DamageException(
                                "%s rows %d to %d are named; there are %d"
                                        .formatted(spelling, from, from + length, last.size()));
                    }
                    next.addAll(last.subList(from, from + length));
                    expected = from + length;
                }
            }
            return next;
        }
    }

    private Rows() {}
}
