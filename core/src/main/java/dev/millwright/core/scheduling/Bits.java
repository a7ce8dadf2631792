package dev.millwright.core.scheduling;

import java.util.Arrays;

/// Sets of small numbers as words of 64 bits. The arrays never leave the classes of this package
/// that own them. Words beyond an array's end count as empty. Measured by `FirstFitBenchmark`.
final class Bits {

    static final long[] EMPTY = {};

    private Bits() {}

    static long[] ofSize(int bits) {
        return new long[(bits + 63) >>> 6];
    }

    static long[] all(int bits) {
        var words = ofSize(bits);
        Arrays.fill(words, -1L);
        if ((bits & 63) != 0) {
            words[words.length - 1] = (1L << (bits & 63)) - 1;
        }
        return words;
    }

    static boolean has(long[] words, int bit) {
        var word = bit >>> 6;
        return word < words.length && (words[word] & (1L << (bit & 63))) != 0;
    }

    /// Sets the bit and gives the array back, longer when it had to grow.
    static long[] with(long[] words, int bit) {
        var word = bit >>> 6;
        var grown =
                word < words.length
                        ? words
                        : Arrays.copyOf(words, Math.max(word + 1, words.length * 2));
        grown[word] |= 1L << (bit & 63);
        return grown;
    }

    static void clear(long[] words, int bit) {
        var word = bit >>> 6;
        if (word < words.length) {
            words[word] &= ~(1L << (bit & 63));
        }
    }

    static long word(long[] words, int index) {
        return index < words.length ? words[index] : 0;
    }

    static boolean isEmpty(long[] words) {
        for (var word : words) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }

    static boolean intersects(long[] one, long[] other) {
        var length = Math.min(one.length, other.length);
        for (var index = 0; index < length; index++) {
            if ((one[index] & other[index]) != 0) {
                return true;
            }
        }
        return false;
    }

    static long[] and(long[] one, long[] other) {
        var result = new long[Math.min(one.length, other.length)];
        for (var index = 0; index < result.length; index++) {
            result[index] = one[index] & other[index];
        }
        return result;
    }

    static void andInto(long[] target, long[] other) {
        for (var index = 0; index < target.length; index++) {
            target[index] &= word(other, index);
        }
    }

    static void orInto(long[] target, long[] other) {
        var length = Math.min(target.length, other.length);
        for (var index = 0; index < length; index++) {
            target[index] |= other[index];
        }
    }

    static int count(long[] words) {
        var count = 0;
        for (var word : words) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /// The first set bit from `from` on, or -1.
    static int next(long[] words, int from) {
        var index = from >>> 6;
        if (index >= words.length) {
            return -1;
        }
        var word = words[index] & (-1L << (from & 63));
        while (word == 0) {
            if (++index >= words.length) {
                return -1;
            }
            word = words[index];
        }
        return (index << 6) + Long.numberOfTrailingZeros(word);
    }
}
