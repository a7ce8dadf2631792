package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Value;

import java.util.List;

/// One object that was found, and those it became.
public record Turned(String origin, Value.Mapping before, List<Value.Mapping> after) {

    public Turned {
        after = List.copyOf(after);
    }

    /// Whether nothing but the server's own fields is another.
    public boolean isSame() {
        return after.size() == 1 && after.getFirst().equals(OldMetadata.cleaned(before));
    }
}
