package dev.millwright.world.scheduler;

import dev.millwright.core.label.Selector;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Which pods are meant: by namespace and labels. No selector means none.
record PodFilter(
        List<String> namespaces,
        @Nullable Selector namespaceSelector,
        @Nullable Selector selector) {

    static PodFilter of(PodWish.PodTerm term) {
        return new PodFilter(term.namespaces(), term.namespaceSelector(), term.selector());
    }

    boolean matches(PodWish pod, Function<String, Map<String, String>> namespaceLabels) {
        return selector != null
                && (namespaces.contains(pod.namespace())
                        || (namespaceSelector != null
                                && namespaceSelector.matches(
                                        namespaceLabels.apply(pod.namespace()))))
                && selector.matches(pod.labels());
    }
}
