package dev.millwright.world.scheduler;

import java.util.Arrays;

/// How many pods of a kind are on each node.
final class Tally {

    private int[] counts = new int[16];
    private int total;
    private int users;

    int at(NodeSlot slot) {
        return slot.place() < counts.length ? counts[slot.place()] : 0;
    }

    int total() {
        return total;
    }

    void add(NodeSlot slot, int change) {
        if (slot.place() >= counts.length) {
            counts = Arrays.copyOf(counts, slot.place() * 2);
        }
        counts[slot.place()] += change;
        total += change;
    }

    void use() {
        users++;
    }

    /// Whether nobody needs it any more.
    boolean isLeft() {
        users--;
        return users == 0;
    }
}
