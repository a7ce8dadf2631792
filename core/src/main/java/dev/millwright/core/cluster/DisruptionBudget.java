package dev.millwright.core.cluster;

import dev.millwright.core.label.Selector;

import org.jspecify.annotations.Nullable;

/// A PodDisruptionBudget. The bounds keep the text of the object: a number or a percentage.
public record DisruptionBudget(
        ObjectName name,
        @Nullable Selector selector,
        @Nullable String maxUnavailable,
        @Nullable String minAvailable,
        boolean alwaysAllowsUnhealthy) {

    public boolean selects(Pod pod) {
        return selector != null
                && name.namespace().equals(pod.name().namespace())
                && selector.matches(pod.labels());
    }

    /// Whether the budget never lets any pod go, whatever their number.
    public boolean isFullyBlocking() {
        return "0".equals(maxUnavailable)
                || "0%".equals(maxUnavailable)
                || "100%".equals(minAvailable);
    }
}
