package dev.millwright.controllers.capacitybuffer;

import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// How many virtual pods the last pass kept each node for. A node with some is not empty.
public final class BufferNodes {

    private volatile SequencedMap<String, Integer> podsByNode =
            Collections.unmodifiableSequencedMap(new TreeMap<>());

    public void replace(SequencedMap<String, Integer> counts) {
        podsByNode = Collections.unmodifiableSequencedMap(new TreeMap<>(counts));
    }

    public int podsOn(String nodeName) {
        return podsByNode.getOrDefault(nodeName, 0);
    }
}
