package dev.millwright.world.scheduler;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// The values of one label key on the nodes, numbered: nodes of one number are near each other.
final class Topology {

    static final int NONE = -1;

    private final String key;
    private final Map<String, Integer> numbers = new HashMap<>();
    private int[] domains = new int[0];

    Topology(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    /// How many numbers were ever given.
    int size() {
        return numbers.size();
    }

    /// The number of a node's value; [#NONE] where the node has no such label.
    int domain(NodeSlot slot) {
        return slot.place() < domains.length ? domains[slot.place()] : NONE;
    }

    void learn(NodeSlot slot) {
        if (slot.place() >= domains.length) {
            var length = domains.length;
            domains = Arrays.copyOf(domains, Math.max(16, slot.place() * 2));
            Arrays.fill(domains, length, domains.length, NONE);
        }
        var value = slot.isPresent() ? slot.labels().get(key) : null;
        domains[slot.place()] =
                value == null ? NONE : numbers.computeIfAbsent(value, _ -> numbers.size());
    }
}
