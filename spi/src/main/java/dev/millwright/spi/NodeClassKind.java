package dev.millwright.spi;

import dev.millwright.core.policy.NodePool.NodeClassRef;

/// A kind of NodeClass a provider understands. It decides which pools, claims and nodes are ours.
public record NodeClassKind(String group, String version, String plural, String kind) {

    public boolean describes(NodeClassRef reference) {
        return group.equals(reference.group()) && kind.equals(reference.kind());
    }

    /// The label by which nodes of this kind are recognised; its value is the class's name.
    public String labelKey() {
        return new NodeClassRef(group, kind, "").labelKey();
    }
}
