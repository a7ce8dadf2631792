package dev.millwright.core.cluster;

import java.util.Collection;
import java.util.Comparator;

/// A DaemonSet: a pod that every fitting node runs, known by its template.
public record DaemonSet(ObjectName name, String uid, Pod template) {

    /// The pod that stands for the set: its newest one, since admission may have changed it, else
    /// the template. The newest one is pinned to its node, so that the required node affinity is
    /// always the template's.
    public Pod representative(Collection<Pod> pods) {
        return pods.stream()
                .filter(pod -> pod.name().namespace().equals(name.namespace()))
                .filter(this::controls)
                .max(
                        Comparator.comparing(Pod::createdAt)
                                .thenComparing(Pod::name, Comparator.reverseOrder()))
                .map(this::unpinned)
                .orElse(template);
    }

    private boolean controls(Pod pod) {
        return pod.state().owners().stream()
                .anyMatch(
                        owner ->
                                owner.isController()
                                        && owner.kind().equals("DaemonSet")
                                        && owner.name().equals(name.name()));
    }

    private Pod unpinned(Pod pod) {
        var affinity =
                new NodeAffinity(
                        template.placement().nodeAffinity().required(),
                        pod.placement().nodeAffinity().preferred());
        return pod.withPlacement(pod.placement().withNodeAffinity(affinity));
    }
}
