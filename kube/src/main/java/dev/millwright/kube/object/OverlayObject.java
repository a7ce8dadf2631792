package dev.millwright.kube.object;

import dev.millwright.core.policy.NodeOverlay;

import java.util.List;

/// A NodeOverlay.
public record OverlayObject(
        Meta meta, NodeOverlay overlay, List<Condition> stored, List<String> faults)
        implements KubeObject {

    public static final String READY = "Ready";
    public static final String VALIDATION_SUCCEEDED = "ValidationSucceeded";

    private static final Conditions.Family FAMILY =
            new Conditions.Family(READY, List.of(VALIDATION_SUCCEEDED));

    public OverlayObject {
        stored = List.copyOf(stored);
        faults = List.copyOf(faults);
    }

    public Conditions conditions() {
        return Conditions.of(FAMILY, meta, stored);
    }
}
