package dev.millwright.core.cluster;

import dev.millwright.core.label.Selector;

import org.jspecify.annotations.Nullable;

/// A PodDisruptionBudget. The bounds keep the text of the object: a number or a percentage;
/// `disruptionsAllowed` is what its controller worked out, 0 before it has.
public record DisruptionBudget(
        ObjectName name,
        @Nullable Selector selector,
        @Nullable String maxUnavailable,
        @Nullable String minAvailable,
        boolean alwaysAllowsUnhealthy,
        int disruptionsAllowed) {

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

    /// Whether the pod, not being ready, may go whatever the budget says.
    boolean letsGoUnhealthy(Pod pod) {
        return alwaysAllowsUnhealthy && pod.state().isKnownNotReady();
    }
}
