package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.quantity.Quantity;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/// All that a scheduler looks at in a pod. Pods with equal wishes are of one class: what is true of
/// one is true of all.
///
/// @param required null where the pod states no required node affinity
/// @param claims of its volumes; a pod with claims is mostly a class of its own
/// @param controllerUid its owner, by which it is spread when it says nothing about it
record PodWish(
        String namespace,
        Map<String, String> labels,
        int priority,
        boolean preempts,
        Map<String, Quantity> requests,
        long scoredMillis,
        long scoredBytes,
        Map<String, String> nodeSelector,
        @Nullable List<NodeTerm> required,
        List<WeightedNodes> preferred,
        List<Toleration> tolerations,
        PodTerms near,
        PodTerms away,
        List<Spread> spread,
        List<HostPort> ports,
        List<ObjectName> claims,
        String controllerUid) {

    record WeightedNodes(int weight, NodeTerm term) {}

    /// Terms of pod affinity or anti-affinity.
    record PodTerms(List<PodTerm> required, List<WeightedPods> preferred) {
        static final PodTerms NONE = new PodTerms(List.of(), List.of());
    }

    record WeightedPods(int weight, PodTerm term) {}

    /// Pods by selector and namespaces; the pod's own namespace stands among them where it says
    /// nothing else.
    record PodTerm(
            String topologyKey,
            @Nullable Selector selector,
            List<String> namespaces,
            @Nullable Selector namespaceSelector) {}

    record Spread(
            String topologyKey,
            int maxSkew,
            boolean isHard,
            @Nullable Selector selector,
            int minDomains,
            boolean honorsAffinity,
            boolean honorsTaints) {}

    PodWish withLabels(Map<String, String> others) {
        return new PodWish(
                namespace,
                others,
                priority,
                preempts,
                requests,
                scoredMillis,
                scoredBytes,
                nodeSelector,
                required,
                preferred,
                tolerations,
                near,
                away,
                spread,
                ports,
                claims,
                controllerUid);
    }

    boolean isSpreadByItself() {
        return !spread.isEmpty();
    }

    /// Whether other pods' coming to nodes can make room for this one.
    boolean isHelpedByOthers() {
        return !near.required().isEmpty() || spread.stream().anyMatch(Spread::isHard);
    }
}
