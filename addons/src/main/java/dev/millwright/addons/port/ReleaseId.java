package dev.millwright.addons.port;

/// A release of a workload cluster.
public record ReleaseId(String namespace, String name) implements Comparable<ReleaseId> {

    @Override
    public int compareTo(ReleaseId other) {
        var byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
