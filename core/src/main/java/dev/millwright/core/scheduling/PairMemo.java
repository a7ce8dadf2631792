package dev.millwright.core.scheduling;

import java.util.Arrays;

/// Remembers a small number for a pair of small numbers. Open addressing on primitives: it is asked
/// for every pod that is tried on every node, where boxing would be most of the time
/// (`FirstFitBenchmark`).
final class PairMemo {

    /// What [#find] answers when nothing is remembered.
    static final int UNKNOWN = Integer.MIN_VALUE;

    private static final long FREE = -1L;
    private static final int CAPACITY_MIN = 64;

    private long[] keys = free(CAPACITY_MIN);
    private int[] values = new int[CAPACITY_MIN];
    private int size;

    int find(int left, int right) {
        var key = key(left, right);
        var mask = keys.length - 1;
        for (var slot = slot(key, mask); keys[slot] != FREE; slot = (slot + 1) & mask) {
            if (keys[slot] == key) {
                return values[slot];
            }
        }
        return UNKNOWN;
    }

    /// Remembers the value and gives it back.
    int remember(int left, int right, int value) {
        if (2 * (size + 1) > keys.length) {
            grow();
        }
        put(key(left, right), value);
        size++;
        return value;
    }

    private void grow() {
        var oldKeys = keys;
        var oldValues = values;
        keys = free(oldKeys.length * 2);
        values = new int[oldKeys.length * 2];
        for (var slot = 0; slot < oldKeys.length; slot++) {
            if (oldKeys[slot] != FREE) {
                put(oldKeys[slot], oldValues[slot]);
            }
        }
    }

    private void put(long key, int value) {
        var mask = keys.length - 1;
        var slot = slot(key, mask);
        while (keys[slot] != FREE) {
            slot = (slot + 1) & mask;
        }
        keys[slot] = key;
        values[slot] = value;
    }

    private static long[] free(int capacity) {
        var keys = new long[capacity];
        Arrays.fill(keys, FREE);
        return keys;
    }

    private static long key(int left, int right) {
        return ((long) left << 32) | (right & 0xffff_ffffL);
    }

    private static int slot(long key, int mask) {
        var mixed = key * 0x9e37_79b9_7f4a_7c15L;
        return (int) (mixed >>> 32) & mask;
    }
}
