package dev.millwright.kube.translation;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.core.cluster.PodVolume;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.label.Selector;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// An object whose controller makes pods: where a file has none of them, they stand here as
/// waiting.
///
/// @param owner what made this one, as a Deployment its ReplicaSet
/// @param claimTemplates the volume claims a StatefulSet makes for each pod
public record PodMaker(
        Owner identity,
        ObjectName name,
        Pod prototype,
        int count,
        int firstOrdinal,
        @Nullable Selector selector,
        @Nullable Owner owner,
        List<ClaimTemplate> claimTemplates) {

    /// Pods made from one object; the API allows more, a file of ours does not need them.
    public static final int PODS_MAX = 100_000;

    public record ClaimTemplate(String name, @Nullable String storageClassName) {}

    public PodMaker {
        claimTemplates = List.copyOf(claimTemplates);
    }

    public boolean selects(Pod pod) {
        return selector != null && !selector.isEmpty() && selector.matches(pod.labels());
    }

    public List<Pod> pods() {
        var pods = new ArrayList<Pod>(count);
        for (var ordinal = firstOrdinal; ordinal < firstOrdinal + count; ordinal++) {
            pods.add(pod(name.name() + "-" + ordinal));
        }
        return pods;
    }

    private Pod pod(String podName) {
        var volumes = new ArrayList<>(prototype.volumes());
        for (var template : claimTemplates) {
            volumes.add(new PodVolume.Claim(template.name() + "-" + podName));
        }
        return new Pod(
                new ObjectName(name.namespace(), podName),
                ObjectMeta.derivedUid(name.namespace(), podName),
                prototype.createdAt(),
                prototype.labels(),
                prototype.annotations(),
                prototype.requests(),
                prototype.placement(),
                prototype.hostPorts(),
                volumes,
                prototype.hasResourceClaims(),
                prototype.state());
    }

    /// The claims that come with the pods: a controller would make them first.
    public List<Storage.VolumeClaim> claims() {
        var claims = new ArrayList<Storage.VolumeClaim>();
        for (var pod : pods()) {
            for (var template : claimTemplates) {
                var claim = template.name() + "-" + pod.name().name();
                claims.add(unbound(claim, template.storageClassName()));
            }
        }
        return claims;
    }

    private Storage.VolumeClaim unbound(String claim, @Nullable String storageClassName) {
        return new Storage.VolumeClaim(
                new ObjectName(name.namespace(), claim),
                null,
                storageClassName,
                false,
                false,
                false);
    }
}
