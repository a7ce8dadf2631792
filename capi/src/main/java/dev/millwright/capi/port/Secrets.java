package dev.millwright.capi.port;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.object.Meta;

import java.util.Arrays;
import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Reads Secrets one by one: no copy of a cluster's secrets is kept in memory.
public interface Secrets {

    Answer read(ObjectName name);

    sealed interface Answer {

        /// The bytes are what they stand for, not base64. Never printed.
        record Found(Meta meta, String type, SequencedMap<String, byte[]> data) implements Answer {

            public Found {
                data = Collections.unmodifiableSequencedMap(new TreeMap<>(data));
            }

            @Override
            public boolean equals(Object other) {
                return other instanceof Found that
                        && meta.equals(that.meta)
                        && type.equals(that.type)
                        && data.keySet().equals(that.data.keySet())
                        && data.entrySet().stream()
                                .allMatch(
                                        entry ->
                                                Arrays.equals(
                                                        entry.getValue(),
                                                        that.data.get(entry.getKey())));
            }

            @Override
            public int hashCode() {
                return meta.hashCode();
            }

            @Override
            public String toString() {
                return "Secret %s with keys %s".formatted(meta.name(), data.keySet());
            }
        }

        record Missing() implements Answer {}

        record Failed(String message) implements Answer {}
    }
}
