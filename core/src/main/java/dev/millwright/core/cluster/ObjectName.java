package dev.millwright.core.cluster;

import java.util.Comparator;

/// Namespace and name, in the order of both.
public record ObjectName(String namespace, String name) implements Comparable<ObjectName> {

    private static final Comparator<ObjectName> ORDER =
            Comparator.comparing(ObjectName::namespace).thenComparing(ObjectName::name);

    @Override
    public int compareTo(ObjectName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
