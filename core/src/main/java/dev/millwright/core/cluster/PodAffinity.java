package dev.millwright.core.cluster;

import dev.millwright.core.label.Selector;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeSet;

/// Pods that a pod wants near it, or, read as anti-affinity, away from it.
public record PodAffinity(List<Term> required, List<Weighted> preferred) {

    public static final PodAffinity NONE = new PodAffinity(List.of(), List.of());

    /// Pods chosen by selector and namespaces, and the label key whose value makes two nodes near.
    /// Without a namespace list and namespace selector the pod's own namespace is meant; an absent
    /// selector selects no pod.
    public record Term(
            String topologyKey,
            @Nullable Selector selector,
            List<String> namespaces,
            @Nullable Selector namespaceSelector) {
        public Term {
            namespaces = List.copyOf(new TreeSet<>(namespaces));
        }

        public static Term of(String topologyKey, @Nullable Selector selector) {
            return new Term(topologyKey, selector, List.of(), null);
        }
    }

    public record Weighted(int weight, Term term) {}

    public PodAffinity {
        required = List.copyOf(required);
        preferred = List.copyOf(preferred);
    }

    public boolean isEmpty() {
        return required.isEmpty() && preferred.isEmpty();
    }
}
