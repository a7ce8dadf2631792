package dev.millwright.spi;

import dev.millwright.core.policy.NodeOverlay;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeSet;

/// The overlays that hold, as they were last found to be: whoever evaluates them puts them here as
/// a whole, and many read.
public final class OverlayStore {

    /// @param overlays those without fault or conflict
    /// @param nodePools the pools that overlays were tried on; of others nothing is known yet
    record Laid(List<NodeOverlay> overlays, SequencedSet<String> nodePools) {

        static final Laid NOTHING = new Laid(List.of(), new TreeSet<>());

        Laid {
            overlays = List.copyOf(overlays);
            nodePools = Collections.unmodifiableSequencedSet(new TreeSet<>(nodePools));
        }
    }

    private volatile Laid laid = Laid.NOTHING;

    public void replace(Collection<NodeOverlay> overlays, Collection<String> nodePools) {
        laid = new Laid(List.copyOf(overlays), new TreeSet<>(nodePools));
    }

    Laid laid() {
        return laid;
    }
}
