package dev.millwright.addons.port;

import dev.millwright.core.cluster.ObjectName;

/// Values that stand in Secrets of the management cluster.
public interface ValuesSecrets {

    Answer read(ObjectName secret, String key);

    sealed interface Answer {

        record Found(String values) implements Answer {
            @Override
            public String toString() {
                return "Found";
            }
        }

        record Absent(String message) implements Answer {}
    }
}
