package dev.millwright.core.cluster;

import dev.millwright.core.label.Selector;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A topology spread constraint: how evenly the selected pods lie over the values of a label key.
public record SpreadConstraint(
        String topologyKey,
        int maxSkew,
        boolean isHard,
        @Nullable Selector selector,
        @Nullable Integer minDomains,
        Inclusion nodeTaintsPolicy,
        Inclusion nodeAffinityPolicy,
        List<String> matchLabelKeys) {

    /// Whether nodes that the pod could not use count for the spread.
    public enum Inclusion {
        HONOR,
        IGNORE
    }

    public SpreadConstraint {
        if (maxSkew < 1) {
            throw new IllegalArgumentException(
                    "spread over %s: maxSkew %d must be at least 1"
                            .formatted(topologyKey, maxSkew));
        }
        matchLabelKeys = List.copyOf(matchLabelKeys);
    }

    /// With Kubernetes' defaults for all but the essentials.
    public static SpreadConstraint of(
            String topologyKey, int maxSkew, boolean isHard, @Nullable Selector selector) {
        return new SpreadConstraint(
                topologyKey,
                maxSkew,
                isHard,
                selector,
                null,
                Inclusion.IGNORE,
                Inclusion.HONOR,
                List.of());
    }

    /// The same, but as something that may be given up.
    public SpreadConstraint asWish() {
        return new SpreadConstraint(
                topologyKey,
                maxSkew,
                false,
                selector,
                minDomains,
                nodeTaintsPolicy,
                nodeAffinityPolicy,
                matchLabelKeys);
    }

    public SpreadConstraint withSelector(Selector other) {
        return new SpreadConstraint(
                topologyKey,
                maxSkew,
                isHard,
                other,
                minDomains,
                nodeTaintsPolicy,
                nodeAffinityPolicy,
                matchLabelKeys);
    }

    public SpreadConstraint withMinDomains(@Nullable Integer domains) {
        return new SpreadConstraint(
                topologyKey,
                maxSkew,
                isHard,
                selector,
                domains,
                nodeTaintsPolicy,
                nodeAffinityPolicy,
                matchLabelKeys);
    }

    public SpreadConstraint withPolicies(Inclusion taints, Inclusion affinity) {
        return new SpreadConstraint(
                topologyKey,
                maxSkew,
                isHard,
                selector,
                minDomains,
                taints,
                affinity,
                matchLabelKeys);
    }

    public SpreadConstraint withMatchLabelKeys(List<String> keys) {
        return new SpreadConstraint(
                topologyKey,
                maxSkew,
                isHard,
                selector,
                minDomains,
                nodeTaintsPolicy,
                nodeAffinityPolicy,
                keys);
    }
}
